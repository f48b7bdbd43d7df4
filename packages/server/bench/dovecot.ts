/**
 * Reads real mail from a maildir of Dovecot, and compares the threads with their labels and with those of an import. The
 * mails of a set arrive a minute apart and end now. A server process with SQLite connects the mailbox and reads it.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type Bench, numberAt } from "@leadloom/testkit/bench/Bench"
import { dovecotMissing, startDovecot } from "@leadloom/testkit/imap/Dovecot"
import { findCorpora, missingCorpora } from "@leadloom/testkit/mail/Corpora"
import { startSubmission } from "@leadloom/testkit/mail/SubmissionServer"
import { pairScore, threadLabels, threadSets } from "@leadloom/testkit/mail/ThreadScore"
import { canonical } from "@leadloom/testkit/ThreadIndex"
import { startServers, type Servers } from "../chaos/Servers.ts"
import { countOf, openSqlite } from "../chaos/Stored.ts"
import { temporaryFolder } from "../test/world/ServerProcess.ts"
import { adminKey, at, startServer } from "../test/world/TestServer.ts"
import { addedOf, type Caller, importAll, openAcme, threadsOf } from "./mail/ImportMails.ts"

const email = "sales@acme.com"
const password = "correct horse"
const minuteMillis = 60_000
const pollMillis = 100
/** A mailbox without progress for this time counts as not readable. */
const maxQuietMillis = 120_000

/** A client of the first server process. */
const callerOf = (servers: Servers): Caller => ({
  call: (method, path, { as, body }) => servers.send(0, { method, path: path.replace("/api/v1", ""), body, as })
})

/** Waits until the first sync of all folders is complete. Returns the seconds. */
const untilRead = async (servers: Servers, read: () => Promise<number>): Promise<number> => {
  const begun = performance.now()
  let [messages, changedAt] = [-1, begun]
  for (;;) {
    const { json } = await servers.send(0, { method: "GET", path: "/tenants/acme/email/grants", as: adminKey })
    const folders = at(json, "grants", 0, "folders")
    const isRead = at(json, "grants", 0, "last_sync_at") !== null && Array.isArray(folders)
    if (isRead && folders.every((folder) => at(folder, "complete") === true)) break
    const now = await read()
    if (now !== messages) [messages, changedAt] = [now, performance.now()]
    if (performance.now() - changedAt > maxQuietMillis)
      throw new Error(`The sync stands still: ${JSON.stringify(json)}`)
    await sleep(pollMillis)
  }
  return (performance.now() - begun) / 1_000
}

/** Reads the files from a mailbox. Returns the threads, the number of messages and the seconds. */
const readMailbox = async (files: ReadonlyArray<string>) => {
  const folder = temporaryFolder()
  const dovecot = await startDovecot({ accounts: { [email]: password } })
  const smtp = await startSubmission({ password })
  const start = Date.now() - files.length * minuteMillis
  files.forEach((file, index) => dovecot.deliver(email, "INBOX", readFileSync(file), start + index * minuteMillis))
  const servers = await startServers(1, () => ({
    LEADLOOM_DATA_DIR: folder.path,
    LEADLOOM_MAILBOX_ALLOW_HOSTS: `127.0.0.1:${dovecot.port},127.0.0.1:${smtp.port}`,
    LEADLOOM_LIMIT_ADMIN: "1000000"
  }))
  const stored = openSqlite(join(folder.path, "leadloom.db"))
  try {
    const tenant = { tenant_id: "acme", name: "Acme", domain: "acme.com" }
    await servers.insist({ method: "POST", path: "/admin/tenants", body: tenant, as: adminKey })
    const serverAt = (port: number) => ({ host: "127.0.0.1", port, security: "none" })
    const account = { provider: "imap", email, password, imap: serverAt(dovecot.port), smtp: serverAt(smtp.port) }
    await servers.insist({ method: "POST", path: "/tenants/acme/email/connect", body: account, as: adminKey })
    const count = () => countOf(stored, "SELECT count(*) FROM messages")
    const seconds = await untilRead(servers, count)
    const messages = await count()
    // The server recognises mails that it has read, so an import of the same files returns their threads.
    return { messages, seconds, results: await importAll(callerOf(servers), files) }
  } finally {
    await stored.close()
    await servers.stop()
    await Promise.all([dovecot.close(), smtp.close()])
    folder.remove()
  }
}

const readSet = async (folder: string, set: string, limit: number) => {
  const labels = threadLabels(folder, set).slice(0, limit)
  const files = labels.map(({ file }) => join(folder, "threads", set, file))
  const { messages, results, seconds } = await readMailbox(files)
  const reference = await openAcme(startServer())
  const first = await importAll(reference, files)
  const imported = threadsOf(await importAll(reference, files))
  await reference.close()
  const threads = threadsOf(results)
  const { precision, recall } = pairScore(
    threads,
    labels.map(({ expected }) => expected)
  )
  return {
    set,
    mails: files.length,
    messages,
    messagesOfImport: addedOf(first).length,
    addedByImport: addedOf(results).length,
    threads: new Set(threads).size,
    precision: Number(precision.toFixed(5)),
    recall: Number(recall.toFixed(5)),
    sameThreads: String(canonical(threads)) === String(canonical(imported)),
    mailsPerSecond: Math.round(files.length / seconds)
  }
}

export const bench: Bench = {
  name: "dovecot",
  purpose: "Real mail from a mailbox of Dovecot: each mail once, the threads of an import, and mails per second.",
  usage: "[mails of each set]",
  sizes: { smallest: [10], small: [200], full: [1_000_000] },
  missing: () => dovecotMissing() ?? missingCorpora(),
  run: async (args) => {
    const folder = findCorpora()
    const sets = []
    for (const set of threadSets(folder)) sets.push(await readSet(folder, set, numberAt(args, 0)))
    return {
      figures: { sets },
      checks: {
        "every mail is stored once": sets.every(
          ({ addedByImport, messages, messagesOfImport }) => addedByImport === 0 && messages === messagesOfImport
        ),
        "mails of the mailbox have the threads of an import": sets.every(({ sameThreads }) => sameThreads)
      }
    }
  }
}
