import { Clock, Effect } from "effect"
import type { Composition } from "../../domain/sending/Composition.ts"
import { draftKey } from "../../domain/draft/Draft.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { ScheduledSends } from "../../port/repository/conversation/ScheduledSends.ts"
import { type Approval, type Approved, examineApproval, waitingApproval, withPrepared } from "../draft/ApproveDraft.ts"
import { draftChanged } from "../draft/Drafts.ts"
import { transmitAdmitted } from "../sending/SendOnce.ts"
import { transmitText } from "../sms/SendText.ts"
import { withSpan } from "../WithSpan.ts"
import { insertScheduled, type Scheduled } from "./ScheduleSend.ts"

/** An approval with an undo window. */
export interface ApprovalToSchedule {
  readonly tenant: Tenant
  readonly contactId: string
  readonly approval: Approval
  readonly undoSeconds: number
  /** The name of the caller, from `principalName`. */
  readonly createdBy: string
}

/** Returns the approved message. An email answers the message of the draft, as without an undo window. */
const compositionOf = ({ composition, draft }: Approved): Composition =>
  draft.channel === "email" ? { ...composition, replyToMessageId: draft.messageId } : composition

/** Lets an approved reply wait for its undo window. Returns the waiting message of an equal earlier approval. */
const wait = Effect.fnUntraced(function* (
  approved: Approved,
  { approval, createdBy, tenant, undoSeconds }: ApprovalToSchedule
) {
  const { contact, draft, fingerprint } = approved
  const earlier = yield* waitingApproval(draft)
  if (earlier !== null && earlier.fingerprint !== fingerprint)
    return yield* draftChanged(draft, "sent", earlier.messageId)
  if (earlier !== null) return { scheduled: earlier, replayed: true } satisfies Scheduled as Scheduled
  const key = draftKey(draft.draftId)
  const scheduledSends = yield* ScheduledSends
  // The key of a cancelled or failed approval.
  const former = yield* scheduledSends.findByKey(tenant.tenantId, key)
  if (former !== null) yield* scheduledSends.replace({ ...former, sendKey: `used:${former.messageId}` })
  const request = {
    tenant,
    contactId: contact.contactId,
    composition: compositionOf(approved),
    // A newer message makes every approval invalid.
    schedule: { time: null, undoSeconds, cancelOnReply: true },
    createdBy,
    idempotencyKey: null,
    fingerprint,
    override: approval.override ?? null
  }
  const scheduled = yield* insertScheduled(request, key, yield* Clock.currentTimeMillis)
  return { scheduled, replayed: false } satisfies Scheduled as Scheduled
})

/**
 * Approves a draft whose message waits for an undo window. The draft stays pending meanwhile, so its cancellation
 * restores the draft, and a newer message or a dismissal prevents the send. Fails as `approveDraft` does. An approval of
 * a draft that is already sent returns its message.
 */
export const scheduleApproval = Effect.fnUntraced(
  function* (request: ApprovalToSchedule) {
    const { approval, contactId, tenant } = request
    const result = yield* withPrepared(
      tenant,
      approval,
      Effect.fnUntraced(function* (prepared) {
        const examined = yield* examineApproval(tenant, contactId, approval, prepared)
        return "draft" in examined ? yield* wait(examined, request) : examined
      })
    )
    if ("scheduled" in result) return result
    if (!("reservation" in result)) return yield* result
    return yield* "deferred" in result ? transmitText(result) : transmitAdmitted(result)
  },
  Effect.uninterruptible,
  withSpan("scheduleApproval")
)
