import { Effect } from "effect"
import { type Address, normalizeEmail } from "../../domain/address/Address.ts"
import type { Contact } from "../../domain/contact/Contact.ts"
import type { Message } from "../../domain/conversation/Message.ts"
import { EmailRequestInvalid, type Grant, senderAddresses } from "../../domain/email/Grant.ts"
import { headerLine, replySubject } from "../../domain/email/OutgoingMail.ts"
import { isId } from "../../domain/Id.ts"
import type { Composition } from "../../domain/sending/Composition.ts"
import { AnswerableEmailNotFound, MessageNotFound } from "../../domain/sending/Reservation.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { planAnswer } from "./PlanAnswer.ts"
import type { SendPlan } from "./SendOnce.ts"

/** Returns the stated sender. Fails if the account may not send from this address. */
const senderOf = Effect.fnUntraced(function* (grant: Grant, { email: stated, name }: Address) {
  const email = normalizeEmail(stated)
  if (senderAddresses(grant).includes(email)) return { email, name: headerLine(name ?? "") || grant.name }
  const message = `This address cannot send mail for the tenant. Use one of: ${senderAddresses(grant).join(", ")}.`
  return yield* new EmailRequestInvalid({ issues: [{ path: "from.email", message }] })
})

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

/** Returns a plan with the recipients, the sender and the subject that the person stated. */
export const adaptPlan = Effect.fnUntraced(function* (plan: SendPlan, composition: Composition, grant: Grant) {
  const { bcc, cc, replyTo, subject } = composition
  const to = composition.to.length > 0 ? composition.to : plan.to
  const result: SendPlan = {
    ...plan,
    to,
    cc: [...without(plan.cc, to, cc), ...cc],
    bcc,
    replyTo,
    subject: subject ?? plan.subject,
    from: composition.from === null ? plan.from : yield* senderOf(grant, composition.from)
  }
  return result
})

const newMail = (composition: Composition, answers: Message | null, contactId: SendPlan["contactId"], grant: Grant) =>
  adaptPlan(
    {
      answers,
      contactId,
      from: { email: grant.email, name: grant.name },
      to: [],
      cc: [],
      bcc: [],
      subject: answers === null ? "" : replySubject(answers.subject)
    },
    composition,
    grant
  )

/** Plans a mail to stated recipients. It answers a stated mail or opens a thread. */
export const planAddressed = Effect.fnUntraced(function* (tenantId: string, composition: Composition, grant: Grant) {
  const { replyToMessageId } = composition
  const answers = replyToMessageId === null ? null : yield* answeredOf(tenantId, replyToMessageId)
  return yield* newMail(composition, answers, null, grant)
})

/**
 * Plans a mail in the conversation of a contact. With a subject, it opens a thread. Otherwise it answers the stated
 * mail, or the contact's newest one.
 */
export const planInConversation = Effect.fnUntraced(function* (
  contact: Contact,
  composition: Composition,
  grant: Grant
) {
  const { contactId, email, name, tenantId } = contact
  const { replyAll, replyToMessageId, subject, to } = composition
  // The recipients are stated, so the answered mail determines only the thread.
  if (replyToMessageId !== null && to.length > 0)
    return { ...(yield* planAddressed(tenantId, composition, grant)), contactId } satisfies SendPlan
  const missing = new AnswerableEmailNotFound({ tenantId, contactId })
  if (subject !== null && replyToMessageId === null) {
    if (contact.mergedInto !== null || (to.length === 0 && email === null)) return yield* missing
    const stated = to.length > 0 || email === null ? composition : { ...composition, to: [{ email, name }] }
    return yield* newMail(stated, null, contactId, grant)
  }
  const answers =
    replyToMessageId === null
      ? yield* (yield* Messages).newestEmail(tenantId, contactId)
      : yield* answeredOf(tenantId, replyToMessageId)
  if (answers === null) return yield* missing
  if (answers.contactId !== contactId) return yield* new MessageNotFound({ messageId: answers.messageId })
  const plan = planAnswer(contact, answers, replyAll, grant)
  return plan === null ? yield* missing : yield* adaptPlan(plan, composition, grant)
})
