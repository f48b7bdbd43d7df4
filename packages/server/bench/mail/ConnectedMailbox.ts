/** A server process with SQLite that reads a mailbox of Dovecot. */
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type Dovecot, startDovecot } from "@leadloom/testkit/imap/Dovecot"
import { startSubmission } from "@leadloom/testkit/mail/SubmissionServer"
import { startServers, type Servers } from "../../chaos/Servers.ts"
import { countOf, openSqlite, type Stored } from "../../chaos/Stored.ts"
import { temporaryFolder } from "../../test/world/ServerProcess.ts"
import { adminKey, at } from "../../test/world/TestServer.ts"
import { type CommandRelay, startCommandRelay } from "./CommandRelay.ts"

export const mailboxEmail = "sales@acme.com"
const password = "correct horse"
/** A mailbox without progress for this time counts as not readable. */
const maxQuietMillis = 120_000

/** A server with a mailbox that it does not read yet. */
export interface ConnectedMailbox {
  readonly dovecot: Dovecot
  /** The connection of the server to Dovecot. */
  readonly relay: CommandRelay
  readonly servers: Servers
  readonly stored: Stored
  /** Connects the mailbox, so that the server reads it. */
  readonly connect: () => Promise<void>
  /** Waits until the first sync of all folders is complete. Returns the seconds. */
  readonly untilRead: (pollMillis: number) => Promise<number>
}

const insistOn = async (servers: Servers, imapPort: number, smtpPort: number): Promise<void> => {
  const tenant = { tenant_id: "acme", name: "Acme", domain: "acme.com" }
  await servers.insist({ method: "POST", path: "/admin/tenants", body: tenant, as: adminKey })
  const serverAt = (port: number) => ({ host: "127.0.0.1", port, security: "none" })
  const body = { provider: "imap", email: mailboxEmail, password, imap: serverAt(imapPort), smtp: serverAt(smtpPort) }
  await servers.insist({ method: "POST", path: "/tenants/acme/email/connect", body, as: adminKey })
}

const untilRead = async (servers: Servers, stored: Stored, pollMillis: number): Promise<number> => {
  const begun = performance.now()
  let [messages, changedAt] = [-1, begun]
  for (;;) {
    const { json } = await servers.send(0, { method: "GET", path: "/tenants/acme/email/grants", as: adminKey })
    const folders = at(json, "grants", 0, "folders")
    const isRead = at(json, "grants", 0, "last_sync_at") !== null && Array.isArray(folders)
    if (isRead && folders.every((folder) => at(folder, "complete") === true)) break
    const now = await countOf(stored, "SELECT count(*) FROM messages")
    if (now !== messages) [messages, changedAt] = [now, performance.now()]
    if (performance.now() - changedAt > maxQuietMillis)
      throw new Error(`The sync stands still: ${JSON.stringify(json)}`)
    await sleep(pollMillis)
  }
  return (performance.now() - begun) / 1_000
}

/** Starts Dovecot and a server, runs `use`, and stops both. */
export const withMailbox = async <A>(use: (mailbox: ConnectedMailbox) => Promise<A>): Promise<A> => {
  const folder = temporaryFolder()
  const dovecot = await startDovecot({ accounts: { [mailboxEmail]: password } })
  const smtp = await startSubmission({ password })
  const relay = await startCommandRelay(dovecot.port)
  const servers = await startServers(1, () => ({
    LEADLOOM_DATA_DIR: folder.path,
    LEADLOOM_MAILBOX_ALLOW_HOSTS: `127.0.0.1:${relay.port},127.0.0.1:${smtp.port}`,
    LEADLOOM_LIMIT_ADMIN: "1000000"
  }))
  const stored = openSqlite(join(folder.path, "leadloom.db"))
  try {
    return await use({
      dovecot,
      relay,
      servers,
      stored,
      connect: () => insistOn(servers, relay.port, smtp.port),
      untilRead: (pollMillis) => untilRead(servers, stored, pollMillis)
    })
  } finally {
    await stored.close()
    await servers.stop()
    await relay.close()
    await Promise.all([dovecot.close(), smtp.close()])
    folder.remove()
  }
}
