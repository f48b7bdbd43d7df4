import { Clock, Effect } from "effect"
import { Grants } from "../port/Grants.ts"
import { Ids } from "../port/Ids.ts"
import { isEmail, normalizeEmail } from "./Address.ts"
import { EmailRequestInvalid, type Grant, type MailProvider, ProviderNotConfigured } from "./Grant.ts"
import { headerLine } from "./OutgoingMail.ts"

/** The setting that would open the hosted families. */
export const hostedSetting = "LEADLOOM_NYLAS_API_KEY"

/** The answer of this server to whoever wants to sign in to a hosted account: no such family is configured. */
export const signInElsewhere = (provider: Exclude<MailProvider, "smtp">): Effect.Effect<never, ProviderNotConfigured> =>
  Effect.fail(new ProviderNotConfigured({ provider, setting: hostedSetting }))

/**
 * Connects a tenant's email account; a tenant has one at most. An `smtp` account needs no credentials: the operator's
 * relay carries its mail.
 */
export const connectEmail = Effect.fn("connectEmail")(function* (
  tenantId: string,
  account: { readonly provider: MailProvider; readonly email: string; readonly name: string | null }
) {
  if (account.provider !== "smtp") return yield* signInElsewhere(account.provider)
  const email = normalizeEmail(account.email)
  if (!isEmail(email))
    return yield* new EmailRequestInvalid({ issues: [{ path: "email", message: "This is not an email address." }] })
  const now = yield* Clock.currentTimeMillis
  const grant: Grant = {
    grantId: yield* (yield* Ids).next("grant"),
    tenantId,
    provider: account.provider,
    email,
    name: headerLine(account.name ?? "") || null,
    status: "active",
    aliases: [],
    providerGrantId: null,
    signature: null,
    createdAt: now,
    updatedAt: now
  }
  yield* (yield* Grants).insert(grant)
  return grant
})
