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

/** Exports the contacts of a filter of the contact list. */
const exportedWith = (tenant: string, filters: object) =>
  server.call("POST", `/api/v1/tenants/${tenant}/contacts/enriched`, {
    as: adminKey,
    body: filters,
    headers: { accept: "text/csv" }
  })

/** Returns the records of a file in the order of their text. Two tenants have their contacts in another order. */
const linesOf = (csv: string): ReadonlyArray<string> => csv.split('"\r\n').toSorted()

const header =
  "name,email,phone,company,notes,other_emails,other_phones,tags,custom_fields.budget,custom_fields.note,custom_fields.kinds"
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
  otherEmails: fc.nat({ max: 3 }),
  otherPhones: fc.nat({ max: 2 }),
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
    for (const [index, { otherEmails, otherPhones, ...sample }] of samples.entries()) {
      const phone = sample.phone === null ? null : `+1415555${String(1_000 + index)}`
      const created = await call("acme", "POST", "/contacts", { ...sample, phone, email: `c${index}@x.example` })
      const others = [
        ...Array.from({ length: otherEmails }, (_, other) => ({
          kind: "email",
          value: `o${other}.${index}@x.example`
        })),
        ...Array.from({ length: phone === null ? 0 : otherPhones }, (_, other) => {
          return { kind: "phone", value: `+1628555${other}${String(100 + index)}` }
        })
      ]
      const path = `/contacts/${textAt(created.json, "id")}/identities`
      for (const other of others) expect((await call("acme", "POST", path, other)).status).toBe(201)
    }
    const file = await exported("acme")
    expect(file.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present")
    expect(file.headers.get("content-disposition")).toContain('filename="contacts-acme.csv"')
    const started = await call("other", "POST", "/contacts/import", { csv: file.text, mapping })
    await server.run(drainJobs)
    const result = await call("other", "GET", `/imports/${textAt(started.json, "id")}`)
    expect(result.json).toMatchObject({ created: samples.length, failed: 0, errors: [] })
    expect(await contactsOf("other")).toEqual(await contactsOf("acme"))
    expect(linesOf((await exported("other")).text)).toEqual(linesOf(file.text))
    // A second import finds each contact by its addresses and adds nothing.
    const again = await call("other", "POST", "/contacts/import", { csv: file.text, mapping, on_conflict: "update" })
    await server.run(drainJobs)
    const updated = await call("other", "GET", `/imports/${textAt(again.json, "id")}`)
    expect(updated.json).toMatchObject({ created: 0, updated: samples.length, failed: 0 })
    expect(linesOf((await exported("other")).text)).toEqual(linesOf(file.text))
  })

  it("quotes every cell and protects cells that a spreadsheet would evaluate", async () => {
    await call("clinic", "POST", "/contacts", { name: '=HYPERLINK("x")', email: "eve@x.example", tags: ["a;b", "c"] })
    const { text: csv } = await exported("clinic")
    expect(csv).toBe(
      `"name","email","phone","company","notes","other_emails","other_phones","tags"\r\n"'=HYPERLINK(""x"")","eve@x.example","","","","","","a\\;b;c"\r\n`
    )
  })

  it("contains the contacts of a filter", async () => {
    const emails = ["filtered@x.example", "filtered2@x.example"]
    await call("clinic", "POST", "/contacts", { name: "Kim", email: emails[0], tags: ["filtered"] })
    await call("clinic", "POST", "/contacts", { name: "Lee", email: emails[1], tags: ["filtered", "vip"] })
    const rowsOf = async (filters: object) => (await exportedWith("clinic", filters)).text.split("\r\n").slice(1, -1)
    expect(await rowsOf({ tags: ["filtered"] })).toEqual([
      expect.stringContaining('"Lee"'),
      expect.stringContaining('"Kim"')
    ])
    expect(await rowsOf({ tags: ["filtered", "vip"] })).toEqual([expect.stringContaining('"Lee"')])
    expect((await exportedWith("clinic", { tags: ["none"] })).text).toMatch(/^"name",.*"tags"\r\n$/u)
    expect((await exportedWith("clinic", { tags: "none" })).code).toBe("BAD_REQUEST")
    expect((await exportedWith("nobody", {})).code).toBe("NOT_FOUND")
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
