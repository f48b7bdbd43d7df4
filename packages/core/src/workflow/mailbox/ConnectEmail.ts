/**
 * Connects email accounts of tenants, and downloads mail from hosted accounts. Storing the mail does not belong here
 * (`workflow/intake`). Requests to the provider use the port `HostedMail`. Tests: `packages/testkit/src/suite/mailbox`.
 */
import { Clock, Effect } from "effect"
import { recordAuditChange } from "../access/Audited.ts"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import { HostedMail } from "../../port/provider/HostedMail.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { isEmail, normalizeEmail } from "../../domain/address/Address.ts"
import { AccountLimit } from "../../domain/email/Accounts.ts"
import { isOnDomain } from "../../domain/email/Alias.ts"
import { ConnectionExists, EmailRequestInvalid, type MailProvider, newGrant } from "../../domain/email/Grant.ts"
import { asciiEmail } from "../../domain/email/Mailbox.ts"
import { connectAccount } from "./ConnectAccount.ts"
import { auditedGrant } from "./Grants.ts"
import { type HostedProvider, isHosted } from "../../domain/email/HostedMail.ts"
import { headerLine } from "../../domain/email/OutgoingMail.ts"
import { withSpan } from "../WithSpan.ts"

/** An account to connect. */
export interface AccountToConnect {
  readonly provider: MailProvider
  readonly email: string
  readonly name: string | null
  /** The id of the permission that the owner has already given at the provider. Null when there is none. */
  readonly providerGrantId: string | null
  /**
   * True if the operator connects the account. Other callers can connect an account of the operator's relay only on the
   * tenant's own domain.
   */
  readonly byOperator?: boolean
}

const invalid = (path: string, message: string) => new EmailRequestInvalid({ issues: [{ path, message }] })

/**
 * Matches only ids. If the id were an email address, the provider could resolve it to any account with that address.
 */
const permissionPattern = /^[\w-]{8,128}$/u

const notOwn = (domain: string | null) =>
  invalid(
    "email",
    `${domain === null ? "The tenant has no domain of its own." : `This address is not on the tenant's domain ${domain}.`} ` +
      "Let its owner sign in at the provider (GET …/email/auth-url), or ask the operator to connect it."
  )

const connectRelayed = Effect.fnUntraced(function* (tenantId: string, email: string, name: string | null) {
  const now = yield* Clock.currentTimeMillis
  const grantId = yield* (yield* Ids).next("grant")
  const grant = newGrant({ grantId, tenantId, provider: "smtp", email, name }, now)
  const connected = Effect.gen(function* () {
    yield* (yield* Grants).insert(grant, yield* AccountLimit)
    yield* recordAuditChange({ before: null, after: auditedGrant(grant) })
    return grant
  })
  return yield* (yield* Transactions).atomically(tenantId, connected)
})

const connectHosted = Effect.fnUntraced(function* (
  tenantId: string,
  { email, name, provider, providerGrantId }: AccountToConnect & { readonly provider: HostedProvider }
) {
  const hosted = yield* HostedMail
  yield* hosted.configured
  if (providerGrantId === null) {
    const way = `GET /api/v1/tenants/${tenantId}/email/auth-url?provider=${provider}`
    return yield* invalid("provider", `The owner of a ${provider} account connects it by signing in. Start with ${way}`)
  }
  const unknown = invalid(
    "provider_grant_id",
    `The provider has no grant with this id for ${email}. Send another provider_grant_id or let the owner sign in.`
  )
  if (!permissionPattern.test(providerGrantId)) return yield* unknown
  const account = yield* hosted
    .account(providerGrantId)
    .pipe(Effect.catchReasons("ProviderFailure", { Gone: () => unknown, Refused: () => unknown }))
  if (asciiEmail(account.email) !== email || account.provider !== provider) return yield* unknown
  const grantId = yield* (yield* Ids).next("grant")
  const adopted = yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const accounts = yield* (yield* Grants).list(tenantId)
      const connected = accounts.find((each) => asciiEmail(each.email) === email)
      if (connected !== undefined) return yield* new ConnectionExists({ ...connected, limit: null })
      const adopted = yield* connectAccount(tenantId, account, grantId, name)
      yield* recordAuditChange({ before: null, after: auditedGrant(adopted.grant) })
      return adopted
    })
  )
  return adopted.grant
})

/**
 * Connects an email account. The configuration limits the accounts of a tenant. An `smtp` account needs no credentials, because the operator's
 * relay sends its mail. A hosted account needs the authorisation of its owner (`startSignIn`), or the id of an earlier
 * one.
 */
export const connectEmail = Effect.fnUntraced(function* (tenantId: string, account: AccountToConnect) {
  const { provider } = account
  const email = asciiEmail(normalizeEmail(account.email))
  if (!isEmail(email)) return yield* invalid("email", "This is not an email address.")
  const name = headerLine(account.name ?? "") || null
  if (isHosted(provider)) return yield* connectHosted(tenantId, { ...account, provider, email, name })
  if (account.providerGrantId !== null) {
    return yield* invalid("provider_grant_id", "An smtp account has no provider. Leave out `provider_grant_id`.")
  }
  const { domain } = yield* (yield* Tenants).get(tenantId)
  const isOwn = domain !== null && isOnDomain(email, domain)
  // A relay accepts any sender address, so sending through it does not prove that the tenant owns the mailbox.
  if (!isOwn && account.byOperator !== true) return yield* notOwn(domain)
  return yield* connectRelayed(tenantId, email, name)
}, withSpan("connectEmail"))
