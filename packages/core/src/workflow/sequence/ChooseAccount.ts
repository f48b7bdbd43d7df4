/**
 * The email account of a step: an enrolment keeps its sender, and waits while this account cannot send
 * (`docs/decisions/0147-unavailable-accounts.md`).
 */
import { Effect } from "effect"
import { normalizeEmail } from "../../domain/address/Address.ts"
import type { Message } from "../../domain/conversation/Message.ts"
import { type Accounts, type AccountUnavailable, answeringAccount } from "../../domain/email/Accounts.ts"
import { type Grant, senderAddresses } from "../../domain/email/Grant.ts"
import type { Enrolment } from "../../domain/sequence/Enrolment.ts"
import type { SendStep } from "../../domain/sequence/Sequence.ts"
import type { Composition } from "../../domain/sending/Composition.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { findAccounts } from "../mailbox/Accounts.ts"

/** The interval between looks at an account that cannot send, in milliseconds. */
export const accountLookMillis = 3_600_000

/**
 * The time that a step waits for its account, in milliseconds. Then the enrolment is paused: a message that is a week
 * late may be wrong, so a person decides about it.
 */
export const maxAccountWaitMillis = 7 * 24 * 3_600_000

/** A step whose account cannot send at present, with the reason for people. */
export interface NoAccount {
  readonly unavailable: string
}

/** Returns the reason why an account cannot send. */
export const describeAccount = ({ email, reason }: Pick<AccountUnavailable, "email" | "reason">): NoAccount => ({
  unavailable: `the email account ${email ?? "that received the email"} is ${reason}`
})

/** The reason of a tenant without an account. */
export const noAccount: NoAccount = { unavailable: "no email account is connected" }

/** Returns the newest email that an enrolment has sent; null if it has sent none, or if the email was erased. */
const lastEmail = Effect.fnUntraced(function* ({ history, tenantId }: Enrolment) {
  const messages = yield* Messages
  for (const { messageId } of history.toReversed()) {
    const message: Message | null = messageId === null ? null : yield* messages.find(tenantId, messageId)
    if (message?.channel === "email") return message
  }
  return null
})

const addressOf = (grant: Grant, { from }: Message): string => {
  const used = normalizeEmail(from ?? "")
  return senderAddresses(grant).includes(used) ? used : grant.email
}

/** Returns the sender of the earlier emails of an enrolment: null for its first email, which chooses its own. */
const earlierSender = Effect.fnUntraced(function* (accounts: Accounts, enrolment: Enrolment) {
  const email = yield* lastEmail(enrolment)
  if (email === null) return null
  const grant = answeringAccount(accounts, email)
  if (grant === null) return describeAccount({ email: email.from, reason: "disconnected" })
  return { email: addressOf(grant, email), name: null }
})

/**
 * Chooses the sender of the email of a step. With several accounts, an enrolment opens all its threads from the account
 * of its first email. Null leaves the choice to `chooseSender`: an answer follows the answered email. A tenant with one
 * account has no choice, but its step also waits while the account has expired.
 */
export const chooseStepSender = Effect.fnUntraced(function* (
  enrolment: Enrolment,
  { subject }: Pick<SendStep, "subject">
) {
  const accounts = yield* findAccounts(enrolment.tenantId)
  if (accounts === null) return noAccount
  const [{ email, status }] = accounts.all
  if (!accounts.several) return status === "expired" ? describeAccount({ email, reason: "expired" }) : { from: null }
  if (subject === null || subject === undefined) return { from: null }
  const from = yield* earlierSender(accounts, enrolment)
  if (from !== null && "unavailable" in from) return from
  return { from } satisfies { readonly from: Composition["from"] }
})
