import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { encodeId, encodeUuid, isId, nextStamp } from "../../src/domain/Id.ts"

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll("-", ""), "hex"))

/** FROZEN: ids are stored. The vectors are from the TypeID specification 0.3 (spec/valid.yml). */
const typeIds: ReadonlyArray<readonly [uuid: string, suffix: string]> = [
  ["00000000-0000-0000-0000-000000000000", "00000000000000000000000000"],
  ["00000000-0000-0000-0000-000000000001", "00000000000000000000000001"],
  ["00000000-0000-0000-0000-00000000000a", "0000000000000000000000000a"],
  ["00000000-0000-0000-0000-000000000010", "0000000000000000000000000g"],
  ["00000000-0000-0000-0000-000000000020", "00000000000000000000000010"],
  ["ffffffff-ffff-ffff-ffff-ffffffffffff", "7zzzzzzzzzzzzzzzzzzzzzzzzz"],
  ["0110c853-1d09-52d8-d73e-1194e95b5f19", "0123456789abcdefghjkmnpqrs"],
  ["01890a5d-ac96-774b-bcce-b302099a8057", "01h455vb4pex5vsknk084sn02q"]
]

/** The invalid suffixes of TypeID 0.3 (spec/invalid.yml). */
const notSuffixes: ReadonlyArray<string> = [
  "",
  "1234567890123456789012345",
  "123456789012345678901234567",
  "1234567890123456789012345 ",
  "0123456789ABCDEFGHJKMNPQRS",
  "123456789-123456789-123456",
  "ooooooiiiiiiuuuuuuulllllll",
  "i23456789ol23456789oi23456",
  "123456789-0123456789-0123456",
  "8zzzzzzzzzzzzzzzzzzzzzzzzz"
]

const randomTen = fc.uint8Array({ minLength: 10, maxLength: 10 })
const millis = fc.integer({ min: 0, max: 2 ** 48 - 1 })

describe("Id", () => {
  it.each(typeIds)("writes the UUID %s as %s", (uuid, suffix) => {
    expect(encodeUuid(bytes(uuid))).toBe(suffix)
  })

  it("puts the time, version and variant at the positions of RFC 9562", () => {
    expect(encodeId("con", 0x0189_0a5d_ac96, bytes("074b3ccEb302099a8057"))).toBe("con_01h455vb4pex5vsknk084sn02q")
    expect(encodeId("con", 0x0189_0a5d_ac96, bytes("f74bfccEb302099a8057"))).toBe("con_01h455vb4pex5vsknk084sn02q")
    // RFC 9562 appendix A.6
    const example = encodeUuid(bytes("017F22E2-79B0-7CC3-98C4-DC0C0C07398F"))
    expect(encodeId("lead", 1_645_557_742_000, bytes("0CC318C4DC0C0C07398F"))).toBe(`lead_${example}`)
  })

  it("accepts its own ids, only under their own prefix", () => {
    fc.assert(
      fc.property(millis, randomTen, (at, random) => {
        const id = encodeId("msg", at, random)
        expect(isId("msg", id)).toBe(true)
        expect(isId("con", id)).toBe(false)
        expect(isId("thr", id)).toBe(false)
      })
    )
  })

  it.each(notSuffixes)("rejects the suffix %j", (suffix) => {
    expect(isId("con", `con_${suffix}`)).toBe(false)
  })

  it("rejects another prefix, another separator and anything around an id", () => {
    const id = "con_01h455vb4pex5vsknk084sn02q"
    expect(isId("con", id)).toBe(true)
    for (const text of [id.toUpperCase(), id.replace("_", "-"), ` ${id}`, `${id}\n`, `x${id}`, id.slice(1)]) {
      expect(isId("con", text)).toBe(false)
    }
  })

  it("sorts ids by their millisecond", () => {
    fc.assert(
      fc.property(millis, millis, randomTen, randomTen, (a, b, x, y) => {
        fc.pre(a < b)
        expect(encodeId("sig", a, x) < encodeId("sig", b, y)).toBe(true)
      })
    )
  })
})

describe("nextStamp", () => {
  it("always increases, even when the clock is set back", () => {
    const clock = fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 0xffff })))
    fc.assert(
      fc.property(clock, (ticks) => {
        let last = { unixMillis: 0, counter: 4_090 }
        for (const [now, seed] of ticks) {
          const next = nextStamp(last, now, seed)
          const later =
            next.unixMillis > last.unixMillis || (next.unixMillis === last.unixMillis && next.counter > last.counter)
          expect(later).toBe(true)
          expect(next.counter).toBeLessThan(4_096)
          last = next
        }
      })
    )
  })

  it("uses the next millisecond when one is exhausted", () => {
    expect(nextStamp({ unixMillis: 7, counter: 4_095 }, 7, 0xffff)).toEqual({
      unixMillis: 8,
      counter: 2_047
    })
  })
})
