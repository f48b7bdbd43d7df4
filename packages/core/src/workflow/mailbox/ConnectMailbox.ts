import { Clock, Effect } from "effect"
import { AccountLimit } from "../../domain/email/Accounts.ts"
import { isOnDomain } from "../../domain/email/Alias.ts"
import { ConnectionExists, EmailRequestInvalid, type Grant, newGrant } from "../../domain/email/Grant.ts"
import { asciiEmail, mailboxOf } from "../../domain/email/Mailbox.ts"
import { headerLine } from "../../domain/email/OutgoingMail.ts"
import type { GrantId } from "../../domain/Id.ts"
import { defaultSinceDays, type MailboxAccount, type MailboxSecret } from "../../domain/mailbox/MailboxAccount.ts"
import { addressLoginRate, MailServersNotFound, tenantLoginRate } from "../../domain/mailbox/MailboxLimits.ts"
import { checkMailServer, MailHosts, type MailProtocol } from "../../domain/mailbox/MailHostPolicy.ts"
import type { MailboxLogin, MailServer } from "../../domain/mailbox/MailServer.ts"
import { provesOwnership } from "../../domain/mailbox/ProvesOwnership.ts"
import { type DiscoveredServers, Mailboxes } from "../../port/provider/Mailboxes.ts"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import { MailboxAccounts } from "../../port/repository/conversation/MailboxAccounts.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { Vault } from "../../port/system/Vault.ts"
import { recordAuditChange } from "../access/Audited.ts"
import { withSpan } from "../WithSpan.ts"
import { requireFreePlace } from "./Accounts.ts"
import { checkAddress, countAttempt } from "./DiscoverMailServers.ts"
import { auditedGrant } from "./Grants.ts"
import { sealMailboxSecret } from "./AccessTokens.ts"

/** A mailbox to connect. It contains a secret and must not be logged. */
export interface MailboxToConnect {
  readonly email: string
  readonly name: string | null
  /** Null: the name that discovery suggests, or the address. */
  readonly username: string | null
  readonly password: string
  /** Null: the discovered server. */
  readonly imap: MailServer | null
  readonly smtp: MailServer | null
  /** The number of days that the first sync reaches back. Null: `defaultSinceDays`, or unchanged at a reconnection. */
  readonly sinceDays: number | null
  /** Null: true, or unchanged at a reconnection. */
  readonly setsFlags: boolean | null
  readonly byOperator: boolean
}

const dayMillis = 86_400_000

const invalid = (path: string, message: string) => new EmailRequestInvalid({ issues: [{ path, message }] })

/** Returns whether the login has to prove that the tenant owns the address. An address on its own domain is its own. */
const needsProof = Effect.fnUntraced(function* (tenantId: string, email: string, byOperator: boolean) {
  if (byOperator) return false
  const { domain } = yield* (yield* Tenants).get(tenantId)
  return domain === null || !isOnDomain(email, domain)
})

const notProven = invalid(
  "imap.host",
  "A login at this server does not prove that you own the address: the server is not known as the mail server of the " +
    "address's domain, or the username is not the address. Use the discovered servers (GET …/email/autoconfig), connect " +
    "an address on the tenant's domain, or ask the operator to connect it."
)

/** Returns the complete login: what the request states, completed by what was discovered. */
const completeLogin = (
  email: string,
  { imap, password, smtp, username }: MailboxToConnect,
  found: DiscoveredServers | null
): MailboxLogin | null => {
  const servers = { imap: imap ?? found?.imap, smtp: smtp ?? found?.smtp }
  if (servers.imap === undefined || servers.smtp === undefined) return null
  const name = username ?? found?.username ?? email
  return {
    email,
    username: name,
    imap: servers.imap,
    smtp: servers.smtp,
    credential: { _tag: "Password", password }
  }
}

/** Checks one server of a login. Returns whether the operator permits it by name. */
const checkServer = Effect.fnUntraced(function* (server: MailServer, protocol: MailProtocol) {
  const checked = checkMailServer(server, protocol, yield* MailHosts)
  return "reason" in checked ? yield* invalid(`${protocol}.${checked.field}`, checked.reason) : checked.isAllowed
})

/** Returns the tenant's connection of this mailbox, or null. Fails when the tenant may not connect it in addition. */
export const connectionOf = Effect.fnUntraced(function* (tenantId: string, email: string) {
  const accounts = yield* (yield* Grants).list(tenantId)
  const connected = accounts.find((account) => mailboxOf(asciiEmail(account.email)) === mailboxOf(email))
  if (connected?.provider === "imap") return connected
  if (connected !== undefined) return yield* new ConnectionExists({ ...connected, limit: null })
  yield* requireFreePlace(accounts)
  return null
})

