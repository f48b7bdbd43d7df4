// Telephone calls: their legs, their status, and the reports of providers. Whether a call is allowed does not belong
// here (`domain/consent`). Tests: `packages/core/test/domain/call`, `packages/testkit/src/suite/call`.

import { Schema } from "effect"
import { TaggedError } from "../TaggedError.ts"
import { CallId, ContactId, LeadId, MessageId } from "../Id.ts"
import { Time } from "../Field.ts"

/** Every status of a call. */
export const callStatuses = [
  "queued",
  "ringing",
  "in_progress",
  "completed",
  "busy",
  "no_answer",
  "canceled",
  "failed",
  "unknown"
] as const

/**
 * The status of a call. `in_progress`: contact and agent are talking. `unknown`: it is uncertain whether the provider
 * accepted the call, so the server never dials again automatically.
 */
export type CallStatus = (typeof callStatuses)[number]

/** The party that started the call: the contact (`inbound`) or the tenant (`outbound`). */
export const callDirections = ["inbound", "outbound"] as const
export type CallDirection = (typeof callDirections)[number]

/**
 * The state of a recording. `wanted`: requested, but not yet reported by the provider. `gone`: deleted at the provider.
 */
export const RecordingState = Schema.Literals(["none", "wanted", "ready", "gone"])
export type RecordingState = typeof RecordingState.Type

/** One telephone call with a contact. Times are epoch milliseconds. */
export class Call extends Schema.Opaque<Call>()(
  Schema.Struct({
    callId: CallId.annotate({ description: "Call id (`call_…`)" }),
    tenantId: Schema.String,
    contactId: ContactId.annotate({ description: "The contact on the call" }),
    leadId: Schema.NullOr(LeadId).annotate({ description: "The lead that the call belongs to; null: none yet" }),
    provider: Schema.String.annotate({
      description: "The carrier of the call: `twilio`, `sandbox`, or the platform of a voice assistant"
    }),
    /**
     * The provider's id of the first leg: the contact's leg of an inbound call, the agent's leg of an outbound call.
     * Null until it is reported.
     */
    providerCallId: Schema.NullOr(Schema.String),
    /** The provider's id of the contact's leg. Null until it is reported. */
    contactLeg: Schema.NullOr(Schema.String),
    direction: Schema.Literals(callDirections).annotate({
      description: "The party that started the call: the contact (`inbound`) or the tenant (`outbound`)"
    }),
    fromNumber: Schema.NullOr(Schema.String).annotate({ description: "E.164; null: hidden" }),
    toNumber: Schema.NullOr(Schema.String).annotate({
      description: "The called number in E.164; null if not reported"
    }),
    agentPhone: Schema.NullOr(Schema.String).annotate({
      description: "The number of the tenant's agent in E.164. Null if no person speaks for the tenant"
    }),
    /** The number of the last transfer in E.164. */
    transferredTo: Schema.NullOr(Schema.String).annotate({
      description: "The number of the last transfer in E.164; null: the call was not transferred"
    }),
    status: Schema.Literals(callStatuses).annotate({
      description:
        "in_progress: agent and contact are connected. unknown: it is uncertain whether the provider placed the call. The server does not dial again automatically"
    }),
    reason: Schema.NullOr(Schema.String).annotate({ description: "Why the call failed" }),
    startedAt: Time.annotate({ description: "The time at which the call was placed or arrived (ISO 8601 in UTC)" }),
    answeredAt: Schema.NullOr(Time).annotate({
      description: "The time at which the call was answered (ISO 8601 in UTC); null: not answered"
    }),
    endedAt: Schema.NullOr(Time).annotate({
      description: "The time at which the call ended (ISO 8601 in UTC); null: it has not ended"
    }),
    durationSeconds: Schema.NullOr(Schema.Int).annotate({
      description: "The duration in seconds as reported by the provider; null: not reported"
    }),
    recording: RecordingState.annotate({
      description:
        "wanted: the call is recorded, but the recording is not available yet; gone: the recording was deleted"
    }),
    recordingId: Schema.NullOr(Schema.String),
    recordingSeconds: Schema.NullOr(Schema.Int).annotate({
      description: "The length of the recording in seconds; null: there is none"
    }),
    messageId: Schema.NullOr(MessageId).annotate({
      description: "The message in the conversation, created when the call ends"
    }),
    /** The name of the principal that requested the call; null for an inbound call. */
    requestedBy: Schema.NullOr(Schema.String),
    /** The caller's `Idempotency-Key`. Null without a key, or after the key was released. */
    requestKey: Schema.NullOr(Schema.String).annotate({ secret: true }),
    fingerprint: Schema.NullOr(Schema.String).annotate({ secret: true }),
    updatedAt: Time
  })
) {}

