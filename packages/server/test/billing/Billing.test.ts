import { signStripeEvent, type SignedEvent } from "@leadloom/testkit/stripe/StripeStandIn"
import { createHmac } from "node:crypto"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type StripeServer, startStripeServer } from "../world/PayingServer.ts"
import { at, textAt } from "../world/TestServer.ts"

const day = 86_400

let scene: StripeServer

beforeEach(async () => {
  scene = await startStripeServer()
})
afterEach(() => scene.close())

const signText = (body: string): SignedEvent => {
  const at = scene.stripe.world.now()
  const hex = createHmac("sha256", scene.stripe.webhookSecret).update(`${at}.${body}`).digest("hex")
  return { body, signature: `t=${at},v1=${hex}` }
}

describe("a plan paid through Stripe", () => {
  it("starts with the payment, changes immediately and ends with the subscription", async () => {
    expect(await scene.status()).toMatchObject({ provider: "stripe", plan: "trial", subscribed_plan: null })
    const subscription = await scene.buy({ plan: "starter" })
    await scene.reportAll()
    expect(await scene.status()).toMatchObject({ plan: "starter", status: "active", subscribed_plan: "starter" })
    const again = await scene.billing("/checkout", { body: { plan: "growth" } })
    expect([again.status, again.code]).toEqual([409, "CONFLICT"])
    const moved = await scene.billing("/activate", { body: { plan: "growth" } })
    expect(moved.json).toMatchObject({ billing: { plan: "growth" }, checkout: null })
    expect(at((await scene.call("GET", "/api/v1/usage/acme")).json, "actions", "cap")).toBe(50_000)
    const now = scene.stripe.world.now()
    scene.stripe.world.change(subscription, { status: "past_due", invoicedAt: now - 2 * day })
    await scene.reportAll()
    expect(await scene.status()).toMatchObject({
      plan: "growth",
      status: "past_due",
      grace_ends_at: new Date((now + 5 * day) * 1_000).toISOString()
    })
    // The invoice of the next period exists while the previous one is still unpaid.
    scene.stripe.world.change(subscription, { invoicedAt: now, unpaidAt: [now - 8 * day] })
    await scene.reportAll()
    expect(await scene.status()).toMatchObject({ plan: "trial", status: "past_due" })
    scene.stripe.world.change(subscription, { status: "canceled" })
    await scene.reportAll()
    expect(await scene.status()).toMatchObject({ plan: "trial", status: "canceled" })
    expect((await scene.billing("/checkout", { body: { plan: "growth" } })).status).toBe(201)
  })

  it("is paid on a checkout page first, and a payment ends the trial", async () => {
    const { json } = await scene.billing("/activate", { body: {} })
    expect(json).toMatchObject({ billing: { plan: "trial" }, checkout: { url: expect.stringMatching(/\/pay\/cs_/u) } })
    const id = scene.stripe.world.pay(textAt(json, "checkout", "checkout_id"))
    scene.stripe.world.change(id, { status: "trialing", trial_end: scene.stripe.world.now() + day })
    await scene.reportAll()
    expect(await scene.status()).toMatchObject({ plan: "starter", status: "trialing" })
    const activated = await scene.billing("/activate", { body: {} })
    expect(activated.json).toMatchObject({ billing: { plan: "starter", status: "active", trial_ends_at: null } })
  })

  it("is visible in the portal for paying tenants", async () => {
    expect((await scene.billing("/portal")).code).toBe("CONFLICT")
    await scene.buy({ plan: "starter" })
    const answer = await scene.billing("/portal")
    expect([answer.status, at(answer.json, "url")]).toEqual([200, expect.stringMatching(/\/portal\/bps_/u)])
  })

  it("returns the same page for the same key, and a conflict for another request", async () => {
    const sendRequest = (body: object) => scene.billing("/checkout", { body, headers: { "idempotency-key": "one" } })
    const first = await sendRequest({ plan: "starter" })
    const again = await sendRequest({ plan: "starter" })
    expect([again.json, again.headers.get("idempotent-replayed")]).toEqual([first.json, "true"])
    expect((await sendRequest({ plan: "growth" })).code).toBe("IDEMPOTENCY_CONFLICT")
    expect(scene.stripe.world.checkouts.size).toBe(1)
  })

  it("keeps keys of tenants apart and records changes in the audit trail", async () => {
    await scene.createTenant("other")
    const sendRequest = (tenant: string) =>
      scene.billing("/checkout", { body: { plan: "starter" }, headers: { "idempotency-key": "one" } }, tenant)
    const [own, others] = [await sendRequest("acme"), await sendRequest("other")]
    expect(at(own.json, "checkout_id")).not.toBe(at(others.json, "checkout_id"))
    await scene.billing("/portal", {}, "other")
    await scene.billing("/activate", { body: { plan: "scale" } }, "other")
    const trail = await scene.call("GET", "/api/v1/tenants/other/audit")
    const entries = at(trail.json, "entries")
    const auditedActions = (Array.isArray(entries) ? entries : []).map((entry: unknown) => at(entry, "action"))
    expect(auditedActions).toEqual(expect.arrayContaining(["billing.checkout", "billing.portal", "billing.activate"]))
  })

  it("reports failures of Stripe", async () => {
    await scene.buy({ plan: "starter" })
    const json = { error: { type: "card_error", code: "card_declined", message: "Your card was declined." } }
    await scene.reportAll()
    scene.stripe.fault({ what: 200, json: { object: "list", data: [] } })
    scene.stripe.fault({ what: 200, json: { id: "cus_000001", object: "customer" } }, { what: 402, json })
    const declined = await scene.billing("/activate", { body: { plan: "growth" } })
    expect([declined.status, declined.code]).toEqual([502, "PROVIDER_ERROR"])
    expect(declined.text).toContain("Your card was declined.")
  })

  it("ends when the tenant is archived", async () => {
    const subscription = await scene.buy({ plan: "starter" })
    await scene.reportAll()
    expect((await scene.call("DELETE", "/api/v1/admin/tenants/acme")).status).toBe(204)
    await scene.work()
    expect(scene.stripe.world.subscriptions.get(subscription)?.status).toBe("canceled")
  })
})

