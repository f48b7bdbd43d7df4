/** The lifetime of an idempotency key. A request with the same key within this time is not carried out again. */
export const keyMillis = 24 * 3_600_000

/**
 * The time after which another server may carry out an unfinished request. It exceeds the maximum duration of a
 * request.
 */
export const requestLeaseMillis = 180_000

/** In characters. */
export const maxKeyLength = 255

/** The caller's idempotency key for a request that creates a message. Stored with the message. */
export interface MessageRequestKey {
  readonly key: string
  /** The SHA-256 of the request, in hex. The same key with another fingerprint is an error. */
  readonly fingerprint: string
}

/** Identifies an idempotent request. A key is valid for one credential and one route. */
export interface RequestKey {
  /** Empty if the request concerns the deployment. */
  readonly tenantId: string
  /** The name of the caller, from `keyHolder`. */
  readonly credential: string
  /** The method and path of the request. */
  readonly route: string
  readonly key: string
}

/** The stored response, which a repeated request receives. */
export interface StoredResponse {
  readonly status: number
  readonly contentType: string | null
  readonly body: string
}

/**
 * The progress of a request with an idempotency key.
 *
 * - `running`: no change is stored yet
 * - `done`: the change is stored, but the response is not available (yet or any more)
 * - `answered`: the response is stored
 */
export type IdempotencyState = "running" | "done" | "answered"

/** One request with an idempotency key. Times are epoch milliseconds. */
export interface IdempotencyRecord extends RequestKey {
  /**
   * The SHA-256 of query and body, in hex. The same key with another fingerprint is an error. Empty if the body was not
   * read to its end.
   */
  readonly fingerprint: string
  readonly state: IdempotencyState
  /**
   * A `StoredResponse`, sealed by `Vault`, because a response may contain a secret that is shown once. Null unless the
   * state is `answered`.
   */
  readonly answer: string | null
  /** Until this time the request counts as in progress on its server. 0 after it has finished. */
  readonly leaseUntil: number
  readonly createdAt: number
}
