import { HttpServerResponse } from "effect/http"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { encodeText } from "../../src/http/middleware/EncodedText.ts"

const bytesOf = async (response: HttpServerResponse.HttpServerResponse): Promise<Uint8Array> =>
  new Uint8Array(await HttpServerResponse.toWeb(response).arrayBuffer())

/** Texts of one, two, three and four bytes per character, and unpaired surrogates. */
const part = fc.constantFrom("a", "é", "…", "😀", "\u{d800}", "\u{dc00}")
const texts = fc
  .tuple(fc.array(part, { maxLength: 40 }), fc.integer({ min: 0, max: 400 }))
  .map(([parts, times]) => parts.join("").repeat(times))

describe("the text of a response", () => {
  it("is encoded as UTF-8 with its length, whatever its characters", async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const response = encodeText(HttpServerResponse.text(text, { contentType: "application/json" }))
        const expected = new TextEncoder().encode(text)
        expect(Buffer.compare(await bytesOf(response), expected)).toBe(0)
        expect(Number(response.headers["content-length"])).toBe(expected.length)
        expect(response.headers["content-type"]).toBe("application/json")
      }),
      { numRuns: 300 }
    )
  })

  it("keeps status and headers", () => {
    const response = HttpServerResponse.text("…".repeat(3_000), { status: 409, headers: { etag: '"7"' } })
    const encoded = encodeText(response)
    expect(encoded).not.toBe(response)
    expect(encoded.status).toBe(409)
    expect(encoded.headers["etag"]).toBe('"7"')
  })

  it("stays as it is when it is short or plain ASCII", () => {
    for (const text of ["…", "plain ".repeat(3_000)]) {
      const response = HttpServerResponse.text(text)
      expect(encodeText(response)).toBe(response)
    }
  })
})
