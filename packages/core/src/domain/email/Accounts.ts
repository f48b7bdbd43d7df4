import { Context } from "effect"
import { normalizeEmail } from "../address/Address.ts"
import type { GrantId } from "../Id.ts"
import { TaggedError } from "../TaggedError.ts"
import { type Grant, senderAddresses } from "./Grant.ts"
import { mailboxOf } from "./Mailbox.ts"

/** The default and the upper bound of the connected accounts of a tenant. */
export const defaultAccountsPerTenant = 1
export const maxAccountsPerTenant = 100

/** The number of accounts that a tenant may connect (`LEADLOOM_EMAIL_ACCOUNTS_PER_TENANT`). */
export const AccountLimit: Context.Reference<number> = Context.Reference("core/domain/email/AccountLimit", {
  defaultValue: () => defaultAccountsPerTenant
})

/** The connected accounts of a tenant, at least one. */
export interface Accounts {
  /** The default account first, then in the order of connection. */
  readonly all: readonly [Grant, ...Array<Grant>]
  /**
   * True if the tenant has or may have several accounts. An answer then never leaves from another account than the one
   * that received the mail. Otherwise the only account answers all mail, even that of a former account.
   */
  readonly several: boolean
}

/** The account that has to send a mail is expired or disconnected. `email` is null if its address is not known. */
export class AccountUnavailable extends TaggedError("AccountUnavailable")<{
  readonly email: string | null
  readonly reason: "disconnected" | "expired"
}> {}

/** Returns the error text for people. It names the next steps. */
export const unavailableText = ({ email, reason }: Pick<AccountUnavailable, "email" | "reason">): string => {
  const account = `The account${email === null ? "" : ` ${email}`}`
  const problem = reason === "expired" ? "has expired" : "that received this email is disconnected"
  return `${account} ${problem}. Connect it again, or state another sender in \`from\`.`
}

/** Returns the addresses of all accounts of a tenant. */
export const ownAddresses = (accounts: ReadonlyArray<Grant>): ReadonlyArray<string> => accounts.flatMap(senderAddresses)

/** Returns the account that may send from this normalised address. */
export const senderAccount = (accounts: ReadonlyArray<Grant>, email: string): Grant | null =>
  accounts.find((account) => senderAddresses(account).includes(email)) ?? null

/** Returns the account to which an address belongs, with or without a plus tag. */
export const accountOfAddress = (accounts: ReadonlyArray<Grant>, email: string): Grant | null => {
  const mailbox = mailboxOf(normalizeEmail(email))
  return accounts.find((account) => senderAddresses(account).some((each) => mailboxOf(each) === mailbox)) ?? null
}

/** The fields of a mail that determine the account that answers it. */
export interface AnsweredMail {
  readonly actor: string
  readonly grantId: GrantId | null
  readonly receivedAlias: string | null
  readonly from: string | null
  readonly to: ReadonlyArray<string>
  readonly cc: ReadonlyArray<string>
}

/**
 * Returns the account that answers a mail: the one with the address that received or sent the mail, otherwise the one in
 * whose mailbox the mail was. Mail that no account received is answered by the account with an address in To or Cc,
 * otherwise by the default account. Returns null when the account is disconnected and another one must not answer.
 */
export const answeringAccount = ({ all, several }: Accounts, mail: AnsweredMail): Grant | null => {
  const address = mail.actor === "contact" ? mail.receivedAlias : mail.from
  const holder = address === null ? null : accountOfAddress(all, address)
  const account = holder ?? all.find(({ grantId }) => grantId === mail.grantId)
  if (account !== undefined) return account
  if (several && mail.grantId !== null) return null
  const addressed = [...mail.to, ...mail.cc].map((email) => senderAccount(all, normalizeEmail(email)))
  return addressed.find((each) => each !== null) ?? all[0]
}
