import { type Failure, LeadloomError } from "./LeadloomError.ts"
import type { FetchResponse, Request } from "./Request.ts"

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** Returns code, message and details of an error envelope, or null when the body has another shape. */
const envelope = (body: unknown): Pick<Failure, "code" | "message" | "details"> | null => {
  if (!isRecord(body)) return null
  const error = body["error"]
  // A standalone action fails with `{ success: false, error: "…" }`.
  if (typeof error === "string") return { code: "ACTION_FAILED", message: error }
  if (!isRecord(error)) return null
  const { code, message, details } = error
  return typeof code === "string" && typeof message === "string" ? { code, message, details } : null
}

const unexpected = (response: FetchResponse): string => {
  const location = response.headers.get("location")
  if (response.status >= 300 && response.status < 400 && location !== null) {
    return `The server redirects to ${location}. Set baseUrl to that address.`
  }
  return `The response (status ${response.status}) is not from Leadloom. Check baseUrl.`
}

const succeeded = ({ status }: FetchResponse): boolean => status >= 200 && status < 300

const noBody = "This fetch implementation provides no readable body stream. Use one that does."

/**
 * Returns the parsed body, or throws the error that the response describes. Errors while reading the body pass through.
 */
export const readResponse = async <Answer>(
  request: Request,
  response: FetchResponse
): Promise<Answer | LeadloomError> => {
  if (request.events === true && succeeded(response)) {
    if (response.body) return response.body as Answer
    return new LeadloomError({ status: 0, code: "UNEXPECTED_RESPONSE", message: noBody })
  }
  if (request.file === true && succeeded(response)) return new Uint8Array(await response.arrayBuffer()) as Answer
  const text = await response.text()
  if (response.status === 204) return undefined as Answer
  const body = parse(text)
  const { status } = response
  if (status >= 200 && status < 300 && body !== undefined) return body as Answer
  const reported = status >= 400 ? envelope(body) : null
  const requestId = response.headers.get("x-request-id")
  return new LeadloomError({
    ...(reported ?? { code: "UNEXPECTED_RESPONSE", message: unexpected(response) }),
    status,
    requestId
  })
}
