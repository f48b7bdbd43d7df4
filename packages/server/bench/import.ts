/**
 * Imports real mail through the HTTP API and compares the threads with their labels.
 *
 *   npm run bench -- import
 *
 * Needs the mail corpora beside the repository. Imports each set in order of arrival and in three seeded shuffles,
 * twice each. Prints pair precision and recall over all files (a copy counts as part of its original's thread), whether
 * every order gives the same threads, the additions of the second pass, and the mails per second of the first pass.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { shuffled, canonical } from "@leadloom/testkit/ThreadIndex"
import { findCorpora } from "@leadloom/testkit/mail/Corpora"
import { pairScore, threadLabels, threadSets } from "@leadloom/testkit/mail/ThreadScore"
import { adminKey, at, startServer, type TestServer } from "../test/world/TestServer.ts"

const mailsPerRequest = 100

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

const measure = async (folder: string, set: string): Promise<void> => {
  const labels = threadLabels(folder, set)
  const files = labels.map(({ file }) => join(folder, "threads", set, file))
  const partitions = new Set<string>()
  for (const seed of [0, 1, 2, 3]) {
    const order = seed === 0 ? [...labels.keys()] : shuffled(labels.length, seed * 7_919)
    const server = startServer()
    const tenant = { tenant_id: "acme", name: "Acme", domain: "acme.com" }
    await server.call("POST", "/api/v1/admin/tenants", { as: adminKey, body: tenant })
    const begun = performance.now()
    const first = await importAll(
      server,
      order.map((index) => files[index] ?? "")
    )
    const seconds = (performance.now() - begun) / 1000
    const second = await importAll(server, files)
    await server.close()
    const threads = second.map((result) => String(at(result, "thread_id")))
    const score = pairScore(
      threads,
      labels.map(({ expected }) => expected)
    )
    partitions.add(String(canonical(threads)))
    const copies = first.filter((result) => at(result, "outcome") === "duplicate_of").length
    const added = second.filter((result) => at(result, "outcome") !== "duplicate_of").length
    console.log(
      `${set}, ${seed === 0 ? "order of arrival" : `shuffle ${seed}`}: ${files.length} mails, ${copies} copies, ` +
        `${new Set(threads).size} threads, precision ${score.precision.toFixed(5)}, recall ${score.recall.toFixed(5)}, ` +
        `second pass adds ${added}, ${Math.round(files.length / seconds)} mails/s`
    )
  }
  console.log(`${set}: ${partitions.size === 1 ? "the same threads in every order" : "ORDERS DIFFER"}`)
}

const corpora = findCorpora()
for (const set of corpora === null ? [] : threadSets(corpora)) await measure(corpora ?? "", set)
