import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fakeTerminal, makeFolder, removeFolder, runOn } from "../FakeTerminal.ts"
import { adminKey, type RunningServer, startServer } from "../ServerProcess.ts"
import { startStub } from "../StubServer.ts"

let folder = ""
let server: RunningServer | null = null
let signal = ""

beforeAll(async () => {
  folder = await makeFolder()
  server = await startServer(join(folder, "data"))
  await leadloom("tenants", "create", "acme", "--name", "Acme", "--preset", "home_services")
  const answer = await fetch(`${server.url}/api/v1/webhook/automation/acme`, {
    method: "POST",
    headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
    body: JSON.stringify({
      message: "What would a\u001B[2J repair cost?",
      contact: { name: "Sam", email: "sam@customer.example" },
      channel: "chat"
    })
  })
  signal = Object(await answer.json()).signal_id
})
afterAll(async () => {
  await server?.stop()
  await removeFolder(folder)
})

const leadloom = (...args: ReadonlyArray<string>) =>
  runOn(fakeTerminal(folder, { LEADLOOM_URL: server?.url ?? "", LEADLOOM_ADMIN_KEY: adminKey }), args)

describe("explain", () => {
  it("with --verbose describes the classification, all rules with their reasons, and the actions", async () => {
    const { exitCode, out } = await leadloom("explain", signal, "--tenant", "acme", "--verbose")
    expect(exitCode).toBe(0)
    for (const line of [
      /^text +What would a\uFFFD\[2J repair cost\?$/mu,
      /^classified +pricing, urgency medium, neutral/mu,
      /^rule +\S+ matched: classification\.intent .*it is "pricing"$/mu,
      /^rule +spam did not match: classification\.intent in \["spam"\]: it is "pricing"$/mu,
      /^action +tag done/mu,
      /^reply +a draft, by chat$/mu,
      /^guard +done: /mu,
      /^ +contact\.email = "sam@customer\.example"$/mu
    ]) {
      expect(out).toMatch(line)
    }
  })

  it("describes the decisive parts on one screen", async () => {
    const { out } = await leadloom("explain", signal, "--tenant", "acme")
    for (const line of [
      /^text +What would a\uFFFD\[2J repair cost\?$/mu,
      /^classified +pricing, urgency medium, neutral/mu,
      /^rule +quote matched: /mu,
      /^ +1 of 9 rules matched$/mu,
      /^action +tag done \(rule quote\): tag quote$/mu,
      /^reply +a draft, by chat$/mu,
      /^guard +done: /mu,
      /^ +For all facts, rules and texts, add --verbose\.$/mu
    ]) {
      expect(out).toMatch(line)
    }
  })

  it("fits a run with many long parts on a screen of 24 lines and 80 columns", async () => {
    const run = JSON.parse((await leadloom("explain", signal, "--tenant", "acme", "--json")).out)
    const long = "a long text without an end, ".repeat(200)
    const many = <A>(item: A): ReadonlyArray<A> => Array.from({ length: 30 }, () => item)
    const body = {
      ...run,
      message: { ...run.message, subject: long, body: long, from: long },
      classification: { ...run.classification, intent: long },
      rules: many({ rule_id: "a", outcome: "matched", reason: long }),
      actions: many({ type: "tag", outcome: "done", rule_id: "a", reason: long }),
      written: {
        ...run.written,
        text: long,
        guardrails: many({ guardrail_id: "a", outcome: "block", reason: "x".repeat(500) })
      },
      steps: many({ step: "classify", outcome: "skipped", reason: long })
    }
    const stub = await startStub(() => ({ status: 200, body }))
    const env = { LEADLOOM_URL: stub.url, LEADLOOM_ADMIN_KEY: adminKey }
    const { out } = await runOn(fakeTerminal(folder, env), ["explain", signal, "--tenant", "acme"])
    await stub.close()
    const lines = out.trimEnd().split("\n")
    expect(lines).toHaveLength(24)
    expect(Math.max(...lines.map(({ length }) => length))).toBe(80)
  })

  it("reports an unknown run", async () => {
    expect((await leadloom("explain", "sig_nothing", "--tenant", "acme")).exitCode).toBe(5)
  })
})

describe("replay", () => {
  it("reports an identical result", async () => {
    const { exitCode, out } = await leadloom("replay", signal, "--tenant", "acme")
    expect([exitCode, out]).toEqual([0, expect.stringContaining(`The replay of ${signal} has the same result`)])
    const { identical } = JSON.parse((await leadloom("replay", signal, "--tenant", "acme", "--json")).out)
    expect(identical).toBe(true)
  })
})
