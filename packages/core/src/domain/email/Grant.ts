import { Schema } from "effect"
import { TaggedError } from "../TaggedError.ts"
import { GrantId } from "../Id.ts"
import { Time } from "../Field.ts"

/** The kinds of mail providers. `smtp` is the operator's own relay, and `imap` a mailbox at any mail server. The others host accounts. */
export const mailProviders = ["smtp", "google", "microsoft", "imap"] as const

/** The kind of a mail provider. */
export type MailProvider = (typeof mailProviders)[number]

/** A connected email account. A tenant has at most `AccountLimit` of them. */
export class Grant extends Schema.Opaque<Grant>()(
  Schema.Struct({
    grantId: GrantId.annotate({ description: "Id of the connected account (`grant_…`)" }),
    tenantId: Schema.String,
    provider: Schema.Literals(mailProviders),
    /** The normalised address of the account. */
    email: Schema.String.annotate({ description: "The address of the connected account, in lower case" }),
    /** The default display name of the sender. */
    name: Schema.NullOr(Schema.String).annotate({ description: "The default display name of the sender; null: none" }),
    /** `expired`: the owner must sign in at the provider again. Until then, no mail can be sent. */
    status: Schema.Literals(["active", "expired"]).annotate({
      description: "`expired`: the owner must sign in at the provider again. Until then, no email can be sent"
    }),
    /**
     * The other addresses from which the account may send, normalised, at most `maxAliases`. The account's own address
     * is not among them.
     */
    aliases: Schema.Array(Schema.String).annotate({
      description: "The other addresses from which the account may send; at most 20"
    }),
    /** The provider's id of the owner's permission; null for the operator's own relay. */
    providerGrantId: Schema.NullOr(Schema.String).annotate({ secret: true }),
    /** Appended to every outgoing mail. HTML is sanitised. Null if there is none. */
    signature: Schema.NullOr(Schema.String).annotate({
      description: "Appended to every outgoing email. HTML is sanitised; null: none"
    }),
    createdAt: Time.annotate({ description: "The time at which the account was connected (ISO 8601 in UTC)" }),
    updatedAt: Time.annotate({ description: "The time of the last change (ISO 8601 in UTC)" })
  })
) {}

/** Returns a new account of the operator's relay or at a mail server, without aliases and signature. */
export const newGrant = (
  account: Pick<Grant, "grantId" | "tenantId" | "provider" | "email" | "name">,
  now: number
): Grant => ({
  ...account,
  status: "active",
  aliases: [],
  providerGrantId: null,
  signature: null,
  createdAt: now,
  updatedAt: now
})

/** The tenant has already connected this account, or as many accounts as the server permits (`limit`). */
export class ConnectionExists extends TaggedError("ConnectionExists")<{
  readonly grantId: GrantId
  readonly email: string
  /** Null: the address is already connected in another way. */
  readonly limit: number | null
}> {}

/** Another account of the tenant (`email`) has these addresses. */
export class AddressConnected extends TaggedError("AddressConnected")<{
  readonly addresses: ReadonlyArray<string>
  readonly email: string
}> {}

/** The tenant has no connected account with this id. */
export class GrantNotFound extends TaggedError("GrantNotFound")<{ readonly grantId: string }> {}

/** The tenant has no connected account. */
export class EmailNotConnected extends TaggedError("EmailNotConnected")<{ readonly tenantId: string }> {}

/** An email request contains invalid fields. */
export class EmailRequestInvalid extends TaggedError("EmailRequestInvalid")<{
  readonly issues: ReadonlyArray<{ readonly path: string; readonly message: string }>
}> {}

/** Returns the possible sender addresses of an account: the account's address first, then its aliases. */
export const senderAddresses = ({ aliases, email }: Pick<Grant, "aliases" | "email">): ReadonlyArray<string> => [
  email,
  ...aliases
]

/** Email is disabled for the tenant, because it is a HIPAA tenant. */
export class EmailClosed extends TaggedError("EmailClosed")<{ readonly tenantId: string }> {}

/** A sign-in that has started and waits for the person to return from the provider. */
export class SignIn extends Schema.Opaque<SignIn>()(
  Schema.Struct({
    tenantId: Schema.String,
    /** The hash of the secret that the provider must return. */
    stateHash: Schema.String.annotate({ secret: true }),
    /** The principal that started the sign-in. Only the same principal may complete it. */
    principal: Schema.String,
    expiresAt: Time,
    /** The sealed `OAuthSignIn`; null for a sign-in at a provider whose response needs no secret. */
    sealed: Schema.NullOr(Schema.String).annotate({ secret: true })
  })
) {}
