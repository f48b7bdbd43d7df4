import { harmlessWordings } from "@leadloom/testkit/optout/HarmlessWordings"
import { optOutWordings } from "@leadloom/testkit/optout/OptOutWordings"
import { describe, expect, it } from "vitest"
import { wishIn } from "../../src/sms/TextWish.ts"

const stops = (text: string): boolean => wishIn(text)?.wish === "stop"

describe("what a text asks for", () => {
  it("is to stop in what people write who want to be left alone, and not in what only sounds like it", () => {
    const missed = optOutWordings.filter((text) => !stops(text))
    const wronged = harmlessWordings.filter(stops)
    console.log(
      `opt-outs: ${optOutWordings.length - missed.length} of ${optOutWordings.length} caught; ` +
        `${wronged.length} of ${harmlessWordings.length} harmless texts wrongly caught`
    )
    expect(optOutWordings.length).toBeGreaterThanOrEqual(80)
    expect(harmlessWordings.length).toBeGreaterThanOrEqual(80)
    expect({ missed, wronged }).toEqual({ missed: [], wronged: [] })
  })
})
