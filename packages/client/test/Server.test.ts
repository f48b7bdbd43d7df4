import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, type RunningServer, startServer } from "../../cli/test/ServerProcess.ts"
import { createClient, isLeadloomError, type Leadloom } from "../src/index.ts"

const run = promisify(execFile)
const home = fileURLToPath(new URL("..", import.meta.url))

let folder = ""
let server: RunningServer
let operator: Leadloom
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "leadloom-client-server-"))
  server = await startServer(folder)
  operator = createClient({ baseUrl: server.url, credential: adminKey })
  await operator.tenants.create({ tenant_id: "shop", name: "Shop" })
  await operator.tenants.create({ tenant_id: "demo", name: "Demo" })
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

describe("a real server", () => {
  it("returns every item of a list once, page by page", async () => {
    const names = Array.from({ length: 7 }, (_, index) => `Person ${index}`)
    for (const name of names) await operator.contacts.create("shop", { name })
    const listed: Array<string | null> = []
    for await (const contact of operator.contacts.list("shop", { limit: 3 })) listed.push(contact.name)
    expect(listed.toSorted()).toEqual(names)
    const sizes: Array<number> = []
    for await (const page of operator.contacts.list("shop", { limit: 3 }).pages()) sizes.push(page.contacts.length)
    expect(sizes).toEqual([3, 3, 1])
    const found: Array<string | null> = []
    for await (const hit of operator.search.search("shop", { query: "person", types: ["contacts"], limit: 2 })) {
      if ("contact" in hit) found.push(hit.contact.name)
    }
    expect(found.toSorted()).toEqual(names)
    const sequences: Array<number> = []
    for await (const { sequence } of operator.eventFeed.list("shop", { limit: 2 })) sequences.push(sequence)
    expect(sequences).toEqual(names.map((_, index) => index + 1))
  })

  it("carries out a POST once although its first response is lost", async () => {
    let lost = 0
    const client = createClient({
      baseUrl: server.url,
      credential: adminKey,
      fetch: async (url, init) => {
        const response = await fetch(url, init)
        if (init.method === "POST" && lost++ === 0) throw new TypeError("the connection broke")
        return response
      }
    })
    const { data, headers } = await client.contacts.create("shop", { name: "Once" }).withResponse()
    expect(headers.get("idempotent-replayed")).toBe("true")
    const same: Array<string> = []
    for await (const contact of operator.contacts.list("shop")) if (contact.name === "Once") same.push(contact.id)
    expect(same).toEqual([data.id])
  })

  it("keeps the id of an event as its natural key", async () => {
    const { key } = await operator.sources.create("shop", { source_id: "website" })
    const content = { body: "How much is a roof?", metadata: { message_id: "form-1" } }
    const event = { entity: { id: 1, name: "Grace", email: "grace@example.org" }, event_type: "asked", content }
    const first = await operator.events.send("shop", "website", event, { credential: key })
    const second = await operator.events.send("shop", "website", event, { credential: key })
    expect(second).toEqual(first)
  })

  it("streams typed events until the signal aborts, and exports the tenant as a stream", async () => {
    const stop = new AbortController()
    const names: Array<string | null> = []
    const options = { after: 0, types: "contact.created", signal: stop.signal }
    for await (const { event } of operator.eventFeed.stream("shop", options)) {
      if (event.event_type === "contact.created" && "name" in event.data) names.push(event.data.name)
      if (names.length === 7) stop.abort()
    }
    expect(names[6]).toBe("Person 6")
    let bytes = 0
    for await (const part of await operator.dataRights.exportTenant("shop")) bytes += part.length
    // The archive consists of blocks of 512 bytes.
    expect([bytes > 1_024, bytes % 512]).toEqual([true, 0])
  })

  it("reports invalid fields with the types of the contract", async () => {
    const error: unknown = await operator.contacts
      .create("shop", { email: "nobody" })
      .catch((reason: unknown) => reason)
    if (!isLeadloomError(error, "BAD_REQUEST")) throw error
    expect(error.details?.map(({ path }) => path)).toEqual(["email"])
    const patch = await operator.config.update("shop", { tiers: { hot: 81 } }).withResponse()
    expect(patch.data.config.tiers.hot).toBe(81)
  })
})

describe("the README", () => {
  const outputs: ReadonlyArray<string | RegExp> = [
    "A new roof\n200 true\n",
    "[ 'email' ]\n",
    "0\n",
    "true grace@example.org\n",
    /no such lead[\s\S]*\[ 'A new roof' \]\n$/u
  ]

  it("has five examples that run", async () => {
    const text = await readFile(join(home, "README.md"), "utf8")
    const examples = [...text.matchAll(/^```ts\n(?<code>[\s\S]*?)^```$/gmu)].map(
      (match) => match.groups?.["code"] ?? ""
    )
    expect(examples).toHaveLength(outputs.length)
    const { key } = await operator.apiKeys.create("demo", { name: "readme" })
    const env = { ...process.env, LEADLOOM_URL: server.url, LEADLOOM_API_KEY: key, LEADLOOM_ADMIN_KEY: adminKey }
    for (const [index, code] of examples.entries()) {
      const args = ["--conditions=leadloom:source", "--input-type=module-typescript", "-e", code]
      const { stdout } = await run(process.execPath, args, { cwd: home, env })
      const expected = outputs[index] ?? ""
      if (typeof expected === "string") expect(stdout).toBe(expected)
      else expect(stdout).toMatch(expected)
    }
  })
})