/** A mailbox whose logins have succeeded. It contains secrets and must not be logged. */
export interface VerifiedMailbox {
  readonly tenantId: string
  readonly request: Pick<MailboxToConnect, "name" | "setsFlags" | "sinceDays">
  readonly login: Omit<MailboxLogin, "credential">
  readonly secret: MailboxSecret
}

const newAccount = ({ login, request, tenantId }: VerifiedMailbox, grantId: GrantId, now: number) => ({
  tenantId,
  grantId,
  username: login.username,
  imap: login.imap,
  smtp: login.smtp,
  sinceAt: now - (request.sinceDays ?? defaultSinceDays) * dayMillis,
  setsFlags: request.setsFlags ?? true,
  createdAt: now
})

/** Returns the account after a reconnection. Without new values, the start of the first sync and the flags stay. */
const changedAccount = (
  before: MailboxAccount,
  fresh: Omit<MailboxAccount, "secret">,
  request: VerifiedMailbox["request"]
) => ({
  ...fresh,
  createdAt: before.createdAt,
  sinceAt: request.sinceDays === null ? before.sinceAt : fresh.sinceAt,
  setsFlags: request.setsFlags ?? before.setsFlags
})

/** Stores a verified mailbox. A mailbox that is already connected keeps its grant. Runs inside a unit of work. */
export const storeMailbox = Effect.fnUntraced(function* (verified: VerifiedMailbox, newId: GrantId) {
  const { login, request, tenantId } = verified
  const grants = yield* Grants
  const accounts = yield* MailboxAccounts
  const now = yield* Clock.currentTimeMillis
  const before = yield* connectionOf(tenantId, login.email)
  const grantId = before?.grantId ?? newId
  const name = headerLine(request.name ?? "") || (before?.name ?? null)
  const grant: Grant =
    before === null
      ? newGrant({ grantId, tenantId, provider: "imap", email: login.email, name }, now)
      : { ...before, name, status: "active", updatedAt: now }
  if (before === null) yield* grants.insert(grant, yield* AccountLimit)
  else
    yield* grants
      .update(grant)
      .pipe(Effect.catchTag("GrantNotFound", () => Effect.die("the grant was read in this unit of work")))
  const secret = sealMailboxSecret(yield* Vault, grant, verified.secret)
  const known = before === null ? null : yield* accounts.find(tenantId, grantId)
  const fresh = newAccount(verified, grantId, now)
  if (known === null) yield* accounts.insert({ ...fresh, secret })
  else yield* accounts.update({ ...changedAccount(known, fresh, request), secret })
  yield* recordAuditChange({ before: before === null ? null : auditedGrant(before), after: auditedGrant(grant) })
  return grant
})

/** Returns the complete and permitted login. With `proofNeeded`, it proves the ownership of the address once it works. */
const provenLogin = Effect.fnUntraced(function* (email: string, request: MailboxToConnect, proofNeeded: boolean) {
  const isComplete = request.imap !== null && request.smtp !== null
  const found = isComplete && !proofNeeded ? null : yield* (yield* Mailboxes).discover(email)
  const login = completeLogin(email, request, found)
  if (login === null) return yield* new MailServersNotFound({ email })
  const isAllowedHost = yield* checkServer(login.imap, "imap")
  yield* checkServer(login.smtp, "smtp")
  const { imap, username } = login
  const discoveredHost = found?.imap.host ?? null
  const facts = { email, username, host: imap.host, discoveredHost, isAllowedHost }
  return !proofNeeded || provesOwnership(facts) ? login : yield* notProven
})

/**
 * Connects a mailbox with its password. Both logins are verified before anything is stored. A mailbox that is already
 * connected keeps its grant and gets the new login. Fails with `MailboxLoginFailed` when a login fails, with
 * `MailServersNotFound` when no server is stated or found, and with `AddressTaken` when another tenant owns the address.
 */
export const connectMailbox = Effect.fnUntraced(function* (tenantId: string, request: MailboxToConnect) {
  const email = yield* checkAddress(request.email)
  yield* connectionOf(tenantId, email)
  if (request.imap !== null) yield* checkServer(request.imap, "imap")
  if (request.smtp !== null) yield* checkServer(request.smtp, "smtp")
  const proofNeeded = yield* needsProof(tenantId, email, request.byOperator)
  // Every attempt counts, whether it succeeds or not. A count for all tenants would let one of them lock another out.
  yield* countAttempt(tenantId, "mailbox_login", tenantLoginRate)
  yield* countAttempt(tenantId, `mailbox_login:${mailboxOf(email)}`, addressLoginRate)
  const login = yield* provenLogin(email, request, proofNeeded)
  yield* (yield* Mailboxes).verify(login)
  const newId = yield* (yield* Ids).next("grant")
  const secret = { kind: "password", password: request.password } as const
  return yield* (yield* Transactions).atomically(tenantId, storeMailbox({ tenantId, request, login, secret }, newId))
}, withSpan("connectMailbox"))
