import { Effect } from "effect"
import type { Address } from "../../domain/address/Address.ts"
import type { Contact } from "../../domain/contact/Contact.ts"
import type { Message } from "../../domain/conversation/Message.ts"
import { type Accounts, ownAddresses } from "../../domain/email/Accounts.ts"
import { replySubject } from "../../domain/email/OutgoingMail.ts"
import { isId } from "../../domain/Id.ts"
import type { Composition } from "../../domain/sending/Composition.ts"
import { AnswerableEmailNotFound, MessageNotFound } from "../../domain/sending/Reservation.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { chooseSender } from "./ChooseSender.ts"
import { type AnswerPlan, planAnswer } from "./PlanAnswer.ts"
import type { SendPlan } from "./SendOnce.ts"

const answeredOf = Effect.fnUntraced(function* (tenantId: string, messageId: string) {
  const message = isId("msg", messageId) ? yield* (yield* Messages).find(tenantId, messageId) : null
  if (message === null || message.channel !== "email") return yield* new MessageNotFound({ messageId })
  return message
})

/** Returns the addresses that are not among the given ones. */
const without = (addresses: ReadonlyArray<Address>, ...given: ReadonlyArray<ReadonlyArray<Address>>) => {
  const known = new Set(given.flat().map(({ email }) => email))
  return addresses.filter(({ email }) => !known.has(email))
}

/**
 * Returns a plan with the recipients, the sender and the subject that the person stated. A reply leaves from the address
 * that received the mail, another mail from the own address of its account.
 */
export const adaptPlan = Effect.fnUntraced(function* (
  plan: AnswerPlan,
  composition: Composition,
  accounts: Accounts,
  isReply = true
) {
  const { bcc, cc, from: stated, replyTo, subject } = composition
  const { from, grant } = yield* chooseSender(accounts, stated, plan.answers, isReply)
  const to = composition.to.length > 0 ? composition.to : plan.to
  const result: SendPlan = {
    ...plan,
    to,
    cc: [...without(plan.cc, to, cc), ...cc],
    bcc,
    replyTo,
    subject: subject ?? plan.subject,
    from,
    grant,
    own: ownAddresses(accounts.all)
  }
  return result
})

const newMail = (
  composition: Composition,
  answers: Message | null,
  contactId: SendPlan["contactId"],
  accounts: Accounts
) =>
  adaptPlan(
    {
      answers,
      contactId,
      to: [],
      cc: [],
      bcc: [],
      subject: answers === null ? "" : replySubject(answers.subject)
    },
    composition,
    accounts,
    false
  )

/** Plans a mail to stated recipients. It answers a stated mail or opens a thread. */
export const planAddressed = Effect.fnUntraced(function* (
  tenantId: string,
  composition: Composition,
  accounts: Accounts
) {
  const { replyToMessageId } = composition
  const answers = replyToMessageId === null ? null : yield* answeredOf(tenantId, replyToMessageId)
  return yield* newMail(composition, answers, null, accounts)
})

/**
 * Plans a mail in the conversation of a contact. With a subject, it opens a thread. Otherwise it answers the stated
 * mail, or the contact's newest one.
 */
export const planInConversation = Effect.fnUntraced(function* (
  contact: Contact,
  composition: Composition,
  accounts: Accounts
) {
  const { contactId, email, name, tenantId } = contact
  const { replyAll, replyToMessageId, subject, to } = composition
  // The recipients are stated, so the answered mail determines only the thread.
  if (replyToMessageId !== null && to.length > 0)
    return { ...(yield* planAddressed(tenantId, composition, accounts)), contactId } satisfies SendPlan
  const missing = new AnswerableEmailNotFound({ tenantId, contactId })
  if (subject !== null && replyToMessageId === null) {
    if (contact.mergedInto !== null || (to.length === 0 && email === null)) return yield* missing
    const stated = to.length > 0 || email === null ? composition : { ...composition, to: [{ email, name }] }
    return yield* newMail(stated, null, contactId, accounts)
  }
  const answers =
    replyToMessageId === null
      ? yield* (yield* Messages).newestEmail(tenantId, contactId)
      : yield* answeredOf(tenantId, replyToMessageId)
  if (answers === null) return yield* missing
  if (answers.contactId !== contactId) return yield* new MessageNotFound({ messageId: answers.messageId })
  const plan = planAnswer(contact, answers, replyAll, accounts)
  return plan === null ? yield* missing : yield* adaptPlan(plan, composition, accounts)
})