/** The filters of a list of calls; null means no filter. */
export interface CallQuery {
  readonly contactId: string | null
  readonly status: CallStatus | null
  readonly direction: CallDirection | null
}

/** The position of a call in a list, newest first. */
export interface CallKey {
  readonly startedAt: number
  readonly callId: string
}

const ranks: Readonly<Record<CallStatus, number>> = {
  queued: 0,
  unknown: 0,
  ringing: 1,
  in_progress: 2,
  completed: 3,
  busy: 3,
  no_answer: 3,
  canceled: 3,
  failed: 3
}

/**
 * Returns the progress of a status as a number. The progress of a call never decreases, so late reports cannot set a
 * call back.
 */
export const rankOf = (status: CallStatus): number => ranks[status]

/** Returns whether the status is final. */
export const isOver = ({ status }: Pick<Call, "status">): boolean => rankOf(status) === 3

/** The tenant has no call with this id. */
export class CallNotFound extends TaggedError("CallNotFound")<{ readonly callId: string }> {}

/** The call is not in progress, so it cannot be transferred. */
export class CallNotInProgress extends TaggedError("CallNotInProgress")<{
  readonly callId: string
  readonly status: CallStatus
}> {}

/** `maySend` does not allow the call. */
export class CallNotAllowed extends TaggedError("CallNotAllowed")<{ readonly reasons: ReadonlyArray<string> }> {}

/** `maySend` does not allow the call at this time of day. `until` is the earliest allowed time. */
export class CallTooEarly extends TaggedError("CallTooEarly")<{
  readonly until: number
  readonly reason: string
}> {}

/** A request about a call has an invalid value. */
export class CallRequestInvalid extends TaggedError("CallRequestInvalid")<{
  readonly field: string
  readonly message: string
}> {}

/** No recording of a call with this contact is available. */
export class RecordingNotFound extends TaggedError("RecordingNotFound")<{ readonly contactId: string }> {}

/** The provider is unavailable. The provider has certainly not placed the call. */
export class CallProviderUnavailable extends TaggedError("CallProviderUnavailable")<{ readonly reason: string }> {}

/** A job about a call at the provider. */
export type CallJob =
  /** Deletes a recording of an erased contact. */
  | { readonly kind: "delete_recording"; readonly provider: string; readonly recordingId: string }
  /** Deletes every recording of these legs, including unreported recordings and recordings made after a transfer. */
  | { readonly kind: "delete_recordings"; readonly provider: string; readonly legs: ReadonlyArray<string> }
  /** Checks a call at the provider until the call has ended, in case the provider does not report the end. */
  | { readonly kind: "settle_call"; readonly callId: string }

/** Returns the id of the only job that deletes this recording. */
export const recordingJobId = (recordingId: string): string => `recording:${recordingId}`

/** Returns the id of the only job that deletes all recordings of this call. */
export const recordingsJobId = (callId: string): string => `recordings:${callId}`

/** Returns the id of the only job that follows this call until it ends. */
export const settleJobId = (callId: string): string => `settle:${callId}`
