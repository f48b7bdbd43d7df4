import { describe, expect, it } from "vitest"
import { diffLines } from "../src/component/diff/DiffLines.ts"

const shown = (before: string, after: string): ReadonlyArray<string> =>
  diffLines(before.replaceAll(" ", "\n"), after.replaceAll(" ", "\n")).map(
    ({ kind, line }) => ({ same: "=", removed: "-", added: "+" })[kind] + line
  )

describe("the comparison of lines", () => {
  it.each([
    ["a b c", "a b c", "=a =b =c"],
    ["a b c", "a c", "=a -b =c"],
    ["a c", "a b c", "=a +b =c"],
    ["a b c", "a x c", "=a -b +x =c"],
    ["a b c d", "d a b c", "+d =a =b =c -d"],
    ["a a", "a a a", "=a =a +a"]
  ])("of %j with %j is %j", (before, after, expected) => {
    expect(shown(before, after).join(" ")).toBe(expected)
  })

  it("lists the lines of large texts without a search, and keeps their order", () => {
    const before = Array.from({ length: 1_000 }, (_, index) => `a${index}`)
    const lines = diffLines(["first", ...before].join("\n"), ["first", ...before.map((line) => `${line}!`)].join("\n"))
    expect(lines.filter(({ kind }) => kind === "removed").map(({ line }) => line)).toEqual(before)
    expect(lines).toHaveLength(2_001)
  })
})
