/**
 * Sends real mail over SMTP and compares the threads with their labels, and with those of an import.
 *
 *   npm run bench -- smtp
 *
 * Needs the mail corpora beside the repository. Sends every file of each set over `connections` concurrent connections,
 * on SQLite, and waits for each 250. Prints pair precision and recall over all files, whether an import into a new
 * database gives the same threads, the rejected mails, and mails per second. At the end it sends every odd mail of the
 * corpora once.
 */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { canonical } from "@leadloom/testkit/ThreadIndex"
import { findCorpora } from "@leadloom/testkit/mail/Corpora"
import { pairScore, threadLabels, threadSets } from "@leadloom/testkit/mail/ThreadScore"
import { type MailServer, startMailServer } from "../test/world/MailServer.ts"
import { adminKey, at, startServer, type TestServer } from "../test/world/TestServer.ts"

const connections = 32
const mailsPerRequest = 100

/** Imports files and returns their threads. A copy belongs to the thread of its original. */
const importAll = async (server: TestServer, files: ReadonlyArray<string>): Promise<ReadonlyArray<unknown>> => {
  const results: Array<unknown> = []
  for (let start = 0; start < files.length; start += mailsPerRequest) {
    const mails = files.slice(start, start + mailsPerRequest).map((name) => {
      return { name, raw: readFileSync(name).toString("base64") }
    })
    const body = { historical: true, mails }
    const answer = await server.call("POST", "/api/v1/import/acme/email", { as: adminKey, body })
    mails.forEach((_, index) => results.push(at(answer.json, "results", index)))
  }
  return results
}

const openAcme = async <S extends TestServer>(server: S): Promise<S> => {
  const tenant = { tenant_id: "acme", name: "Acme", domain: "acme.com" }
  await server.call("POST", "/api/v1/admin/tenants", { as: adminKey, body: tenant })
  return server
}

const threadsOf = (results: ReadonlyArray<unknown>) => results.map((result) => String(at(result, "thread_id")))

/** Sends files, each until its answer, and returns the rejected ones. */
/** The bench sends faster than the default rate of one tenant permits. */
const unlimited = { mailsPerMinutePerTenant: 1_000_000 }

const sendAll = async (server: MailServer, files: ReadonlyArray<string>) => {
  const refused: Array<string> = []
  let next = 0
  const begun = performance.now()
  const sender = async (): Promise<void> => {
    for (let file = files[next++]; file !== undefined; file = files[next++]) {
      const { code, text } = await server.send(["sales@acme.com"], readFileSync(file), "sender@customer.example")
      if (code !== 250) refused.push(`${file}: ${text}`)
    }
  }
  await Promise.all(Array.from({ length: connections }, sender))
  return { refused, seconds: (performance.now() - begun) / 1000 }
}

const measureOdd = async (folder: string): Promise<void> => {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => !file.endsWith(".json") && statSync(file).isFile())
  const server = await openAcme(await startMailServer("sqlite", unlimited))
  const { refused } = await sendAll(server, files)
  const unknown = (await importAll(server, files)).filter((result) => at(result, "outcome") !== "duplicate_of").length
  await server.close()
  console.log(`odd: ${files.length} mails, ${refused.length} rejected, an import afterwards adds ${unknown}`)
  refused.slice(0, 5).forEach((line) => console.log(line))
}

const measure = async (folder: string, set: string): Promise<void> => {
  const labels = threadLabels(folder, set)
  const files = labels.map(({ file }) => join(folder, "threads", set, file))
  const server = await openAcme(await startMailServer("sqlite", unlimited))
  const { refused, seconds } = await sendAll(server, files)
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
  const added = seen.filter((result) => at(result, "outcome") !== "duplicate_of").length
  const same = String(canonical(threads)) === String(canonical(reference))
  console.log(
    `${set}: ${files.length} mails, ${refused.length} rejected, ${new Set(threads).size} threads, ` +
      `precision ${score.precision.toFixed(5)}, recall ${score.recall.toFixed(5)}, ` +
      `${same ? "the threads of an import" : "OTHER THREADS THAN AN IMPORT"}, an import afterwards adds ${added}, ` +
      `${Math.round(files.length / seconds)} mails/s over ${connections} connections`
  )
  refused.slice(0, 5).forEach((line) => console.log(line))
}

const corpora = findCorpora()
for (const set of corpora === null ? [] : threadSets(corpora)) await measure(corpora ?? "", set)
if (corpora !== null) await measureOdd(join(corpora, "odd"))
