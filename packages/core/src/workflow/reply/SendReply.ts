import { Effect } from "effect"
import { answeringAccount, ownAddresses } from "../../domain/email/Accounts.ts"
import { replySubject } from "../../domain/email/OutgoingMail.ts"
import type { Reason } from "../../domain/reason/Reason.ts"
import { decideReply, type ReplyFacts } from "../../domain/reply/DecideReply.ts"
import { replySender } from "../../domain/reply/ReplyRecipients.ts"
import type { RunReply } from "../../domain/run/Run.ts"
import type { RunTarget } from "../../domain/run/RunSubject.ts"
import { replyKey } from "../../domain/sending/Reservation.ts"
import { hourMillis, maxSendsPerHour, nextSlot } from "../../domain/sending/SendLimit.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import type { Draft } from "../../domain/draft/Draft.ts"
import { draftEvent } from "../../domain/draft/DraftEvent.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { Drafts } from "../../port/repository/conversation/Drafts.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { Ids } from "../../port/system/Ids.ts"
import { findAccounts } from "../mailbox/Accounts.ts"
import { readTextSendContext } from "../sending/NumberSendContext.ts"
import { readReplySendContext } from "../sending/ReplySendContext.ts"
import { renderBody, reserveSend } from "../sending/ReserveSend.ts"
import { reserveText } from "../sending/ReserveText.ts"
import { openTask } from "../task/OpenTask.ts"

const noParty = Effect.die(new Error("maySend allowed a reply without a sender or a recipient"))

/** Reads the facts about an email reply. Also returns the effect that reserves its send. */
const mailReply = Effect.fnUntraced(function* (target: RunTarget, text: string) {
  const { message, now, signalId, tenant } = target
  const { tenantId } = tenant
  const accounts = yield* findAccounts(tenantId)
  const chosen = accounts === null ? null : answeringAccount(accounts, message)
  const grant = chosen?.status === "active" ? chosen : null
  const own = accounts === null || grant === null ? null : ownAddresses(accounts.all)
  const { slotAt } = nextSlot(yield* (yield* Sends).slots(tenantId, now - hourMillis, maxSendsPerHour), now)
  const send = yield* readReplySendContext({ tenant, message, ownAddresses: own, slotAt, now, counted: 0 })
  const { recipient } = send
  const reserve = Effect.gen(function* () {
    if (grant === null || own === null || recipient === null) return yield* noParty
    yield* reserveSend({
      tenant,
      grant,
      own,
      actor: "assistant",
      from: replySender(grant, message),
      to: [{ email: recipient, name: target.contact.name }],
      cc: [],
      bcc: [],
      subject: replySubject(message.subject),
      body: yield* renderBody(text),
      answers: message,
      contactId: message.contactId,
      key: replyKey(signalId),
      fingerprint: signalId,
      slotAt,
      claimed: false,
      now
    })
  })
  return { send, reserve: () => reserve }
})

/** Reads the facts about a reply by text message. Also returns the effect that reserves its send. */
const textReply = Effect.fnUntraced(function* ({ contact, message, now, signalId, tenant }: RunTarget, body: string) {
  const answered = message.from === null ? {} : { recipient: message.from }
  const send = yield* readTextSendContext({ tenant, contact, by: "nobody", now, ...answered })
  const { recipient, sender } = send
  const reserve = Effect.fnUntraced(function* (dueAt: number) {
    if (recipient === null || sender === null) return yield* noParty
    yield* reserveText({
      tenant,
      actor: "assistant",
      from: sender,
      to: recipient,
      body,
      contactId: message.contactId,
      key: replyKey(signalId),
      fingerprint: signalId,
      dueAt,
      claimed: false,
      now
    })
  })
  return { send, reserve }
})

const proposeDraft = Effect.fnUntraced(function* (target: RunTarget, text: string) {
  const { contact, message, now, signalId } = target
  const { tenantId } = message
  const { lastMessageId } = yield* (yield* Conversations)
    .get(tenantId, contact.contactId)
    .pipe(Effect.catchTag("ConversationNotFound", Effect.die))
  const title = `Approve the reply to ${contact.name ?? contact.email ?? "a contact"}`
  const draft: Draft = {
    draftId: yield* (yield* Ids).next("draft"),
    tenantId,
    contactId: contact.contactId,
    leadId: target.lead?.leadId ?? null,
    signalId,
    messageId: message.messageId,
    channel: message.channel,
    text,
    state: "pending",
    headMessageId: lastMessageId,
    taskId: yield* openTask(target, "reply_approval", title),
    createdAt: now
  }
  yield* (yield* Drafts).propose(draft)
  yield* recordEvents([draftEvent("draft.created", draft)], now)
})

/** The effect of a decision about a reply. */
export interface AppliedReply {
  readonly reply: RunReply | null
  /** The result for a written reply, such as its sending or its approval. Null when no reply was written. */
  readonly afterwards: Reason | null
}

/** Reads the facts about the delivery of a reply. Returns null when replies on the channel are never automatic. */
const prepareReply = Effect.fnUntraced(function* (target: RunTarget, text: string) {
  const { channel, threadId } = target.message
  if (channel === "email" && threadId !== null) return yield* mailReply(target, text)
  return channel === "sms" ? yield* textReply(target, text) : null
})

const nothing: AppliedReply = { reply: null, afterwards: null }

/**
 * Carries out the decision about a reply, inside the unit of work that ends the signal. Decides again with the facts of
 * this unit of work. The reply is then queued for sending, becomes a draft, or is dropped.
 */
export const sendReply = Effect.fnUntraced(function* (target: RunTarget, facts: ReplyFacts) {
  const { contact, message, now } = target
  const { channel, messageId, tenantId } = message
  const decided = decideReply(facts)
  if (decided._tag === "Block")
    return { ...nothing, afterwards: { code: "no_reply", because: { code: "blocked_by_guardrail" } } } as const
  if (decided._tag !== "Hold" && decided._tag !== "Release") return nothing
  const { text } = decided.reply
  const newest = yield* (yield* Messages).newestSince(tenantId, contact.contactId, messageId)
  const changes = { contactArchived: contact.archivedAt !== null, newerMessage: newest !== null }
  let decision = decideReply({ ...facts, delivery: changes })
  const prepared = decision._tag === "Release" ? yield* prepareReply(target, text) : null
  if (decision._tag === "Release")
    decision = decideReply({ ...facts, delivery: { ...changes, send: prepared?.send ?? null } })
  if (decision._tag === "Ignore") return { ...nothing, afterwards: decision.reason }
  if (decision._tag === "Send" && prepared !== null) {
    yield* prepared.reserve(decision.notBefore ?? now)
    return { reply: { text, channel, requiresApproval: false }, afterwards: decision.reason }
  }
  yield* proposeDraft(target, text)
  // If the reply was already held before, the step `guard` contains the reasons, so they are not repeated here.
  const because = decided._tag === "Release" && decision._tag === "Hold" ? decision.because : []
  const approval: AppliedReply = {
    reply: { text, channel, requiresApproval: true },
    afterwards: { code: "person_approves", because }
  }
  return approval
})
