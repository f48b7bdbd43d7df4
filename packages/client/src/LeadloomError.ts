import type { ErrorCode } from "./operations.ts"

/** The properties of a failed call. */
export interface Failure {
  readonly status: number
  readonly code: ErrorCode
  readonly message: string
  readonly details?: unknown
  readonly requestId?: string | null
  readonly cause?: unknown
}

/**
 * The error of a failed call. Programs should branch on `code`. A call without a response has the status 0 and the code
 * `TIMEOUT` or `NETWORK_ERROR`. A response that is not from Leadloom, for example from a proxy, has the code
 * `UNEXPECTED_RESPONSE`.
 */
export class LeadloomError extends Error {
  override readonly name = "LeadloomError"
  readonly status: number
  readonly code: ErrorCode
  /** Details of the error, specific to the code. For `BAD_REQUEST`, a list of `{ path, message }`. */
  readonly details: unknown
  /** The server's `X-Request-Id`. With this id, the operator finds the request in the server's log. */
  readonly requestId: string | null

  constructor(failure: Failure) {
    super(failure.message, failure.cause === undefined ? {} : { cause: failure.cause })
    this.status = failure.status
    this.code = failure.code
    this.details = failure.details ?? null
    this.requestId = failure.requestId ?? null
  }
}
