/** The guides that need a server. They share one, and each has its own tenant and folder. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "@leadloom/testkit/FreePort"
import { type ImapStandIn, startImapStandIn } from "@leadloom/testkit/imap/ImapStandIn"
import { startSubmission, type SubmissionServer } from "@leadloom/testkit/mail/SubmissionServer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { follow, installClient, installLeadloom, missingNote, missingTools } from "./Guide.ts"
import { prepareTenant } from "./PreparedTenant.ts"
import { adminKey, type RunningServer, startServer } from "./ServerProcess.ts"
import { type Seen, type StubServer, startStub } from "./StubServer.ts"

const classification = {
  intent: "inspection",
  urgency: "medium",
  sentiment: "neutral",
  summary: "Asks for an inspection.",
  confidence: 0.9
}

/** Answers like a model server: with a classification, or with a reply. */
const answerOfModel = ({ body, path }: Seen) => {
  if (!path.endsWith("/chat/completions")) return { status: 200, body: { object: "list", data: [] } }
  const classifies = JSON.stringify(body).includes("sort messages")
  const content = JSON.stringify(classifies ? classification : { text: "We can come on Monday and have a look." })
  const choices = [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }]
  return { status: 200, body: { id: "1", object: "chat.completion", model: "stub", choices } }
}

const oldVaultKey = "an-old-key-of-the-vault-0123456789"
const newVaultKey = "a-new-key-of-the-vault-0123456789"

let folder: string
let model: StubServer
let server: RunningServer
let env: Readonly<Record<string, string>>
let metricsPort: number
let mailbox: { readonly imap: ImapStandIn; readonly smtp: SubmissionServer }

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "leadloom-guides-"))
  model = await startStub(answerOfModel)
  const data = join(folder, "data")
  metricsPort = await freePort()
  const password = "correct horse battery"
  mailbox = {
    imap: await startImapStandIn({ accounts: { "hello@florist.example": password } }),
    smtp: await startSubmission({ password })
  }
  const llm = { LEADLOOM_LLM_BASE_URL: `${model.url}/v1`, LEADLOOM_LLM_MODEL: "stub" }
  server = await startServer(data, {
    ...llm,
    LEADLOOM_METRICS_PORT: String(metricsPort),
    LEADLOOM_MAILBOX_ALLOW_HOSTS: `127.0.0.1:${mailbox.imap.port},127.0.0.1:${mailbox.smtp.port}`,
    LEADLOOM_VAULT_KEYS: `${oldVaultKey},${newVaultKey}`
  })
  env = { LEADLOOM_URL: server.url, LEADLOOM_ADMIN_KEY: adminKey, LEADLOOM_DATA_DIR: data, LEADLOOM_PORT: "0", ...llm }
})
afterAll(async () => {
  await server.stop()
  await Promise.all([model.close(), mailbox.imap.close(), mailbox.smtp.close()])
  rmSync(folder, { recursive: true, force: true })
})

/** Follows a guide in its own folder. The tenant `acme` of the page becomes a tenant of this test. */
const followAs = async (guide: string, tenant: string, replaced: Readonly<Record<string, string>> = {}) => {
  const place = join(folder, tenant)
  mkdirSync(place, { recursive: true })
  installLeadloom(place)
  return follow(guide, place, env, { acme: tenant, ...replaced })
}

