import { describe, expect, it } from "vitest"
import { segmentsOf } from "../../../src/domain/conversation/OutgoingText.ts"

describe("a text message", () => {
  it.each([
    ["", "gsm7", 1, 0],
    ["Hello", "gsm7", 1, 5],
    ["a".repeat(160), "gsm7", 1, 160],
    ["a".repeat(161), "gsm7", 2, 161],
    ["a".repeat(306), "gsm7", 2, 306],
    ["a".repeat(307), "gsm7", 3, 307],
    ["€".repeat(80), "gsm7", 1, 160],
    ["€".repeat(81), "gsm7", 2, 162],
    // An escape and its character stay together, so 76 fit and one position stays empty.
    ["€".repeat(152), "gsm7", 2, 304],
    ["€".repeat(153), "gsm7", 3, 306],
    ["¿Qué señal?", "gsm7", 1, 11],
    ["ç", "ucs2", 1, 1],
    ["é".repeat(160), "gsm7", 1, 160],
    ["á", "ucs2", 1, 1],
    ["`", "ucs2", 1, 1],
    ["я".repeat(70), "ucs2", 1, 70],
    ["я".repeat(71), "ucs2", 2, 71],
    ["я".repeat(134), "ucs2", 2, 134],
    ["я".repeat(135), "ucs2", 3, 135],
    ["👍".repeat(35), "ucs2", 1, 70],
    ["👍".repeat(36), "ucs2", 2, 72],
    // A surrogate pair stays together, so 33 fit and one position stays empty.
    ["👍".repeat(66), "ucs2", 2, 132],
    ["👍".repeat(67), "ucs2", 3, 134]
  ])("%j is %s in %i of %i places", (text, encoding, segments, units) => {
    expect(segmentsOf(text)).toEqual({ encoding, segments, units })
  })
})
