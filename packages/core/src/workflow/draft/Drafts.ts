import { Effect } from "effect"
import type { MessageId } from "../../domain/Id.ts"
import type { Message } from "../../domain/conversation/Message.ts"
import { type Draft, type DraftChange, DraftChanged, draftKey, DraftNotFound } from "../../domain/draft/Draft.ts"
import { ownAddresses } from "../../domain/email/Accounts.ts"
import { replySubject } from "../../domain/email/OutgoingMail.ts"
import { replyRecipients } from "../../domain/reply/ReplyRecipients.ts"
import { Drafts } from "../../port/repository/conversation/Drafts.ts"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { ScheduledSends } from "../../port/repository/conversation/ScheduledSends.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { requireUnmergedContact, resolveMergedContact } from "../contact/ResolveMergedContact.ts"
import { phoneOf } from "../sending/NumberSendContext.ts"
import { endDraft } from "./EndDraft.ts"
import { withSpan } from "../WithSpan.ts"

/**
 * Returns the requested draft. If none is requested, returns the pending draft, otherwise the contact's newest draft.
 */
export const findDraft = Effect.fnUntraced(function* (tenantId: string, contactId: string, draftId: string | null) {
  const contact = yield* requireUnmergedContact(tenantId, contactId)
  const drafts = yield* Drafts
  const found =
    draftId === null
      ? ((yield* drafts.pending(tenantId, contact.contactId)) ?? (yield* drafts.newest(tenantId, contact.contactId)))
      : yield* drafts.find(tenantId, draftId)
  if (found === null || found.contactId !== contact.contactId)
    return yield* new DraftNotFound({ tenantId, contactId: contact.contactId })
  return { contact, draft: found }
})

/** Fails with `DraftChanged`. The error contains the reason and the draft that is pending at present. */
export const draftChanged = Effect.fnUntraced(function* (
  { contactId, tenantId }: Draft,
  reason: DraftChange,
  messageId: MessageId | null = null
) {
  const current = yield* (yield* Drafts).pending(tenantId, contactId)
  return yield* new DraftChanged({ reason, current, messageId })
})

/** A pending draft with its recipients. */
export interface PendingDraft {
  readonly draft: Draft
  /** The addresses or the number of the recipients. Empty on a channel without replies, for example of a form. */
  readonly to: ReadonlyArray<string>
  /** The subject of an email; null on other channels. */
  readonly subject: string | null
}

/**
 * Returns the number to which `ApproveDraft` sends: the sender of the answered message, otherwise the contact's own
 * number.
 */
const numberOf = Effect.fnUntraced(function* ({ contactId, tenantId }: Draft, answers: Message | null) {
  if (answers !== null && answers.from !== null) return [answers.from]
  const { config } = yield* (yield* Tenants).get(tenantId)
  const contact = yield* resolveMergedContact(tenantId, contactId)
  if (contact === null) return []
  const last = (yield* (yield* Messages).newestText(tenantId, contact.contactId))?.from ?? null
  const number = last ?? (yield* phoneOf(contact, config.defaultCountry))
  return number === null ? [] : [number]
})

/** Returns the pending draft of a conversation, or null. */
export const readDraft = Effect.fnUntraced(function* (tenantId: string, contactId: string) {
  const draft = yield* (yield* Drafts).pending(tenantId, contactId)
  // An approved draft is pending until its undo window ends.
  const waits = draft === null ? null : yield* (yield* ScheduledSends).findByKey(tenantId, draftKey(draft.draftId))
  if (draft === null || waits?.state === "scheduled") return null
  const answers = yield* (yield* Messages).find(tenantId, draft.messageId)
  if (draft.channel === "sms")
    return { draft, to: yield* numberOf(draft, answers), subject: null } satisfies PendingDraft
  if (answers === null || draft.channel !== "email") return { draft, to: [], subject: null } satisfies PendingDraft
  const own = ownAddresses(yield* (yield* Grants).list(tenantId))
  const { to } = replyRecipients(answers, own, false)
  return { draft, to, subject: replySubject(answers.subject) } satisfies PendingDraft
}, withSpan("readDraft"))

/**
 * Dismisses a draft, and completes its task. A draft that was already dismissed or superseded does not change. Fails
 * with `DraftChanged` for a sent draft.
 */
export const dismissDraft = Effect.fnUntraced(function* (tenantId: string, contactId: string, draftId: string | null) {
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const { draft } = yield* findDraft(tenantId, contactId, draftId)
      if (draft.state === "sent") return yield* draftChanged(draft, "sent")
      yield* endDraft(draft, "dismissed")
    })
  )
}, withSpan("dismissDraft"))
