import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { startHighLevel } from "@leadloom/testkit/highlevel/HighLevelStandIn"
import { startNylas } from "@leadloom/testkit/nylas/NylasStandIn"
import { startStripe } from "@leadloom/testkit/stripe/StripeStandIn"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import document from "../../../api/openapi.json" with { type: "json" }
import { scenario } from "../../generate/ExampleScenario.ts"
import { withExampleServer } from "../../generate/ExampleServer.ts"
import { commandEntries } from "../../src/command/Commands.ts"
import { operations } from "../../src/operation/generated/operations.ts"
import { fakeTerminal, makeFolder, removeFolder, runOn } from "../FakeTerminal.ts"
import { type CliRecorder, cliRecorder, inCommand } from "./CliRecorder.ts"

/** A response of the server to a request of the command line. */
interface Seen {
  readonly operation: string
  readonly status: number
  readonly text: string
}

const contract = Object.entries(document.paths).flatMap(([path, verbs]) =>
  Object.entries(verbs).map(([verb, { operationId }]) => ({
    id: operationId,
    method: verb.toUpperCase(),
    // Fixed segments have precedence over parameters.
    parameters: path.split("{").length,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/gu, "[^/]+")}$`, "u")
  }))
)

const operationAt = (method: string, path: string): string =>
  contract
    .filter((one) => one.method === method && one.pattern.test(path))
    .toSorted((one, other) => one.parameters - other.parameters)[0]?.id ?? `${method} ${path}`

/**
 * The operations whose requests are incomplete here: they need a sign-in, a signed event, a model or a recording of a
 * provider, or the session of an MCP client.
 */
const incomplete = [
  "actions.classifyConversation",
  "actions.generateReply",
  "agencies.callback",
  "agencies.locations",
  "agencies.remove",
  "assistantTools.call",
  "attachments.download",
  "calls.recording",
  "calls.transfer",
  "crm.callback",
  "crm.removeInstall",
  "crm.syncInstall",
  "crm.updateInstall",
  "crmActions.run",
  "crmActions.runAlias",
  "email.callback",
  "highLevel.notice",
  "imageProxy.image",
  "mcp.call",
  "mcp.endSession",
  "nylas.notice",
  "stripe.notice",
  "trackedLinks.open",
  "twilio.call",
  "twilio.callStatus",
  "twilio.dialed",
  "twilio.recording",
  "twilio.text",
  "twilio.textStatus",
  "unsubscribe.confirm",
  "unsubscribe.page",
  "usage.set"
]

const seen: Array<Seen> = []
const originalFetch = globalThis.fetch
let home = ""
/** The response of the server to a path without a route. */
let unknownRoute = ""

/** Records the responses to requests of commands. */
const recordingFetch: typeof fetch = async (input, init) => {
  const response = await originalFetch(input, init)
  if (inCommand.getStore() === undefined) return response
  const { pathname } = new URL(String(input))
  const text = response.ok ? "" : await response.clone().text()
  seen.push({ operation: operationAt(init?.method ?? "GET", pathname), status: response.status, text })
  return response
}

/** Settings of providers, so that no operation is unavailable. */
const withProviders = async (work: (settings: Readonly<Record<string, string>>) => Promise<void>): Promise<void> => {
  const [stripe, nylas, crm] = [await startStripe(), await startNylas(), await startHighLevel()]
  stripe.world.prices.set("price_growth", { active: true, type: "recurring" })
  try {
    await work({
      LEADLOOM_MCP: "yes",
      LEADLOOM_STRIPE_SECRET_KEY: stripe.secretKey,
      LEADLOOM_STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
      LEADLOOM_STRIPE_API_URL: stripe.url,
      LEADLOOM_STRIPE_PRICE_GROWTH: "price_growth",
      LEADLOOM_STRIPE_SUCCESS_URL: "https://www.example.com/paid",
      LEADLOOM_STRIPE_CANCEL_URL: "https://www.example.com/cancelled",
      LEADLOOM_STRIPE_RETURN_URL: "https://www.example.com/account",
      LEADLOOM_NYLAS_API_KEY: nylas.apiKey,
      LEADLOOM_NYLAS_CLIENT_ID: nylas.clientId,
      LEADLOOM_NYLAS_REDIRECT_URI: nylas.redirectUri,
      LEADLOOM_NYLAS_WEBHOOK_SECRET: nylas.webhookSecret,
      LEADLOOM_NYLAS_API_URL: nylas.url,
      LEADLOOM_CRM_CLIENT_ID: crm.clientId,
      LEADLOOM_CRM_CLIENT_SECRET: crm.clientSecret,
      LEADLOOM_CRM_REDIRECT_URI: "https://leads.example.com/crm",
      LEADLOOM_CRM_WEBHOOK_PUBLIC_KEY: crm.publicKeyPem,
      LEADLOOM_CRM_API_URL: crm.url
    })
  } finally {
    await Promise.all([stripe.close(), nylas.close(), crm.close()])
  }
}

/** Runs the commands that the scenario does not use: for archives, provider events and the documentation. */
const outside = async ({ call, run }: CliRecorder, adminKey: string): Promise<void> => {
  const { secret } = await call("assistant.makeSecret", { params: { tenant_id: "demo" } })
  await writeFile(join(home, "secret.txt"), `${secret}\n`)
  const assistant = ["--tenant", "demo", "--x-assistant-secret-file", join(home, "secret.txt")]
  const body = ["--data", '{"type":"test"}']
  const form = ["--x-twilio-signature", "c2lnbmF0dXJl", "--data", "From=%2B12025550100"]
  const archive = join(home, "export.tar")
  const lines: ReadonlyArray<ReadonlyArray<string>> = [
    ["data-rights", "export-tenant", "--tenant", "demo", "--out", archive],
    ["data-rights", "import-archive", "--tenant", "demo", "--data", `@${archive}`],
    ...["openapi", "root-openapi", "page"].map((name) => ["docs", name]),
    ...["page", "confirm"].map((name) => ["unsubscribe", name, "v1.a1b2c3d4.c2VhbGVk"]),
    ["sequences", "open-link", "AAAAAAAAAAAAAAAAAAAAAA.demo"],
    ["providers", "nylas-challenge", "--challenge", "hello"],
    ...["nylas", "stripe", "highlevel"].map((name) => ["providers", name, ...body]),
    ...["text", "text-status", "call", "call-status", "dialed", "recording"].map((name) => [
      "providers",
      `twilio-${name}`,
      ...form
    ]),
    ["assistant", "call-tool", ...assistant, ...body],
    ["mcp-http", "call", "--tenant", "demo", "--data", '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'],
    ["mcp-http", "end-session", "--tenant", "demo"]
  ]
  for (const args of lines) await run({ args }, adminKey)
}

beforeAll(async () => {
  home = await makeFolder()
  await withProviders((settings) =>
    withExampleServer(async ({ adminKey, receiver, url }) => {
      unknownRoute = await (await originalFetch(`${url}/api/v1/nowhere`)).text()
      globalThis.fetch = recordingFetch
      const recorder = cliRecorder(url, adminKey, home)
      const call: CliRecorder["call"] = async (operation, given) => {
        if (operation === "tenants.archive") await outside(recorder, adminKey)
        return recorder.call(operation, given)
      }
      await scenario({ adminKey, receiver, recorder: { ...recorder, call }, url })
    }, settings)
  )
}, 180_000)
afterAll(async () => {
  globalThis.fetch = originalFetch
  await removeFolder(home)
})

describe("the commands", () => {
  it("reach every operation of the contract", () => {
    expect(contract.length).toBeGreaterThan(160)
    const reached = new Set(seen.map(({ operation }) => operation))
    expect([...reached].toSorted()).toEqual(contract.map(({ id }) => id).toSorted())
  })

  it("succeed, except for operations that need a provider or an MCP client", () => {
    const succeeded = new Set(seen.flatMap(({ operation, status }) => (status < 400 ? [operation] : [])))
    const failed = contract.map(({ id }) => id).filter((id) => !succeeded.has(id))
    expect(failed.toSorted()).toEqual(incomplete)
  })

  it("send requests that the server routes and handles", () => {
    expect(unknownRoute).toContain("There is no such route.")
    const failed = seen.filter(({ status, text }) => status === 405 || status >= 500 || text === unknownRoute)
    expect(failed).toEqual([])
  })

  it("are listed for every operation, once each", async () => {
    const { exitCode, out } = await runOn(fakeTerminal(home), ["commands", "--json"])
    expect(exitCode).toBe(0)
    expect(JSON.parse(out)).toEqual(commandEntries(operations))
    expect(
      commandEntries(operations)
        .map((entry) => entry.operation_id)
        .toSorted()
    ).toEqual(contract.map(({ id }) => id).toSorted())
  })
})
