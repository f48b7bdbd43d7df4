/** What came back. */
export interface FuzzAnswer {
  readonly status: number
  readonly contentType: string
  readonly requestId: string | null
  readonly text: string
}

const read = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The envelope of errors, or that of failed standalone actions. */
const isEnvelope = (body: unknown): boolean => {
  if (!isRecord(body)) return false
  if (body["success"] === false) return typeof body["error"] === "string"
  const { error } = body
  return isRecord(error) && typeof error["message"] === "string" && /^[A-Z_]+$/u.test(String(error["code"]))
}

/** A line of a stack, a path of this program, or a statement. */
const leaks = /\n\s+at .+:\d+:\d+|node_modules|\.ts:\d+|SQLITE_|syntax error at or near/u

/**
 * What is wrong with an answer; null: nothing. Whatever is asked, a server of a sound mind answers below 500, but for a
 * provider that is not configured, with the envelope of the contract and a request id, and tells nothing of its inside.
 */
export const faultOf = ({ contentType, requestId, status, text }: FuzzAnswer): string | null => {
  if (requestId === null || requestId === "") return "no request id"
  if (status < 400) return null
  const body = read(text)
  if (!contentType.includes("application/json") || !isEnvelope(body)) return `no envelope: ${text.slice(0, 200)}`
  const store = text.includes("data store does not answer")
  if (status >= 500 && (status !== 503 || store)) return `status ${status}: ${text.slice(0, 200)}`
  return leaks.test(text) ? `tells of its inside: ${text.slice(0, 300)}` : null
}
