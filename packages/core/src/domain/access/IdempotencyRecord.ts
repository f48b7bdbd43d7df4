/** How long a key keeps a request from being carried out twice. */
export const keyMillis = 24 * 3_600_000

/** How long a request may be under way before another server may carry it out: longer than any request may take. */
export const requestLeaseMillis = 180_000

/** Longest key, in characters. */
export const maxKeyLength = 255

/** The caller's key for a request that brings a message, kept with the message. */
export interface MessageRequestKey {
  readonly key: string
  /** SHA-256 of the request, hex: the same key with another one is another request. */
  readonly fingerprint: string
}

/** Which request it is: a key is its credential's own, and good for one route. */
export interface RequestKey {
  /** Empty: the request concerns the deployment. */
  readonly tenantId: string
  /** Name of the caller (`keyHolder`). */
  readonly credential: string
  /** Method and path as they were called. */
  readonly route: string
  readonly key: string
}

/** What was answered, as it is given again. */
export interface StoredResponse {
  readonly status: number
  readonly contentType: string | null
  readonly body: string
}

/**
 * Where a request stands that came under a key. `running`: nothing has been written of it; `done`: what it asks for is
 * written, its answer is not (any more); `answered`: its answer is kept.
 */
export type IdempotencyState = "running" | "done" | "answered"

/** One request under a key. Times are epoch milliseconds. */
export interface IdempotencyRecord extends RequestKey {
  /** SHA-256 of query and body, hex: the same key with another one is another request. Empty: not read to its end. */
  readonly fingerprint: string
  readonly state: IdempotencyState
  /** A sealed `StoredResponse` (`Vault`), for an answer may show a secret once; null unless `answered`. */
  readonly answer: string | null
  /** Until when the server that carries it out is taken to be at it; 0: it has finished. */
  readonly leaseUntil: number
  readonly createdAt: number
}
