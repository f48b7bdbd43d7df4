import { Effect } from "effect"
import { senderAddresses } from "../../domain/email/Grant.ts"
import { livesOn } from "../contact/LiveContact.ts"
import { answerSubject } from "../../domain/email/OutgoingMail.ts"
import { replyRecipients } from "../../domain/reply/ReplyRecipients.ts"
import { phoneOf } from "../sending/NumberCircumstances.ts"
import { Drafts } from "../../port/repository/conversation/Drafts.ts"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import type { Draft } from "../../domain/draft/Draft.ts"
import type { Message } from "../../domain/conversation/Message.ts"

/** A pending draft and how it would go out. */
export interface PendingDraft {
  readonly draft: Draft
  /** The addresses or the number that it would go to; none on a channel that cannot be written to. */
  readonly to: ReadonlyArray<string>
  /** Of an email. */
  readonly subject: string | null
}

/** The number that approving texts to (`ApproveDraft`): where the message came from, else the contact's own. */
const numberOf = Effect.fnUntraced(function* ({ contactId, tenantId }: Draft, answers: Message | null) {
  if (answers !== null && answers.from !== null) return [answers.from]
  const { config } = yield* (yield* Tenants).get(tenantId)
  const contact = yield* livesOn(tenantId, contactId)
  if (contact === null) return []
  const last = (yield* (yield* Messages).newestText(tenantId, contact.contactId))?.from ?? null
  const number = last ?? (yield* phoneOf(contact, config.defaultCountry))
  return number === null ? [] : [number]
})

/** What waits for a person in a conversation, or null. */
export const readDraft = Effect.fn("readDraft")(function* (tenantId: string, contactId: string) {
  const draft = yield* (yield* Drafts).pending(tenantId, contactId)
  if (draft === null) return null
  const answers = yield* (yield* Messages).find(tenantId, draft.messageId)
  if (draft.channel === "sms")
    return { draft, to: yield* numberOf(draft, answers), subject: null } satisfies PendingDraft
  if (answers === null || draft.channel !== "email") return { draft, to: [], subject: null } satisfies PendingDraft
  const grant = yield* (yield* Grants).current(tenantId)
  const { to } = replyRecipients(answers, grant === null ? [] : senderAddresses(grant), false)
  return { draft, to, subject: answerSubject(answers.subject) } satisfies PendingDraft
})
