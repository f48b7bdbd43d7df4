/**
 * Sends real mail over SMTP and compares the threads with their labels, and with those of an import.
 *
 * Sends every file of each set over `connections` concurrent connections, each with many mails, on SQLite, and waits for
 * each 250. The CPU time per mail includes the sender and the parse processes. Reports pair precision and recall over all files, whether an import into a new
 * database gives the same threads, the rejected mails, and mails per second. Then it sends every odd mail of the corpora
 * once. At the end, the intake of all sets and programs that index the same files alternate in rounds.
 */
import { execFile } from "node:child_process"
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { canonical } from "@leadloom/testkit/ThreadIndex"
import { type Bench, numberAt } from "@leadloom/testkit/bench/Bench"
import { median } from "@leadloom/testkit/bench/Median"
import { findCorpora, missingCorpora } from "@leadloom/testkit/mail/Corpora"
import { pairScore, threadLabels, threadSets } from "@leadloom/testkit/mail/ThreadScore"
import { type MailServer, startMailServer } from "../test/world/MailServer.ts"
import { startServer } from "../test/world/TestServer.ts"
import { addedOf, importAll, openAcme, threadsOf } from "./mail/ImportMails.ts"
import { childrenMicros } from "./profiling/ProcessUse.ts"
import { openSender } from "./mail/SmtpSender.ts"

/** The bench sends faster than the default rate of one tenant permits. */
const unlimited = { mailsPerMinutePerTenant: 1_000_000 }

/** The number of mails after which a sender opens a new connection. */
const mailsPerConnection = 100

/** Sends files over some connections, each until its answer, and returns the rejected ones. */
const sendAll = async (server: MailServer, files: ReadonlyArray<string>, connections: number) => {
  const refused: Array<string> = []
  let next = 0
  const begun = performance.now()
  const cpu = process.cpuUsage()
  const parsers = childrenMicros(process.pid)
  const sender = async (): Promise<void> => {
    while (next < files.length) {
      const connection = await openSender(server.port)
      const own = files.slice(next, (next += Math.min(mailsPerConnection, Math.ceil(files.length / connections))))
      for (const file of own) {
        const { code, text } = await connection.send("sender@customer.example", "sales@acme.com", readFileSync(file))
        if (code !== 250) refused.push(`${file}: ${text}`)
      }
      connection.close()
    }
  }
  await Promise.all(Array.from({ length: connections }, sender))
  const { system, user } = process.cpuUsage(cpu)
  const parsed = childrenMicros(process.pid) - parsers
  const perMail = (micros: number): number => Number((micros / 1_000 / files.length).toFixed(2))
  return {
    refused,
    seconds: (performance.now() - begun) / 1000,
    cpuMillisAMail: perMail(system + user + parsed),
    parserMillisAMail: perMail(parsed)
  }
}

/** The programs that index a folder of mails, for comparison. */
const peers = {
  "notmuch new": (folder: string, mails: string) => {
    const config = join(folder, "notmuch")
    writeFileSync(config, `[database]\npath=${mails}\n[user]\nprimary_email=sales@acme.com\n[new]\ntags=inbox\n`)
    return { prepare: null, index: ["notmuch", `--config=${config}`, "new", "--quiet"] }
  },
  "mu index": (folder: string, mails: string) => ({
    prepare: ["mu", "init", `--muhome=${folder}/mu`, `--maildir=${mails}`],
    index: ["mu", "index", `--muhome=${folder}/mu`, "--quiet"]
  })
}

const peerNames = ["notmuch new", "mu index"] as const

const execute = promisify(execFile)

