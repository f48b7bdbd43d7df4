import { Data } from "effect"
import type { CallId, ContactId, LeadId, MessageId } from "../Id.ts"

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
 * Where a call stands. `in_progress`: contact and agent speak with each other. `unknown`: nobody knows whether the provider
 * took it; it is never dialled again by itself.
 */
export type CallStatus = (typeof callStatuses)[number]

/** Who called. */
export const callDirections = ["inbound", "outbound"] as const
export type CallDirection = (typeof callDirections)[number]

/** What there is of a recording: `wanted` until the provider tells of it, `gone` once it is deleted there. */
export type RecordingState = "none" | "wanted" | "ready" | "gone"

/** One telephone call with a contact. Times are epoch milliseconds. */
export interface Call {
  readonly callId: CallId
  readonly tenantId: string
  readonly contactId: ContactId
  readonly leadId: LeadId | null
  /** Who carries it, or carried it: `twilio`, `sandbox`, and the platforms of voice assistants. */
  readonly provider: string
  /** The provider's id of its first leg: the caller's, or the agent's of a call of ours; null: not told yet. */
  readonly providerCallId: string | null
  /** The provider's id of the contact's leg; null: not told yet. */
  readonly contactLeg: string | null
  readonly direction: CallDirection
  /** The number that called, E.164; null: hidden. */
  readonly fromNumber: string | null
  /** The number that was called, E.164; null: not told. */
  readonly toNumber: string | null
  /** Who speaks for the tenant, E.164; null: nobody, or an assistant. */
  readonly agentPhone: string | null
  /** The number it was passed on to last, E.164. */
  readonly transferredTo: string | null
  readonly status: CallStatus
  /** Why it came to nothing. */
  readonly reason: string | null
  readonly startedAt: number
  readonly answeredAt: number | null
  readonly endedAt: number | null
  readonly durationSeconds: number | null
  readonly recording: RecordingState
  readonly recordingId: string | null
  readonly recordingSeconds: number | null
  /** The message that tells of it in the conversation. */
  readonly messageId: MessageId | null
  /** Name of the principal that asked for it; null: it came in. */
  readonly requestedBy: string | null
  /** The caller's `Idempotency-Key`; null: none, or served. */
  readonly requestKey: string | null
  readonly fingerprint: string | null
  readonly updatedAt: number
}

/** What calls of a tenant are listed by; null: whichever. */
export interface CallQuery {
  readonly contactId: string | null
  readonly status: CallStatus | null
  readonly direction: CallDirection | null
}

/** The place of a call in a list, newest first. */
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

/** How far a call has come; it never goes back. */
export const rankOf = (status: CallStatus): number => ranks[status]

/** Whether nothing more becomes of it. */
export const isOver = ({ status }: Pick<Call, "status">): boolean => rankOf(status) === 3

/** No such call in this tenant. */
export class CallNotFound extends Data.TaggedError("CallNotFound")<{ readonly callId: string }> {}

/** Nobody speaks in this call now, so that it cannot be passed on. */
export class CallNotInProgress extends Data.TaggedError("CallNotInProgress")<{
  readonly callId: string
  readonly status: CallStatus
}> {}

/** `maySend` does not let this call out. */
export class CallNotAllowed extends Data.TaggedError("CallNotAllowed")<{ readonly reasons: ReadonlyArray<string> }> {}

/** The contact is not called at this hour. */
export class CallTooEarly extends Data.TaggedError("CallTooEarly")<{
  readonly until: number
  readonly reason: string
}> {}

/** A request about a call says something that cannot be. */
export class CallRequestInvalid extends Data.TaggedError("CallRequestInvalid")<{
  readonly field: string
  readonly message: string
}> {}

/** There is no recording of a call with this contact. */
export class RecordingNotFound extends Data.TaggedError("RecordingNotFound")<{ readonly contactId: string }> {}

/** The provider refused the call, or the transfer, for good. */
export class CallRefused extends Data.TaggedError("CallRefused")<{ readonly reason: string }> {}

/** The provider did not take it now; certainly nothing was done. */
export class CallProviderUnavailable extends Data.TaggedError("CallProviderUnavailable")<{ readonly reason: string }> {}

/** What is to be done about calls at the provider. */
export type CallJob =
  /** A recording of somebody who was erased goes there too. */
  | { readonly kind: "delete_recording"; readonly provider: string; readonly recordingId: string }
  /** Whatever was recorded of some legs goes there too: of a call that was passed on more than one, told of here or not. */
  | { readonly kind: "delete_recordings"; readonly provider: string; readonly legs: ReadonlyArray<string> }
  /** A call is looked after until it is over, also when nobody tells of it. */
  | { readonly kind: "settle_call"; readonly callId: string }

/** A recording is deleted once. */
export const recordingJobId = (recordingId: string): string => `recording:${recordingId}`

/** What was recorded of a call is deleted once. */
export const recordingsJobId = (callId: string): string => `recordings:${callId}`

/** The one job that looks after a call. */
export const settleJobId = (callId: string): string => `settle:${callId}`
