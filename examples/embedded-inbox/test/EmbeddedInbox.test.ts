import { type ChildProcess, spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { createClient, type Fetch, type Rule } from "@leadloom/client"
import { shiftedClock } from "@leadloom/testkit/ShiftedClock"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, type RunningServer, startServer, watch } from "../../../packages/cli/test/ServerProcess.ts"
import { chromium, openTab } from "./Browser.ts"

const program = fileURLToPath(new URL("../backend.ts", import.meta.url))
const markup = `<img src=x onerror="document.title = 'run'">`

let folder = ""
let server: RunningServer | null = null
let backend: ChildProcess | null = null
let origin = ""
const operator = () => createClient({ baseUrl: server?.url ?? "", credential: adminKey })

/** Receives an email of a contact, which the pipeline answers with a draft. */
const receive = async (name: string, body: string): Promise<void> => {
  const address = `${name.toLowerCase()}@customer.example`
  const raw = [
    `From: ${name} <${address}>`,
    "To: hello@demo.example",
    "Subject: Kitchen",
    `Date: ${new Date().toUTCString()}`,
    `Message-ID: <${crypto.randomUUID()}@customer.example>`,
    "",
    body
  ].join("\r\n")
  const mails = [{ name, raw: Buffer.from(raw).toString("base64") }]
  await operator().import.email("demo", { historical: false, mails })
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "leadloom-example-"))
  server = await startServer(folder)
  const { url } = server
  backend = spawn(process.execPath, ["--conditions=leadloom:source", program], {
    env: {
      ...shiftedClock(),
      PATH: process.env["PATH"],
      PORT: "0",
      LEADLOOM_URL: url,
      LEADLOOM_ADMIN_KEY: adminKey
    },
    stdio: ["ignore", "pipe", "pipe"]
  })
  const said = await watch(backend).says(/The inbox is at (?<origin>\S+)/u)
  origin = said.groups?.["origin"] ?? ""
  await operator().tenants.create({ tenant_id: "demo", name: "Demo", domain: "demo.example" })
  await operator().email.connect("demo", { provider: "smtp", email: "hello@demo.example" })
  const thanks: Rule = {
    id: "thanks",
    name: "Thanks",
    priority: 1,
    when: { all: [] },
    actions: [{ type: "reply", template: "Thank you for your message." }]
  }
  await operator().config.update("demo", { session_origins: [origin], rules: [thanks] })
})
afterAll(async () => {
  backend?.kill("SIGTERM")
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** The steps of `docs/how-to/embedded-inbox.md` in a page. */
describe("examples/embedded-inbox", () => {
  it("mints a token that is valid on pages of the app only", async () => {
    const session = await (await fetch(`${origin}/session`, { method: "POST" })).json()
    const listFrom = async (page: string): Promise<unknown> => {
      const asPage: Fetch = (url, init) => fetch(url, { ...init, headers: { ...init?.headers, origin: page } })
      const client = createClient({ baseUrl: session.base_url, credential: session.token, fetch: asPage })
      return client.conversations.list(session.tenant_id).withResponse()
    }
    expect(await listFrom(origin)).toMatchObject({ status: 200, data: { conversations: [] } })
    await expect(listFrom("https://evil.example")).rejects.toMatchObject({ code: "FORBIDDEN" })
    const foreign = { method: "POST", headers: { "sec-fetch-site": "cross-site" } }
    expect((await fetch(`${origin}/session`, foreign)).status).toBe(403)
  })

  it("serves a page without inline scripts that may call nothing but Leadloom", async () => {
    const page = await fetch(origin)
    const policy = page.headers.get("content-security-policy") ?? ""
    expect(policy).toContain("default-src 'none'; script-src 'self'")
    expect(policy).toContain(`connect-src 'self' ${server?.url}`)
    expect(policy).not.toMatch(/unsafe|\*/u)
    expect(await page.text()).not.toMatch(/<script(?![^>]*\bsrc=)|\bon\w+=/u)
    expect(await (await fetch(`${origin}/inbox.js`)).text()).not.toMatch(
      /innerHTML|insertAdjacentHTML|document\.write/u
    )
  })

  const note = chromium === null ? " (NOT CHECKED: no Chromium on this machine)" : ""
  it.skipIf(chromium === null)(`lists, follows, reads and answers conversations in Chromium${note}`, async () => {
    const tab = await openTab(chromium ?? "")
    try {
      await tab.goto(origin)
      await tab.until(`document.querySelector("#conversations") !== null`)
      await receive("Jane", `Hello ${markup}`)
      await tab.until(
        `document.querySelector("#conversations button")?.textContent.startsWith("Jane (1): Hello <img") === true`
      )
      await tab.evaluate(`document.querySelector("#conversations button").click()`)
      await tab.until(`document.querySelector("#text").value === "Thank you for your message."`)
      expect(await tab.evaluate(`document.querySelector("#messages li").textContent`)).toContain(markup)
      expect(await tab.evaluate(`document.images.length + document.title`)).toBe("0Inbox")
      await tab.evaluate(`document.querySelector("#text").value = "We can come on Monday."`)
      await tab.evaluate(`document.querySelector("#reply button").click()`)
      await tab.until(`document.querySelector("#messages li:nth-child(2)")?.textContent.includes("Monday") === true`)
      await tab.until(`document.querySelector("#status").textContent === "Sent."`)
      await tab.evaluate(`document.querySelector("#text").value = "Or on Tuesday."`)
      await tab.evaluate(`document.querySelector("#reply button").click()`)
      await tab.until(`document.querySelector("#messages li:nth-child(3)")?.textContent.includes("Tuesday") === true`)
    } finally {
      await tab.close()
    }
    const { conversations } = await operator().conversations.list("demo")
    const { messages, pending_draft: draft } = await operator().conversations.get(
      "demo",
      conversations[0]?.contact_id ?? ""
    )
    expect(messages.map(({ actor }) => actor)).toEqual(["contact", "agent", "agent"])
    expect(draft).toBeNull()
  })
})
