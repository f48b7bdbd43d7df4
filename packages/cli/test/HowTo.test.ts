import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "@leadloom/testkit/FreePort"
import { temporaryDatabase } from "@leadloom/testkit/postgres/Database"
import { type StripeStandIn, startStripe } from "@leadloom/testkit/stripe/StripeStandIn"
import { Effect } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { follow, installClient, installLeadloom, missingNote, missingTools } from "./Guide.ts"
import { prepareTenant } from "./PreparedTenant.ts"
import { adminKey, startServer } from "./ServerProcess.ts"

let folder: string

/** Simulates a customer who pays every open checkout, and the webhooks that Stripe then sends. */
const paying = (stripe: StripeStandIn, webhook: string): { readonly stop: () => void } => {
  const { checkouts, events } = stripe.world
  const report = async (event: object): Promise<void> => {
    const { body, signature } = stripe.signed(event)
    const headers = { "content-type": "application/json", "stripe-signature": signature }
    await fetch(webhook, { method: "POST", body, headers })
  }
  const timer = setInterval(() => {
    for (const { id, status } of checkouts.values()) if (status === "open") stripe.world.pay(id)
    for (const event of events.splice(0)) void report(event)
  }, 200)
  return { stop: () => clearInterval(timer) }
}

/** Ends a server that a failed guide left running. */
const killServer = (file: string): void => {
  try {
    process.kill(Number(readFileSync(file, "utf8")), "SIGKILL")
  } catch {
    // The server has ended, or never started.
  }
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "leadloom-how-to-"))
  installLeadloom(folder)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf(missingTools.length > 0)(`the guides with a server of their own${missingNote}`, () => {
  it("of the tutorial lead to an answered lead and a rule, command by command", async () => {
    const [http, smtp] = [await freePort(), await freePort()]
    const ports = { ":4800": `:${http}`, ":2525": `:${smtp}` }
    const env = { LEADLOOM_PORT: String(http), LEADLOOM_URL: `http://127.0.0.1:${http}` }
    const { commands } = await follow("../tutorial.md", folder, env, ports).finally(() =>
      killServer(join(folder, "leadloom-tutorial", "server.pid"))
    )
    expect(commands).toBeGreaterThan(12)
  })

  it("to webhooks accepts valid deliveries and rejects the others", async () => {
    installClient(folder)
    const { commands, stdout } = await follow("verify-webhooks.md", folder, {})
    expect(commands).toBe(3)
    expect(stdout.split("\n")).toEqual([
      "new lead.received {}",
      "answered 204",
      "answered 204",
      "refused no_match",
      "answered 400",
      "refused too_old",
      "answered 400",
      "served lead.received",
      "answered 204",
      ""
    ])
  })

  it("to payments sells a plan and credits and receives the webhooks of Stripe, command by command", async () => {
    const stripe = await startStripe()
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const env = {
      LEADLOOM_URL: url,
      LEADLOOM_PORT: String(port),
      LEADLOOM_DATA_DIR: join(folder, "data"),
      LEADLOOM_ADMIN_KEY: adminKey,
      LEADLOOM_SESSION_SECRET: "a-secret-that-signs-sessions-of-tests",
      LEADLOOM_STRIPE_API_URL: stripe.url,
      LEADLOOM_STRIPE_SECRET_KEY: stripe.secretKey,
      WEBHOOK_SECRET: stripe.webhookSecret
    }
    const person = paying(stripe, `${url}/api/v1/webhook/providers/stripe`)
    const { commands, stdout } = await follow("take-payments.md", folder, env).finally(async () => {
      person.stop()
      await stripe.close()
      killServer(join(folder, "leadloom.pid"))
    })
    expect(commands).toBe(9)
    expect(stdout).not.toContain("is not a variable of Leadloom")
    expect(stdout).toContain(
      "  ok       All configured prices exist: price_000001, price_000002, price_000003, price_000004."
    )
    expect(stdout).toContain("  warning  No webhook endpoint of the account points to a URL that ends with /api/v1/")
    expect(stdout).toMatch(/^Pay first: http:\/\/127\.0\.0\.1:\d+\/pay\/cs_/mu)
    expect(stdout).toMatch(/^paid +growth$/mu)
    expect(stdout).toMatch(/^plan +growth$/mu)
    expect(stdout).toMatch(/"url":"http:\/\/127\.0\.0\.1:\d+\/portal\/bps_/u)
    expect(stdout).toMatch(/^credits +500\n[^\n]+\n\S+ +purchase +500 +500 +checkout:/mu)
    // The doctor checks the required events and the API version.
    const reported = "https://leads.example.com/api/v1/webhook/providers/stripe"
    expect(stdout).toContain(`  ok       Stripe sends all required events to ${reported}.`)
  }, 300_000)

  it("to Postgres moves a store to Postgres and back, command by command", async () => {
    const server = await startServer(join(folder, "leadloom-data"))
    const keys = {
      LEADLOOM_ADMIN_KEY: adminKey,
      LEADLOOM_SESSION_SECRET: "a-secret-that-signs-sessions-of-tests",
      LEADLOOM_PORT: "0"
    }
    await prepareTenant(server.url, "acme").finally(server.stop)
    const moving = Effect.flatMap(temporaryDatabase, (url) =>
      Effect.promise(() => follow("move-to-postgres.md", folder, { ...keys, POSTGRES_URL: url }))
    )
    const { commands, stdout } = await Effect.runPromise(Effect.scoped(moving))
    expect(commands).toBeGreaterThan(3)
    expect(stdout.match(/^messages +1 +1 +[0-9a-f]{16} +same$/gmu)).toHaveLength(2)
    expect(stdout).toMatch(/^database +postgres:\/\/[^:@]+@[^:]+:\d+\/leadloom_/mu)
  }, 300_000)

  it("to backups restores a deployment in another folder, command by command", async () => {
    const data = join(folder, "data")
    const env = { LEADLOOM_ADMIN_KEY: adminKey, LEADLOOM_DATA_DIR: data, LEADLOOM_PORT: "0" }
    const server = await startServer(data)
    await prepareTenant(server.url, "acme")
    const renewed = join(folder, "renewed")
    const followed = follow("back-up-and-restore.md", folder, { ...env, NEW_DATA_DIR: renewed })
    const { commands, stdout } = await followed.finally(server.stop)
    expect(commands).toBe(3)
    expect(stdout).toContain("and verified it.")
    expect(stdout).toMatch(/^tenants +1$/mu)
    const second = await startServer(renewed)
    const tenants = await fetch(`${second.url}/api/v1/admin/tenants`, {
      headers: { authorization: `Bearer ${adminKey}` }
    })
    await second.stop()
    expect(await tenants.text()).toContain("Acme Roofing")
  })
})
