import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { hashSecret, mintCredential, parseCredential } from "../../../src/domain/access/Credential.ts"
import { mintApiKey, parseApiKey } from "../../../src/domain/access/StoredKey.ts"
import { mintSourceKey, parseSourceKey } from "../../../src/domain/access/Source.ts"

/** FROZEN: users hold the keys, and their hashes are stored. Computed with node:crypto and node:zlib. */
const apiKey = "llk_01234567_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef4e3OUC"
const sourceKey = "lls_01234567_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef030cj7"

/** Counts from 0, so that the characters are 0, 1, 2 … of the alphabet. */
const counting = () => {
  let next = 0
  return (length: number): Uint8Array => Uint8Array.from({ length }, () => next++)
}

/** An endless, deterministic source with an even distribution of bytes. */
const evenly = (seed: number) => {
  let state = seed
  return (length: number): Uint8Array =>
    Uint8Array.from({ length }, () => {
      state = (state * 167 + 13) % 256
      return state
    })
}

describe("Credential", () => {
  it("mints the frozen format", () => {
    const source = (length: number): Uint8Array =>
      Uint8Array.from({ length }, (_, index) => (length === 8 ? index : index + 10))
    expect(mintApiKey(source)).toEqual({ key: apiKey, prefix: "llk_01234567" })
    expect(mintSourceKey(source)).toEqual({ key: sourceKey, prefix: "lls_01234567" })
  })

  it("parses the frozen format of each scheme", () => {
    expect(parseApiKey(apiKey)).toEqual({ key: apiKey, prefix: "llk_01234567" })
    expect(parseSourceKey(sourceKey)).toEqual({ key: sourceKey, prefix: "lls_01234567" })
    expect(parseApiKey(sourceKey)).toBeNull()
    expect(parseSourceKey(apiKey)).toBeNull()
  })

  it("parses every key that it mints", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 255 }), (seed) => {
        const minted = mintCredential("llk", evenly(seed))
        expect(minted.key).toMatch(/^llk_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/u)
        expect(parseCredential("llk", minted.key)).toEqual(minted)
      })
    )
  })

  it("rejects a key with one character changed, removed or added", () => {
    const place = fc.integer({ min: 0, max: apiKey.length - 1 })
    fc.assert(
      fc.property(place, fc.constantFrom(..."0aZ_- é"), (at, other) => {
        fc.pre(apiKey[at] !== other)
        expect(parseApiKey(apiKey.slice(0, at) + other + apiKey.slice(at + 1))).toBeNull()
        expect(parseApiKey(apiKey.slice(0, at) + apiKey.slice(at + 1))).toBeNull()
        expect(parseApiKey(apiKey.slice(0, at) + other + apiKey.slice(at))).toBeNull()
      })
    )
    for (const text of ["", "llk_", `${apiKey}\n`, apiKey.toLowerCase()]) expect(parseApiKey(text)).toBeNull()
  })

  it("maps equally many bytes to each character, and skips the remaining bytes", () => {
    const counts = new Map<string, number>()
    for (let byte = 0; byte < 256; byte++) {
      const source = (length: number): Uint8Array => new Uint8Array(length).fill(byte)
      if (byte >= 248) {
        expect(() => mintCredential("x", source)).toThrow("random source")
      } else {
        const character = mintCredential("x", source).prefix.slice(2, 3)
        counts.set(character, (counts.get(character) ?? 0) + 1)
      }
    }
    expect([...counts.values()]).toEqual(Array.from({ length: 62 }, () => 4))
  })

  it("skips bytes that would favour some characters", () => {
    const source = counting()
    for (let skipped = 0; skipped < 248; skipped++) source(1)
    // 248 to 255 are skipped, so the next byte is 0.
    expect(mintCredential("x", source).prefix).toBe("x_01234567")
  })
})

describe("hashSecret", () => {
  it("returns the frozen HMAC-SHA256 of the whole key", () => {
    expect(hashSecret(Buffer.from("pepper"), apiKey)).toBe(
      "f5684ca89225bd9ffa5aff984d120313e8b4cdba5d7802dcf928d64ecf127bba"
    )
  })

  it("depends on the pepper", () => {
    expect(hashSecret(Buffer.from("other"), apiKey)).not.toBe(hashSecret(Buffer.from("pepper"), apiKey))
  })
})
