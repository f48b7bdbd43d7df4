import { Schema } from "effect"
import { Time } from "../Field.ts"

/** The period during which a repeated key does not carry out the request again. */
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
export class RequestKey extends Schema.Opaque<RequestKey>()(
  Schema.Struct({
    /** Empty if the request concerns the deployment. */
    tenantId: Schema.String,
    /** The name of the caller, from `keyHolder`. */
    credential: Schema.String,
    /** The method and path of the request. */
    route: Schema.String,
    key: Schema.String.annotate({ column: "idempotency_key" })
  })
) {}

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
export const IdempotencyState = Schema.Literals(["running", "done", "answered"])
export type IdempotencyState = typeof IdempotencyState.Type

/** One request with an idempotency key. Times are epoch milliseconds. */
export class IdempotencyRecord extends Schema.Opaque<IdempotencyRecord>()(
  Schema.Struct({
    ...RequestKey.fields,
    /**
     * The SHA-256 of query and body, in hex. The same key with another fingerprint is an error. Empty if the body was not
     * read to its end.
     */
    fingerprint: Schema.String,
    state: IdempotencyState,
    /**
     * A `StoredResponse`, sealed by `Vault`, because a response may contain a secret that is shown once. Null unless the
     * state is `answered`.
     */
    answer: Schema.NullOr(Schema.String),
    /** Until this time the request counts as in progress on its server. 0 after it has finished. */
    leaseUntil: Time,
    createdAt: Time
  })
) {}
