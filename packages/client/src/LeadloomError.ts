import type { ErrorCode } from "./operations.ts"

/** What a failed call is made from. */
export interface Failure {
  readonly status: number
  readonly code: ErrorCode
  readonly message: string
  readonly details?: unknown
  readonly requestId?: string | null
  readonly cause?: unknown
}

/**
 * Why a call failed. Branch on `code`. `status` is 0 when there was no answer; `code` is then `TIMEOUT` or
 * `NETWORK_ERROR`. An answer that does not come from Leadloom (a proxy's, say) has the code `UNEXPECTED_RESPONSE`.
 */
export class LeadloomError extends Error {
  override readonly name = "LeadloomError"
  readonly status: number
  readonly code: ErrorCode
  /** What the server adds, by code: for `BAD_REQUEST` a list of `{ path, message }`. */
  readonly details: unknown
  /** The server's `X-Request-Id`: quote it to the operator. */
  readonly requestId: string | null

  constructor(failure: Failure) {
    super(failure.message, failure.cause === undefined ? {} : { cause: failure.cause })
    this.status = failure.status
    this.code = failure.code
    this.details = failure.details ?? null
    this.requestId = failure.requestId ?? null
  }
}
