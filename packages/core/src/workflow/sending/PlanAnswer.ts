import type { Contact } from "../../domain/contact/Contact.ts"
import type { Message } from "../../domain/conversation/Message.ts"
import type { Address } from "../../domain/address/Address.ts"
import { type Accounts, ownAddresses } from "../../domain/email/Accounts.ts"
import { replySubject } from "../../domain/email/OutgoingMail.ts"
import { replyRecipients } from "../../domain/reply/ReplyRecipients.ts"
import type { SendPlan } from "./SendOnce.ts"

/** A planned mail without its sender. */
export type AnswerPlan = Omit<SendPlan, "from" | "grant" | "own">

/**
 * Plans the answer to a mail of a contact: its recipients and subject. With `all`, it goes to all recipients of
 * the mail. Returns null when the mail has no correspondent outside the tenant.
 */
export const planAnswer = (
  { contactId, email, name }: Pick<Contact, "contactId" | "email" | "name">,
  answers: Message,
  all: boolean,
  { all: accounts }: Accounts
): AnswerPlan | null => {
  const { cc, to } = replyRecipients(answers, ownAddresses(accounts), all)
  if (to.length === 0) return null
  const named = (address: string): Address => ({ email: address, name: address === email ? name : null })
  return {
    answers,
    contactId,
    to: to.map(named),
    cc: cc.map(named),
    bcc: [],
    subject: replySubject(answers.subject)
  }
}
