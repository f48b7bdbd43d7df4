import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  contentFingerprint,
  isReusedId,
  type MailContent,
  normalizeSubject,
  normalizeText,
  rawFingerprint,
  synthesizedMessageId
} from "../../../src/domain/email/Fingerprint.ts"

const content: MailContent = {
  from: "Ada <Ada@Example.org>",
  recipients: ["sales@shop.example", "Bob@shop.example", "sales@shop.example"],
  subject: "Re: AW: Garden  chairs",
  text: "Hello,\r\n\r\ndo you have  twelve?\r\n",
  dateSeconds: 1_772_528_707
}

describe("frozen formats", () => {
  // FROZEN: these values are stored as dedup keys. If this test fails, the format has changed; restore it.
  it("keeps the content fingerprint", () => {
    expect(contentFingerprint(content)).toBe("480285d225e667fe71f27a32c1d4acb712796d5f305541ab6e42a29a5b6ab2fc")
    expect(contentFingerprint({ from: "", recipients: [], subject: "", text: "", dateSeconds: null })).toBe(
      "790ca213043642df9a14df864db0c5ca167f7b829c35054d10b49552c170d32a"
    )
  })

  it("keeps the synthesised Message-ID of mail without one", () => {
    const hex = rawFingerprint(new Uint8Array([104, 105]))
    expect(hex).toBe("8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4")
    expect(synthesizedMessageId(hex.toUpperCase())).toBe(`${hex}@content.invalid`)
  })
})

describe("contentFingerprint", () => {
  it("ignores spelling, order, wrapping and hidden characters", () => {
    const same: MailContent = {
      from: "ada@example.org",
      recipients: ["bob@shop.example", "SALES@shop.example"],
      subject: "garden chairs",
      text: " Hello,\ndo you\u200B have\ntwelve?",
      dateSeconds: 1_772_528_707
    }
    expect(contentFingerprint(same)).toBe(contentFingerprint(content))
  })

  it.each<[string, Partial<MailContent>]>([
    ["the sender", { from: "eve@example.org" }],
    ["a recipient", { recipients: ["sales@shop.example"] }],
    ["the subject", { subject: "Garden tables" }],
    ["the text", { text: "Hello,\n\ndo you have thirteen?\n" }],
    ["the second", { dateSeconds: 1_772_528_708 }]
  ])("changes with %s", (_, change) => {
    expect(contentFingerprint({ ...content, ...change })).not.toBe(contentFingerprint(content))
  })

  it("separates its parts", () => {
    const left = contentFingerprint({ ...content, subject: "a", text: "b c" })
    expect(contentFingerprint({ ...content, subject: "a b", text: "c" })).not.toBe(left)
    expect(contentFingerprint({ ...content, subject: '","', text: "" })).not.toBe(
      contentFingerprint({ ...content, subject: "", text: '","' })
    )
  })
})

describe("normalizeSubject", () => {
  it.each([
    ["Re: Offer", "offer"],
    ["RE[2]: Fwd: AW: Offer", "offer"],
    ["Re(3): Sv: WG: Offer", "offer"],
    ["Re : Offer", "offer"],
    ["回复：转发: Offer", "offer"],
    ["Antwort: RIF: R: I: Offer", "offer"],
    ["Re: [garden] Re: Offer", "[garden] re: offer"],
    ["  An   offer ", "an offer"],
    ["Regarding: offer", "regarding: offer"],
    ["Re:", ""]
  ])("turns %j into %j", (subject, expected) => {
    expect(normalizeSubject(subject)).toBe(expected)
  })

  // FROZEN: the first version of the prefix expression.
  it("removes the same prefixes as the first version of the expression", () => {
    const words =
      "re|r|aw|antw|antwort|sv|vs|ref|rif|res|odp|ynt|vá|ré|atb|bls|rv|fw|fwd|wg|tr|i|enc|vl|pd|ilt|továbbítás|doorst|vb|yml|fs|" +
      "videre|回复|回覆|答复|转发|轉寄|返信|転送|השב|הועבר|απ|πρθ|σχετ|رد|إعادة توجيه|отв|на|пересл"
    const first = new RegExp(`^(?:${words})\\s*(?:\\[\\d{1,3}\\]|\\(\\d{1,3}\\)|\\^\\d{1,3})?\\s*[:：]\\s*`, "u")
    const withoutPrefixes = (text: string): string => {
      const shorter = text.replace(first, "")
      return shorter === text ? text : withoutPrefixes(shorter)
    }
    const blank = fc.constantFrom("", "", " ", "\t\u00a0")
    const count = fc.constantFrom("", "", "[2]", "(33)", "^444", "[4444]", "[", "1", "()")
    const colon = fc.constantFrom(":", ":", "：", "", "::")
    const word = fc.constantFrom(...words.split("|"), "x")
    const part = fc.tuple(word, blank, count, blank, colon, blank).map((parts) => parts.join(""))
    const subjects = fc.array(part, { maxLength: 4 }).map((parts) => parts.join(""))
    fc.assert(
      fc.property(subjects, (subject) => {
        const folded = subject.normalize("NFC").replace(/\s+/gu, " ").trim().toLowerCase()
        expect(normalizeSubject(subject)).toBe(withoutPrefixes(folded))
      }),
      { numRuns: 5_000 }
    )
  })

  it("is idempotent", () => {
    fc.assert(
      fc.property(fc.string(), (subject) => {
        const once = normalizeSubject(subject)
        expect(normalizeSubject(once)).toBe(once)
      })
    )
  })
})

describe("normalizeText", () => {
  it("normalises all kinds of white space", () => {
    expect(normalizeText("\r\n a \t b\xA0c\n\n")).toBe("a b c")
  })
})

describe("isReusedId", () => {
  it("counts a different sender as another mail", () => {
    expect(isReusedId(content, { ...content, from: "eve@example.org" })).toBe(true)
  })

  it("counts a different subject and date as another mail, but one of them alone as a duplicate", () => {
    expect(isReusedId(content, { ...content, subject: "Tables", dateSeconds: 5 })).toBe(true)
    expect(isReusedId(content, { ...content, subject: "[list] Garden chairs" })).toBe(false)
    expect(isReusedId(content, { ...content, dateSeconds: null })).toBe(false)
    expect(isReusedId(content, content)).toBe(false)
  })
})
