import type { NylasStandIn } from "@leadloom/testkit/nylas/NylasStandIn"
import fc from "fast-check"
import { Redacted } from "effect"
import { createHmac } from "node:crypto"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { readProviderEvent } from "../../src/nylas/NylasEvent.ts"
import { startNylas } from "./NylasWorld.ts"

/**
 * Computed with the documented rule (HMAC-SHA256 of the raw body in hexadecimal) and the secret of the provider's test
 * events.
 */
const vector = {
  secret: Redacted.make("mock-webhook-secret"),
  body: '{"specversion":"1.0","type":"message.created","source":"/google/emails/realtime","id":"evt1","time":1795220000,"data":{"application_id":"app1","object":{"object":"message","id":"m1","grant_id":"g1","thread_id":"t1"}}}',
  signature: "3ccac6005479c3b93bd1d89e1b340aebb6ba97631c869eec2833a34df7434740"
}

const bytes = (text: string) => new TextEncoder().encode(text)

let nylas: NylasStandIn
beforeAll(async () => {
  nylas = await startNylas()
})
afterAll(() => nylas.close())

const secret = () => Redacted.make(nylas.webhookSecret)

const providerEvent = (type: string, object: object, changes: object = {}) => {
  const { body, signature } = nylas.signedProviderEvent(type, object, changes)
  const read = readProviderEvent(secret(), body, signature)
  return read._tag === "ProviderEventRead" ? read.providerEvent : read
}

const signedBytes = (body: Uint8Array) =>
  readProviderEvent(secret(), body, createHmac("sha256", nylas.webhookSecret).update(body).digest("hex"))

describe("the signature of a provider event", () => {
  it("matches the documented vector", () => {
    expect(readProviderEvent(vector.secret, bytes(vector.body), vector.signature)).toEqual({
      _tag: "ProviderEventRead",
      eventId: "evt1",
      providerEvent: { _tag: "MessageArrived", providerGrantId: "g1", providerMessageId: "m1", receivedAt: null }
    })
    expect(readProviderEvent(vector.secret, bytes(vector.body), vector.signature.toUpperCase())._tag).toBe(
      "ProviderEventRead"
    )
  })

  it.each([
    undefined,
    "",
    "x",
    vector.signature.slice(1),
    `${vector.signature}00`,
    vector.signature.replace("3", "4"),
    "ü".repeat(64)
  ])("%j is rejected", (signature) => {
    expect(readProviderEvent(vector.secret, bytes(vector.body), signature)).toEqual({
      _tag: "ProviderEventRejected",
      why: "signature"
    })
  })

  it("covers every byte", () => {
    const changed = bytes(vector.body.replace("m1", "m2"))
    expect(readProviderEvent(vector.secret, changed, vector.signature)).toMatchObject({ why: "signature" })
  })

  it("is rejected with an empty secret", () => {
    const signature = createHmac("sha256", "").update(vector.body).digest("hex")
    expect(readProviderEvent(Redacted.make(""), bytes(vector.body), signature)).toMatchObject({ why: "signature" })
  })

  it("covers the compressed bytes of a compressed provider event", () => {
    expect(signedBytes(gzipSync(vector.body))).toMatchObject({ eventId: "evt1" })
    expect(signedBytes(gzipSync(`${vector.body}${" ".repeat(9 * 1_048_576)}`))).toMatchObject({ why: "malformed" })
  })
})

