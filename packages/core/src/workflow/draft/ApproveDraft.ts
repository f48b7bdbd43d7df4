/**
 * Reads, approves and dismisses drafts. Writing a reply does not belong here (`workflow/reply`). Tests:
 * `packages/testkit/src/suite/draft`.
 */
import { Clock, Effect } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"
import { runCooperatively, makeBudget, textLimits, unitLimits } from "../../domain/budget/Budget.ts"
import type { SendOverride } from "../../domain/consent/Override.ts"
import type { Contact } from "../../domain/contact/Contact.ts"
import { ChannelNotWritable, contentHash, type Draft, draftKey } from "../../domain/draft/Draft.ts"
import type { Accounts } from "../../domain/email/Accounts.ts"
import { EmailClosed } from "../../domain/email/Grant.ts"
import { evaluateText, evaluatingText, maxTextSteps } from "../../domain/guardrail/EvaluateGuardrails.ts"
import type { GuardVerdict } from "../../domain/guardrail/Guardrail.ts"
import { describeReason } from "../../domain/reason/Reason.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { ScheduledSends } from "../../port/repository/conversation/ScheduledSends.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { AnswerableEmailNotFound } from "../../domain/sending/Reservation.ts"
import { recordGuardEvaluations } from "../pipeline/RecordGuardEvaluations.ts"
import {
  changedOptions,
  checkComposition,
  type Composition,
  plainComposition
} from "../../domain/sending/Composition.ts"
import { endDraft } from "./EndDraft.ts"
import { adaptPlan, planInConversation } from "../sending/PlanComposition.ts"
import { planAnswer } from "../sending/PlanAnswer.ts"
import { renderBody, type RenderedBody, renderLongBody } from "../sending/ReserveSend.ts"
import { admitRepeated, admitNew, type NewSend, transmitAdmitted } from "../sending/SendOnce.ts"
import { admitText, transmitText, type TextAdmission } from "../sms/SendText.ts"
import { draftChanged, findDraft } from "./Drafts.ts"
import { withSpan } from "../WithSpan.ts"

/** A guardrail of the tenant blocks the text. This also applies to a text that a person has written. */
export class GuardrailBlocked extends TaggedError("GuardrailBlocked")<{
  readonly guardrailId: string
  readonly reason: string
}> {}

/**
 * The check of the text exceeds the budget of a unit of work. Check the text with `checkDraftText` before the unit of
 * work.
 */
export class DraftTextUnchecked extends TaggedError("DraftTextUnchecked")<{ readonly text: string }> {}

/** A text with the verdict of the guardrails. */
export interface CheckedDraftText extends GuardVerdict {
  readonly text: string
}

/** Checks a text, and yields to other fibers during the check. Never use it inside a unit of work. */
export const checkDraftText = Effect.fnUntraced(function* (tenant: Tenant, text: string) {
  const budget = makeBudget(textLimits)
  const verdict = yield* Effect.orDie(runCooperatively(evaluatingText(tenant.config.guardrails, text, budget), budget))
  return { ...verdict, text } satisfies CheckedDraftText
})

/**
 * Applies the guardrails for texts to a draft that a person sends, and records the evaluations. Returns null when the
 * draft may be sent. A required approval counts as given. Returns a block as a value instead of failing, so that the
 * unit of work commits the record. Fails with `DraftTextUnchecked` for a text whose check takes long, unless `before`
 * contains its verdict.
 */
