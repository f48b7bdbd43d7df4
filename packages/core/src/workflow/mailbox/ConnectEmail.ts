import { Clock, Effect } from "effect"
import { recordAuditChange } from "../access/Audited.ts"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import { HostedMail } from "../../port/provider/HostedMail.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { isEmail, normalizeEmail } from "../../domain/address/Address.ts"
import { isOnDomain } from "../../domain/email/Alias.ts"
import { ConnectionExists, EmailRequestInvalid, type Grant, type MailProvider } from "../../domain/email/Grant.ts"
import { asciiEmail } from "../../domain/email/Mailbox.ts"
import { connectAccount } from "./ConnectAccount.ts"
import { auditedGrant } from "./Grants.ts"
import { type HostedProvider, isHosted } from "../../domain/email/HostedMail.ts"
import { headerLine } from "../../domain/email/OutgoingMail.ts"

/** An account to connect. */
export interface AccountToConnect {
  readonly provider: MailProvider
  readonly email: string
  readonly name: string | null
  /** A permission that its owner has given to this deployment at the provider before; null: there is none. */
  readonly providerGrantId: string | null
  /** The operator connects it. Anybody else connects a relayed account on the tenant's own domain only. */
  readonly byOperator?: boolean
}

const invalid = (path: string, message: string) => new EmailRequestInvalid({ issues: [{ path, message }] })

/** An id in a path of the provider, and never an address: a provider takes that for a name of whoever's account it is. */
const permissionPattern = /^[\w-]{8,128}$/u

const notOwn = (domain: string | null) =>
  invalid(
    "email",
    `${domain === null ? "The tenant has no domain of its own." : `This address is not on the tenant's domain ${domain}.`} ` +
      "Let its owner sign in at the provider (GET …/email/auth-url), or ask the operator to connect it."
  )

const connectRelayed = Effect.fnUntraced(function* (tenantId: string, email: string, name: string | null) {
  const now = yield* Clock.currentTimeMillis
  const grant: Grant = {
    grantId: yield* (yield* Ids).next("grant"),
    tenantId,
    provider: "smtp",
    email,
    name,
    status: "active",
    aliases: [],
    providerGrantId: null,
    signature: null,
    createdAt: now,
    updatedAt: now
  }
  const connected = Effect.gen(function* () {
    yield* (yield* Grants).insert(grant)
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
    return yield* invalid("provider", `An account of the ${provider} family is connected by its owner: ${way}`)
  }
  const unknown = invalid("provider_grant_id", `The provider knows no permission of this id for ${email}.`)
  if (!permissionPattern.test(providerGrantId)) return yield* unknown
  const account = yield* hosted
    .account(providerGrantId)
    .pipe(Effect.catchTags({ HostedGone: () => unknown, HostedRefused: () => unknown }))
  if (asciiEmail(account.email) !== email || account.provider !== provider) return yield* unknown
  const grantId = yield* (yield* Ids).next("grant")
  const adopted = yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const connected = yield* (yield* Grants).current(tenantId)
      if (connected !== null) return yield* new ConnectionExists(connected)
      const adopted = yield* connectAccount(tenantId, account, grantId, name)
      yield* recordAuditChange({ before: null, after: auditedGrant(adopted.grant) })
      return adopted
    })
  )
  return adopted.grant
})

/**
 * Connects a tenant's email account; a tenant has one at most. An `smtp` account needs no credentials: the operator's
 * relay carries its mail. A hosted one is let in by its owner (`startSignIn`), or has been before.
 */
export const connectEmail = Effect.fn("connectEmail")(function* (tenantId: string, account: AccountToConnect) {
  const { provider } = account
  const email = asciiEmail(normalizeEmail(account.email))
  if (!isEmail(email)) return yield* invalid("email", "This is not an email address.")
  const name = headerLine(account.name ?? "") || null
  if (isHosted(provider)) return yield* connectHosted(tenantId, { ...account, provider, email, name })
  if (account.providerGrantId !== null) {
    return yield* invalid("provider_grant_id", "An account of the smtp family has no provider.")
  }
  const { domain } = yield* (yield* Tenants).get(tenantId)
  const isOwn = domain !== null && isOnDomain(email, domain)
  // A relay carries any sender: nothing here proves that the tenant has the mailbox.
  if (!isOwn && account.byOperator !== true) return yield* notOwn(domain)
  return yield* connectRelayed(tenantId, email, name)
})
