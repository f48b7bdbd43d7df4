/** A response. */
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

/** Returns whether a body is an error envelope, of endpoints or of standalone actions. */
const isEnvelope = (body: unknown): boolean => {
  if (!isRecord(body)) return false
  if (body["success"] === false) return typeof body["error"] === "string"
  const { error } = body
  return isRecord(error) && typeof error["message"] === "string" && /^[A-Z_]+$/u.test(String(error["code"]))
}

/** A line of a stack trace, a path of this program, or an error of a database. */
const leaks = /\n\s+at .+:\d+:\d+|node_modules|\.ts:\d+|SQLITE_|syntax error at or near/u

/**
 * Returns the fault of a response; null: none. A correct response is below 500 (except 503 for a provider that is not
 * configured), uses the envelope of the contract, has a request id and reveals no internals.
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
