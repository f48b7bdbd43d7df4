import { createHash } from "node:crypto"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import type { ReadMail } from "@leadloom/core/internal/domain/email/ReadMail"
import { MailParser } from "@leadloom/core/internal/port/provider/MailParser"
import { canonical, shuffled } from "@leadloom/testkit/ThreadIndex"
import { corpora, corporaNote } from "@leadloom/testkit/mail/Corpora"
import { pairScore, threadLabels } from "@leadloom/testkit/mail/ThreadScore"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import type { Services } from "../../src/http/Routes.ts"
import { adminKey, at, startServer, type TestServer } from "../world/TestServer.ts"

const folder = corpora ?? ""
const mailsPerRequest = 100

interface Result {
  readonly name: string
  readonly outcome: unknown
  readonly thread: string
}

const importFiles = async (server: TestServer, files: ReadonlyArray<string>): Promise<ReadonlyArray<Result>> => {
  const results: Array<Result> = []
  for (let start = 0; start < files.length; start += mailsPerRequest) {
    const mails = files
      .slice(start, start + mailsPerRequest)
      .map((file) => ({ name: file, raw: readFileSync(file).toString("base64") }))
    const answer = await server.call("POST", "/api/v1/import/acme/email", {
      as: adminKey,
      body: { historical: true, mails }
    })
    expect(answer.status, answer.text.slice(0, 300)).toBe(200)
    mails.forEach(({ name }, index) => {
      const result = at(answer.json, "results", index)
      results.push({ name, outcome: at(result, "outcome"), thread: String(at(result, "thread_id")) })
    })
  }
  return results
}

/** The result of the parser by the checksum of the mail. Every order imports the same mails, so each is parsed once. */
const parsedMails = new Map<string, ReadMail>()

const parsingOnce = (services: Layer.Layer<Services, unknown>): Layer.Layer<Services, unknown> =>
  Layer.provideMerge(
    Layer.effect(
      MailParser,
      Effect.map(MailParser, (parser) => ({
        ...parser,
        parse: (raw, about) => {
          const key = `${about.mediaType} ${createHash("sha256").update(raw).digest("hex")}`
          const parsed = parsedMails.get(key)
          if (parsed !== undefined) return Effect.succeed(parsed)
          return Effect.tap(parser.parse(raw, about), (mail) => Effect.sync(() => parsedMails.set(key, mail)))
        }
      }))
    ),
    services
  )

const openAcme = async (): Promise<TestServer> => {
  const server = startServer({}, parsingOnce)
  const body = { tenant_id: "acme", name: "Acme", domain: "acme.com" }
  await server.call("POST", "/api/v1/admin/tenants", { as: adminKey, body })
  return server
}

const filesBelow = (path: string): ReadonlyArray<string> =>
  readdirSync(path, { recursive: true, encoding: "utf8" })
    .map((name) => join(path, name))
    .filter((file) => !file.endsWith(".json") && statSync(file).isFile())
    .toSorted()

describe.skipIf(corpora === null)(`importing real mail${corporaNote}`, () => {
  const set = "spamassassin-ham-a"
  const labels = corpora === null ? [] : threadLabels(folder, set)
  const files = labels.map(({ file }) => join(folder, "threads", set, file))
  const partitions: Array<string> = []

  /** Imports in the given order, twice. The second pass must add nothing; it returns the thread of every mail. */
  const threadsInOrder = async (order: ReadonlyArray<number>) => {
    const server = await openAcme()
    await importFiles(
      server,
      order.map((index) => files[index] ?? "")
    )
    const again = await importFiles(server, files)
    await server.close()
    expect(again.filter(({ outcome }) => outcome !== "duplicate_of")).toEqual([])
    return again.map(({ thread }) => thread)
  }

  it.each([0, 1, 2, 3])("threads it as its labels say, in order of arrival %i", async (seed) => {
    const order = seed === 0 ? [...labels.keys()] : shuffled(labels.length, seed * 7_919)
    const threads = await threadsInOrder(order)
    const score = pairScore(
      threads,
      labels.map(({ expected }) => expected)
    )
    expect(score.precision).toBeGreaterThanOrEqual(0.999)
    expect(score.recall).toBeGreaterThanOrEqual(0.999)
    partitions.push(String(canonical(threads)))
    expect(new Set(partitions).size).toBe(1)
  })

  it("imports every odd mail and loses none", async () => {
    const odd = filesBelow(join(folder, "odd"))
    const server = await openAcme()
    const results = await importFiles(server, odd)
    await server.close()
    expect(results.length).toBe(odd.length)
    expect(results.filter(({ outcome }) => outcome === "failed" || outcome === "quarantined")).toEqual([])
  })
})
