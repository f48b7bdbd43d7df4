import { Effect } from "effect"
import { type Address, normalizeEmail } from "../../domain/address/Address.ts"
import type { Message } from "../../domain/conversation/Message.ts"
import {
  type Accounts,
  AccountUnavailable,
  answeringAccount,
  ownAddresses,
  senderAccount
} from "../../domain/email/Accounts.ts"
import { EmailRequestInvalid, type Grant } from "../../domain/email/Grant.ts"
import { headerLine } from "../../domain/email/OutgoingMail.ts"
import { replySender } from "../../domain/reply/ReplyRecipients.ts"

/** The account that sends a mail, and the address from which it sends. */
export interface Sender {
  readonly grant: Grant
  readonly from: Address
}

/** Returns the stated sender. Fails if no account of the tenant may send from this address. */
const statedSender = Effect.fnUntraced(function* ({ all }: Accounts, { email: stated, name }: Address) {
  const email = normalizeEmail(stated)
  const grant = senderAccount(all, email)
  if (grant !== null) return { grant, from: { email, name: headerLine(name ?? "") || grant.name } } satisfies Sender
  const message = `This address cannot send mail for the tenant. Use one of: ${ownAddresses(all).join(", ")}.`
  return yield* new EmailRequestInvalid({ issues: [{ path: "from.email", message }] })
})

/** Returns the sender of a mail without a stated one: the default account, or the account that received the mail. */
const derivedSender = Effect.fnUntraced(function* (accounts: Accounts, answers: Message | null, isReply: boolean) {
  const grant = answers === null ? accounts.all[0] : answeringAccount(accounts, answers)
  if (grant === null) {
    const email = answers?.actor === "contact" ? answers.receivedAlias : (answers?.from ?? null)
    return yield* new AccountUnavailable({ email, reason: "disconnected" })
  }
  const from = isReply && answers !== null ? replySender(grant, answers) : { email: grant.email, name: grant.name }
  return { grant, from } satisfies Sender
})

/**
 * Chooses the account and the address that send a mail. `answers` is the answered mail, or null. With `isReply`, the
 * address that received the mail sends the answer, otherwise the account's own address. Fails with `AccountUnavailable`
 * when the account is disconnected or expired. The mail of a tenant that can only have one account waits instead until
 * the owner signs in again.
 */
export const chooseSender = Effect.fnUntraced(function* (
  accounts: Accounts,
  stated: Address | null,
  answers: Message | null,
  isReply: boolean
) {
  const sender =
    stated === null ? yield* derivedSender(accounts, answers, isReply) : yield* statedSender(accounts, stated)
  const { email, status } = sender.grant
  if (accounts.several && status === "expired") return yield* new AccountUnavailable({ email, reason: "expired" })
  return sender
})
