import { drainJobs } from "@leadloom/testkit/suite/Scene"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld } from "../../world/World.ts"

let server: TestServer

beforeAll(async () => {
  server = startServer({ LEADLOOM_LIMIT_ADMIN: "100000" })
  await makeWorld(server)
  for (const tenant of ["acme", "other"]) {
    await call(tenant, "POST", "/fields", { key: "budget", label: "Budget", type: "number" })
    await call(tenant, "POST", "/fields", { key: "note", label: "Note", type: "text" })
    await call(tenant, "POST", "/fields", { key: "kinds", label: "Kinds", type: "multi_select", options: kinds })
  }
})
afterAll(() => server.close())

const kinds = ["roof; flat", "wall", "a\\b"]

const call = (tenant: string, method: string, path: string, body?: unknown) =>
  server.call(method, `/api/v1/tenants/${tenant}${path}`, { as: adminKey, ...(body !== undefined && { body }) })

const exported = (tenant: string, path = "/contacts") =>
  server.call("GET", `/api/v1/tenants/${tenant}${path}`, { as: adminKey, headers: { accept: "text/csv" } })

const header = "name,email,phone,company,notes,tags,custom_fields.budget,custom_fields.note,custom_fields.kinds"
const mapping = Object.fromEntries(header.split(",").map((field) => [field, field]))

const records = (value: unknown): ReadonlyArray<Readonly<Record<string, unknown>>> => {
  const found = at(value, "contacts")
  return Array.isArray(found) ? found : []
}

/** Returns the fields that a file contains of all contacts, in the order of the email addresses. */
const contactsOf = async (tenant: string) =>
  records((await call(tenant, "GET", "/contacts?limit=250")).json)
    .map(({ company, custom_fields, email, name, notes, phone, tags }) => {
      return { company, custom_fields, email, name, notes, phone, tags }
    })
    .toSorted((one, other) => (String(one.email) < String(other.email) ? -1 : 1))

const text = (maxLength: number) =>
  fc
    .oneof(
      fc.string({ unit: "grapheme", maxLength }),
      fc.constantFrom("=1+1", "'=1", "''@x", '"', "a,b", "-", "x\r\ny", "a;b\\;", "'", "Zoë ✓")
    )
    .map((value) => value.replaceAll("\0", "").trim())

const contact = fc.record({
  name: text(40),
  company: text(40),
  notes: text(200),
  tags: fc.array(
    text(20).filter((tag) => tag !== ""),
    { maxLength: 4 }
  ),
  phone: fc.constantFrom(null, "number"),
  custom_fields: fc.record(
    {
      budget: fc.double({ noNaN: true, noDefaultInfinity: true }),
      note: text(40),
      kinds: fc.uniqueArray(fc.constantFrom(...kinds), { minLength: 1 })
    },
    { requiredKeys: [] }
  )
})

describe("an export of contacts", () => {
  it("gives the same contacts after an import into another tenant", async () => {
    const samples = fc.sample(contact, { numRuns: 120, seed: 11 })
    for (const [index, sample] of samples.entries()) {
      const phone = sample.phone === null ? null : `+1415555${String(1_000 + index)}`
      const created = await call("acme", "POST", "/contacts", { ...sample, phone, email: `c${index}@x.example` })
      expect(created.text).toContain('"id"')
    }
    const file = await exported("acme")
    expect(file.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present")
    expect(file.headers.get("content-disposition")).toContain('filename="contacts-acme.csv"')
    const started = await call("other", "POST", "/contacts/import", { csv: file.text, mapping })
    await server.run(drainJobs)
    const result = await call("other", "GET", `/imports/${textAt(started.json, "id")}`)
    expect(result.json).toMatchObject({ created: samples.length, failed: 0, errors: [] })
    expect(await contactsOf("other")).toEqual(await contactsOf("acme"))
  })

  it("quotes every cell and protects cells that a spreadsheet would evaluate", async () => {
    await call("clinic", "POST", "/contacts", { name: '=HYPERLINK("x")', email: "eve@x.example", tags: ["a;b", "c"] })
    const { text: csv } = await exported("clinic")
    expect(csv).toBe(
      `"name","email","phone","company","notes","tags"\r\n"'=HYPERLINK(""x"")","eve@x.example","","","","a\\;b;c"\r\n`
    )
  })

  it("contains the members of a segment, or the archived contacts", async () => {
    const base = (await exported("acme")).text.split("\r\n").length
    await call("acme", "POST", "/contacts", { name: "Vip", email: "vip@x.example", tags: ["only-me"] })
    const gone = await call("acme", "POST", "/contacts", { name: "Gone", email: "gone@x.example", tags: ["only-me"] })
    await call("acme", "DELETE", `/contacts/${textAt(gone.json, "id")}`)
    const segment = await call("acme", "POST", "/segments", { name: "Vips", filters: { tags: ["only-me"] } })
    const emails = (csv: string) =>
      csv
        .split("\r\n")
        .slice(1, -1)
        .map((line) => line.split(",")[1])
    expect(emails((await exported("acme", `/segments/${textAt(segment.json, "id")}/contacts`)).text)).toEqual([
      '"vip@x.example"'
    ])
    expect(emails((await exported("acme", "/contacts?archived=true")).text)).toEqual(['"gone@x.example"'])
    expect((await exported("acme")).text.split("\r\n").length).toBe(base + 1)
  })

  it("answers 404 for an unknown tenant or segment, and JSON without the header", async () => {
    expect((await exported("nobody")).code).toBe("NOT_FOUND")
    expect((await exported("acme", "/segments/seg_none/contacts")).code).toBe("NOT_FOUND")
    expect((await call("acme", "GET", "/contacts?limit=1")).headers.get("content-type")).toContain("application/json")
  })
})