describe("an event of Stripe", () => {
  it("is rejected without a signature, with a wrong one and with an old one", async () => {
    await scene.buy({ credits: 50 })
    const [event] = scene.stripe.world.events
    if (event === undefined) throw new Error("nothing has happened")
    const good = scene.stripe.signed(event)
    const now = scene.stripe.world.now()
    for (const signature of [
      "",
      signStripeEvent("whsec_another", event, now).signature,
      scene.stripe.signed(event, now - 400).signature
    ]) {
      const answer = await scene.post({ ...good, signature })
      expect([answer.status, answer.code]).toEqual([401, "UNAUTHORIZED"])
    }
    expect((await scene.post(signText("[]"))).status).toBe(400)
    expect(at(await scene.status(), "credits")).toBe(0)
    expect((await scene.post(good)).status).toBe(200)
    expect(at(await scene.status(), "credits")).toBe(50)
  })

  it("counts once, however often it arrives, even concurrently", async () => {
    await scene.buy({ credits: 50 })
    const events = scene.stripe.world.events.splice(0)
    await Promise.all([...events, ...events, ...events].map(scene.sendReport))
    await scene.work()
    expect(at(await scene.status(), "credits")).toBe(50)
  })

  it("in another API version is read from Stripe", async () => {
    const charge = await scene.buy({ credits: 50 })
    const [bought] = scene.stripe.world.events.splice(0)
    await scene.sendReport({ ...bought, api_version: "2023-08-16" })
    expect(at(await scene.status(), "credits")).toBe(0)
    await scene.work()
    await scene.sendReport({ ...bought })
    expect(at(await scene.status(), "credits")).toBe(50)
    scene.stripe.world.refund(charge, 50)
    const [back] = scene.stripe.world.events.splice(0)
    await scene.sendReport({ ...back, api_version: "2023-08-16" })
    await scene.work()
    expect(at(await scene.status(), "credits")).toBe(50)
    await scene.sendReport({ ...back })
    expect(at(await scene.status(), "credits")).toBe(25)
  })

  it("of another tenant changes nothing", async () => {
    await scene.createTenant("other")
    await scene.buy({ credits: 50 })
    const [bought] = scene.stripe.world.events.splice(0)
    const object = {
      ...bought?.data.object,
      client_reference_id: "other",
      metadata: { tenant_id: "other", credits: "50" }
    }
    await scene.sendReport({ ...bought, data: { object } })
    await scene.work()
    expect([at(await scene.status(), "credits"), at(await scene.status("other"), "credits")]).toEqual([0, 0])
  })
})
