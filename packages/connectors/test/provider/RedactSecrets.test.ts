import { describe, expect, it } from "vitest"
import { redactSecrets } from "../../src/provider/RedactSecrets.ts"

describe("a text of another server", () => {
  it("contains no secret after redaction, in any encoding", () => {
    const secret = 'se"cret/of+mine'
    const spelled = [secret, encodeURIComponent(secret), JSON.stringify(secret), Buffer.from(secret).toString("base64")]
    expect(redactSecrets([secret], `no: ${spelled.join(" ")}`)).toBe('no: [secret] [secret] "[secret]" [secret]')
  })

  it("is redacted by the longer of two nested secrets, and not by an empty one", () => {
    expect(redactSecrets(["", "one", "one-two"], "one-two, one, three")).toBe("[secret], [secret], three")
  })
})
