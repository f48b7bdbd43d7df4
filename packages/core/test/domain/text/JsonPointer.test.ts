import { describe, expect, it } from "vitest"
import { isJsonPointer, maxJsonPointerLength, valueAt } from "../../../src/domain/text/JsonPointer.ts"

/** The example document of RFC 6901 section 5. */
const document = {
  foo: ["bar", "baz"],
  "": 0,
  "a/b": 1,
  "c%d": 2,
  "e^f": 3,
  "g|h": 4,
  "i\\j": 5,
  'k"l': 6,
  " ": 7,
  "m~n": 8
}

describe("a JSON Pointer", () => {
  it.each([
    ["", document],
    ["/foo", ["bar", "baz"]],
    ["/foo/0", "bar"],
    ["/", 0],
    ["/a~1b", 1],
    ["/c%d", 2],
    ["/e^f", 3],
    ["/g|h", 4],
    ["/i\\j", 5],
    ['/k"l', 6],
    ["/ ", 7],
    ["/m~0n", 8]
  ])("names the value of the RFC for %j", (pointer, value) => {
    expect(isJsonPointer(pointer)).toBe(true)
    expect(valueAt(document, pointer)).toEqual(value)
  })

  it.each(["/bar", "/foo/2", "/foo/00", "/foo/-", "/foo/length", "/foo/0/length", "/__proto__", "/constructor/name"])(
    "names nothing for %j",
    (pointer) => expect(valueAt(document, pointer)).toBeUndefined()
  )

  it("decodes ~01 to ~1", () => expect(valueAt({ "~1": true, "/": false }, "/~01")).toBe(true))

  it.each(["foo", "/a~", "/a~2", "#/a", `/${"a".repeat(maxJsonPointerLength)}`])("is not %j", (text) =>
    expect(isJsonPointer(text)).toBe(false)
  )
})
