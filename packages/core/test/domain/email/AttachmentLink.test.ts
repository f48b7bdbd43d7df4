import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import * as Base64Url from "effect/encoding/Base64Url"
import { describe, expect, it } from "vitest"
import { attachmentToken, linkLifetimeMillis, readAttachmentToken } from "../../../src/domain/email/AttachmentLink.ts"

const secret = new Uint8Array(32).fill(1)
const claim = { tenantId: "acme", messageId: "msg_01k5x00000000000000000000a", index: 3 } as const
const now = Date.parse("2026-03-01T09:30:00Z")

describe("the token of an attachment link", () => {
  it("returns its claims until it expires", () => {
    const token = attachmentToken(claim, secret, now)
    expect(readAttachmentToken(token, secret, now)).toEqual(claim)
    expect(readAttachmentToken(token, secret, now + linkLifetimeMillis - 1)).toEqual(claim)
    expect(readAttachmentToken(token, secret, now + linkLifetimeMillis)).toBeNull()
    expect(readAttachmentToken(token, new Uint8Array(32).fill(2), now)).toBeNull()
    expect(token).toMatch(/^[\w-]+\.[\w-]{43}$/u)
    expect(token.length).toBeLessThan(200)
  })

  it("is rejected with any character changed, removed or added", () => {
    const token = attachmentToken(claim, secret, now)
    for (let index = 0; index < token.length; index++) {
      const other = token[index] === "A" ? "B" : "A"
      const [before, after] = [token.slice(0, index), token.slice(index + 1)]
      for (const changed of [before + other + after, before + after, `${before}${other}${token[index]}${after}`]) {
        expect(readAttachmentToken(changed, secret, now)).toBeNull()
      }
    }
  })

  it.each([
    ["nothing", []],
    ["no list", { tenantId: "acme" }],
    ["another kind of id", ["acme", "con_01k5x00000000000000000000a", 0, now + 1]],
    ["a text for a number", ["acme", claim.messageId, "0", now + 1]],
    ["no end", ["acme", claim.messageId, 0]]
  ])("is rejected despite a valid signature over %s", (_, claims) => {
    const payload = Base64Url.encode(JSON.stringify(claims))
    const signature = Base64Url.encode(hmac(sha256, secret, utf8ToBytes(`leadloom/attachment/1\n${payload}`)))
    expect(readAttachmentToken(`${payload}.${signature}`, secret, now)).toBeNull()
  })
})
