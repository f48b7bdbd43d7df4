import { afterAll, beforeAll, expect, it } from "vitest"
import { forged } from "@leadloom/testkit/suite/privacy/ForgedArchive"
import { filesIn, manifestOf } from "@leadloom/testkit/suite/privacy/PrivacyWorld"
import { adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { importOf, mail } from "../../world/World.ts"

let server: TestServer
const admin = { as: adminKey }
const base = "/api/v1/tenants"

const newTenant = async (tenantId: string): Promise<void> => {
  const body = { tenant_id: tenantId, name: tenantId }
  expect((await server.call("POST", "/api/v1/admin/tenants", { ...admin, body })).status).toBe(201)
}

const receiveMail = (tenantId: string, headers: Readonly<Record<string, string>>, text: string) =>
  server.call("POST", `/api/v1/import/${tenantId}/email`, { ...admin, body: importOf(mail(headers, text)) })

const download = async (path: string): Promise<Uint8Array<ArrayBuffer>> => {
  const headers = { authorization: `Bearer ${adminKey}` }
  const response = await server.fetch(new Request(`http://leadloom.test${path}`, { headers }))
  expect(response.status).toBe(200)
  expect(response.headers.get("content-type")).toBe("application/x-tar")
  return new Uint8Array(await response.arrayBuffer())
}

const upload = async (tenantId: string, body: Uint8Array<ArrayBuffer> | string, type = "application/x-tar") => {
  const headers = { authorization: `Bearer ${adminKey}`, "content-type": type }
  const request = new Request(`http://leadloom.test${base}/${tenantId}/import`, { method: "POST", headers, body })
  const response = await server.fetch(request)
  const json: unknown = await response.json()
  return { status: response.status, json }
}

beforeAll(async () => {
  server = startServer()
  for (const tenantId of ["source", "target", "erasing"]) await newTenant(tenantId)
})
afterAll(() => server.close())

it("imports an export with equal hashes, and changes nothing the second time", async () => {
  await receiveMail("source", { From: "jo@customer.example", "Message-ID": "<1@customer.example>" }, "A roof, please")
  await receiveMail("source", { From: "ann@other.example", "Message-ID": "<2@other.example>" }, "Gutters")
  const archive = await download(`${base}/source/export`)
  const first = await upload("target", archive)
  expect(first).toMatchObject({ status: 200, json: { kinds: { messages: { imported: 2, present: 0, erased: 0 } } } })
  expect(await upload("target", archive)).toMatchObject({ json: { kinds: { messages: { imported: 0, present: 2 } } } })
  expect(manifestOf(await download(`${base}/target/export`))).toEqual(manifestOf(archive))
  const list = await server.call("GET", `${base}/target/conversations`, admin)
  expect(at(list.json, "conversations", 1)).toBeDefined()
})

it("imports a lead of a pipeline that the tenant lacks into the default pipeline", async () => {
  for (const tenantId of ["selling", "buying"]) await newTenant(tenantId)
  const pipeline = await server.call("POST", `${base}/selling/pipelines`, { ...admin, body: { name: "Renewals" } })
  const body = {
    contact: { email: "kim@customer.example" },
    stage_id: textAt(pipeline.json, "stages", 0, "stage_id"),
    value: 900,
    currency: "EUR"
  }
  const created = await server.call("POST", `${base}/selling/leads`, { ...admin, body })
  expect((await upload("buying", await download(`${base}/selling/export`))).status).toBe(200)
  const imported = await server.call("GET", `${base}/buying/leads/${textAt(created.json, "id")}`, admin)
  expect(imported.json).toMatchObject({ pipeline_id: "pip_default", stage_id: "stg_open", value: 900, currency: "EUR" })
  const board = await server.call("GET", `${base}/buying/pipelines/pip_default/board`, admin)
  expect(at(board.json, "stages", 0, "values")).toEqual([{ currency: "EUR", value: 900 }])
})

it("reports the mistake of an archive and its place", async () => {
  expect(await upload("target", new Uint8Array(3_000).fill(9))).toMatchObject({ status: 400 })
  expect(await upload("target", "")).toMatchObject({ status: 400, json: { error: { code: "BAD_REQUEST" } } })
  expect(await upload("target", "{}", "application/json")).toMatchObject({ status: 415 })
  const archive = await download(`${base}/source/export`)
  const text = Buffer.from(archive).toString("latin1").replace("A roof, please", "A wall, please")
  const changed = await upload("target", new Uint8Array(Buffer.from(text, "latin1")))
  expect(changed.status).toBe(400)
  expect(textAt(changed.json, "error", "details", 0, "path")).toMatch(/^messages\/000001\.jsonl, line \d$/u)
})

it("rejects forged archives with unknown values or unsafe HTML", async () => {
  const archive = await download(`${base}/source/export`)
  await newTenant("forged")
  for (const [folder, changes] of [
    ["messages", { channel: "pigeon" }],
    ["leads", { state: "eternal" }],
    ["messages", { flags: "none" }],
    ["messages", { attachments: [{ filename: 1 }] }]
  ] as const) {
    const refused = await upload("forged", forged(archive, folder, changes))
    expect(refused.status).toBe(400)
    expect(textAt(refused.json, "error", "details", 0, "path")).toMatch(
      new RegExp(`^${folder}/000001.jsonl, line 1$`, "u")
    )
  }
  await newTenant("painted")
  const html_body = '<p onclick="steal()">Hi<script>steal()</script></p>'
  // The manifest contains the hash of the original text. Entries before the forged one are kept.
  expect((await upload("painted", forged(archive, "messages", { html_body }))).status).toBe(400)
  const list = await server.call("GET", `${base}/painted/conversations`, admin)
  const contactId = textAt(list.json, "conversations", 0, "contact_id")
  const detail = await server.call("GET", `${base}/painted/conversations/${contactId}`, admin)
  expect(at(detail.json, "messages", 0, "html_body")).toBe("<p>Hi</p>")
})

it("erases a contact whose id is confirmed, and stores a receipt", async () => {
  const accepted = await receiveMail(
    "erasing",
    { From: "jo@customer.example", "Message-ID": "<3@customer.example>" },
    "Mine"
  )
  const contactId = textAt(accepted.json, "results", 0, "contact_id")
  const path = `${base}/erasing/contacts/${contactId}`
  expect(filesIn(await download(`${path}/export`)).size).toBeGreaterThan(5)
  const refused = await server.call("POST", `${path}/erase`, { ...admin, body: { confirm: "yes" } })
  expect(refused).toMatchObject({ status: 400, code: "BAD_REQUEST" })
  const erased = await server.call("POST", `${path}/erase`, { ...admin, body: { confirm: contactId } })
  expect(erased).toMatchObject({ status: 200, json: { contact_id: contactId, requested_by: "admin" } })
  expect(at(erased.json, "erased", "messages")).toBe(1)
  const again = await server.call("POST", `${path}/erase`, { ...admin, body: { confirm: contactId } })
  expect(again.json).toEqual(erased.json)
  expect((await server.call("GET", path, admin)).status).toBe(404)
  expect((await server.call("GET", `${path}/export`, admin)).status).toBe(404)
  const receipts = await server.call("GET", `${base}/erasing/erasures`, admin)
  expect(receipts.json).toEqual({ erasures: [erased.json], next_cursor: null })
  const back = await receiveMail(
    "erasing",
    { From: "jo@customer.example", "Message-ID": "<3@customer.example>" },
    "Mine"
  )
  expect(at(back.json, "results", 0)).toMatchObject({ outcome: "duplicate_of", message_id: null, contact_id: null })
})

it("lists receipts page by page", async () => {
  await newTenant("paged")
  for (const number of [1, 2, 3]) {
    const created = await server.call("POST", `${base}/paged/contacts`, { ...admin, body: { name: `P ${number}` } })
    const id = textAt(created.json, "id")
    await server.call("POST", `${base}/paged/contacts/${id}/erase`, { ...admin, body: { confirm: id } })
  }
  const first = await server.call("GET", `${base}/paged/erasures?limit=2`, admin)
  const cursor = textAt(first.json, "next_cursor")
  const second = await server.call("GET", `${base}/paged/erasures?limit=2&cursor=${encodeURIComponent(cursor)}`, admin)
  expect(at(second.json, "erasures", 0, "erasure_id")).toBeDefined()
  expect(at(second.json, "next_cursor")).toBeNull()
})
