import { createHmac } from "node:crypto"
import {
  mintSigningSecret,
  signDelivery,
  signStandardWebhook
} from "@leadloom/core/internal/workflow/webhook/SignWebhook"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { webhooks, type WebhookHeaders, WebhookVerificationError } from "../../src/index.ts"

const seconds = 1_795_220_000
const now = seconds * 1000
const secret = mintSigningSecret((length) => new Uint8Array(length).fill(7))
const other = mintSigningSecret((length) => new Uint8Array(length).fill(8))
const event = {
  event_id: "evt_1",
  event_type: "lead.received",
  tenant_id: "acme",
  timestamp: now,
  data: { name: "J\u00f6rg \ud83d\udc4b" }
}
const body = JSON.stringify(event)

const ownHeaders = (key: string, text = body, at = seconds): Record<string, string> => ({
  "x-webhook-timestamp": String(at),
  "x-webhook-signature": signDelivery(key, at, text)
})
const standardHeaders = (keys: ReadonlyArray<string>, text = body, at = seconds): Record<string, string> => ({
  "webhook-id": "evt_1",
  "webhook-timestamp": String(at),
  "webhook-signature": keys.map((key) => signStandardWebhook(key, "evt_1", at, text)).join(" ")
})
/** The headers of a delivery. */
const headersOf = (key: string, text = body, at = seconds) => ({
  ...ownHeaders(key, text, at),
  ...standardHeaders([key], text, at)
})

const outcomeOf = async (ended: Promise<unknown>): Promise<string> => {
  const error = await ended.then(
    () => null,
    (failure: unknown) => failure
  )
  if (!(error instanceof WebhookVerificationError)) return error === null ? "verified" : String(error)
  // The message has to explain the next step without the secret, because it appears in logs.
  expect(error.message.length).toBeGreaterThan(30)
  expect(error.message).not.toContain(secret)
  return error.code
}
const codeOf = (
  headers: WebhookHeaders,
  changes: {
    readonly body?: unknown
    readonly secret?: unknown
    readonly now?: number
    readonly tolerance?: number
  } = {}
) =>
  outcomeOf(
    // A caller without TypeScript.
    Reflect.apply(webhooks.verify, undefined, [
      "body" in changes ? changes.body : body,
      headers,
      "secret" in changes ? changes.secret : secret,
      { now: changes.now ?? now, toleranceSeconds: changes.tolerance }
    ])
  )

describe("a delivery", () => {
  it("yields its event under both schemes, for every type of body and headers", async () => {
    const bytes = new TextEncoder().encode(body)
    // A view into a larger buffer, as Node.js creates them.
    const view = Buffer.concat([Buffer.from("before"), bytes, Buffer.from("after")]).subarray(6, 6 + bytes.length)
    for (const headers of [ownHeaders(secret), standardHeaders([secret]), headersOf(secret)]) {
      const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
      const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
      for (const form of [headers, new Headers(headers), upper, lists, { ...headers, accept: undefined }]) {
        for (const raw of [body, bytes, view, bytes.buffer]) {
          expect(await webhooks.verify(raw, form, secret, { now })).toEqual(event)
        }
      }
    }
  })

  it("is verified against the current time unless the caller passes another time", async () => {
    const at = Math.floor(Date.now() / 1000)
    expect(await webhooks.verify(body, headersOf(secret, body, at), secret)).toEqual(event)
    expect(await outcomeOf(webhooks.verify(body, headersOf(secret, body, at - 1_000), secret))).toBe("too_old")
  })

  it("is valid with one of several secrets and with one of several signatures", async () => {
    expect(await codeOf(headersOf(secret), { secret: [other, secret] })).toBe("verified")
    expect(await codeOf(standardHeaders([other, secret]))).toBe("verified")
    expect(await codeOf({ ...standardHeaders([other]), ...ownHeaders(secret) })).toBe("verified")
    const listed = { ...standardHeaders([secret]), "webhook-signature": ["v1,AAAA", "v1a,BBBB", "v2,x"] }
    expect(
      await codeOf({
        ...listed,
        "webhook-signature": [...listed["webhook-signature"], standardHeaders([secret])["webhook-signature"] ?? ""]
      })
    ).toBe("verified")
    expect(await codeOf(listed)).toBe("no_match")
    const both = `${signDelivery(other, seconds, body)}, ${signDelivery(secret, seconds, body).toUpperCase()}`
    expect(await codeOf({ ...ownHeaders(secret), "x-webhook-signature": both })).toBe("verified")
  })

  it("keeps unknown fields of a newer server", async () => {
    const newer = JSON.stringify({ ...event, sequence: 7 })
    expect(await webhooks.verify(newer, headersOf(secret, newer), secret, { now })).toMatchObject({ sequence: 7 })
  })

  it("has the signatures of independent implementations", async () => {
    // FROZEN: created with node:crypto according to the specification, and with the library standardwebhooks 1.1.1.
    const spec = '{"event_id":"e1","event_type":"lead.received","tenant_id":"t1","timestamp":1795220000000,"data":{}}'
    const own = {
      "X-Webhook-Timestamp": "1795220000",
      "X-Webhook-Signature": "5dc2ad8aff78b2afabcf2370a160ddb14aec34d6fdf2a8bd039f115e91a41fef"
    }
    expect(await webhooks.verify(spec, own, "subscription-secret", { now })).toEqual(JSON.parse(spec))
    const standard = {
      "webhook-id": "msg_1",
      "webhook-timestamp": "1795220000",
      "webhook-signature": "v1,wlhkMtKnws0og+v+8B6ddYcL8SZVm9wnp9/W0kmhVVk="
    }
    const key = "whsec_c3RhbmRhcmQtd2ViaG9va3MtdmVjdG9yLWtleS0yNGI="
    // The body is not an event. The check follows the verification of the signature.
    expect(await codeOf(standard, { body: '{"type":"lead.received"}', secret: key })).toBe("body_invalid")
    expect(await codeOf(standard, { body: '{"type":"lead.receivee"}', secret: key })).toBe("no_match")
  })
})

