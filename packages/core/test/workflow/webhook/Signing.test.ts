import { createHmac } from "node:crypto"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { mintSigningSecret, signDelivery, signStandardWebhook } from "../../../src/workflow/webhook/SignWebhook.ts"

const anyBody = fc.string({ unit: "grapheme", maxLength: 60 })
const anySecret = fc.uint8Array({ minLength: 32, maxLength: 32 })

describe("signDelivery", () => {
  it("returns the frozen signature of the specification", () => {
    // FROZEN: computed with node:crypto according to the specification.
    const body = '{"event_id":"e1","event_type":"lead.received","tenant_id":"t1","timestamp":1795220000000,"data":{}}'
    const signature = "5dc2ad8aff78b2afabcf2370a160ddb14aec34d6fdf2a8bd039f115e91a41fef"
    expect(signDelivery("subscription-secret", 1_795_220_000, body)).toBe(signature)
    expect(signDelivery("subscription-secret", 1_795_220_000, Buffer.from(body))).toBe(signature)
  })

  it("uses the secret as shown as the key, including its prefix", () => {
    fc.assert(
      fc.property(anySecret, anyBody, fc.nat(), (random, body, timestamp) => {
        const secret = mintSigningSecret(() => random)
        const expected = createHmac("sha256", secret).update(`${timestamp}.${body}`, "utf8").digest("hex")
        expect(signDelivery(secret, timestamp, body)).toBe(expected)
      })
    )
  })

  it("refuses to sign with an empty secret", () => {
    expect(() => signDelivery("", 1, "x")).toThrow("must not be empty")
  })
})

describe("signStandardWebhook", () => {
  it("returns the frozen signature of Standard Webhooks", () => {
    // FROZEN: computed with the official library standardwebhooks 1.1.1.
    const secret = "whsec_c3RhbmRhcmQtd2ViaG9va3MtdmVjdG9yLWtleS0yNGI="
    const body = '{"type":"lead.received"}'
    const signature = "v1,wlhkMtKnws0og+v+8B6ddYcL8SZVm9wnp9/W0kmhVVk="
    expect(signStandardWebhook(secret, "msg_1", 1_795_220_000, body)).toBe(signature)
    expect(signStandardWebhook(secret.slice("whsec_".length), "msg_1", 1_795_220_000, body)).toBe(signature)
  })

  it("uses the decoded bytes of the secret as the key", () => {
    fc.assert(
      fc.property(anySecret, anyBody, (random, body) => {
        const secret = mintSigningSecret(() => random)
        const expected = createHmac("sha256", random).update(`dlv_1.5.${body}`, "utf8").digest("base64")
        expect(signStandardWebhook(secret, "dlv_1", 5, body)).toBe(`v1,${expected}`)
        expect(signStandardWebhook(secret, "dlv_1", 5, Buffer.from(body))).toBe(`v1,${expected}`)
      })
    )
  })

  it("returns null for a secret that is not base64", () => {
    for (const secret of ["", "whsec_", "whsec_###", "whsec_abc"]) {
      expect(signStandardWebhook(secret, "dlv_1", 1, "x")).toBeNull()
    }
  })
})

describe("mintSigningSecret", () => {
  it("returns whsec_ and the base64 of 32 random bytes", () => {
    const lengths: Array<number> = []
    const secret = mintSigningSecret((length) => {
      lengths.push(length)
      return new Uint8Array(length).fill(7)
    })
    expect(lengths).toEqual([32])
    expect(secret).toBe(`whsec_${Buffer.alloc(32, 7).toString("base64")}`)
  })
})
