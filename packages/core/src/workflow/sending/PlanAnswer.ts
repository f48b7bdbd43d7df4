import type { Contact } from "../../domain/contact/Contact.ts"
import type { Message } from "../../domain/conversation/Message.ts"
import type { Address } from "../../domain/address/Address.ts"
import { type Grant, senderAddresses } from "../../domain/email/Grant.ts"
import { replySubject } from "../../domain/email/OutgoingMail.ts"
import { replyRecipients, replySender } from "../../domain/reply/ReplyRecipients.ts"
import type { SendPlan } from "./SendOnce.ts"

/**
 * Plans the answer to a mail of a contact: its sender, recipients and subject. With `all`, it goes to all recipients of
 * the mail. Returns null when the mail has no correspondent outside the tenant.
 */
export const planAnswer = (
  { contactId, email, name }: Pick<Contact, "contactId" | "email" | "name">,
  answers: Message,
  all: boolean,
  grant: Grant
): SendPlan | null => {
  const { cc, to } = replyRecipients(answers, senderAddresses(grant), all)
  if (to.length === 0) return null
  const named = (address: string): Address => ({ email: address, name: address === email ? name : null })
  return {
    answers,
    contactId,
    from: replySender(grant, answers),
    to: to.map(named),
    cc: cc.map(named),
    bcc: [],
    subject: replySubject(answers.subject)
  }
}
