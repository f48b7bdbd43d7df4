import { linkLifetimeMillis } from "@leadloom/core/internal/domain/email/AttachmentLink"
import { Clock, Effect, Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, at, requestOf, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"

let server: TestServer
let world: World
/** Lead of the server's clock, in milliseconds. */
let ahead = 0

beforeAll(async () => {
  const clock = Layer.effect(
    Clock.Clock,
    Effect.map(Clock.Clock, (real) => ({
      ...real,
      sleep: (duration) => real.sleep(duration),
      currentTimeMillisUnsafe: () => real.currentTimeMillisUnsafe() + ahead,
      currentTimeNanosUnsafe: () => real.currentTimeNanosUnsafe(),
      currentTimeMillis: Effect.map(real.currentTimeMillis, (now) => now + ahead)
    }))
  )
  server = startServer({ LEADLOOM_LIMIT_ADMIN: "100000", LEADLOOM_LIMIT_BAD_CREDENTIALS: "100" }, (services) =>
    Layer.provideMerge(clock, services)
  )
  world = await makeWorld(server)
})
afterAll(() => server.close())

interface File {
  readonly name: string
  readonly type: string
  readonly bytes: Buffer
}

let number = 0

/** Returns a mail with files. Their names are raw header values. */
const mailWith = (...files: ReadonlyArray<File>): Buffer => {
  const parts = files.map(({ bytes, name, type }) =>
    [
      "--part",
      `Content-Type: ${type}`,
      `Content-Disposition: attachment; ${name}`,
      "Content-Transfer-Encoding: base64",
      "",
      bytes.toString("base64").replace(/.{76}/gu, "$&\r\n")
    ].join("\r\n")
  )
  const head = [
    `From: Jane <jane${number}@customer.example>`,
    "To: sales@acme.com",
    "Subject: Files",
    `Message-ID: <files.${number++}@customer.example>`,
    "Date: Sun, 1 Mar 2026 09:30:00 +0000",
    'Content-Type: multipart/mixed; boundary="part"'
  ]
  return Buffer.from([...head, "", "--part", "", "See the files.", ...parts, "--part--", ""].join("\r\n"), "latin1")
}

/** Imports a mail and reads its attachment from the conversation. */
const arrive = async (raw: Buffer, tenant = "acme"): Promise<{ readonly message: unknown; readonly path: string }> => {
  const body = { historical: true, mails: [{ name: "one", raw: raw.toString("base64") }] }
  const imported = await server.call("POST", `/api/v1/import/${tenant}/email`, { as: adminKey, body })
  const path = `/api/v1/tenants/${tenant}/conversations/${textAt(imported.json, "results", 0, "contact_id")}`
  const detail = await server.call("GET", path, { as: adminKey })
  return { message: at(detail.json, "messages", 0), path }
}

const get = async (path: string): Promise<{ readonly response: Response; readonly bytes: Buffer }> => {
  const response = await server.fetch(requestOf("GET", path))
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

const linkOf = (message: unknown, index = 0): string => textAt(message, "attachments", index, "download_url")

const everyByte = Buffer.from(Array.from({ length: 1_000 }, (_, index) => (index * 31) % 256))
const pdf: File = { name: "filename=plan.pdf", type: "application/pdf", bytes: everyByte }

describe("an attachment", () => {
  it("is downloaded byte by byte with its link, without a credential", async () => {
    const photo = { name: "filename=roof.jpg", type: "image/jpeg", bytes: Buffer.alloc(100_000, 7) }
    const { message } = await arrive(mailWith(pdf, photo))
    expect(at(message, "attachments")).toEqual([
      expect.objectContaining({ filename: "plan.pdf", content_type: "application/pdf", size: 1_000, index: 0 }),
      expect.objectContaining({ filename: "roof.jpg", content_type: "image/jpeg", size: 100_000, index: 1 })
    ])
    expect((await get(linkOf(message, 0))).bytes.equals(everyByte)).toBe(true)
    expect((await get(linkOf(message, 1))).bytes.equals(photo.bytes)).toBe(true)
  })

  it("is sent as a download that is neither displayed, executed nor cached", async () => {
    const { message } = await arrive(mailWith(pdf))
    const { response } = await get(linkOf(message))
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/pdf",
      "content-length": "1000",
      "content-disposition": "attachment; filename=\"plan.pdf\"; filename*=UTF-8''plan.pdf",
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
      "cache-control": "private, no-store"
    })
  })

  it.each([
    ["text/html", "application/octet-stream"],
    ["image/svg+xml", "application/octet-stream"],
    ["text/javascript", "application/octet-stream"],
    ["application/xhtml+xml", "application/octet-stream"],
    ["text/xml", "application/octet-stream"],
    ["nonsense", "application/octet-stream"],
    ["image/png", "image/png"],
    ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", null]
  ])("of type %s is served as %s", async (type, served) => {
    const { message } = await arrive(mailWith({ ...pdf, type }))
    expect((await get(linkOf(message))).response.headers.get("content-type")).toBe(served ?? type)
  })

  it.each([
    ["quotes", 'filename="a\\"b.pdf"', "filename=\"a_b.pdf\"; filename*=UTF-8''a%22b.pdf"],
    ["line ends", "filename*=UTF-8''a%0D%0ASet-Cookie:%20x.pdf", null],
    ["NUL", "filename*=UTF-8''a%00b.pdf", null],
    ["a right-to-left mark", "filename*=UTF-8''gnp.%E2%80%AEexe", null],
    [
      "Unicode",
      "filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%F0%9F%91%8B.pdf",
      "filename=\"Gr__e _.pdf\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%F0%9F%91%8B.pdf"
    ],
    ["folders", 'filename="../../etc/passwd"', "filename=\"passwd\"; filename*=UTF-8''passwd"],
    [
      "characters of header syntax",
      'filename="a;b%c\'(d).pdf"',
      "filename=\"a_b_c'(d).pdf\"; filename*=UTF-8''a%3Bb%25c%27%28d%29.pdf"
    ],
    ["no characters", 'filename=""', "filename=\"attachment\"; filename*=UTF-8''attachment"]
  ])("encodes a name with %s safely", async (_, name, expected) => {
    const { message } = await arrive(mailWith({ ...pdf, name }))
    const { response } = await get(linkOf(message))
    const disposition = response.headers.get("content-disposition") ?? ""
    expect(disposition).toMatch(/^attachment; filename="[^"\\%;]+"; filename\*=UTF-8''[\w.!#$&+^`|~%-]+$/u)
    expect(disposition).not.toMatch(/%0[0-9AD]|%E2%80%AE/u)
    expect(response.headers.get("set-cookie")).toBeNull()
    if (expected !== null) expect(disposition).toBe(`attachment; ${expected}`)
  })
})

