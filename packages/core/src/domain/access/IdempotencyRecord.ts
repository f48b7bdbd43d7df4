import { Schema } from "effect"
import { Time } from "../Field.ts"

/** The validity of an idempotency key. During this time, a request with the same key is not carried out again. */
export const keyMillis = 24 * 3_600_000

/**
 * The time after which another server may carry out a request that has not finished. The server of the request renews
 * the lease, so the lease expires only after a crash.
 */
export const requestLeaseMillis = 30_000

/** The time between two renewals of a lease. Two renewals may fail before the lease expires. */
export const requestRenewalMillis = 10_000

/** In characters. */
export const maxKeyLength = 255

/** The caller's idempotency key of a request that creates a message. It is stored with the message. */
export interface MessageRequestKey {
  readonly key: string
  /** The SHA-256 of the request, in hex. A request with the same key and another fingerprint is an error. */
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

/** The stored response. The server returns it when a client repeats the request. */
export interface StoredResponse {
  readonly status: number
  readonly contentType: string | null
  readonly body: string
}

/**
 * The progress of a request with an idempotency key.
 *
 * - `running`: no change is stored yet
 * - `done`: the change is stored, but the response is not stored yet or is already deleted
 * - `answered`: the change and the response are stored
 */
export const IdempotencyState = Schema.Literals(["running", "done", "answered"])
export type IdempotencyState = typeof IdempotencyState.Type

/** One request with an idempotency key. Times are epoch milliseconds. */
export class IdempotencyRecord extends Schema.Opaque<IdempotencyRecord>()(
  Schema.Struct({
    ...RequestKey.fields,
    /**
     * The SHA-256 of query and body, in hex. A request with the same key and another fingerprint is an error. Empty if
     * the body was not read to its end.
     */
    fingerprint: Schema.String,
    state: IdempotencyState,
    /**
     * A `StoredResponse`, sealed by `Vault`, because a response may contain a secret that is shown once. Null unless the
     * state is `answered`.
     */
    answer: Schema.NullOr(Schema.String),
    /** The time until which other servers treat the request as in progress. 0 after the request has finished. */
    leaseUntil: Time,
    createdAt: Time
  })
) {}