describe("a provider event", () => {
  it.each(["", ".truncated", ".transformed", ".cleaned", ".truncated.cleaned"])(
    "message.created%s reports a received mail",
    (end) => {
      const object = { object: "message", id: "m1", grant_id: "g1", date: 1_773_059_400 }
      expect(providerEvent(`message.created${end}`, object)).toEqual({
        _tag: "MessageArrived",
        providerGrantId: "g1",
        providerMessageId: "m1",
        receivedAt: 1_773_059_400_000
      })
    }
  )

  it("may name its account next to the object", () => {
    const data = { application_id: "a", grant_id: "g2", object: { id: "m1" } }
    expect(providerEvent("message.created", {}, { data })).toMatchObject({
      providerGrantId: "g2",
      providerMessageId: "m1"
    })
  })

  it.each([
    ["grant.expired", { code: 25_009, grant_id: "g1", integration_id: "i" }, "AccountExpired"],
    ["grant.deleted", { id: "g1" }, "AccountExpired"],
    ["grant.created", { id: "g1" }, "AccountChanged"],
    ["grant.updated", { grant_id: "g1", id: "other" }, "AccountChanged"]
  ])("%s of %j is %s", (type, object, tag) => {
    expect(providerEvent(type, object)).toEqual({ _tag: tag, providerGrantId: "g1" })
  })

  it.each([
    ["message.updated", { id: "m1", grant_id: "g1" }],
    ["message.createdish", { id: "m1", grant_id: "g1" }],
    ["thread.replied", { grant_id: "g1" }],
    ["message.created", { id: "m1" }],
    ["message.created", { grant_id: "g1" }],
    ["grant.expired", {}]
  ])("%s of %j is ignored", (type, object) => {
    expect(providerEvent(type, object)).toEqual({ _tag: "Ignored", type })
  })

  const bounce = {
    bounce_reason: "The email account that you tried to reach does not exist.",
    bounced_addresses: "Jo <Jo@Customer.example>, two@customer.example,jo@customer.example;somebody@here",
    type: "mailbox_unavailable",
    code: "550",
    grant_id: "g1",
    message_id: "m1",
    origin: { id: "m1", mime_id: "<1@mail.gmail.example>", to: ["jo@customer.example"], from: "sales@mueller.example" }
  }

  it("message.bounce_detected is a returned mail", () => {
    expect(providerEvent("message.bounce_detected", bounce)).toEqual({
      _tag: "MailReturned",
      providerGrantId: "g1",
      originalMessageId: "<1@mail.gmail.example>",
      originalProviderId: "m1",
      recipients: [
        { email: "jo@customer.example", name: null },
        { email: "two@customer.example", name: null }
      ],
      reason: "550 mailbox_unavailable The email account that you tried to reach does not exist.",
      hard: true,
      closed: true
    })
  })

  it.each([
    ["550", true],
    ["5.1.1", true],
    [550, true],
    ["450", false],
    ["", false],
    [undefined, false]
  ])("with the code %j is permanent: %j", (code, hard) => {
    expect(providerEvent("message.bounce_detected", { ...bounce, code })).toMatchObject({ hard })
  })

  it.each([
    [{ code: "550", type: "mailbox_unavailable" }, true],
    [{ code: "552", type: "mailbox_full" }, false],
    [{ code: "550", bounce_reason: "5.7.1 refused as spam" }, false],
    [{ code: "450" }, false]
  ])("of %j closes the address: %j", (changes, closed) => {
    expect(providerEvent("message.bounce_detected", { ...bounce, ...changes })).toMatchObject({ closed })
  })

  it("may omit every field of a returned mail", () => {
    expect(providerEvent("message.bounce_detected", { grant_id: "g1" })).toEqual({
      _tag: "MailReturned",
      providerGrantId: "g1",
      originalMessageId: null,
      originalProviderId: null,
      recipients: [],
      reason: "",
      hard: false,
      closed: false
    })
  })

  it("is identified by a hash of its bytes when it has no id", () => {
    const body = bytes('{"type":"message.created","data":{"object":{"id":"m1","grant_id":"g1"}}}')
    const first = signedBytes(body)
    expect(first).toMatchObject({ _tag: "ProviderEventRead", eventId: expect.stringMatching(/^body-[\da-f]{64}$/u) })
    expect(signedBytes(body)).toEqual(first)
  })

  it.each(["", "null", "[]", "7", "{", "{}", '{"type":7}', "\uFEFF", "[".repeat(200_000)])(
    "%.20s is malformed",
    (body) => {
      expect(signedBytes(bytes(body))).toEqual({ _tag: "ProviderEventRejected", why: "malformed" })
    }
  )
})

describe("for any bytes", () => {
  const tags = ["ProviderEventRead", "ProviderEventRejected"]

  it("reading never throws", () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.option(fc.string(), { nil: undefined }), (body, signature) => {
        expect(tags).toContain(readProviderEvent(secret(), body, signature)._tag)
        expect(tags).toContain(signedBytes(body)._tag)
      })
    )
  })

  it("reading a signed provider event of any content never throws", () => {
    const type = fc.constantFrom("message.created", "message.bounce_detected", "grant.expired", "x")
    const subject = fc.record(
      { id: fc.jsonValue(), grant_id: fc.jsonValue(), bounced_addresses: fc.jsonValue(), code: fc.jsonValue() },
      { requiredKeys: [] }
    )
    fc.assert(
      fc.property(type, fc.oneof(subject, fc.jsonValue()), fc.jsonValue(), (kind, object, id) => {
        const body = bytes(JSON.stringify({ type: kind, id, data: { object } }))
        expect(signedBytes(body)._tag).toBe("ProviderEventRead")
      })
    )
  })
})
