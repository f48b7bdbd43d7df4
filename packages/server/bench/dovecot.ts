/**
 * Reads real mail from a maildir of Dovecot, and compares the threads with their labels and with those of an import. The
 * mails of a set arrive a minute apart and end now. A server process with SQLite connects the mailbox and reads it.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { type Bench, numberAt } from "@leadloom/testkit/bench/Bench"
import { dovecotMissing } from "@leadloom/testkit/imap/Dovecot"
import { findCorpora, missingCorpora } from "@leadloom/testkit/mail/Corpora"
import { pairScore, threadLabels, threadSets } from "@leadloom/testkit/mail/ThreadScore"
import { canonical } from "@leadloom/testkit/ThreadIndex"
import type { Servers } from "../chaos/Servers.ts"
import { countOf } from "../chaos/Stored.ts"
import { startServer } from "../test/world/TestServer.ts"
import { mailboxEmail, withMailbox } from "./mail/ConnectedMailbox.ts"
import { addedOf, type Caller, importAll, openAcme, threadsOf } from "./mail/ImportMails.ts"
import { readLargeMailbox } from "./mail/LargeMailbox.ts"

const minuteMillis = 60_000
const pollMillis = 100

/** A client of the first server process. */
const callerOf = (servers: Servers): Caller => ({
  call: (method, path, { as, body }) => servers.send(0, { method, path: path.replace("/api/v1", ""), body, as })
})

/** Reads the files from a mailbox. Returns the threads, the number of messages and the seconds. */
const readMailbox = (files: ReadonlyArray<string>) =>
  withMailbox(async ({ connect, dovecot, servers, stored, untilRead }) => {
    const start = Date.now() - files.length * minuteMillis
    files.forEach((file, index) =>
      dovecot.deliver(mailboxEmail, "INBOX", readFileSync(file), start + index * minuteMillis)
    )
    await connect()
    const seconds = await untilRead(pollMillis)
    const messages = await countOf(stored, "SELECT count(*) FROM messages")
    // The server recognises mails that it has read, so an import of the same files returns their threads.
    return { messages, seconds, results: await importAll(callerOf(servers), files) }
  })

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
  purpose: "Mail from a mailbox of Dovecot: each mail once, the threads of an import, and mails per second.",
  usage: "[mails of each set] [mails of a large mailbox]",
  sizes: { smallest: [10, 40], small: [200, 1_000], full: [1_000_000, 100_000] },
  missing: () => dovecotMissing() ?? missingCorpora(),
  run: async (args) => {
    const folder = findCorpora()
    const [limit, large] = [numberAt(args, 0), numberAt(args, 1)]
    const sets = []
    if (limit > 0) for (const set of threadSets(folder)) sets.push(await readSet(folder, set, limit))
    const { figures, tallies } = large > 0 ? await readLargeMailbox(large) : { figures: {}, tallies: [] }
    return {
      figures: { sets, ...figures },
      checks: {
        "every mail is stored once": sets.every(
          ({ addedByImport, messages, messagesOfImport }) => addedByImport === 0 && messages === messagesOfImport
        ),
        "mails of the mailbox have the threads of an import": sets.every(({ sameThreads }) => sameThreads),
        "nothing is lost or duplicated in a large mailbox": tallies.every(
          ({ duplicated, lost }) => duplicated + lost === 0
        )
      }
    }
  }
}
