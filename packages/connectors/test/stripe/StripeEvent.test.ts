import { createHmac } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { repository } from "@leadloom/testkit/Sources"
import { signStripeEvent } from "@leadloom/testkit/stripe/StripeStandIn"
import { Redacted } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { stripeVersion } from "../../src/stripe/StripeConfig.ts"
import { type ProviderEventRead, type ProviderEventRejected, readProviderEvent } from "../../src/stripe/StripeEvent.ts"

const secret = "whsec_of_the_endpoint"
const signedAt = 1_795_220_000
const bytes = (text: string) => new TextEncoder().encode(text)

const read = (
  header: string | undefined,
  body: string,
  {
    now = signedAt * 1_000,
    secrets = [secret]
  }: { readonly now?: number; readonly secrets?: ReadonlyArray<string> } = {}
): ProviderEventRead | ProviderEventRejected =>
  readProviderEvent(
    secrets.map((each) => Redacted.make(each)),
    bytes(body),
    header,
    now
  )

const why = (answer: ProviderEventRead | ProviderEventRejected): string | null =>
  answer._tag === "ProviderEventRejected" ? answer.why : null

const eventOf = (type: string, object: object, more: object = {}) => ({
  id: "evt_1",
  object: "event",
  type,
  api_version: stripeVersion,
  data: { object },
  ...more
})

/** Returns the content of a signed event. */
const providerEventOf = (type: string, object: object, more: object = {}): ProviderEventRead => {
  const { body, signature } = signStripeEvent(secret, eventOf(type, object, more), signedAt)
  const answer = read(signature, body)
  if (answer._tag === "ProviderEventRejected") throw new Error(answer.why)
  return answer
}

const session = {
  id: "cs_1",
  object: "checkout.session",
  mode: "payment",
  payment_status: "paid",
  customer: "cus_1",
  client_reference_id: "acme",
  metadata: { tenant_id: "acme", credits: "500" }
}

describe("the signature of an event", () => {
  const { body, signature } = signStripeEvent(secret, eventOf("invoice.paid", {}), signedAt)
  const [, hex = ""] = signature.split("v1=")

  const vectors = join(repository, "../shared/providers/signature-vectors.json")
  it.skipIf(!existsSync(vectors))("is accepted as Stripe's own library creates it", () => {
    const { stripe } = JSON.parse(readFileSync(vectors, "utf8"))
    const answer = read(stripe.value, stripe.body, { secrets: [stripe.secret], now: stripe.timestamp * 1_000 })
    expect(answer).toMatchObject({
      foreignVersion: null,
      providerEvent: { providerEventId: "evt_1", claimedTenantId: "t1", tenantId: null, customerId: "cus_1" }
    })
  })

  it("is accepted with any of several signatures and any of several secrets", () => {
    expect(why(read(signature, body))).toBeNull()
    expect(why(read(`t=${signedAt},v1=${"0".repeat(64)},v1=${hex},v0=${hex}`, body))).toBeNull()
    expect(why(read(signature, body, { secrets: ["whsec_the_next_one", secret] }))).toBeNull()
  })

  it.each([
    ["absent", undefined],
    ["empty", ""],
    ["another secret's", signStripeEvent("whsec_another", eventOf("invoice.paid", {}), signedAt).signature],
    ["of another time", signature.replace(String(signedAt), String(signedAt + 1))],
    ["without a time", `v1=${hex}`],
    ["with two times", `t=${signedAt},t=${signedAt},v1=${hex}`],
    ["of the test scheme only", `t=${signedAt},v0=${hex}`],
    ["too short", `t=${signedAt},v1=${hex.slice(2)}`]
  ])("is rejected when it is %s", (_, header) => {
    expect(why(read(header, body))).toBe("signature")
  })

  it("is rejected with an empty secret, without a secret, and over another body", () => {
    const empty = signStripeEvent("", eventOf("invoice.paid", {}), signedAt)
    expect(why(read(empty.signature, empty.body, { secrets: [""] }))).toBe("signature")
    expect(why(read(signature, body, { secrets: [] }))).toBe("signature")
    fc.assert(
      fc.property(fc.nat({ max: body.length - 1 }), fc.integer({ min: 32, max: 126 }), (place, code) => {
        const changed = body.slice(0, place) + String.fromCodePoint(code) + body.slice(place + 1)
        expect(why(read(signature, changed))).toBe(changed === body ? null : "signature")
      })
    )
  })

  it("is valid for five minutes in both directions", () => {
    const after = (seconds: number) => why(read(signature, body, { now: (signedAt + seconds) * 1_000 }))
    expect([-301, -300, 0, 300, 301].map(after)).toEqual(["time", null, null, null, "time"])
  })

  it.each(["", "no JSON", "[]", "{}", '{"object":"list","type":"x","data":{"object":{}}}'])(
    "is malformed despite a valid signature: %s",
    (text) => {
      const hmac = createHmac("sha256", secret).update(`${signedAt}.${text}`).digest("hex")
      expect(why(read(`t=${signedAt},v1=${hmac}`, text))).toBe("malformed")
    }
  )
})

