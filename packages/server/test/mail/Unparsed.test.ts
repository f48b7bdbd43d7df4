import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as PooledParser from "@leadloom/connectors/internal/parse/PooledParser"
import { defaultLimits } from "@leadloom/connectors/internal/parse/ParseLimits"
import { Layer } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type MailServer, startMailServer } from "../world/MailServer.ts"
import { adminKey, at, textAt } from "../world/TestServer.ts"
import { mail, makeWorld, type World } from "../world/World.ts"

const hostile = new URL("../../../connectors/test/parse/HostileProgram.ts", import.meta.url)
const parser = PooledParser.layerOf({ ...defaultLimits, deadlineMillis: 4_000, elapsedDeadlines: 1 }, hostile)

let folder: string
let sign: string
let server: MailServer
let world: World

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "leadloom-unparsed-"))
  sign = join(folder, "sign")
  writeFileSync(sign, "")
})
afterEach(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const parseAgain = (message: unknown, as: string, tenant = "acme") =>
  server.call("POST", `/api/v1/tenants/${tenant}/messages/${textAt(message, "message_id")}/parse`, { as })

describe.each(["sqlite", "postgres"] as const)("a mail on %s that no process can parse", (database) => {
  beforeEach(async () => {
    server = await startMailServer(database, {}, (services) => Layer.merge(services, parser))
    world = await makeWorld(server)
  })

  it("is stored and marked while other mail is processed, and is parsed again on request", async () => {
    const stuck = mail({}, `A kitchen, please. loop while ${sign}`)
    const others = Array.from({ length: 10 }, (_, n) =>
      server.send(
        ["hello@other.com"],
        mail({ "Message-ID": `<${n}@x.example>`, To: "hello@other.com" }, `A roof ${n}.`)
      )
    )
    const said = await Promise.all([server.send(["sales@acme.com"], stuck), ...others])
    expect(said.map(({ code }) => code)).toEqual(said.map(() => 250))
    const bodies = (await server.messages("other")).map((message) => textAt(message, "body"))
    expect(bodies.toSorted()).toEqual(others.map((_, n) => `A roof ${n}.`))

    const [message, ...more] = await server.messages("acme")
    expect(more).toEqual([])
    expect(message).toMatchObject({
      unparsed: true,
      unparsed_reason: "deadline",
      subject: "Kitchen",
      from: "jane@customer.example",
      internet_message_id: "one@customer.example",
      html_body: null,
      attachments: []
    })
    // The sender received no answer and repeats the mail, which is recognised.
    expect((await server.send(["sales@acme.com"], stuck)).code).toBe(250)
    expect(await server.messages("acme")).toHaveLength(1)

    const still = await parseAgain(message, adminKey)
    expect([still.status, at(still.json, "unparsed")]).toEqual([200, true])
    rmSync(sign)
    const parsed = await parseAgain(message, adminKey)
    expect([parsed.status, textAt(parsed.json, "body")]).toEqual([200, `A kitchen, please. loop while ${sign}`])
    expect(at(parsed.json, "unparsed")).toBeUndefined()
    const [stored] = await server.messages("acme")
    expect(stored).toEqual(parsed.json)
    expect((await parseAgain(message, adminKey, "other")).status).toBe(404)
    expect((await parseAgain({ message_id: "msg_nothing" }, adminKey)).status).toBe(404)
    expect((await parseAgain(message, world.other.session)).status).toBe(403)
  }, 120_000)
})
