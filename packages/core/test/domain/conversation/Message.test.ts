import { describe, expect, it } from "vitest"
import { preview, previewLength } from "../../../src/domain/conversation/Message.ts"

describe("preview", () => {
  it.each([
    ["Hello", "Hello"],
    ["  Hello \r\n\r\n\t there ", "Hello there"],
    ["one\ntwo", "one two"],
    ["\u00a0wide\u3000spaces ", "wide spaces"],
    ["", ""]
  ])("folds the white space of %j", (body, line) => {
    expect(preview(body)).toBe(line)
  })

  it("ends a long text with an ellipsis, at a whole character", () => {
    const long = preview("🏠".repeat(1_000))
    expect(Array.from(long)).toHaveLength(previewLength)
    expect(long.endsWith("🏠…")).toBe(true)
  })

  it("never splits a surrogate pair", () => {
    const body = `${" ".repeat(previewLength * 4 - 2)}a🏠`
    expect(preview(body).isWellFormed()).toBe(true)
  })
})