export const guardDraft = Effect.fnUntraced(function* (
  tenant: Tenant,
  draft: Draft,
  { html, text }: RenderedBody,
  before: CheckedDraftText | null
) {
  const { guardrails } = tenant.config
  // HTML is checked both as source and as text, because a link may occur in only one of them.
  const whole = html === null ? text : `${text}\n${html}`
  const isKnown = before?.text === whole
  if (!isKnown && maxTextSteps(guardrails, whole) > unitLimits.steps) {
    return yield* new DraftTextUnchecked({ text: whole })
  }
  const { evaluations } = isKnown ? before : evaluateText(guardrails, whole)
  const { contactId, messageId, signalId, tenantId } = draft
  const at = yield* Clock.currentTimeMillis
  yield* recordGuardEvaluations({ tenantId, signalId, contactId, messageId, evaluations, at, stage: "approval" })
  const block = evaluations.find(({ outcome }) => outcome === "block")
  return block === undefined
    ? null
    : new GuardrailBlocked({ guardrailId: block.guardrailId, reason: describeReason(block.reason) })
})

/** An approval of a draft, with the state of the draft that the person saw. A null field is not compared. */
export interface Approval {
  readonly draftId: string | null
  /** The `contentHash` of the text that the person saw. */
  readonly contentHash: string | null
  /** The newest message that the person saw. It is the head of the draft or of the conversation. */
  readonly headMessageId: string | null
  /** The text with the person's changes. Null sends the text of the draft. */
  readonly body: string | null
  /** The person's changes to the subject and the recipients of an email. Absent fields stay. */
  readonly changes?: Partial<Pick<Composition, "bcc" | "cc" | "subject" | "to">>
  /** The denial reasons that the person overrides for this message. Absent or null if there are none. */
  readonly override?: SendOverride | null
}

/** Fails with `DraftChanged` when the text or the conversation differs from the state that the person saw. */
const checkSeen = Effect.fnUntraced(function* (draft: Draft, seen: Approval) {
  if (seen.contentHash !== null && seen.contentHash.toLowerCase() !== contentHash(draft.text))
    return yield* draftChanged(draft, "edited")
  const head = seen.headMessageId
  if (head === null || head === draft.headMessageId) return
  const conversations = yield* Conversations
  const { lastMessageId } = yield* conversations
    .get(draft.tenantId, draft.contactId)
    .pipe(Effect.catchTag("ConversationNotFound", Effect.die))
  if (head !== lastMessageId) return yield* draftChanged(draft, "newer_message", lastMessageId)
})

/**
 * Handles a second approval of a draft that is already sent: returns the result of the first one. Fails with
 * `DraftChanged` if the text differs, or if there is a newer message.
 */
const alreadySent = Effect.fnUntraced(function* (draft: Draft, approval: Approval, fingerprint: string) {
  const { contactId, draftId, tenantId } = draft
  const reservation = yield* (yield* Sends).findByKey(tenantId, draftKey(draftId))
  if (reservation === null) return yield* Effect.die(new Error(`${draftId} is sent but has no send`))
  const { messageId } = reservation
  if (reservation.fingerprint !== fingerprint) return yield* draftChanged(draft, "sent", messageId)
  const unnamed = approval.draftId === null
  if (unnamed && (yield* (yield* Messages).hasNewerFromContact(tenantId, contactId, messageId)))
    return yield* draftChanged(draft, "newer_message")
  if (reservation.channel === "email") return yield* admitRepeated(reservation)
  return { reservation, replayed: true, deferred: false } satisfies TextAdmission
})

const planOf = Effect.fnUntraced(function* (
  contact: Contact,
  draft: Draft,
  composition: Composition,
  accounts: Accounts
) {
  const { contactId, tenantId } = contact
  // There is no mail to answer, for example after a form, so the approved text opens a thread.
  if (draft.channel !== "email") return yield* planInConversation(contact, composition, accounts)
  const answers = yield* (yield* Messages).find(tenantId, draft.messageId)
  const plan = answers === null ? null : planAnswer(contact, answers, false, accounts)
  if (plan === null) return yield* new AnswerableEmailNotFound({ tenantId, contactId })
  return yield* adaptPlan(plan, composition, accounts)
})

/** Returns the approved email with the person's changes. Fails if a changed field is invalid. */
const composed = Effect.fnUntraced(function* ({ channel }: Draft, text: string, { changes = {} }: Approval) {
  const checked = checkComposition({
    ...plainComposition,
    ...changes,
    channel: channel === "sms" ? "sms" : "email",
    body: text
  })
  return checked.ok ? checked.composition : yield* checked.error
})

