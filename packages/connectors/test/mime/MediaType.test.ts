import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { parseParameterised } from "../../src/mime/MediaType.ts"

const read = (text: string) => {
  const { value, params } = parseParameterised(text)
  return { value, ...Object.fromEntries(params) }
}

describe("parseParameterised", () => {
  it("reads value and parameters, quoted or not", () => {
    expect(read('Text/Plain; Charset="utf-8" ; format = flowed;')).toEqual({
      value: "text/plain",
      charset: "utf-8",
      format: "flowed"
    })
    expect(read('multipart/mixed; boundary="a;b=\\"c\\\\"')).toEqual({ value: "multipart/mixed", boundary: 'a;b="c\\' })
  })

  it("skips comments, but not brackets in a file name", () => {
    expect(read("text/plain (yes, text); charset=utf-8 (of course)")).toEqual({ value: "text/plain", charset: "utf-8" })
    expect(read("attachment; filename=Invoice(1).pdf")).toEqual({ value: "attachment", filename: "Invoice(1).pdf" })
    expect(read('attachment; filename="a (b).pdf"')).toEqual({ value: "attachment", filename: "a (b).pdf" })
  })

  it("joins the sections of a long file name", () => {
    expect(read("attachment; filename*1*=%9Fe.pdf; filename*0*=utf-8''Gr%C3%BC%C3")).toEqual({
      value: "attachment",
      filename: "Grüße.pdf"
    })
    expect(read('attachment; filename*0="long "; filename*1="name.pdf"')).toEqual({
      value: "attachment",
      filename: "long name.pdf"
    })
    expect(read("attachment; filename*=iso-8859-1'de'Gr%FC%DFe.txt")).toEqual({
      value: "attachment",
      filename: "Grüße.txt"
    })
  })

  it("decodes raw bytes and encoded words although neither is valid there", () => {
    expect(read(`attachment; filename="${Buffer.from("Grüße").toString("latin1")}"`)).toMatchObject({
      filename: "Grüße"
    })
    expect(read('attachment; filename="=?utf-8?Q?Gr=C3=BC=C3=9Fe?="')).toMatchObject({ filename: "Grüße" })
  })

  it("uses the first of repeated parameters", () => {
    expect(read("multipart/mixed; boundary=a; boundary=b")).toMatchObject({ boundary: "a" })
  })

  it("never throws", () => {
    const noise = fc.string({
      unit: fc.constantFrom("a", "=", ";", '"', "\\", "(", ")", "*", "0", "'", "%", " ", "\xE9")
    })
    fc.assert(
      fc.property(noise, (text) => {
        expect(typeof parseParameterised(text).value).toBe("string")
      })
    )
  })
})
