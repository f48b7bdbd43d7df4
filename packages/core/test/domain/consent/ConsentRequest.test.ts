import { harmlessWordings } from "@leadloom/testkit/optout/HarmlessWordings"
import { optOutWordings } from "@leadloom/testkit/optout/OptOutWordings"
import { describe, expect, it } from "vitest"
import { detectConsentRequest } from "../../../src/domain/consent/ConsentRequest.ts"

const stops = (text: string): boolean => detectConsentRequest(text)?.request === "stop"

const missed = optOutWordings.filter((text) => !stops(text))
const wronged = harmlessWordings.filter(stops)
const figures =
  `${optOutWordings.length - missed.length} of ${optOutWordings.length} opt-outs are caught, ` +
  `${wronged.length} of ${harmlessWordings.length} harmless texts wrongly`

describe("the consent request of a text", () => {
  it(`is a stop only when the person wants no further messages: ${figures}`, () => {
    expect(optOutWordings.length).toBeGreaterThanOrEqual(80)
    expect(harmlessWordings.length).toBeGreaterThanOrEqual(80)
    expect({ missed, wronged }).toEqual({ missed: [], wronged: [] })
  })

  it.each([
    ["STOP", "stop", "keyword"],
    [" stop. ", "stop", "keyword"],
    ["S.T.O.P", "stop", "keyword"],
    ["Opt-Out", "stop", "keyword"],
    ["ALTO", "stop", "keyword"],
    ["Start", "start", "keyword"],
    ["UNSTOP", "start", "keyword"],
    ["Yes!", "yes", "keyword"],
    ["sí", "yes", "keyword"],
    ["HELP", "help", "keyword"],
    ["info", "help", "keyword"],
    ["Please stop. Thank you", "stop", "wording"]
  ])("in %j is %s, by %s", (text, wish, source) => {
    expect(detectConsentRequest(text)).toEqual({ request: wish, source })
  })

  it.each([
    "",
    "   ",
    "👍",
    "Start on Monday",
    "Help me with a roof",
    "no",
    "ok",
    `stop texting me ${"!".repeat(700)}`
  ])("is null in %j", (text) => {
    expect(detectConsentRequest(text)).toBeNull()
  })

  it.each(["stop ever again", "stop sending all of", "basta nunca mas", "please ok now so"])(
    "is read completely, however often %j is repeated",
    (phrase) => {
      const [, ...rest] = phrase.split(" ")
      expect(detectConsentRequest(`${phrase} ${`${rest.slice(-2).join(" ")} `.repeat(48)}x`)).toBeNull()
    }
  )
})
