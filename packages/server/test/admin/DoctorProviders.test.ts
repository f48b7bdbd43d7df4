import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { stripeVersion } from "@leadloom/connectors/internal/stripe/StripeConfig"
import { wantedEvents } from "@leadloom/connectors/internal/stripe/StripeEvent"
import { startHighLevel } from "@leadloom/testkit/highlevel/HighLevelStandIn"
import { problem } from "@leadloom/testkit/highlevel/StandInState"
import { type StripeStandIn, startStripe } from "@leadloom/testkit/stripe/StripeStandIn"
import { createEmulator } from "emulate"
import { exportJWK, generateKeyPair } from "jose"
import { OAuth2Server } from "oauth2-mock-server"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { examine, type NamedFinding } from "../../src/doctor/Doctor.ts"
import { startIssuer } from "../world/Issuer.ts"
import { stripeEnvironment } from "../world/PayingServer.ts"
import { adminKey } from "../world/TestServer.ts"

type Changes = Readonly<Record<string, string>>

let folder: string
let closing: Array<() => Promise<unknown>>
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "leadloom-doctor-"))
  closing = []
})
afterEach(async () => {
  for (const close of closing) await close()
  rmSync(folder, { recursive: true, force: true })
})

/** Returns the findings of one check. Every finding that is not `ok` must have advice. */
const found = async (check: string, env: Changes): Promise<ReadonlyArray<NamedFinding>> => {
  const known = { LEADLOOM_DATA_DIR: folder, LEADLOOM_PORT: "0", LEADLOOM_ADMIN_KEY: adminKey }
  const findings = await examine({ ...known, LEADLOOM_SESSION_SECRET: "a-secret-that-signs-sessions-of-tests", ...env })
  for (const { advice, level } of findings) expect(advice === null).toBe(level === "ok")
  return findings.filter((finding) => finding.check === check)
}
const lines = (findings: ReadonlyArray<NamedFinding>) => findings.map((finding) => `${finding.level} ${finding.found}`)

describe("the doctor on the identity provider", () => {
  const said = async (env: Changes) => lines(await found("identity provider", env))

  it("reads the keys that verify its tokens", async () => {
    expect(await said({})).toEqual([
      "ok LEADLOOM_OIDC_ISSUER is not set: sign-in with an identity provider is disabled."
    ])
    const issuer = await startIssuer()
    closing.push(issuer.stop)
    expect(await said(issuer.env)).toEqual([`ok ${issuer.url} answers and has keys for RS256.`])
    await issuer.server.issuer.keys.generate("ES256")
    expect(await said(issuer.env)).toEqual([`ok ${issuer.url} answers and has keys for RS256, ES256.`])
    expect(await said({ ...issuer.env, LEADLOOM_OIDC_ALGORITHMS: "EdDSA" })).toEqual([
      `problem ${issuer.url} has 2 keys, but none of them supports the accepted algorithms EdDSA.`
    ])
  })

  it("names the other issuer that answers, or the reason of the failure", async () => {
    const issuer = await startIssuer()
    closing.push(issuer.stop)
    const other = await said({ ...issuer.env, LEADLOOM_OIDC_ISSUER: `${issuer.url}/` })
    expect(other).toEqual([
      expect.stringContaining(`is the discovery document of ${issuer.url}, not of ${issuer.url}/`)
    ])
    const jwks = { ...issuer.env, LEADLOOM_OIDC_JWKS_URI: `${issuer.url}/jwks` }
    expect(await said({ ...jwks, LEADLOOM_OIDC_ISSUER: "https://login.example.com" })).toEqual([
      "ok https://login.example.com answers and has keys for RS256."
    ])
    expect(await said({ ...issuer.env, LEADLOOM_OIDC_JWKS_URI: `${issuer.url}/nowhere` })).toEqual([
      expect.stringContaining(`problem The keys of ${issuer.url} are not available: ${issuer.url}/nowhere answers 404`)
    ])
    await issuer.stop()
    expect(await said(issuer.env)).toEqual([expect.stringMatching(/^problem The keys of .* did not respond: /u)])
  })

  it("does not count keys that cannot verify tokens", async () => {
    const keys = await Promise.all(
      ["RS256", "RS256", "RSA-OAEP", "ES384"].map(async (alg) => {
        const { publicKey } = await generateKeyPair(alg, { extractable: true })
        return { ...(await exportJWK(publicKey)), use: alg === "RSA-OAEP" ? "enc" : "sig", alg }
      })
    )
    const server = createServer((_, response) => response.end(JSON.stringify({ keys: keys.slice(from) })))
    let from = 0
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    closing.push(() => new Promise((resolve) => void server.close(resolve)))
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
    const env = { LEADLOOM_OIDC_ISSUER: url, LEADLOOM_OIDC_AUDIENCE: "console", LEADLOOM_OIDC_JWKS_URI: `${url}/keys` }
    expect(await said(env)).toEqual([
      `ok ${url} answers and has keys for RS256.`,
      `warning ${url} has several keys for RS256, and some of them lack a key id (kid).`
    ])
    from = 2
    expect(await said(env)).toEqual([
      `problem ${url} has 2 keys, but none of them supports the accepted algorithms RS256, PS256, ES256, EdDSA.`
    ])
  })

  it("supports a Firebase project by its preset", async () => {
    const server = new OAuth2Server()
    await server.issuer.keys.generate("RS256")
    await server.start(0, "127.0.0.1")
    closing.push(() => server.stop())
    const preset = { LEADLOOM_OIDC_PRESET: "firebase", LEADLOOM_OIDC_PROJECT: "demo-project" }
    expect(await said({ ...preset, LEADLOOM_OIDC_JWKS_URI: `${server.issuer.url}/jwks` })).toEqual([
      "ok https://securetoken.google.com/demo-project answers and has keys for RS256."
    ])
  })
})

