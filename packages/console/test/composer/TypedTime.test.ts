import { describe, expect, it } from "vitest"
import { readTypedTime } from "../../src/composer/TypedTime.ts"

const now = new Date(2026, 10, 28, 14, 37, 25)

describe("a typed time", () => {
  it.each([
    ["tomorrow 9", "2026-11-29T09:00:00"],
    ["tomorrow at 17", "2026-11-29T17:00:00"],
    ["tomorrow", "2026-11-29T08:00:00"],
    ["tomorrow 9:30", "2026-11-29T09:30:00"],
    ["tomorrow 3pm", "2026-11-29T15:00:00"],
    ["next monday", "2026-11-30T08:00:00"],
    ["in 20 minutes", "2026-11-28T14:57:00"]
  ])("of %s is %s", (text, expected) => {
    expect(readTypedTime(text, now)).toBe(expected)
  })

  it("is missing in another text", () => {
    expect(readTypedTime("some day", now)).toBeNull()
  })
})
