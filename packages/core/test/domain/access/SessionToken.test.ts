import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { mintSession, readSession, sessionKey, sessionLifetimeMillis } from "../../../src/domain/access/SessionToken.ts"
import { createHmac } from "node:crypto"

const key = sessionKey(Buffer.from("correct horse battery staple"))
const other = sessionKey(Buffer.from("another secret"))
const now = 1_795_220_000_000

/** FROZEN: tokens stay valid across a deployment. Computed with node:crypto. */
const frozen =
  "eyJ2IjoxLCJraWQiOiIwYmY5MjkwZiIsInRlbmFudCI6InQxIiwiZXhwIjoxNzk1MjIzNjAwMDAwLCJpYXQiOjE3OTUyMjAwMDAwMDAsImp0aSI6ImotMSJ9" +
  ".wK_ZtVWnz_ygyWc8aF4FmJNWWNKLIu2dvWMSGk-cUV8"

const signed = (claims: unknown): string => {
  const payload = Buffer.from(typeof claims === "string" ? claims : JSON.stringify(claims)).toString("base64url")
  return `${payload}.${createHmac("sha256", key.key).update(payload).digest("base64url")}`
}
const claims = { v: 1, kid: key.kid, tenant: "t1", exp: now + 1, iat: now, jti: "j" }

describe("SessionToken", () => {
  it("mints the frozen token, which is valid for one hour", () => {
    expect(key.kid).toBe("0bf9290f")
    const minted = mintSession({ tenantId: "t1", jti: "j-1" }, key, now)
    expect(minted).toEqual({ token: frozen, expiresAt: now + 3_600_000 })
    expect(minted.token).toMatch(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/u)
  })

  it("reads its own tokens, under the current key or an older one", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9_-]{2,63}$/u), fc.string({ maxLength: 40 }), (tenantId, jti) => {
        const { token, expiresAt } = mintSession({ tenantId, jti }, key, now)
        const valid = { _tag: "Valid", session: { tenantId, jti, issuedAt: now, expiresAt } }
        expect(readSession(token, [other, key], now)).toEqual(valid)
      })
    )
  })

  it("rejects a token from the millisecond of its expiry", () => {
    expect(readSession(frozen, [key], now + sessionLifetimeMillis - 1)._tag).toBe("Valid")
    expect(readSession(frozen, [key], now + sessionLifetimeMillis)).toEqual({ _tag: "Refused", reason: "expired" })
  })

  it("rejects a removed key, and another key with the same name", () => {
    expect(readSession(frozen, [other], now)).toEqual({ _tag: "Refused", reason: "unknown_key" })
    expect(readSession(frozen, [], now)).toEqual({ _tag: "Refused", reason: "unknown_key" })
    const impostor = { kid: key.kid, key: other.key }
    expect(readSession(frozen, [impostor], now)).toEqual({ _tag: "Refused", reason: "bad_signature" })
  })

  it("rejects a token with one character changed", () => {
    const place = fc.integer({ min: 0, max: frozen.length - 1 })
    fc.assert(
      fc.property(place, fc.constantFrom(..."Aaz09-_.=!"), (at, character) => {
        fc.pre(frozen[at] !== character)
        const token = frozen.slice(0, at) + character + frozen.slice(at + 1)
        expect(readSession(token, [key], now)._tag).toBe("Refused")
      }),
      { numRuns: 1_000 }
    )
  })

  it("rejects every other encoding of the same bytes", () => {
    const [payload, signature] = frozen.split(".")
    for (const token of [`${frozen}=`, `${frozen}\n`, ` ${frozen}`, `${payload}=.${signature}`, `${frozen}.x`]) {
      expect(readSession(token, [key], now)._tag).toBe("Refused")
    }
  })

  it("rejects signed claims of another version or format as malformed", () => {
    expect(readSession(signed(claims), [key], now)._tag).toBe("Valid")
    for (const wrong of [
      { ...claims, v: 2 },
      { ...claims, tenant: 5 },
      { ...claims, exp: "1" },
      { ...claims, iat: null },
      { ...claims, jti: undefined },
      { ...claims, kid: {} },
      [],
      null,
      "{"
    ]) {
      expect(readSession(signed(wrong), [key], now)).toEqual({ _tag: "Refused", reason: "malformed" })
    }
  })

  it("rejects a token longer than its own without parsing it", () => {
    expect(readSession(signed({ ...claims, jti: "j".repeat(500) }), [key], now)._tag).toBe("Valid")
    const long = signed({ ...claims, jti: "j".repeat(1_000) })
    expect(readSession(long, [key], now)).toEqual({ _tag: "Refused", reason: "malformed" })
  })

  it("never throws, for any input", () => {
    const part = fc.oneof(fc.base64String(), fc.string({ unit: "binary" }))
    fc.assert(
      fc.property(part, part, (a, b) => {
        expect(readSession(`${a}.${b}`, [key], now)._tag).toBe("Refused")
        expect(readSession(a, [key], now)._tag).toBe("Refused")
      })
    )
    expect(readSession(`${"A".repeat(100_000)}.x`, [key], now)).toEqual({ _tag: "Refused", reason: "malformed" })
  })
})
