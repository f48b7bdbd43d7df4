import { downloadOf } from "./Download.ts"
import { clientError, type Failure, LeadloomError } from "./LeadloomError.ts"
import type { FetchResponse } from "./Fetch.ts"
import type { Request, RequestOptions } from "./Request.ts"

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns code, message and details of an error envelope, or null when the body has another shape. */
const envelope = (body: unknown): Pick<Failure, "code" | "message" | "details"> | null => {
  const { error } = Object(body)
  // A standalone action fails with `{ success: false, error: "…" }`.
  if (typeof error === "string") return { code: "ACTION_FAILED", message: error }
  const { code, details, message } = Object(error)
  return typeof code === "string" && typeof message === "string" ? { code, message, details } : null
}

const unexpected = ({ headers, status }: FetchResponse): string => {
  const location = headers.get("location")
  return location !== null
    ? `The server redirects to ${location}. Set baseUrl to it.`
    : `The response (status ${status}) is not from Leadloom. Check baseUrl.`
}

/** Parses `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3) to seconds. Returns null without a value. */
const retryAfterOf = (value: string | null): number | null => {
  if (!value?.trim()) return null
  const seconds = /^[\d\s.]+$/u.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}

/**
 * Returns the parsed body, or the error that the response describes. Errors while reading the body pass through. The
 * body of a file or an event stream is read later; `idleMs` then limits the wait for each part of a file.
 */
export const readResponse = async (
  { events, file }: Request,
  response: FetchResponse,
  idleMs: number,
  { signal }: RequestOptions
): Promise<unknown> => {
  const { body, headers, status } = response
  const succeeded = status >= 200 && status < 300
  if (succeeded && (file === true || events === true)) {
    if (!body) return clientError("UNEXPECTED_RESPONSE", "fetch provides no body stream.")
    return file === true ? downloadOf(response, body, idleMs, signal) : body
  }
  const text = await response.text()
  if (status === 204) return undefined
  const json = parse(text)
  if (succeeded && json !== undefined) return json
  return new LeadloomError({
    ...((status >= 400 ? envelope(json) : null) ?? { code: "UNEXPECTED_RESPONSE", message: unexpected(response) }),
    status,
    requestId: headers.get("x-request-id"),
    retryAfter: retryAfterOf(headers.get("retry-after"))
  })
}