describe("a link", () => {
  const refused = async (link: string) => {
    const { bytes, response } = await get(link)
    return [response.status, at(JSON.parse(bytes.toString()), "error", "code")]
  }

  it("expires after fifteen minutes, and the conversation contains a new one", async () => {
    const { message, path } = await arrive(mailWith(pdf))
    const link = linkOf(message)
    ahead = linkLifetimeMillis - 5_000
    expect((await get(link)).response.status).toBe(200)
    ahead = linkLifetimeMillis
    expect(await refused(link)).toEqual([404, "NOT_FOUND"])
    const again = await server.call("GET", path, { as: adminKey })
    expect((await get(linkOf(at(again.json, "messages", 0)))).response.status).toBe(200)
    ahead = 0
  })

  it("that is cut, modified, invented or of another attachment is rejected", async () => {
    const link = linkOf((await arrive(mailWith(pdf))).message)
    const [folder, token] = [link.slice(0, link.lastIndexOf("/")), link.slice(link.lastIndexOf("/") + 1)]
    const [payload = "", signature = ""] = token.split(".")
    const claims: ReadonlyArray<unknown> = JSON.parse(Buffer.from(payload, "base64url").toString())
    const having = (index: number, value: unknown) =>
      `${Buffer.from(JSON.stringify(claims.with(index, value))).toString("base64url")}.${signature}`
    const wrong = [
      token.slice(0, -1),
      token.slice(1),
      `${token}A`,
      payload,
      `.${signature}`,
      `${payload}.`,
      having(0, "other"),
      having(2, 1),
      having(3, Number.MAX_SAFE_INTEGER),
      "x".repeat(500),
      "%00",
      "..",
      "nonsense"
    ]
    for (const each of wrong) expect([each, ...(await refused(`${folder}/${each}`))]).toEqual([each, 404, "NOT_FOUND"])
    expect((await get(link)).response.status).toBe(200)
  })

  it("expires when its tenant is archived", async () => {
    const body = { tenant_id: "brief", name: "Brief", domain: "brief.com" }
    await server.call("POST", "/api/v1/admin/tenants", { as: adminKey, body })
    const { message } = await arrive(mailWith(pdf), "brief")
    const link = linkOf(message)
    expect((await get(link)).response.status).toBe(200)
    await server.call("DELETE", "/api/v1/admin/tenants/brief", { as: adminKey })
    expect(await refused(link)).toEqual([404, "NOT_FOUND"])
  })

  it("is protected by a limit of invalid attempts", async () => {
    const link = linkOf((await arrive(mailWith(pdf))).message)
    let status = 0
    for (let tries = 0; tries < 101 && status !== 429; tries++) status = (await get(`${link}x`)).response.status
    expect(status).toBe(429)
    expect((await get(link)).response.status).toBe(200)
  })
})

describe("the raw mail", () => {
  const rawPath = (message: unknown, tenant = "acme") =>
    `/api/v1/tenants/${tenant}/messages/${textAt(message, "message_id")}/raw`

  it("is downloaded byte by byte by managers only", async () => {
    const raw = Buffer.concat([mailWith(pdf), everyByte])
    const { message } = await arrive(raw)
    const response = await server.fetch(requestOf("GET", rawPath(message), { as: adminKey }))
    expect(Buffer.from(await response.arrayBuffer()).equals(raw)).toBe(true)
    expect(response.headers.get("content-type")).toBe("message/rfc822")
    expect(response.headers.get("content-disposition")).toContain(`filename="${textAt(message, "message_id")}.eml"`)
    expect(response.headers.get("content-security-policy")).toBe("sandbox; default-src 'none'")
    for (const as of [world.acme.apiKey, world.acme.session, world.other.apiKey]) {
      expect((await server.call("GET", rawPath(message), { as })).status).toBe(403)
    }
  })

  it("is missing for another tenant, for a HIPAA tenant and for sent mail", async () => {
    const { message } = await arrive(mailWith(pdf))
    expect((await server.call("GET", rawPath(message, "other"), { as: adminKey })).code).toBe("NOT_FOUND")
    expect((await server.call("GET", rawPath(message, "clinic"), { as: adminKey })).code).toBe("HIPAA_RESTRICTED")
    const email = "/api/v1/tenants/acme/email"
    await server.call("POST", `${email}/connect`, { as: adminKey, body: { provider: "smtp", email: "sales@acme.com" } })
    const letter = { to: [{ email: "jane@customer.example" }], subject: "Kitchen", body: "Hello Jane" }
    const sent = await server.call("POST", `${email}/send`, { as: adminKey, body: letter })
    expect((await server.call("GET", rawPath(sent.json), { as: adminKey })).code).toBe("NOT_FOUND")
  })
})
