import { readFileSync } from "node:fs"
import { join } from "node:path"
import { corpora, corporaNote } from "@leadloom/testkit/mail/Corpora"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, at, startServer, type TestServer } from "../world/TestServer.ts"

interface Odd {
  readonly file: string
  readonly treat: ReadonlyArray<string>
}

const readManifest = (folder: string): ReadonlyArray<Odd> => {
  const entries: unknown = JSON.parse(readFileSync(join(folder, "odd/manifest.json"), "utf8"))
  if (!Array.isArray(entries)) throw new Error("the manifest is no list")
  return entries.map((entry: unknown) => {
    const should = at(entry, "expectation", "should")
    return {
      file: String(at(entry, "file")),
      treat: Array.isArray(should) ? should.map((each: unknown) => String(at(each, "treat"))) : []
    }
  })
}

const folder = corpora ?? ""
const odd = corpora === null ? [] : readManifest(folder)
const treated = (start: string) => odd.filter(({ treat }) => treat.some((each) => each.startsWith(start)))

const answerEverything = {
  time_zone: "UTC",
  default_country: "US",
  classifier: "keywords",
  reply_mode: "auto",
  tiers: { hot: 70, warm: 40 },
  score_weights: {},
  rules: [
    {
      id: "rule_all",
      name: "Answer everything",
      priority: 1,
      when: { all: [] },
      actions: [{ type: "reply", template: "Thank you for writing." }]
    }
  ]
}

/** Elements and attributes on which browsers or mail clients act. */
const active =
  /<\s*\/?\s*(?:script|form|frame|iframe|frameset|object|embed|applet|meta|base|style|link|input|button)\b|<[^>]*\son\w+\s*=|<[^>]*(?:java|vb)script:/iu

describe.skipIf(corpora === null)(`odd mail that has just arrived${corporaNote}`, () => {
  let server: TestServer
  const results = new Map<string, unknown>()
  const resultOf = ({ file }: Odd) => results.get(file)

  const messageOf = async (mail: Odd): Promise<unknown> => {
    const contactId = String(at(resultOf(mail), "contact_id"))
    const page = await server.call("GET", `/api/v1/tenants/acme/conversations/${contactId}`, { as: adminKey })
    const messages = at(page.json, "messages")
    const id = at(resultOf(mail), "message_id")
    return Array.isArray(messages) ? messages.find((message: unknown) => at(message, "id") === id) : undefined
  }

  const runOf = async (mail: Odd): Promise<unknown> => {
    const path = `/api/v1/tenants/acme/pipeline/runs/${String(at(resultOf(mail), "signal_id"))}`
    for (;;) {
      const run = await server.call("GET", path, { as: adminKey })
      if (run.status === 200) return run.json
    }
  }

  beforeAll(async () => {
    server = startServer({ LEADLOOM_LIMIT_ADMIN: "1000000" })
    const body = { tenant_id: "acme", name: "Acme", domain: "acme.com" }
    await server.call("POST", "/api/v1/admin/tenants", { as: adminKey, body })
    await server.call("PUT", "/api/v1/config/acme", { as: adminKey, body: answerEverything })
    for (let start = 0; start < odd.length; start += 50) {
      const mails = odd.slice(start, start + 50).map(({ file }) => {
        return { name: file, raw: readFileSync(join(folder, file)).toString("base64") }
      })
      const answer = await server.call("POST", "/api/v1/import/acme/email", {
        as: adminKey,
        body: { historical: false, mails }
      })
      mails.forEach(({ name }, index) => results.set(name, at(answer.json, "results", index)))
    }
  })
  afterAll(() => server.close())

  it("is accepted, every file of it", () => {
    expect(results.size).toBe(odd.length)
    const lost = odd.filter((mail) => typeof at(resultOf(mail), "message_id") !== "string")
    expect(lost.map(({ file }) => file)).toEqual([])
  })

  it("without a Message-ID shares a message only with a copy, and no thread with other mail", () => {
    const messages = new Map<unknown, string>()
    for (const mail of treated("no usable Message-ID")) {
      const result = resultOf(mail)
      const other = messages.get(at(result, "thread_id"))
      if (at(result, "outcome") === "duplicate_of") continue
      expect({ file: mail.file, other }).toEqual({ file: mail.file, other: undefined })
      messages.set(at(result, "thread_id"), mail.file)
    }
    expect(messages.size).toBeGreaterThan(40)
  })

  it("is displayed without active HTML", async () => {
    for (const mail of treated("sanitised HTML")) {
      const html = at(await messageOf(mail), "html_body")
      expect({ file: mail.file, active: active.exec(String(html ?? ""))?.[0] }).toEqual({ file: mail.file })
    }
  })

  it("is stored without NUL characters", async () => {
    for (const mail of treated("must be stored without error")) {
      const message = await messageOf(mail)
      expect({ file: mail.file, found: message !== undefined }).toEqual({ file: mail.file, found: true })
      expect(JSON.stringify(message)).not.toContain("\\u0000")
    }
  })

  it("receives no reply if it is automatic, a complaint or a bounce", async () => {
    const automatic = [...treated("automatic mail"), ...treated("abuse complaint"), ...treated("bounce")]
    expect(automatic.length).toBeGreaterThan(10)
    for (const mail of automatic) {
      const message = await messageOf(mail)
      expect({ file: mail.file, auto: at(message, "auto") }).not.toEqual({ file: mail.file, auto: null })
      const reply = at(resultOf(mail), "signal_id") === null ? null : at(await runOf(mail), "reply")
      expect({ file: mail.file, reply }).toEqual({ file: mail.file, reply: null })
    }
  })

  it("creates no lead if it is a bounce", () => {
    const leads = treated("bounce").map((mail) => [mail.file, at(resultOf(mail), "lead_id")])
    expect(leads.filter(([, lead]) => lead !== null)).toEqual([])
  })

  it("is one message if it arrives twice by different ways", () => {
    const group = treated("same Message-ID")
    expect(group.length).toBe(2)
    expect(new Set(group.map((mail) => at(resultOf(mail), "message_id"))).size).toBe(1)
  })

  it("shows its calendar part", async () => {
    for (const mail of treated("calendar")) {
      expect(JSON.stringify(at(await messageOf(mail), "attachments"))).toContain("text/calendar")
    }
  })
})
