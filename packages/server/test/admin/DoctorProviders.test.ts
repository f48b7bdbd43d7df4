import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { stripeVersion } from "@leadloom/connectors/stripe/StripeConfig"
import { wantedEvents } from "@leadloom/connectors/stripe/StripeEvent"
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

/** What one check finds. What is not well always comes with what to do. */
const found = async (check: string, env: Changes): Promise<ReadonlyArray<NamedFinding>> => {
  const known = { LEADLOOM_DATA_DIR: folder, LEADLOOM_PORT: "0", LEADLOOM_ADMIN_KEY: adminKey }
  const findings = await examine({ ...known, LEADLOOM_SESSION_SECRET: "a-secret-that-signs-sessions-of-tests", ...env })
  for (const { advice, level } of findings) expect(advice === null).toBe(level === "ok")
  return findings.filter((finding) => finding.check === check)
}
const lines = (findings: ReadonlyArray<NamedFinding>) => findings.map((finding) => `${finding.level} ${finding.found}`)

describe("the doctor on the identity provider", () => {
  const said = async (env: Changes) => lines(await found("identity provider", env))

  it("asks it for the keys that its tokens are checked with", async () => {
    expect(await said({})).toEqual(["ok LEADLOOM_OIDC_ISSUER is not set: nobody comes in by an identity provider."])
    const issuer = await startIssuer()
    closing.push(issuer.stop)
    expect(await said(issuer.env)).toEqual([`ok ${issuer.url} answers, and has keys for RS256.`])
    await issuer.server.issuer.keys.generate("ES256")
    expect(await said(issuer.env)).toEqual([`ok ${issuer.url} answers, and has keys for RS256, ES256.`])
    expect(await said({ ...issuer.env, LEADLOOM_OIDC_ALGORITHMS: "EdDSA" })).toEqual([
      `problem ${issuer.url} has 2 keys, and none that EdDSA can be checked with.`
    ])
  })

  it("says which issuer answers where it is another one, and why none does", async () => {
    const issuer = await startIssuer()
    closing.push(issuer.stop)
    const other = await said({ ...issuer.env, LEADLOOM_OIDC_ISSUER: `${issuer.url}/` })
    expect(other).toEqual([expect.stringContaining(`is the document of ${issuer.url}, not of ${issuer.url}/`)])
    const jwks = { ...issuer.env, LEADLOOM_OIDC_JWKS_URI: `${issuer.url}/jwks` }
    expect(await said({ ...jwks, LEADLOOM_OIDC_ISSUER: "https://login.example.com" })).toEqual([
      "ok https://login.example.com answers, and has keys for RS256."
    ])
    expect(await said({ ...issuer.env, LEADLOOM_OIDC_JWKS_URI: `${issuer.url}/nowhere` })).toEqual([
      expect.stringContaining(`problem The keys of ${issuer.url} cannot be had: ${issuer.url}/nowhere answers 404`)
    ])
    await issuer.stop()
    expect(await said(issuer.env)).toEqual([expect.stringMatching(/^problem The keys of .* does not answer: /u)])
  })

  it("counts no key that tokens could not be checked with", async () => {
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
      `ok ${url} answers, and has keys for RS256.`,
      `warning ${url} has several keys for RS256, and not all of them have a name (kid).`
    ])
    from = 2
    expect(await said(env)).toEqual([
      `problem ${url} has 2 keys, and none that RS256, PS256, ES256, EdDSA can be checked with.`
    ])
  })

  it("knows a Firebase project by its preset", async () => {
    const server = new OAuth2Server()
    await server.issuer.keys.generate("RS256")
    await server.start(0, "127.0.0.1")
    closing.push(() => server.stop())
    const preset = { LEADLOOM_OIDC_PRESET: "firebase", LEADLOOM_OIDC_PROJECT: "demo-project" }
    expect(await said({ ...preset, LEADLOOM_OIDC_JWKS_URI: `${server.issuer.url}/jwks` })).toEqual([
      "ok https://securetoken.google.com/demo-project answers, and has keys for RS256."
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
    `ok ${stripe.url} answers, and takes the key, which is of test mode.`,
    "ok Its prices are there: price_s, price_g, price_g_old, price_x, price_c.",
    `ok Stripe tells ${url} what happens.`
  ]

  it("finds an account that is well, changes nothing there, and reads of nobody who pays", async () => {
    expect(await said()).toEqual(well())
    expect(lines(await found("configuration", env))).toEqual(["ok The environment makes a configuration."])
    expect(new Set(stripe.requests.map(({ method }) => method))).toEqual(new Set(["GET"]))
    expect(stripe.requests.filter(({ path }) => /customer|subscription|charge/u.test(path))).toEqual([])
    expect(await said({ LEADLOOM_STRIPE_SECRET_KEY: "" })).toEqual([
      "ok LEADLOOM_STRIPE_SECRET_KEY is not set: nothing is paid for."
    ])
  })

  it("says when the key is not taken, nobody answers, or somebody else does", async () => {
    expect(await said({ LEADLOOM_STRIPE_SECRET_KEY: "sk_test_of_somebody_else" })).toEqual([
      `problem ${stripe.url} does not take the key: 401 authentication_error: Invalid API Key provided`
    ])
    stripe.fault({ what: 200, json: { hello: "you" } })
    expect((await said())[0]).toBe(`problem ${stripe.url} does not take the key: the response did not come from Stripe`)
    await stripe.close()
    expect((await said())[0]).toMatch(/^problem .* does not take the key: the (?:connection was lost|provider cannot)/u)
  })

  it("misses prices, and knows those that cannot be sold", async () => {
    const { prices } = stripe.world
    prices.delete("price_s")
    prices.set("price_g", { active: false, type: "recurring" })
    prices.set("price_x", { active: true, type: "one_time" })
    prices.set("price_c", { active: true, type: "recurring" })
    expect((await said()).slice(1, 5)).toEqual([
      "problem LEADLOOM_STRIPE_PRICE_STARTER names price_s, which is not there: 404 resource_missing: No such price: 'price_s'",
      "problem LEADLOOM_STRIPE_PRICE_GROWTH names price_g, which is archived: nobody can buy it.",
      "problem LEADLOOM_STRIPE_PRICE_SCALE names price_x, which is paid once.",
      "problem LEADLOOM_STRIPE_PRICE_CREDITS names price_c, which is paid again and again."
    ])
    const unsold = Object.fromEntries(
      ["STARTER", "GROWTH", "SCALE", "CREDITS"].map((name) => [`LEADLOOM_STRIPE_PRICE_${name}`, ""])
    )
    expect((await said(unsold))[1]).toBe("warning Nothing is sold: there is no price of any plan, nor of credits.")
  })

  it("looks whether Stripe tells this server everything, and in words that it reads", async () => {
    const { endpoints } = stripe.world
    const endpoint = (changes: object) => endpoints.splice(0, 1, { ...whole, ...changes })
    const whole = { url, status: "enabled", enabled_events: ["*"], api_version: stripeVersion } as const
    endpoint({})
    expect(await said()).toEqual(well())
    endpoint({ enabled_events: wantedEvents.slice(1), api_version: "2020-08-27" })
    expect((await said()).slice(2)).toEqual([
      `warning Stripe does not tell ${url} of checkout.session.completed.`,
      `warning Stripe tells ${url} in version 2020-08-27 of its API, not ${stripeVersion}.`
    ])
    endpoint({ status: "disabled" })
    expect((await said()).slice(2)).toEqual([`problem The webhook endpoint ${url} is disabled at Stripe.`])
    endpoint({ url: "https://elsewhere.example/hook" })
    expect((await said()).slice(2)).toEqual([`warning No webhook endpoint of the account calls ${url}.`])
    endpoint({ url: `https://any.example${new URL(url).pathname}` })
    expect((await said({ LEADLOOM_PUBLIC_URL: "" })).slice(2)[0]).toMatch(/^ok Stripe tells https:\/\/any/u)
  })

  it("misses the webhook's secret, the portal, and TLS where money is real", async () => {
    stripe.world.portalSaved = false
    const changes = { LEADLOOM_STRIPE_WEBHOOK_SECRET: "", LEADLOOM_STRIPE_CANCEL_URL: "http://acme.example/plans" }
    const missing = [
      "warning The customer portal is not set up at Stripe: nobody can open it.",
      "problem LEADLOOM_STRIPE_WEBHOOK_SECRET is not set: what Stripe tells is refused, and who pays gets nothing."
    ]
    expect((await said(changes)).slice(3)).toEqual(missing)
    const live = await said({ ...changes, LEADLOOM_STRIPE_SECRET_KEY: "sk_live_of_somebody" })
    expect(live.at(-1)).toBe("warning People come back without TLS: http://acme.example/plans.")
  })

  it("takes a restricted key for what it is", async () => {
    const json = {
      error: { type: "invalid_request_error", message: "The provided key does not have the permissions." }
    }
    const refusal = { what: 403, json } as const
    stripe.fault(...Array.from({ length: 8 }, () => refusal))
    expect(await said()).toEqual([
      well()[0],
      expect.stringContaining("warning The key may not look at prices: 403 invalid_request_error: The provided key"),
      "ok The key may not look at webhook endpoints: who is told is not known here."
    ])
  })

  it("looks at a Stripe that nobody here wrote, as far as it goes", async () => {
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
      `ok ${emulator.url} answers, and takes the key, which is of test mode.`,
      expect.stringContaining("PRICE_STARTER names price_s, which is not there: 404 resource_missing: No such price"),
      expect.stringContaining("PRICE_GROWTH names price_g, which is not there"),
      expect.stringContaining("PRICE_GROWTH names price_g_old, which is not there"),
      "problem LEADLOOM_STRIPE_PRICE_SCALE names price_c, which is paid once."
    ])
  })
})

