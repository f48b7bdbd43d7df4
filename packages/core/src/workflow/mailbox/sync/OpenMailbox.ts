import { Effect } from "effect"
import { TaggedError } from "../../../domain/TaggedError.ts"
import type { Grant } from "../../../domain/email/Grant.ts"
import type { MailboxAccount } from "../../../domain/mailbox/MailboxAccount.ts"
import type { MailboxSync } from "../../../domain/mailbox/MailboxSync.ts"
import type { Tenant } from "../../../domain/tenant/Tenant.ts"
import type { MailboxConnection } from "../../../port/provider/Mailboxes.ts"
import { Grants } from "../../../port/repository/conversation/Grants.ts"
import { MailboxAccounts } from "../../../port/repository/conversation/MailboxAccounts.ts"
import { Tenants } from "../../../port/repository/tenant/Tenants.ts"
import { ownsMailbox } from "../Grants.ts"

/** A mailbox that may be read, before its connection. */
export interface ReadableMailbox {
  readonly tenant: Tenant
  readonly grant: Grant
  readonly account: MailboxAccount
}

/** The facts about a mailbox that outlive its connection on this server. They are not stored, because they only save work. */
export interface MailboxMemory {
  /** The locations of mails that cannot be read and are recorded in the ledger. */
  readonly unreadable: Set<string>
  /** The mails whose download ended connections, by location, with the number of these connections. */
  readonly suspects: Map<string, number>
  /** The number of mails that failed with a defect since a mail was stored, on the current connection. */
  defects: number
  /** The maximum number of mails in one command. It is halved when such a command ends a connection. */
  maxSetMails: number
}

/** The maximum number of mails that one command reads. More would save few round trips. */
export const maxSetMails = 25

/** A connected mailbox. */
export interface OpenMailbox extends ReadableMailbox {
  readonly sync: MailboxSync
  readonly connection: MailboxConnection
  readonly memory: MailboxMemory
  /** The time of the last comparison with the stored mail, by folder. */
  readonly reconciledAt: Map<string, number>
}

/** Another server has claimed the mailbox, or it was removed or changed. */
export class MailboxLost extends TaggedError("MailboxLost")<{}> {}

/** Creates the memory of a mailbox. */
export const emptyMemory = (): MailboxMemory => ({
  unreadable: new Set(),
  suspects: new Map(),
  defects: 0,
  maxSetMails
})

/**
 * Returns a mailbox that may be read. Returns null when its account is disconnected, its tenant is archived or a HIPAA
 * tenant, or another tenant owns its address.
 */
export const readableMailbox = Effect.fnUntraced(function* ({
  grantId,
  tenantId
}: Pick<MailboxSync, "grantId" | "tenantId">) {
  const tenant = yield* (yield* Tenants)
    .get(tenantId)
    .pipe(Effect.catchTag("TenantNotFound", () => Effect.succeed(null)))
  const grant = yield* (yield* Grants).find(tenantId, grantId)
  const account = yield* (yield* MailboxAccounts).find(tenantId, grantId)
  if (tenant === null || tenant.hipaa || grant === null || account === null) return null
  if (!(yield* ownsMailbox(grant))) return null
  const readable: ReadableMailbox = { tenant, grant, account }
  return readable
})
