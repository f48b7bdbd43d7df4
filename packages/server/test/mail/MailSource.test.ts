import { mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type MailServer, startMailServer } from "../world/MailServer.ts"
import { adminKey, at, requestOf, textAt } from "../world/TestServer.ts"
import { importOf, mail, makeWorld } from "../world/World.ts"

let folder: string
let server: MailServer

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "leadloom-mail-source-"))
})
afterEach(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const objects = () => join(folder, "objects")

const begin = async (database: "sqlite" | "postgres", limits = {}): Promise<void> => {
  server = await startMailServer(database, limits, (services) => services, { LEADLOOM_OBJECTS_DIR: objects() })
  await makeWorld(server)
}

/** Returns all stored files. */
const kept = (): ReadonlyArray<string> =>
  readdirSync(objects(), { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(join(objects(), name)).isFile()
  )

const sourceOf = async (message: unknown, tenant = "acme"): Promise<Buffer> => {
  const path = `/api/v1/tenants/${tenant}/messages/${textAt(message, "message_id")}/raw`
  return Buffer.from(await (await server.fetch(requestOf("GET", path, { as: adminKey }))).arrayBuffer())
}

const broughtBy = (station: string, raw: string): string => `Received: from ${station}.example by here\r\n${raw}`

describe.each(["sqlite", "postgres"] as const)("the source of a mail that arrives by SMTP on %s", (database) => {
  it("is stored unchanged for each receiving tenant", async () => {
    await begin(database)
    const raw = Buffer.concat([Buffer.from(mail({}, "Hello all.")), Buffer.from([0xff, 0xc3, 0x28, 0, 13, 10])])
    expect((await server.send(["sales@acme.com", "hello@other.com"], raw)).code).toBe(250)
    for (const tenant of ["acme", "other"]) {
      const [message] = await server.messages(tenant)
      expect((await sourceOf(message, tenant)).equals(raw)).toBe(true)
    }
    expect(kept()).toHaveLength(2)
  })

  it("is stored once for concurrent copies by any way", async () => {
    await begin(database, { connectionsPerNetwork: 500 })
    const raw = mail({}, "A kitchen, please.")
    const brought = Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? raw : broughtBy(`s${index}`, raw)))
    const said = await Promise.all(brought.map((each) => server.send(["sales@acme.com"], each)))
    expect(said.filter(({ code }) => code !== 250)).toEqual([])
    const [message, ...more] = await server.messages()
    expect(more).toEqual([])
    expect(kept()).toHaveLength(1)
    expect(brought).toContain((await sourceOf(message)).toString())
    const before = await sourceOf(message)
    expect((await server.send(["sales@acme.com"], broughtBy("late", raw))).code).toBe(250)
    await server.call("POST", "/api/v1/import/acme/email", {
      as: adminKey,
      body: importOf(broughtBy("import", raw), raw)
    })
    expect(kept()).toHaveLength(1)
    expect((await sourceOf(message)).equals(before)).toBe(true)
  }, 300_000)

  it("that cannot be stored defers the mail, and nothing is stored", async () => {
    await begin(database)
    renameSync(objects(), join(folder, "away"))
    writeFileSync(objects(), "in the way")
    const refused = await server.send(["sales@acme.com"], mail({}, "A kitchen, please."))
    expect(refused).toEqual({ code: 451, text: expect.stringContaining("4.3.0") })
    expect(refused.text).not.toContain(folder)
    const body = importOf(mail({}, "A kitchen, please."), mail({ "Message-ID": "<two@x>" }, "Another."))
    const imported = await server.call("POST", "/api/v1/import/acme/email", { as: adminKey, body })
    expect([imported.status, imported.code, imported.headers.get("retry-after")]).toEqual([
      503,
      "SERVICE_UNAVAILABLE",
      "1"
    ])
    expect(imported.text).not.toContain(folder)
    expect(await server.messages()).toEqual([])
    rmSync(objects())
    renameSync(join(folder, "away"), objects())
    expect((await server.send(["sales@acme.com"], mail({}, "A kitchen, please."))).code).toBe(250)
    expect(await server.messages()).toHaveLength(1)
    expect(kept()).toHaveLength(1)
  })

  it("that is missing is reported as missing, and the message stays readable", async () => {
    await begin(database)
    await server.send(["sales@acme.com"], mail({}, "A kitchen, please."))
    for (const name of kept()) rmSync(join(objects(), name))
    const [message] = await server.messages()
    const path = `/api/v1/tenants/acme/messages/${textAt(message, "message_id")}/raw`
    expect((await server.call("GET", path, { as: adminKey })).code).toBe("NOT_FOUND")
    expect(at(message, "body")).toBe("A kitchen, please.")
  })

  it("of nearly 25 MB is stored, and its attachment is unchanged", async () => {
    await begin(database)
    const file = Buffer.alloc(17 * 1_048_576, "0123456789abcdef-")
    const encoded = file.toString("base64").replace(/.{76}/gu, "$&\r\n")
    const type = { "Content-Type": 'application/zip; name="large.zip"', "Content-Transfer-Encoding": "base64" }
    const raw = Buffer.from(mail(type, encoded))
    expect((await server.send(["sales@acme.com"], raw)).code).toBe(250)
    const [message] = await server.messages()
    expect((await sourceOf(message)).equals(raw)).toBe(true)
    const link = textAt(message, "attachments", 0, "download_url")
    const found = Buffer.from(await (await server.fetch(requestOf("GET", link))).arrayBuffer())
    expect([at(message, "attachments", 0, "size"), found.length]).toEqual([file.length, file.length])
    expect(found.equals(file)).toBe(true)
  }, 300_000)
})
