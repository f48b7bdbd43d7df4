import { Data } from "effect"
import type { GrantId } from "../Id.ts"

/** Provider families: `smtp` is the operator's own relay, the other two are hosted accounts. */
export const mailProviders = ["smtp", "google", "microsoft"] as const

/** Through whom a connected account sends. */
export type MailProvider = (typeof mailProviders)[number]

/** A connected email account. A tenant has one at most. */
export interface Grant {
  readonly grantId: GrantId
  readonly tenantId: string
  readonly provider: MailProvider
  /** Address of the account, normalised. */
  readonly email: string
  /** What stands before the address when nothing else is asked for. */
  readonly name: string | null
  /** `expired`: its provider wants the owner to sign in again; nothing is sent meanwhile. */
  readonly status: "active" | "expired"
  /** Further addresses to send from, normalised, at most `maxAliases`; the account's own is not among them. */
  readonly aliases: ReadonlyArray<string>
  /** What its provider calls the permission that the owner gave; null for the operator's own relay. */
  readonly providerGrantId: string | null
  /** Appended to every outgoing mail; sanitised where it is HTML. Null: none. */
  readonly signature: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** The tenant has a connected account already. */
export class ConnectionExists extends Data.TaggedError("ConnectionExists")<{
  readonly grantId: GrantId
  readonly email: string
}> {}

/** The tenant has no connected account of this id. */
export class GrantNotFound extends Data.TaggedError("GrantNotFound")<{ readonly grantId: string }> {}

/** The tenant has no connected account. */
export class EmailNotConnected extends Data.TaggedError("EmailNotConnected")<{ readonly tenantId: string }> {}

/** This server cannot connect accounts of this family; `setting` names what the operator would have to set. */
export class ProviderNotConfigured extends Data.TaggedError("ProviderNotConfigured")<{
  readonly provider: MailProvider
  readonly setting: string
}> {}

/** Fields of an email request that do not do. */
export class EmailRequestInvalid extends Data.TaggedError("EmailRequestInvalid")<{
  readonly issues: ReadonlyArray<{ readonly path: string; readonly message: string }>
}> {}

/** The addresses that mail of the tenant may come from: the account first, then its aliases. */
export const senderAddresses = ({ aliases, email }: Pick<Grant, "aliases" | "email">): ReadonlyArray<string> => [
  email,
  ...aliases
]

/** Email is closed to the tenant, which is under HIPAA. */
export class EmailClosed extends Data.TaggedError("EmailClosed")<{ readonly tenantId: string }> {}

/** Somebody on the way to a provider and back. */
export interface SignIn {
  readonly tenantId: string
  /** Hash of the secret that comes back. */
  readonly stateHash: string
  /** Who was sent; nobody else may come back. */
  readonly principal: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}