describe("the doctor on the CRM", () => {
  it("asks the marketplace whether it knows the app, without any location", async () => {
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
    const well = `ok ${highLevel.url} answers, and knows the app client-1.`
    expect(await said()).toEqual([well])
    expect(await said({ LEADLOOM_CRM_WEBHOOK_PUBLIC_KEY: "" })).toEqual([
      well,
      "warning LEADLOOM_CRM_WEBHOOK_PUBLIC_KEY is not set: what changes in the CRM is not taken."
    ])
    expect(await said({ LEADLOOM_CRM_CLIENT_SECRET: "some-other-secret" })).toEqual([
      `problem ${highLevel.url} does not know the app client-1 by this secret: 401 Invalid client credentials invalid_client`
    ])
    highLevel.fault(problem(403, "Something else"))
    expect(await said()).toEqual([
      expect.stringMatching(/^warning .* does not say whether it knows the app: 403 Some/u)
    ])
    highLevel.fault(problem(503, "Down"))
    expect(await said()).toEqual([expect.stringMatching(/^problem .* cannot be asked: /u)])
    expect(highLevel.state.accessTokens.size).toBe(0)
    expect(await said({ LEADLOOM_CRM_CLIENT_ID: "" })).toEqual([
      "ok LEADLOOM_CRM_CLIENT_ID is not set: no location of a CRM can be connected."
    ])
  })
})

describe("the doctor on Turnstile", () => {
  it("asks about a proof that is none, which a good secret refuses", async () => {
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
      `ok ${url} answers, and knows the secret.`
    ])
    expect(await said({ success: true, "error-codes": [] })).toEqual([
      `warning ${url} lets everybody pass with this secret.`
    ])
    const refusal = { success: false, "error-codes": ["invalid-input-secret", secret] }
    expect(await said(refusal)).toEqual([
      `problem ${url} does not check anybody: siteverify rejected the request: invalid-input-secret, [secret]`
    ])
    expect(lines(await found("human check", {}))).toEqual([
      "ok LEADLOOM_TURNSTILE_SECRET is not set: forms that ask for Turnstile are refused."
    ])
  })
})
