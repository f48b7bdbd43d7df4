import type { MailboxAccount, MailboxSecret } from "@leadloom/core/internal/domain/mailbox/MailboxAccount"
import { mailboxSealContext } from "@leadloom/core/internal/domain/mailbox/MailboxAccount"
import type { Grant } from "@leadloom/core/internal/domain/email/Grant"
import type { MailboxSync } from "@leadloom/core/internal/domain/mailbox/MailboxSync"
import { Grants } from "@leadloom/core/internal/port/repository/conversation/Grants"
import { MailboxAccounts } from "@leadloom/core/internal/port/repository/conversation/MailboxAccounts"
import { MailboxSyncs } from "@leadloom/core/internal/port/repository/conversation/MailboxSyncs"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Ids } from "@leadloom/core/internal/port/system/Ids"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { Vault } from "@leadloom/core/internal/port/system/Vault"
import { holdMailbox } from "@leadloom/core/internal/workflow/mailbox/sync/HoldMailbox"
import { emptyMemory, type MailboxMemory } from "@leadloom/core/internal/workflow/mailbox/sync/OpenMailbox"
import { type ImapStandIn, startImapStandIn } from "@leadloom/testkit/imap/ImapStandIn"
import { newestConversations } from "@leadloom/testkit/suite/NewestConversations"
import { Clock, Effect } from "effect"

/** The login of the test mailbox at the stand-in. */
export const mailboxEmail = "office@acme.com"
export const mailboxPassword = "secret"

/** Starts an IMAP server with the test mailbox. */
export const startMailServer = (options: Parameters<typeof startImapStandIn>[0] = {}) =>
  startImapStandIn({ accounts: { [mailboxEmail]: mailboxPassword }, ...options })

/** The variables of a server that may connect to the stand-in. */
export const mailboxEnvironment = ({ port }: Pick<ImapStandIn, "port">) => ({
  LEADLOOM_MAILBOX_ALLOW_HOSTS: `127.0.0.1:${port}`,
  LEADLOOM_MAILBOX_CONNECTION_LIMIT: "100"
})

/** Connects the test mailbox to a tenant, as of `createdAt`. */
export const connectMailbox = Effect.fnUntraced(function* (
  { port }: Pick<ImapStandIn, "port">,
  {
    createdAt,
    email = mailboxEmail,
    password = mailboxPassword,
    sinceAt = 0,
    tenantId = "acme"
  }: {
    readonly createdAt?: number
    readonly email?: string
    readonly password?: string
    readonly sinceAt?: number
    readonly tenantId?: string
  } = {}
) {
  const now = createdAt ?? (yield* Clock.currentTimeMillis)
  const grantId = yield* (yield* Ids).next("grant")
  const secret: MailboxSecret = { kind: "password", password }
  const server = { host: "127.0.0.1", port, security: "none" } as const
  const grant: Grant = {
    grantId,
    tenantId,
    provider: "imap",
    email,
    name: null,
    status: "active",
    aliases: [],
    providerGrantId: null,
    signature: null,
    createdAt: now,
    updatedAt: now
  }
  const account: MailboxAccount = {
    tenantId,
    grantId,
    username: email,
    imap: server,
    smtp: server,
    secret: (yield* Vault).seal(JSON.stringify(secret), mailboxSealContext(tenantId, grantId)),
    sinceAt,
    setsFlags: true,
    createdAt: now
  }
  const store = Effect.gen(function* () {
    yield* (yield* Grants).insert(grant)
    yield* (yield* MailboxAccounts).insert(account)
  })
  yield* (yield* Transactions).atomically(tenantId, store)
  return account
})

/** Claims the due mailbox, and looks into its folders once, as a server without a further place does. */
export const lookOnce = Effect.fnUntraced(function* (memory: MailboxMemory = emptyMemory(), now?: number) {
  const time = now ?? (yield* Clock.currentTimeMillis)
  const [claimed] = yield* (yield* MailboxSyncs).claim(1, time, time + 20_000)
  if (claimed === undefined) return false
  yield* holdMailbox(claimed, { memory, isCrowded: () => true })
  return true
})

/** Looks into the folders until the mailbox is no longer behind. */
export const lookUntilRead = Effect.fnUntraced(function* () {
  while (yield* lookOnce());
})

/** Makes the mailbox due, and looks into its folders until nothing remains to be read. */
export const lookAgain = Effect.fnUntraced(function* ({ grantId, tenantId }: MailboxAccount) {
  const syncs = yield* MailboxSyncs
  const sync = yield* syncs.find(tenantId, grantId)
  if (sync !== null) yield* syncs.save({ ...sync, dueAt: 0 } satisfies MailboxSync)
  yield* lookUntilRead()
})

/** Returns all messages of a tenant. */
export const storedMessages = Effect.fnUntraced(function* (tenantId = "acme") {
  const messages = yield* Messages
  const conversations = yield* newestConversations(tenantId, 2_000)
  return (yield* Effect.forEach(conversations, ({ contactId }) => messages.ofContact(tenantId, contactId))).flat()
})
