import { Clock, Data, Effect } from "effect"
import { runCooperatively, makeBudget, textLimits, unitLimits } from "../../domain/budget/Budget.ts"
import type { SendOverride } from "../../domain/consent/Override.ts"
import type { Contact } from "../../domain/contact/Contact.ts"
import { ChannelNotWritable, contentHash, type Draft, draftKey } from "../../domain/draft/Draft.ts"
import { EmailClosed, type Grant } from "../../domain/email/Grant.ts"
import { evaluateText, evaluatingText, maxTextSteps } from "../../domain/guardrail/EvaluateGuardrails.ts"
import type { GuardVerdict } from "../../domain/guardrail/Guardrail.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { Drafts } from "../../port/repository/conversation/Drafts.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { AnswerableEmailNotFound } from "../conversation/SendMessage.ts"
import { recordGuardEvaluations } from "../pipeline/RecordGuardEvaluations.ts"
import { planAnswer } from "../sending/PlanAnswer.ts"
import { renderBody, type RenderedBody, renderLongBody } from "../sending/ReserveSend.ts"
import { admitRepeated, admitNew, transmitAdmitted } from "../sending/SendOnce.ts"
import { admitText, transmitText, type TextAdmission } from "../sms/SendText.ts"
import { draftChanged, findDraft } from "./Drafts.ts"

/** A guardrail of the tenant does not let a text out, whoever sends it. */
export class GuardrailBlocked extends Data.TaggedError("GuardrailBlocked")<{
  readonly guardrailId: string
  readonly reason: string
}> {}

/** A text takes longer to look through than a unit of work may: it has to be looked through before. */
export class DraftTextUnchecked extends Data.TaggedError("DraftTextUnchecked")<{ readonly text: string }> {}

/** A text, and what the guardrails say of it. */
export interface CheckedDraftText extends GuardVerdict {
  readonly text: string
}

/** Looks through a text with turns for the event loop. Never inside a unit of work. */
export const checkDraftText = Effect.fnUntraced(function* (tenant: Tenant, text: string) {
  const budget = makeBudget(textLimits)
  const verdict = yield* Effect.orDie(runCooperatively(evaluatingText(tenant.config.guardrails, text, budget), budget))
  return { ...verdict, text } satisfies CheckedDraftText
})

/**
 * Asks the guardrails that look at a text about a draft as a person is about to send it, and keeps what they say. Null:
 * it may go; who asked for approval has it now. A block is returned and not failed with, so that the unit of work keeps it.
 * A text that takes long fails with `DraftTextUnchecked` unless it is the one in `before`.
 */
export const guardDraft = Effect.fnUntraced(function* (
  tenant: Tenant,
  draft: Draft,
  { html, text }: RenderedBody,
  before: CheckedDraftText | null
) {
  const { guardrails } = tenant.config
  // Of HTML as it is written and as it is read: a link may stand in either.
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
  return block === undefined ? null : new GuardrailBlocked({ guardrailId: block.guardrailId, reason: block.reason })
})

/** What a person releases: the draft as it was seen. What is null is not looked at. */
export interface Approval {
  readonly draftId: string | null
  /** `contentHash` of the text that was seen. */
  readonly contentHash: string | null
  /** The newest message that was seen: the draft's own head, or the conversation's. */
  readonly headMessageId: string | null
  /** The text as the person has changed it; null: as it was written. */
  readonly body: string | null
  /** What the person sets aside for this message; absent: nothing. */
  readonly override?: SendOverride | null
}

/** Nothing that was seen has changed. */
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

/** The answer to somebody who asks again for what has been sent; another text, or a later message, is another request. */
const alreadySent = Effect.fnUntraced(function* (draft: Draft, approval: Approval, fingerprint: string) {
  const { contactId, draftId, tenantId } = draft
  const reservation = yield* (yield* Sends).findByKey(tenantId, draftKey(draftId))
  if (reservation === null) return yield* Effect.die(new Error(`${draftId} is sent and has no send`))
  const { messageId } = reservation
  if (reservation.fingerprint !== fingerprint) return yield* draftChanged(draft, "sent", messageId)
  const unnamed = approval.draftId === null
  if (unnamed && (yield* (yield* Messages).hasNewerFromContact(tenantId, contactId, messageId)))
    return yield* draftChanged(draft, "newer_message")
  if (reservation.channel === "email") return yield* admitRepeated(reservation)
  return { reservation, replayed: true, deferred: false } satisfies TextAdmission
})