describe.skipIf(missingTools.length > 0)(`the guides${missingNote}`, () => {
  it("to an installation writes the keys and checks them", async () => {
    const { stdout } = await followAs("install.md", "installed")
    expect(stdout).toContain("The server accepts the admin key.")
  })

  it("to the first tenant lead to a scored lead", async () => {
    const { stdout } = await followAs("first-tenant.md", "first")
    expect(stdout).toContain('"status":"accepted"')
    expect(stdout).toContain('"contact_name":"Jo Smith"')
    expect(stdout).toMatch(/^time zone +America\/Chicago$/mu)
    expect(stdout).toMatch(/Saved version 3 with \d+ rules/u)
  })

  it("to a tenant's email sends an email", async () => {
    const { stdout } = await followAs("connect-email.md", "bakery")
    expect(stdout).toMatch(/^account +The Bakery <hello@bakery\.example>$/mu)
    expect(stdout).toContain("Saved the signature.")
    expect(stdout).toMatch(/^message +msg_[0-9a-z]{26}$/mu)
  })

  it("to a mailbox connects it", async () => {
    const place = (port: number) => `127.0.0.1:${port}/none`
    const { stdout } = await followAs("connect-a-mailbox.md", "florist", {
      "mail.florist.example:993": place(mailbox.imap.port),
      "mail.florist.example:465": place(mailbox.smtp.port)
    })
    expect(stdout).toMatch(/^account +The Florist <hello@florist\.example>$/mu)
    expect(stdout).toMatch(/^through +imap, active$/mu)
    expect(mailbox.smtp.logins()).toBe(1)
  })

  it("to an embedded inbox permits an origin and mints a session token", async () => {
    await prepareTenant(server.url, "embedded")
    const { commands } = await followAs("embedded-inbox.md", "embedded", { demo: "embedded" })
    expect(commands).toBe(2)
  })

  it("to a team creates users, assigns a lead, moves it to a stage and reads a report", async () => {
    await prepareTenant(server.url, "team")
    const { commands } = await followAs("work-as-a-team.md", "team")
    expect(commands).toBe(5)
  })

  it("to sequences previews one for a contact and enrols the contact", async () => {
    await prepareTenant(server.url, "followed")
    const { commands } = await followAs("follow-up-with-sequences.md", "followed")
    expect(commands).toBe(9)
  })

  it("to MCP creates a key and reads the audit trail", async () => {
    await prepareTenant(server.url, "mcp")
    const { stdout } = await followAs("mcp.md", "mcp")
    expect(stdout).toContain('"action":"apiKeys.create"')
  })

  it("in the README lists conversations with the client", async () => {
    const key = await prepareTenant(server.url, "listed")
    mkdirSync(join(folder, "readme"))
    installClient(join(folder, "readme"))
    const values = { "http://127.0.0.1:4800": server.url, "llk_…": key, '"demo"': '"listed"' }
    const { stdout } = await follow("../../README.md", join(folder, "readme"), env, values)
    expect(stdout).toBe("Jo Smith\n")
  })

  it("to metrics reads the metrics", async () => {
    const { commands } = await followAs("metrics.md", "metrics", { ":9464": `:${metricsPort}` })
    expect(commands).toBe(1)
  })

  it("to texts assigns a number", async () => {
    await prepareTenant(server.url, "texted")
    const { commands } = await followAs("sms.md", "texted")
    expect(commands).toBe(1)
  })

  it("to calls configures the telephone of the agent", async () => {
    await prepareTenant(server.url, "called")
    const { commands } = await followAs("voice.md", "called")
    expect(commands).toBe(1)
  })

  it("to rules and back-tests saves a rule that then matches", async () => {
    await prepareTenant(server.url, "rules")
    const { stdout } = await followAs("rules-and-back-tests.md", "rules")
    expect(stdout).toMatch(/^insurance Insurance cases go to Kim +0 +0$/mu)
    expect(stdout).toMatch(/^actions +assign, create_task$/mu)
  })

  it("to guardrails adds guardrails and reads their audit", async () => {
    await prepareTenant(server.url, "guarded")
    const { stdout } = await followAs("guardrails.md", "guarded")
    expect(stdout).toContain('"id":"no-discounts"')
    expect(stdout).toMatch(/^changed +0 /mu)
  })

  it("to language models classifies and replies with a model", async () => {
    await prepareTenant(server.url, "modelled")
    const { stdout } = await followAs("language-models.md", "modelled")
    expect(stdout).toContain("the configured model is stub.")
  })

  it("to retention exports and erases a contact", async () => {
    await prepareTenant(server.url, "retained")
    const { stdout } = await followAs("retention.md", "retained")
    expect(stdout).toMatch(/^messages$/mu)
    expect(stdout).toMatch(/"erasure_id":"era_/u)
  })

  it("to secrets rotates an API key, a webhook secret and the vault key", async () => {
    await prepareTenant(server.url, "rotated")
    mkdirSync(join(folder, "rotated"))
    writeFileSync(join(folder, "rotated", "leadloom.env"), `LEADLOOM_VAULT_KEYS=${newVaultKey},${oldVaultKey}\n`)
    const { stdout } = await followAs("rotate-secrets.md", "rotated")
    expect(stdout).toMatch(/^Revoked key_/mu)
    expect(stdout).toMatch(/^webhook_subscriptions\.secret +1 +1 +0$/mu)
  })
})
