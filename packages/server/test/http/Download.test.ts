import fc from "fast-check"
import { expect, it } from "vitest"
import { disposition, download } from "../../src/http/stream/Download.ts"

it.each([
  ["plan.pdf", "attachment; filename=\"plan.pdf\"; filename*=UTF-8''plan.pdf"],
  ['a"b\\c/d', "attachment; filename=\"a_b_c_d\"; filename*=UTF-8''a%22b_c_d"],
  ["a\r\nSet-Cookie: x=1", "attachment; filename=\"a__Set-Cookie: x=1\"; filename*=UTF-8''a__Set-Cookie%3A%20x%3D1"],
  ["gnp.\u202Eexe\0", "attachment; filename=\"gnp._exe_\"; filename*=UTF-8''gnp._exe_"],
  ["Gr\u00FC\u00DFe", "attachment; filename=\"Gr__e\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe"],
  ["half \uD83D", "attachment; filename=\"half _\"; filename*=UTF-8''half%20%EF%BF%BD"],
  [" ", "attachment; filename=\"attachment\"; filename*=UTF-8''attachment"]
])("the name %j is encoded as a plain name", (name, written) => {
  expect(disposition(name)).toBe(written)
})

it("any name becomes one line with one name, in both spellings", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), (name) => {
      expect(disposition(name)).toMatch(
        /^attachment; filename="[^"\\%;\x00-\x1f\x7f-\uffff]+"; filename\*=UTF-8''[\w.!~%-]+$/u
      )
      expect(download(Buffer.from("x"), name, name).headers["content-type"]).toBe("application/octet-stream")
    })
  )
})