const planOf = Effect.fnUntraced(function* (contact: Contact, draft: Draft, grant: Grant) {
  const { contactId, tenantId } = contact
  const answers = yield* (yield* Messages).find(tenantId, draft.messageId)
  const plan = answers === null ? null : planAnswer(contact, answers, false, grant)
  return plan ?? (yield* new AnswerableEmailNotFound({ tenantId, contactId }))
})

/** The draft is sent now, and its key free: a send under it before has failed for good, or the draft would not be pending. */
const markSent = Effect.fnUntraced(function* ({ draftId, tenantId }: Draft) {
  const sends = yield* Sends
  const failed = yield* sends.findByKey(tenantId, draftKey(draftId))
  if (failed !== null) yield* sends.retireKey(tenantId, failed.messageId)
  yield* (yield* Drafts).end(tenantId, draftId, "sent")
})

const admit = Effect.fnUntraced(function* (
  tenant: Tenant,
  contactId: string,
  approval: Approval,
  looked: CheckedDraftText | null,
  rendered: RenderedBody | null
) {
  const { contact, draft } = yield* findDraft(tenant.tenantId, contactId, approval.draftId)
  if (draft.channel === "email" && tenant.hipaa) return yield* new EmailClosed({ tenantId: tenant.tenantId })
  const text = approval.body ?? draft.text
  const fingerprint = contentHash(text)
  if (draft.state === "dismissed" || draft.state === "superseded") return yield* draftChanged(draft, draft.state)
  if (draft.state === "sent" && approval.draftId !== null) return yield* alreadySent(draft, approval, fingerprint)
  yield* checkSeen(draft, approval)
  if (draft.state === "sent") return yield* alreadySent(draft, approval, fingerprint)
  const since = yield* (yield* Messages).newestSince(tenant.tenantId, contact.contactId, draft.messageId)
  if (since !== null) return yield* draftChanged(draft, "newer_message", since)
  const { channel } = draft
  if (channel !== "email" && channel !== "sms")
    return yield* new ChannelNotWritable({ channel, tenantId: tenant.tenantId, contactId })
  const body = channel === "sms" ? { text, html: null, safeHtml: null } : (rendered ?? (yield* renderBody(text)))
  const blocked = yield* guardDraft(tenant, draft, body, looked)
  if (blocked !== null) return blocked
  const send = {
    tenant,
    key: draftKey(draft.draftId),
    fingerprint,
    override: approval.override ?? null,
    besides: markSent(draft)
  }
  if (channel === "email") return yield* admitNew({ ...send, body, plan: (grant) => planOf(contact, draft, grant) })
  const answers = yield* (yield* Messages).find(tenant.tenantId, draft.messageId)
  const from = answers?.from ?? null
  return yield* admitText({ ...send, contact, body: text, ...(from !== null && { recipient: from }) })
})

/**
 * Releases a draft: it goes out as an answer to the message that it was written for, from the address that was written
 * to, once, however often and wherever it is asked for. A person released it: it counts as one of an agent. What has
 * changed since it was seen is a `DraftChanged`, what a guardrail does not let out a `GuardrailBlocked`. Refused for good, it waits again.
 */
export const approveDraft = Effect.fn("approveDraft")(function* (
  tenant: Tenant,
  contactId: string,
  approval: Approval
) {
  const transactions = yield* Transactions
  const { tenantId } = tenant
  // What the person wrote may be long. What the draft says was written by a template or a model, and is shorter.
  const rendered = approval.body === null ? null : yield* renderLongBody(tenantId, approval.body)
  const tryWith = (looked: CheckedDraftText | null) =>
    transactions.atomically(tenantId, admit(tenant, contactId, approval, looked, rendered))
  let admitted = yield* Effect.catchTag(tryWith(null), "DraftTextUnchecked", Effect.succeed)
  // Ends as soon as nobody changes the draft meanwhile.
  while ("_tag" in admitted && admitted._tag === "DraftTextUnchecked") {
    const looked = yield* checkDraftText(tenant, admitted.text)
    admitted = yield* Effect.catchTag(tryWith(looked), "DraftTextUnchecked", Effect.succeed)
  }
  if (!("reservation" in admitted)) return yield* admitted
  return yield* "deferred" in admitted ? transmitText(admitted) : transmitAdmitted(admitted)
}, Effect.uninterruptible)
