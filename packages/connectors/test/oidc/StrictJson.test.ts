import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readStrictJson } from "../../src/oidc/StrictJson.ts"

describe("readStrictJson", () => {
  it("equals JSON.parse for every object without a NUL", () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 })
    fc.assert(
      fc.property(object, fc.constantFrom(undefined, 2), (value, space) => {
        const json = JSON.stringify(value, null, space)
        const expected: unknown = JSON.parse(json)
        if (json.includes("\\u0000")) return
        expect(JSON.stringify(readStrictJson(json))).toBe(JSON.stringify(expected))
      })
    )
  })

  it.each([
    ['{"a":1,"a":1}'],
    ['{"a":1,"b":[{"c":{},"c":{}}]}'],
    ['{"a":1,"\\u0061":2}'],
    ['{"a" : 1, "a"\n:2}'],
    ['{"a":{"a":1},"a":2}'],
    ['{"a":"\\u0000"}'],
    ['{"\\u0000":1}'],
    ["[]"],
    ["null"],
    ['"text"'],
    [""],
    ['{"a":1'],
    ['{"a":1}{']
  ])("rejects %s", (json) => {
    expect(readStrictJson(json)).toBeNull()
  })

  it.each([['{"a":{"a":{"a":1}},"b":{"a":"a"}}'], ['{"a":["a","a",{"a":1},{"a":2}]}'], ['{"a":"\\"a\\":{","b":"}"}']])(
    "accepts %s",
    (json) => {
      expect(readStrictJson(json)).toEqual(JSON.parse(json))
    }
  )
})
