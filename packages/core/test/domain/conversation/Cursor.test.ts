import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type CursorScope, decodeCursor, encodeCursor } from "../../../src/domain/conversation/Cursor.ts"

const secret = Buffer.from("correct horse battery staple")
const scope: CursorScope = { tenantId: "t1", list: "conversations", filters: { alias: "a@b.co" } }
const key = [1_795_220_000_000, "con_01h455vb4pex5vsknk084sn02q"]

/** FROZEN: clients keep cursors across a deployment. Computed with node:crypto. */
const frozen = "V5xmV9RyPmRyws8fWzE3OTUyMjAwMDAwMDAsImNvbl8wMWg0NTV2YjRwZXg1dnNrbmswODRzbjAycSJd"

const anyKey = fc.array(fc.oneof(fc.string({ unit: "binary", maxLength: 20 }), fc.integer()), { maxLength: 4 })

describe("Cursor", () => {
  it("writes the frozen format", () => {
    expect(encodeCursor(scope, key, secret)).toBe(frozen)
    expect(decodeCursor(frozen, scope, secret)).toEqual(key)
  })

  it("decodes every encoded key", () => {
    fc.assert(
      fc.property(anyKey, (sortKey) => {
        expect(decodeCursor(encodeCursor(scope, sortKey, secret), scope, secret)).toEqual(sortKey)
      })
    )
  })

  it("treats absent and empty filters alike, in any order", () => {
    const one: CursorScope = { tenantId: "t1", list: "tasks", filters: { status: "open", type: "review" } }
    const two: CursorScope = { tenantId: "t1", list: "tasks", filters: { type: "review", status: "open", limit: null } }
    expect(encodeCursor(one, key, secret)).toBe(encodeCursor(two, key, secret))
    const bare = encodeCursor({ tenantId: "t1", list: "tasks" }, key, secret)
    expect(decodeCursor(bare, { tenantId: "t1", list: "tasks", filters: { status: undefined } }, secret)).toEqual(key)
  })

  it("is valid only for its own tenant, list, filters and secret", () => {
    for (const foreign of [
      { ...scope, tenantId: "t2" },
      { ...scope, list: "contacts" },
      { ...scope, filters: { alias: "b@b.co" } },
      { ...scope, filters: {} },
      { ...scope, filters: { alias: "a@b.co", tier: "hot" } }
    ]) {
      expect(decodeCursor(frozen, foreign, secret)).toBeNull()
    }
    expect(decodeCursor(frozen, scope, Buffer.from("another"))).toBeNull()
  })

  it("rejects a cursor with one character changed, removed or added", () => {
    const place = fc.integer({ min: 0, max: frozen.length })
    fc.assert(
      fc.property(place, fc.constantFrom(..."Aaz09-_=\n!"), (at, character) => {
        const texts = [
          frozen.slice(0, at) + character + frozen.slice(at + 1),
          frozen.slice(0, at) + character + frozen.slice(at),
          frozen.slice(0, at) + frozen.slice(at + 1)
        ]
        for (const text of texts) if (text !== frozen) expect(decodeCursor(text, scope, secret)).toBeNull()
      }),
      { numRuns: 500 }
    )
  })

  it("rejects an oversized cursor without parsing it", () => {
    const read = (length: number) => decodeCursor(encodeCursor(scope, ["x".repeat(length)], secret), scope, secret)
    expect(read(700)).not.toBeNull()
    expect(read(800)).toBeNull()
  })

  it("never throws, for any input", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.base64String()), (text) => {
        expect(decodeCursor(text, scope, secret)).toBeNull()
      })
    )
    expect(decodeCursor("A".repeat(1_000_000), scope, secret)).toBeNull()
  })
})
