import { describe, expect, it } from "vitest"
import { redactSecrets } from "../../src/http/RedactSecrets.ts"

describe("what somebody else says", () => {
  it("is without the secrets that he was shown, however he spells them", () => {
    const secret = 'se"cret/of+mine'
    const spelled = [secret, encodeURIComponent(secret), JSON.stringify(secret), Buffer.from(secret).toString("base64")]
    expect(redactSecrets([secret], `no: ${spelled.join(" ")}`)).toBe('no: [secret] [secret] "[secret]" [secret]')
  })

  it("loses the longer one of two where one is within the other, and nothing by an empty one", () => {
    expect(redactSecrets(["", "one", "one-two"], "one-two, one, three")).toBe("[secret], [secret], three")
  })
})