/**
 * Returns the channel on which an approved draft leaves; null if there is none. A draft for a channel without replies,
 * such as a form, becomes the first email to the contact, if the person stated its subject.
 */
const leavingChannel = (
  { channel }: Draft,
  { email }: Contact,
  { subject, to }: Composition
): "email" | "sms" | null => {
  if (channel === "email" || channel === "sms") return channel
  return (subject ?? "").trim() !== "" && (to.length > 0 || email !== null) ? "email" : null
}

/** Returns the fingerprint of an approval. Without changes to recipients and subject, it is that of the text. */
const fingerprintOf = (text: string, composition: Composition): string => {
  // Only an approval that waited for its undo window names the answered message.
  const changes = changedOptions({ ...composition, replyToMessageId: null })
  return Object.keys(changes).length === 0 ? contentHash(text) : contentHash(JSON.stringify([text, changes]))
}

/**
 * Marks the draft as sent, and releases its key. If a send with this key exists, it has failed permanently, because the
 * draft is still pending.
 */
const markSent = Effect.fnUntraced(function* (draft: Draft) {
  const { draftId, tenantId } = draft
  const sends = yield* Sends
  const failed = yield* sends.findByKey(tenantId, draftKey(draftId))
  if (failed !== null) yield* sends.retireKey(tenantId, failed.messageId)
  yield* endDraft(draft, "sent")
})

/** What precedes the check of an approval. */
export interface Prepared {
  /** The verdict about the text; null if it is not checked yet. */
  readonly looked: CheckedDraftText | null
  /** The rendered text; null if it is rendered in the unit of work. */
  readonly rendered: RenderedBody | null
  /** The email or text as it was approved, if its undo window has ended. Absent for a new approval. */
  readonly approved?: Composition
}

/** An approved reply, before the rules of sending are checked. */
export interface Approved {
  readonly contact: Contact
  readonly draft: Draft
  readonly body: RenderedBody
  readonly composition: Composition
  readonly fingerprint: string
}

/** Returns the approved message that waits for the end of its undo window; null if there is none. */
export const waitingApproval = Effect.fnUntraced(function* ({ draftId, tenantId }: Draft) {
  const found = yield* (yield* ScheduledSends).findByKey(tenantId, draftKey(draftId))
  return found?.state === "scheduled" ? found : null
})

/**
 * Checks an approval: the draft, the conversation and the guardrails. Returns the approved reply, the result of an
 * earlier approval, or the block of a guardrail. Runs inside a unit of work.
 */
export const examineApproval = Effect.fnUntraced(function* (
  tenant: Tenant,
  contactId: string,
  approval: Approval,
  { approved, looked, rendered }: Prepared
) {
  const { contact, draft } = yield* findDraft(tenant.tenantId, contactId, approval.draftId)
  const text = approval.body ?? draft.text
  const composition = approved ?? (yield* composed(draft, text, approval))
  const channel = leavingChannel(draft, contact, composition)
  if (channel === "email" && tenant.hipaa) return yield* new EmailClosed({ tenantId: tenant.tenantId })
  const fingerprint = fingerprintOf(text, composition)
  if (draft.state === "dismissed" || draft.state === "superseded") return yield* draftChanged(draft, draft.state)
  if (draft.state === "sent" && approval.draftId !== null) return yield* alreadySent(draft, approval, fingerprint)
  yield* checkSeen(draft, approval)
  if (draft.state === "sent") return yield* alreadySent(draft, approval, fingerprint)
  const since = yield* (yield* Messages).newestSince(tenant.tenantId, contact.contactId, draft.messageId)
  if (since !== null) return yield* draftChanged(draft, "newer_message", since)
  if (channel === null)
    return yield* new ChannelNotWritable({
      channel: draft.channel,
      tenantId: tenant.tenantId,
      contactId,
      email: contact.email
    })
  const body = channel === "sms" ? { text, html: null, safeHtml: null } : (rendered ?? (yield* renderBody(text)))
  const blocked = yield* guardDraft(tenant, draft, body, looked)
  return blocked ?? ({ contact, draft, body, composition, fingerprint } satisfies Approved as Approved)
})