/** Returns the mails per second of a peer, or null if it is not installed. */
const indexWith = async (peer: keyof typeof peers, files: ReadonlyArray<string>): Promise<number | null> => {
  const folder = mkdtempSync(join(tmpdir(), "leadloom-peer-"))
  try {
    const mails = join(folder, "Maildir")
    for (const name of ["cur", "new", "tmp"]) mkdirSync(join(mails, name), { recursive: true })
    files.forEach((file, index) => copyFileSync(file, join(mails, "cur", `${index}.host:2,S`)))
    const { index, prepare } = peers[peer](folder, mails)
    for (const [program = "", ...args] of prepare === null ? [] : [prepare]) await execute(program, args)
    const [program = "", ...args] = index
    const begun = performance.now()
    await execute(program, args)
    return (files.length / (performance.now() - begun)) * 1_000
  } catch (error) {
    if (Object(error).code !== "ENOENT") throw error
    return null
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Sends files to a new server, and returns the mails per second. */
const intakeRate = async (files: ReadonlyArray<string>, connections: number): Promise<number> => {
  const server = await openAcme(await startMailServer("sqlite", unlimited))
  const { seconds } = await sendAll(server, files, connections)
  await server.close()
  return files.length / seconds
}

/**
 * Compares the intake of all sets with the peers. All programs alternate in every round, and a ratio is the median of
 * the ratios of the rounds.
 */
const compare = async (files: ReadonlyArray<string>, connections: number, rounds: number) => {
  const ours: Array<number> = []
  const theirs = { "notmuch new": new Array<number>(), "mu index": new Array<number>() }
  for (let round = 0; round < rounds; round++) {
    ours.push(await intakeRate(files, connections))
    for (const peer of peerNames) {
      const rate = await indexWith(peer, files)
      if (rate !== null) theirs[peer].push(rate)
    }
  }
  const rows = peerNames.map((peer) => {
    const rates = theirs[peer]
    if (rates.length === 0) return { peer, mailsPerSecond: "absent", ratio: null }
    const ratio = median(rates.map((rate, round) => (ours[round] ?? 0) / rate))
    return { peer, mailsPerSecond: Math.round(median(rates)), ratio: Number(ratio.toFixed(2)) }
  })
  return { mailsPerSecond: Math.round(median(ours)), peers: rows }
}

const sendOdd = async (folder: string, limit: number, connections: number) => {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => !file.endsWith(".json") && statSync(file).isFile())
    .slice(0, limit)
  const server = await openAcme(await startMailServer("sqlite", unlimited))
  const { refused } = await sendAll(server, files, connections)
  const added = addedOf(await importAll(server, files)).length
  await server.close()
  return { mails: files.length, rejected: refused.length, addedByImport: added }
}

const sendSet = async (folder: string, set: string, limit: number, connections: number) => {
  const labels = threadLabels(folder, set).slice(0, limit)
  const files = labels.map(({ file }) => join(folder, "threads", set, file))
  const server = await openAcme(await startMailServer("sqlite", unlimited))
  const { cpuMillisAMail, parserMillisAMail, refused, seconds } = await sendAll(server, files, connections)
  // The server recognises mails that have already arrived, so an import of the same files returns their threads.
  const seen = await importAll(server, files)
  await server.close()
  const imported = await openAcme(startServer())
  await importAll(imported, files)
  const reference = threadsOf(await importAll(imported, files))
  await imported.close()
  const threads = threadsOf(seen)
  const score = pairScore(
    threads,
    labels.map(({ expected }) => expected)
  )
  return {
    set,
    mails: files.length,
    rejected: refused.length,
    threads: new Set(threads).size,
    precision: Number(score.precision.toFixed(5)),
    recall: Number(score.recall.toFixed(5)),
    sameThreads: String(canonical(threads)) === String(canonical(reference)),
    addedByImport: addedOf(seen).length,
    mailsPerSecond: Math.round(files.length / seconds),
    cpuMillisAMail,
    parserMillisAMail,
    files
  }
}

export const bench: Bench = {
  name: "smtp",
  purpose: "Real mail over SMTP: threads against their labels and those of an import, and mails per second.",
  usage: "[mails of each set] [connections] [rounds of the comparison]",
  sizes: { smallest: [10, 4, 1], small: [200, 32, 2], full: [1_000_000, 32, 3] },
  missing: missingCorpora,
  run: async (args) => {
    const [limit, connections, rounds] = [numberAt(args, 0), numberAt(args, 1), numberAt(args, 2)]
    const folder = findCorpora()
    const sets = []
    for (const set of threadSets(folder)) sets.push(await sendSet(folder, set, limit, connections))
    const odd = await sendOdd(join(folder, "odd"), limit, connections)
    const compared = await compare(
      sets.flatMap(({ files }) => files),
      connections,
      rounds
    )
    return {
      figures: {
        connections,
        ...compared,
        sets: sets.map(({ files: _, ...row }) => row),
        odd
      },
      checks: {
        "mails over SMTP have the threads of an import": sets.every(({ sameThreads }) => sameThreads),
        "every mail that was not rejected is stored": [...sets, odd].every(
          ({ addedByImport, rejected }) => addedByImport <= rejected
        )
      }
    }
  }
}
