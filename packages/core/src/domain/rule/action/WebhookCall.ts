import { Schema } from "effect"
import { Time, unchecked } from "../../Field.ts"
import type { ContactId, LeadId, MessageId, SignalId, TriggerRunId } from "../../Id.ts"
import type { CauseChange } from "../../run/TriggerRun.ts"
import type { CallWebhook } from "./CallWebhook.ts"

/** What a rule requests from a webhook. Texts of the contact are read when the request is sent, so none are stored here. */
export interface RequestedCall extends Pick<CallWebhook, "url" | "webhook_id"> {
  readonly ruleId: string
  readonly trigger: string
  /** The run that requests the call: that of a message, or that of another trigger. */
  readonly signalId: SignalId | null
  readonly triggerRunId: TriggerRunId | null
  /** The index of the action in the run. */
  readonly position: number
  readonly contactId: ContactId
  readonly leadId: LeadId | null
  readonly messageId: MessageId | null
  readonly change: CauseChange | null
  readonly store: Readonly<Record<string, string>>
}

/** A call of a webhook that has not ended. */
export class WebhookCall extends Schema.Opaque<WebhookCall>()(
  Schema.Struct({
    tenantId: Schema.String,
    /** FROZEN, because receivers recognise repeated requests by it (`webhook-id`): the id of the run, and the position. */
    callId: Schema.String,
    request: unchecked<RequestedCall>(),
    /** The number of failed requests. */
    tries: Schema.Int,
    /** The number of claims. It identifies the current claim. */
    attempts: Schema.Int,
    /** The time from which a worker can claim the call. */
    dueAt: Time,
    createdAt: Time
  })
) {}

/** FROZEN. Returns the id of the call of an action. */
export const callIdOf = (runId: string, position: number): string => `${runId}:${position}`

/** The time for which a worker claims a call, in milliseconds. It exceeds the timeout of a request. */
export const callLeaseMillis = 30_000

/** The period after which a call that waits for the hourly limit fails, in milliseconds. */
export const callWindowMillis = 24 * 3_600_000
