import { drainJobs } from "@leadloom/testkit/suite/Scene"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"

let server: TestServer
let world: World

beforeAll(async () => {
  server = startServer({ LEADLOOM_LIMIT_ADMIN: "100000", LEADLOOM_LIMIT_WEBHOOK: "100000" })
  world = await makeWorld(server)
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown, as = adminKey) =>
  server.call(method, `/api/v1/tenants/acme${path}`, { as, ...(body === undefined ? {} : { body }) })

const mapping = { Name: "name", Mail: "email", Telefon: "phone" }

/** Imports a file and returns the completed import. */
const imported = async (body: object) => {
  const started = await call("POST", "/contacts/import", { mapping, ...body })
  if (started.status !== 202) throw new Error(started.text)
  await server.run(drainJobs)
  return (await call("GET", `/imports/${textAt(started.json, "id")}`)).json
}

const find = async (email: string) => {
  const found = await call("POST", "/contacts/resolve", { email })
  return found.status === 200 ? at(found.json, "contact") : null
}

describe("an import of contacts", () => {
  it("creates contacts with custom fields, tags and companies, and lists errors by line", async () => {
    await call("POST", "/fields", { key: "budget", label: "Budget", type: "number" })
    await call("POST", "/fields", { key: "kinds", label: "Kinds", type: "multi_select", options: ["roof", "wall"] })
    const companyId = textAt((await call("POST", "/companies", { name: "Walls", domain: "walls.com" })).json, "id")
    const csv = [
      "Name;Mail;Telefon;Ignored;Tags;Budget;Kinds",
      "Ann Lee;Ann@Walls.com;+1 415 555 0151;x;vip; 12.5 ;roof",
      '"Lee; Bob";bob@walls.com;;;"vip;late";abc;',
      "Cid;not an address;;;;;",
      ";;;;;;",
      '"Dora";dora@gmail.com;;;"vip; late";;"roof; wall"'
    ].join("\r\n")
    const all = { ...mapping, Tags: "tags", Budget: "custom_fields.budget", Kinds: "custom_fields.kinds" }
    const result = await imported({ csv, mapping: all })
    expect(result).toMatchObject({
      status: "done",
      rows: 5,
      processed: 5,
      created: 2,
      failed: 3,
      updated: 0,
      skipped: 0
    })
    expect(at(result, "errors")).toMatchObject([
      { line: 3, field: "custom_fields.budget" },
      { line: 4, field: "email" },
      { line: 5, field: "" }
    ])
    expect(await find("ann@walls.com")).toMatchObject({
      name: "Ann Lee",
      phone: "+14155550151",
      tags: ["vip"],
      custom_fields: { budget: 12.5, kinds: ["roof"] },
      company_id: companyId
    })
    expect(await find("dora@gmail.com")).toMatchObject({
      tags: ["vip", "late"],
      custom_fields: { kinds: ["roof", "wall"] },
      company_id: null
    })
  })

  it("changes nothing in a dry run, and reports the same results", async () => {
    const csv = "Name,Mail,Telefon\nEve,eve@x.example,\nFay,nothing,"
    const dry = await imported({ csv, dry_run: true })
    expect(dry).toMatchObject({ status: "done", dry_run: true, created: 1, failed: 1 })
    expect(await find("eve@x.example")).toBeNull()
    const real = await imported({ csv })
    expect(at(real, "errors")).toEqual(at(dry, "errors"))
    expect(await find("eve@x.example")).toMatchObject({ name: "Eve" })
    expect((await call("POST", `/imports/${textAt(dry, "id")}/undo`)).code).toBe("CONFLICT")
  })

  it("skips or updates existing contacts, and never takes the identity of another one", async () => {
    await call("POST", "/contacts", { name: "Old", email: "old@x.example", notes: "keep" })
    await call("POST", "/contacts", { name: "Other", phone: "+14155550161" })
    const csv = "Name,Mail,Telefon\nNew,OLD@x.example,+14155550162\nBoth,old@x.example,+14155550161"
    expect(await imported({ csv })).toMatchObject({ skipped: 1, failed: 1 })
    expect(await find("old@x.example")).toMatchObject({ name: "Old", phone: null })
    expect(await imported({ csv, on_conflict: "update" })).toMatchObject({ updated: 1, failed: 1 })
    expect(await find("old@x.example")).toMatchObject({ name: "New", phone: "+14155550162", notes: "keep" })
  })

  it("reads the encodings of spreadsheets", async () => {
    const bytes = Buffer.from("Name;Mail;Telefon\nJürgen;jw@x.example;", "latin1")
    expect(await imported({ file: bytes.toString("base64") })).toMatchObject({ created: 1 })
    expect(await find("jw@x.example")).toMatchObject({ name: "Jürgen" })
  })

  it("imports a file of several parts once per record", async () => {
    const lines = Array.from({ length: 1_203 }, (_, index) => `P${index},many.${index}@x.example,`)
    const csv = ["Name,Mail,Telefon", ...lines, lines[0]].join("\n")
    expect(await imported({ csv })).toMatchObject({ rows: 1_204, processed: 1_204, created: 1_203, skipped: 1 })
    expect(await find("many.1202@x.example")).toMatchObject({ name: "P1202" })
  }, 60_000)

  it.each([
    [{ csv: "" }, "file"],
    [{ csv: "Name,Name\na,b" }, "file"],
    [{ file: "no base64!" }, "file"],
    [{}, "file"],
    [{ csv: "Name,Mail\na,b" }, "mapping"],
    [{ csv: "A\nb", mapping: { A: "unknown" } }, "mapping"],
    [{ csv: "A\nb", mapping: {} }, "mapping"],
    [{ csv: "A,B\nb", mapping: { A: "name", B: "name" } }, "mapping"]
  ])("is rejected: %j", async (body, path) => {
    const answer = await call("POST", "/contacts/import", { mapping, ...body })
    expect([answer.code, at(answer.json, "error", "details", 0, "path")]).toEqual(["BAD_REQUEST", path])
  })

  it("needs a manager, and runs one at a time", async () => {
    const body = { csv: "Name,Mail,Telefon\nGus,gus@x.example,", mapping }
    expect((await call("POST", "/contacts/import", body, world.acme.apiKey)).code).toBe("FORBIDDEN")
    const first = await call("POST", "/contacts/import", body)
    const second = await call("POST", "/contacts/import", body)
    expect([second.code, at(second.json, "error", "details", "import_id")]).toEqual(["CONFLICT", at(first.json, "id")])
    await server.run(drainJobs)
    const list = await call("GET", "/imports?limit=1")
    expect(at(list.json, "imports", 0)).toMatchObject({ id: at(first.json, "id"), status: "done" })
    const path = `/api/v1/tenants/other/imports/${textAt(first.json, "id")}`
    expect((await server.call("GET", path, { as: adminKey })).code).toBe("NOT_FOUND")
  })
})

describe("an import of several addresses and numbers", () => {
  const columns = { Mail: "email", "More mails": "other_emails", "More numbers": "other_phones" }
  const fileOf = (...lines: ReadonlyArray<string>) => ["Mail,More mails,More numbers", ...lines].join("\n")
  const valuesOf = async (contactId: string): Promise<ReadonlyArray<unknown>> => {
    const list = at((await call("GET", `/contacts/${contactId}/identities`)).json, "identities")
    return (Array.isArray(list) ? list : []).map((one) => at(one, "value")).toSorted()
  }

  it("adds them to the contact that has one of them, and the undo removes them", async () => {
    const known = textAt((await call("POST", "/contacts", { email: "pat@several.example" })).json, "id")
    const line = "first@several.example,pat@several.example;third@several.example,+1 415 555 0171"
    const done = await imported({ csv: fileOf(line), mapping: columns, on_conflict: "update" })
    expect(done).toMatchObject({ created: 0, updated: 1, failed: 0 })
    const added = ["+14155550171", "first@several.example", "third@several.example"]
    expect(await valuesOf(known)).toEqual([added[0], added[1], "pat@several.example", added[2]])
    await call("POST", `/imports/${textAt(done, "id")}/undo`)
    await server.run(drainJobs)
    expect(await valuesOf(known)).toEqual(["pat@several.example"])
  })

  it("reports invalid values, too many of them, and those of different contacts", async () => {
    for (const email of ["one@differ.example", "two@differ.example"]) await call("POST", "/contacts", { email })
    const many = Array.from({ length: 50 }, (_, index) => `n${index}@many.example`)
    await call("POST", "/contacts", { email: "full@many.example" })
    const csv = fileOf(
      "a@x.example,no address,",
      "a@x.example,,no number",
      "one@differ.example,two@differ.example,",
      `new@many.example,${many.join(";")},`,
      `full@many.example,${many.slice(0, 49).join(";")},`,
      "full@many.example,last@many.example,"
    )
    const done = await imported({ csv, mapping: columns, on_conflict: "update" })
    expect(done).toMatchObject({ created: 0, updated: 1, failed: 5 })
    expect(at(done, "errors")).toMatchObject([
      { line: 2, field: "other_emails" },
      { line: 3, field: "other_phones" },
      { line: 4, message: expect.stringContaining("different contacts") },
      { line: 5, message: expect.stringContaining("at most 50") },
      { line: 7, message: expect.stringContaining("at most 50") }
    ])
  })
})

describe("the undo of an import", () => {
  it("archives created contacts and restores changed values, except later changes", async () => {
    await call("POST", "/contacts", { name: "Hal", email: "hal@x.example", tags: ["old"] })
    await call("POST", "/contacts", { name: "Ida", email: "ida@x.example" })
    const csv = [
      "Name,Mail,Telefon,Tags",
      "Harold,hal@x.example,+14155550171,new",
      "Idaho,ida@x.example,,",
      "Jim,jim@x.example,,",
      "Kay,kay@x.example,,"
    ].join("\n")
    const done = await imported({ csv, mapping: { ...mapping, Tags: "tags" }, on_conflict: "update" })
    expect(done).toMatchObject({ created: 2, updated: 2 })
    const hal = textAt(await find("hal@x.example"), "id")
    await call("PATCH", `/contacts/${hal}`, { notes: "later", tags: ["old", "new", "later"] })
    const kay = textAt(await find("kay@x.example"), "id")
    await call("PATCH", `/contacts/${kay}`, { notes: "called" })
    expect((await call("POST", `/imports/${textAt(done, "id")}/undo`)).status).toBe(202)
    expect((await call("POST", `/imports/${textAt(done, "id")}/undo`)).code).toBe("CONFLICT")
    await server.run(drainJobs)
    const after = await call("GET", `/imports/${textAt(done, "id")}`)
    expect(after.json).toMatchObject({ status: "undone", reverted: 3, kept: 1 })
    expect(await find("hal@x.example")).toMatchObject({
      name: "Hal",
      phone: null,
      notes: "later",
      tags: ["old", "new", "later"]
    })
    expect(await find("ida@x.example")).toMatchObject({ name: "Ida" })
    expect(await find("jim@x.example")).toBeNull()
    expect(await find("kay@x.example")).toMatchObject({ name: "Kay", archived: false })
    expect((await call("POST", "/contacts", { email: "jim@x.example" })).status).toBe(201)
  })
})