describe("the doctor on payments", () => {
  const url = "https://leads.example.com/api/v1/webhook/providers/stripe"
  let stripe: StripeStandIn
  let env: Changes
  beforeEach(async () => {
    stripe = await startStripe()
    closing.push(stripe.close)
    env = {
      ...stripeEnvironment(stripe.url, stripe.secretKey, stripe.webhookSecret),
      LEADLOOM_PUBLIC_URL: "https://leads.example.com"
    }
    const { endpoints, prices } = stripe.world
    for (const id of ["price_s", "price_g", "price_x"]) prices.set(id, { active: true, type: "recurring" })
    prices.set("price_g_old", { active: false, type: "recurring" })
    prices.set("price_c", { active: true, type: "one_time" })
    endpoints.push({ url, status: "enabled", enabled_events: wantedEvents, api_version: stripeVersion })
  })

  const said = async (changes: Changes = {}) => {
    const findings = await found("payments", { ...env, ...changes })
    expect(JSON.stringify(findings)).not.toMatch(/sk_test_of|sk_live_of|whsec_(?:of|the)/u)
    return lines(findings)
  }
  const well = () => [
    `ok ${stripe.url} answers and accepts the key, which belongs to test mode.`,
    "ok All configured prices exist: price_s, price_g, price_g_old, price_x, price_c.",
    `ok Stripe sends all required events to ${url}.`
  ]

  it("accepts a correct account, changes nothing in it and reads no customer data", async () => {
    expect(await said()).toEqual(well())
    expect(lines(await found("configuration", env))).toEqual(["ok The configuration is valid."])
    expect(new Set(stripe.requests.map(({ method }) => method))).toEqual(new Set(["GET"]))
    expect(stripe.requests.filter(({ path }) => /customer|subscription|charge/u.test(path))).toEqual([])
    expect(await said({ LEADLOOM_STRIPE_SECRET_KEY: "" })).toEqual([
      "ok LEADLOOM_STRIPE_SECRET_KEY is not set: payments are disabled."
    ])
  })

  it("reports a rejected key, an unavailable server and another program", async () => {
    expect(await said({ LEADLOOM_STRIPE_SECRET_KEY: "sk_test_of_somebody_else" })).toEqual([
      `problem The request to ${stripe.url} failed: 401 authentication_error: Invalid API Key provided`
    ])
    stripe.fault({ what: 200, json: { hello: "you" } })
    expect((await said())[0]).toBe(`problem The request to ${stripe.url} failed: the response did not come from Stripe`)
    await stripe.close()
    expect((await said())[0]).toMatch(/^problem .* failed: the (?:connection was lost|provider cannot)/u)
  })

  it("reports missing prices and prices that cannot be sold", async () => {
    const { prices } = stripe.world
    prices.delete("price_s")
    prices.set("price_g", { active: false, type: "recurring" })
    prices.set("price_x", { active: true, type: "one_time" })
    prices.set("price_c", { active: true, type: "recurring" })
    expect((await said()).slice(1, 5)).toEqual([
      "problem LEADLOOM_STRIPE_PRICE_STARTER contains price_s, which does not exist: 404 resource_missing: No such price: 'price_s'",
      "problem LEADLOOM_STRIPE_PRICE_GROWTH contains price_g, which is archived and cannot be bought.",
      "problem LEADLOOM_STRIPE_PRICE_SCALE contains price_x, which is a one-time price.",
      "problem LEADLOOM_STRIPE_PRICE_CREDITS contains price_c, which is a recurring price."
    ])
    const unsold = Object.fromEntries(
      ["STARTER", "GROWTH", "SCALE", "CREDITS"].map((name) => [`LEADLOOM_STRIPE_PRICE_${name}`, ""])
    )
    expect((await said(unsold))[1]).toBe("warning No price is set for any plan or for credits.")
  })

  it("checks that Stripe sends all required events in the supported version", async () => {
    const { endpoints } = stripe.world
    const endpoint = (changes: object) => endpoints.splice(0, 1, { ...whole, ...changes })
    const whole = { url, status: "enabled", enabled_events: ["*"], api_version: stripeVersion } as const
    endpoint({})
    expect(await said()).toEqual(well())
    endpoint({ enabled_events: wantedEvents.slice(1), api_version: "2020-08-27" })
    expect((await said()).slice(2)).toEqual([
      `warning Stripe does not send checkout.session.completed to ${url}.`,
      `warning Stripe sends events to ${url} in API version 2020-08-27, not ${stripeVersion}.`
    ])
    endpoint({ status: "disabled" })
    expect((await said()).slice(2)).toEqual([`problem The webhook endpoint ${url} is disabled at Stripe.`])
    endpoint({ url: "https://elsewhere.example/hook" })
    expect((await said()).slice(2)).toEqual([`warning No webhook endpoint of the account points to ${url}.`])
    endpoint({ url: `https://any.example${new URL(url).pathname}` })
    expect((await said({ LEADLOOM_PUBLIC_URL: "" })).slice(2)[0]).toMatch(
      /^ok Stripe sends all required events to https:\/\/any/u
    )
  })

  it("reports a missing webhook secret, a missing portal and a lack of TLS in live mode", async () => {
    stripe.world.portalSaved = false
    const changes = { LEADLOOM_STRIPE_WEBHOOK_SECRET: "", LEADLOOM_STRIPE_CANCEL_URL: "http://acme.example/plans" }
    const missing = [
      "warning The customer portal is not configured at Stripe, so customers cannot open it.",
      "problem LEADLOOM_STRIPE_WEBHOOK_SECRET is not set: Stripe's webhooks are rejected, so payments have no effect."
    ]
    expect((await said(changes)).slice(3)).toEqual(missing)
    const live = await said({ ...changes, LEADLOOM_STRIPE_SECRET_KEY: "sk_live_of_somebody" })
    expect(live.at(-1)).toBe(
      "warning The key belongs to live mode, but people return from Stripe without TLS: http://acme.example/plans."
    )
  })

  it("recognises a restricted key", async () => {
    const json = {
      error: { type: "invalid_request_error", message: "The provided key does not have the permissions." }
    }
    const refusal = { what: 403, json } as const
    stripe.fault(...Array.from({ length: 8 }, () => refusal))
    expect(await said()).toEqual([
      well()[0],
      expect.stringContaining(
        "warning The key is not allowed to read prices: 403 invalid_request_error: The provided key"
      ),
      "ok The key is not allowed to read webhook endpoints, so they were not checked."
    ])
  })

  it("checks a third-party emulator of Stripe", async () => {
    const emulator = await createEmulator({
      service: "stripe",
      port: 0,
      seed: {
        stripe: {
          products: [{ name: "Credit" }],
          prices: [{ id: "price_c", product_name: "Credit", currency: "usd", unit_amount: 2 }]
        }
      }
    })
    closing.push(() => emulator.close())
    const changes = { LEADLOOM_STRIPE_API_URL: emulator.url, LEADLOOM_STRIPE_PRICE_SCALE: "price_c" }
    const prices = (await said(changes)).slice(0, 5)
    expect(prices).toEqual([
      `ok ${emulator.url} answers and accepts the key, which belongs to test mode.`,
      expect.stringContaining(
        "PRICE_STARTER contains price_s, which does not exist: 404 resource_missing: No such price"
      ),
      expect.stringContaining("PRICE_GROWTH contains price_g, which does not exist"),
      expect.stringContaining("PRICE_GROWTH contains price_g_old, which does not exist"),
      "problem LEADLOOM_STRIPE_PRICE_SCALE contains price_c, which is a one-time price."
    ])
  })
})