describe("a forgery", () => {
  it("does not match after a change of a byte, the id, the time or the secret", async () => {
    expect(await codeOf(headersOf(secret), { body: `${body} ` })).toBe("no_match")
    expect(await codeOf(headersOf(other))).toBe("no_match")
    expect(await codeOf({ ...standardHeaders([secret]), "webhook-id": "evt_2" })).toBe("no_match")
    expect(await codeOf({ ...standardHeaders([secret]), "webhook-timestamp": String(seconds + 1) })).toBe("no_match")
    expect(await codeOf({ ...ownHeaders(secret), "x-webhook-timestamp": String(seconds + 1) })).toBe("no_match")
    // A signature of one scheme in the header of the other scheme.
    const hex = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("base64")
    expect(await codeOf({ ...standardHeaders([secret]), "webhook-signature": `v1,${hex}` })).toBe("no_match")
  })

  it("is detected for every changed bit of body or signature", async () => {
    const raw = Buffer.from(body)
    const signature = Buffer.from(signDelivery(secret, seconds, body), "hex")
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: raw.length * 8 - 1 }),
        fc.nat({ max: 255 }),
        fc.boolean(),
        async (inBody, inSignature, which) => {
          const [bytes, proof] = [Buffer.from(raw), Buffer.from(signature)]
          const [turned, at] = which ? [bytes, inBody] : [proof, inSignature]
          turned[at >> 3] = (turned[at >> 3] ?? 0) ^ (1 << (at & 7))
          const headers = { ...ownHeaders(secret), "x-webhook-signature": proof.toString("hex") }
          expect(await codeOf(headers, { body: bytes })).toBe("no_match")
        }
      )
    )
  })

  it("is too old or too new, to the second, when it replays a delivery at another time", async () => {
    const at = (offset: number, tolerance?: number) =>
      codeOf(headersOf(secret, body, seconds - offset), tolerance === undefined ? {} : { tolerance })
    expect([await at(300), await at(301), await at(-300), await at(-301)]).toEqual([
      "verified",
      "too_old",
      "verified",
      "too_new"
    ])
    expect([await at(10, 10), await at(11, 10), await at(1, 0), await at(9_999_999, Number.POSITIVE_INFINITY)]).toEqual(
      ["verified", "too_old", "too_old", "verified"]
    )
    expect(await at(0, Number.NaN)).toContain("RangeError")
  })
})

describe("a caller's mistake", () => {
  it("in the headers has its own code", async () => {
    const without = (headers: Record<string, string>, name: string) =>
      Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name))
    expect(await codeOf({})).toBe("missing_header")
    expect(await codeOf(new Headers())).toBe("missing_header")
    for (const name of Object.keys(standardHeaders([secret]))) {
      expect(await codeOf(without(standardHeaders([secret]), name))).toBe("missing_header")
    }
    for (const name of Object.keys(ownHeaders(secret))) {
      expect(await codeOf(without(ownHeaders(secret), name))).toBe("missing_header")
    }
    // One complete scheme is sufficient.
    expect(await codeOf(without(headersOf(secret), "webhook-id"))).toBe("verified")
    const own = ownHeaders(secret)
    for (const time of ["now", "", "-1", "1.5", `${now}`, `${seconds}, ${seconds}`]) {
      const code = await codeOf({ ...own, "x-webhook-timestamp": time })
      expect({ time, code }).toEqual({ time, code: time === "" ? "missing_header" : "malformed_header" })
    }
    for (const signature of ["", "abc", "sha256=abc", "g".repeat(64)]) {
      expect(await codeOf({ ...own, "x-webhook-signature": signature })).toBe("malformed_header")
    }
    for (const signature of ["", "v1", "v1a,AAAA", "AAAA", "v1,###"]) {
      expect(await codeOf({ ...standardHeaders([secret]), "webhook-signature": signature })).toBe("malformed_header")
    }
  })

  it("in the body has its own code", async () => {
    for (const parsed of [event, [], 7, true, "[object Object]"]) {
      expect(await codeOf(headersOf(secret), { body: parsed })).toBe("body_parsed")
    }
    for (const empty of ["", new Uint8Array(), new ArrayBuffer(0), undefined, null]) {
      expect(await codeOf(headersOf(secret), { body: empty })).toBe("body_empty")
    }
    for (const text of ["hello", "null", "[]", '{"event_id":1}', JSON.stringify({ ...event, data: [] })]) {
      expect(await codeOf(headersOf(secret, text), { body: text })).toBe("body_invalid")
    }
    const formatted = JSON.stringify(event, null, 2)
    expect(await codeOf(headersOf(secret), { body: formatted })).toBe("no_match")
  })

  it("in the secret has its own code", async () => {
    for (const wrong of ["", " ", `${secret}\n`, "whsec_", "whk_01abc", undefined, null, [], [secret, ""], [7]]) {
      expect(await codeOf(headersOf(secret), { secret: wrong })).toBe("bad_secret")
    }
    // The other scheme uses the text as its key, so a secret without its prefix is a different key there.
    expect(await codeOf(ownHeaders(secret), { secret: secret.slice(6) })).toBe("no_match")
    expect(await codeOf(standardHeaders([secret]), { secret: secret.slice(6) })).toBe("verified")
    expect(await codeOf(standardHeaders([secret]), { secret: "not base64 !" })).toBe("no_match")
  })
})