describe("an event", () => {
  it("reports paid credits only", () => {
    const checkout = { checkoutId: "cs_1", tenantIds: ["acme", "acme"], customerId: "cus_1", paidCredits: 500 }
    const { providerEvent } = providerEventOf("checkout.session.completed", session)
    expect(providerEvent).toMatchObject({ tenantId: "acme", claimedTenantId: "acme", customerId: "cus_1" })
    expect(providerEvent.fact).toEqual({ _tag: "CheckoutEnded", checkout })
    const paid = (changes: object) => {
      const { fact } = providerEventOf("checkout.session.completed", { ...session, ...changes }).providerEvent
      return fact._tag === "CheckoutEnded" ? fact.checkout.paidCredits : fact._tag
    }
    expect(paid({ payment_status: "unpaid" })).toBeNull()
    expect(paid({ mode: "subscription" })).toBeNull()
    for (const credits of ["-5", "0", "1.5", "many", "1e3", "9999999999"]) {
      expect(paid({ metadata: { tenant_id: "acme", credits } })).toBeNull()
    }
  })

  it("reports a refund with the amounts before and after", () => {
    const charge = { id: "ch_1", amount: 1_000, amount_refunded: 700, customer: "cus_1", metadata: session.metadata }
    const data = { object: charge, previous_attributes: { amount_refunded: 300 } }
    expect(providerEventOf("charge.refunded", charge, { data }).providerEvent.fact).toEqual({
      _tag: "PaidBack",
      payment: { chargeId: "ch_1", credits: 500, amount: 1_000, refunded: 700, refundedBefore: 300 }
    })
    expect(providerEventOf("charge.refunded", { ...charge, metadata: {} }).providerEvent.fact._tag).toBe("Ignored")
  })

  it.each([
    ["customer.subscription.updated", { object: "subscription", customer: "cus_1" }, "Look", "cus_1"],
    ["customer.subscription.deleted", { object: "subscription", customer: { id: "cus_1" } }, "Look", "cus_1"],
    ["customer.deleted", { object: "customer", id: "cus_1" }, "Look", "cus_1"],
    ["invoice.payment_failed", { object: "invoice", customer: "cus_1" }, "Look", "cus_1"],
    ["invoice.paid", { object: "invoice", customer: null }, "Look", null],
    ["product.created", { object: "product" }, "Ignored", null],
    ["something.new", { object: 5 }, "Ignored", null]
  ])("%s triggers at most a lookup", (type, object, fact, customerId) => {
    expect(providerEventOf(type, object).providerEvent).toMatchObject({ fact: { _tag: fact }, customerId })
  })

  it("triggers a lookup in another API version, and can be delivered again in ours", () => {
    for (const api_version of ["2023-08-16", null]) {
      const { foreignVersion, providerEvent } = providerEventOf("checkout.session.completed", session, { api_version })
      expect(foreignVersion).toBe(api_version ?? "")
      expect(providerEvent.fact).toEqual({ _tag: "CheckoutToRead", checkoutId: "cs_1" })
      expect(providerEvent.providerEventId).not.toBe("evt_1")
      expect(providerEventOf("charge.refunded", { id: "ch_1" }, { api_version }).providerEvent.fact._tag).toBe("Look")
    }
  })

  it("is identified by its body when it has no id", () => {
    const ids = ["cs_1", "cs_1", "cs_2"].map(
      (id) =>
        providerEventOf("checkout.session.completed", { ...session, id }, { id: undefined }).providerEvent
          .providerEventId
    )
    expect(ids[0]).toMatch(/^sha256:[\da-f]{64}$/u)
    expect([ids[0] === ids[1], ids[0] === ids[2]]).toEqual([true, false])
  })
})