describe("the doctor on the CRM", () => {
  it("checks the credentials of the app without any location", async () => {
    const highLevel = await startHighLevel()
    closing.push(highLevel.close)
    const env = {
      LEADLOOM_CRM_API_URL: highLevel.url,
      LEADLOOM_CRM_CLIENT_ID: highLevel.clientId,
      LEADLOOM_CRM_CLIENT_SECRET: highLevel.clientSecret,
      LEADLOOM_CRM_REDIRECT_URI: "https://dashboard.example/back",
      LEADLOOM_CRM_WEBHOOK_PUBLIC_KEY: highLevel.publicKeyPem
    }
    const said = async (changes: Changes = {}) => {
      const findings = await found("crm", { ...env, ...changes })
      expect(JSON.stringify(findings)).not.toMatch(/client-secret-1|some-other-secret/u)
      return lines(findings)
    }
    const well = `ok ${highLevel.url} answers and accepts the credentials of the app client-1.`
    expect(await said()).toEqual([well])
    expect(await said({ LEADLOOM_CRM_WEBHOOK_PUBLIC_KEY: "" })).toEqual([
      well,
      "warning LEADLOOM_CRM_WEBHOOK_PUBLIC_KEY is not set: webhooks of the CRM are rejected."
    ])
    expect(await said({ LEADLOOM_CRM_CLIENT_SECRET: "some-other-secret" })).toEqual([
      `problem ${highLevel.url} rejects the credentials of the app client-1: 401 Invalid client credentials invalid_client`
    ])
    highLevel.fault(problem(403, "Something else"))
    expect(await said()).toEqual([
      expect.stringMatching(/^warning .* the response does not show whether the credentials are valid: 403 Some/u)
    ])
    highLevel.fault(problem(503, "Down"))
    expect(await said()).toEqual([expect.stringMatching(/^problem .* does not answer: /u)])
    expect(highLevel.state.accessTokens.size).toBe(0)
    expect(await said({ LEADLOOM_CRM_CLIENT_ID: "" })).toEqual([
      "ok LEADLOOM_CRM_CLIENT_ID is not set: no location of a CRM can be connected."
    ])
  })
})