/** The rest of a send: its override, and for the end of an undo window, the record of the wait. */
type Sending<E, R> = Pick<NewSend<never, never, E, R>, "besides" | "claimed" | "holder" | "messageId"> & {
  readonly tenant: Tenant
  readonly override: SendOverride | null
}

/** Checks the rules of sending, reserves an approved reply, and ends its draft. Runs inside a unit of work. */
export const admitApproved = Effect.fnUntraced(function* <E, R>(
  { body, composition, contact, draft, fingerprint }: Approved,
  sending: Sending<E, R>
) {
  const send = {
    ...sending,
    key: draftKey(draft.draftId),
    fingerprint,
    attachments: composition.attachments,
    besides: Effect.andThen(markSent(draft), sending.besides)
  }
  if (draft.channel !== "sms")
    return yield* admitNew({ ...send, body, plan: (accounts) => planOf(contact, draft, composition, accounts) })
  const answers = yield* (yield* Messages).find(draft.tenantId, draft.messageId)
  const from = answers?.from ?? null
  return yield* admitText({ ...send, contact, body: composition.body, ...(from !== null && { recipient: from }) })
})

const admit = Effect.fnUntraced(function* (tenant: Tenant, contactId: string, approval: Approval, prepared: Prepared) {
  const examined = yield* examineApproval(tenant, contactId, approval, prepared)
  if (!("draft" in examined)) return examined
  const waiting = yield* waitingApproval(examined.draft)
  if (waiting !== null) return yield* draftChanged(examined.draft, "sent", waiting.messageId)
  return yield* admitApproved(examined, { tenant, override: approval.override ?? null, besides: Effect.void })
})

/**
 * Runs a unit of work with an approval. A text whose check takes long is checked before the unit of work, and a text that
 * a person has changed is rendered before it.
 */
export const withPrepared = Effect.fnUntraced(function* <A, E, R>(
  tenant: Tenant,
  { body }: Approval,
  unit: (prepared: Prepared) => Effect.Effect<A, E | DraftTextUnchecked, R>
) {
  const { atomically } = yield* Transactions
  const { tenantId } = tenant
  // A text from a template or a model is shorter than that of a person, and is rendered inside the unit of work.
  const rendered = body === null ? null : yield* renderLongBody(tenantId, body)
  let looked: CheckedDraftText | null = null
  // The loop runs more than twice only if the draft changes concurrently.
  for (;;) {
    const result: A | DraftTextUnchecked = yield* Effect.catchIf(
      atomically(tenantId, unit({ looked, rendered })),
      (error): error is DraftTextUnchecked => error instanceof DraftTextUnchecked,
      Effect.succeed
    )
    if (!(result instanceof DraftTextUnchecked)) return result
    looked = yield* checkDraftText(tenant, result.text)
  }
})

/**
 * Approves a draft, and sends it as the answer to its message, from the address that received the message. Repeated
 * approvals send it only once. The sent message counts as written by an agent. Fails with `DraftChanged` when the draft
 * or the conversation has changed, and with `GuardrailBlocked` when a guardrail blocks the text. If the transport
 * refuses the message permanently, the draft becomes pending again.
 */
export const approveDraft = Effect.fnUntraced(
  function* (tenant: Tenant, contactId: string, approval: Approval) {
    const admitted = yield* withPrepared(tenant, approval, (prepared) => admit(tenant, contactId, approval, prepared))
    if (!("reservation" in admitted)) return yield* admitted
    return yield* "deferred" in admitted ? transmitText(admitted) : transmitAdmitted(admitted)
  },
  Effect.uninterruptible,
  withSpan("approveDraft")
)
