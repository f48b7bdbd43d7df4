import type { DetailsByCode, ErrorCode } from "./operations.ts"

/** The details of an error with this code. The details of an unlisted code are unknown. */
export type ErrorDetails<Code extends ErrorCode> = Code extends keyof DetailsByCode ? DetailsByCode[Code] : unknown

/** The properties of a failed call. */
export interface Failure<Code extends ErrorCode = ErrorCode> {
  readonly status: number
  readonly code: Code
  readonly message: string
  readonly details?: unknown
  readonly requestId?: string | null
  readonly retryAfter?: number | null
  readonly cause?: unknown
}

/**
 * The error of a failed call. Programs should branch on `code`, for example with `isLeadloomError`. A call without a
 * response has the status 0 and the code `TIMEOUT` or `NETWORK_ERROR`. A response that is not from Leadloom, for example
 * from a proxy, has the code `UNEXPECTED_RESPONSE`.
 */
export class LeadloomError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = "LeadloomError"
  readonly status: number
  readonly code: Code
  /** Details of the error, specific to the code. For `BAD_REQUEST`, a list of `{ path, message }`. */
  readonly details: ErrorDetails<Code> | null
  /** The server's `X-Request-Id`. With this id, the operator finds the request in the server's log. */
  readonly requestId: string | null
  /** The number of seconds after which the server accepts a repetition, from `Retry-After`. */
  readonly retryAfter: number | null

  constructor({ cause, code, details = null, message, requestId = null, retryAfter = null, status }: Failure<Code>) {
    super(message, cause === undefined ? {} : { cause })
    this.status = status
    this.code = code
    this.details = details as ErrorDetails<Code> | null
    this.requestId = requestId
    this.retryAfter = retryAfter
  }

  /** The code, for libraries that distinguish errors by their tag. */
  get _tag(): Code {
    return this.code
  }
}

/** Creates the error of a response that the client cannot read, or of a call without a response. */
export const clientError = (
  code: "NETWORK_ERROR" | "TIMEOUT" | "UNEXPECTED_RESPONSE",
  message: string,
  cause?: unknown
): LeadloomError => new LeadloomError({ status: 0, code, message, cause })

/**
 * Returns whether a value is the error of a failed call and has one of the codes. Without codes, accepts every code.
 * Also recognises errors of another copy of this package, where `instanceof` fails.
 */
export const isLeadloomError = <const Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: ReadonlyArray<Code>
): error is LeadloomError<Code> =>
  error instanceof Error &&
  error.name === "LeadloomError" &&
  "code" in error &&
  (codes.length === 0 || codes.some((code) => code === error.code))