describe("the doctor on Turnstile", () => {
  it("sends an invalid proof, which a valid secret rejects", async () => {
    const secret = "the-secret-of-the-widget"
    let says: object = {}
    const server = createServer((_, response) => response.end(JSON.stringify(says)))
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    closing.push(() => new Promise((resolve) => void server.close(resolve)))
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/siteverify`
    const said = async (answer: object) => {
      says = answer
      const env = { LEADLOOM_TURNSTILE_SECRET: secret, LEADLOOM_TURNSTILE_URL: url }
      const findings = await found("human check", env)
      expect(JSON.stringify(findings)).not.toContain(secret)
      return lines(findings)
    }
    expect(await said({ success: false, "error-codes": ["invalid-input-response"] })).toEqual([
      `ok ${url} answers and accepts the secret.`
    ])
    expect(await said({ success: true, "error-codes": [] })).toEqual([
      `warning ${url} accepts every submission with this secret.`
    ])
    const refusal = { success: false, "error-codes": ["invalid-input-secret", secret] }
    expect(await said(refusal)).toEqual([
      `problem ${url} does not verify submissions: siteverify rejected the request: invalid-input-secret, [secret]`
    ])
    expect(lines(await found("human check", {}))).toEqual([
      "ok LEADLOOM_TURNSTILE_SECRET is not set: submissions of forms that require Turnstile are rejected."
    ])
  })
})
