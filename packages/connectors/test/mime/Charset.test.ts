import { describe, expect, it } from "vitest"
import { decodeText, encodingOf } from "../../src/mime/Charset.ts"

const decode = (hex: string, label: string, hint: string | null = null) =>
  decodeText(Buffer.from(hex.replaceAll(" ", ""), "hex"), label, hint)

describe("encodingOf", () => {
  it.each([
    ["UTF-8", "utf-8"],
    [" iso-8859-1 ", "windows-1252"],
    ["ISO8859_15", "iso-8859-15"],
    ["x-cp1251", "windows-1251"],
    ["cp932", "shift_jis"],
    ["ISO-2022-JP-2", "iso-2022-jp"],
    ["GB2312_CHARSET", "gbk"],
    ["chinesebig5", "big5"],
    ["x-windows-949", "euc-kr"],
    ["macRoman", "macintosh"]
  ])("knows %s", (label, encoding) => {
    expect(encodingOf(label)).toBe(encoding)
  })

  it.each(["", "default", "DEFAULT_CHARSET", "unknown-8bit", "utf-7", "klingon", "x".repeat(500)])(
    "does not know %j",
    (label) => {
      expect(encodingOf(label)).toBeNull()
    }
  )
})

describe("decodeText", () => {
  it("goes by the label", () => {
    expect(decode("47 72 fc df 65", "iso-8859-1")).toEqual({ text: "Grüße", guessed: false })
    expect(decode("cf f0 e8 e2 e5 f2", "windows-1251").text).toBe("Привет")
    expect(decode("83 65 83 58 83 67", "shift_jis").text).toBe("テスト")
    expect(decode("1b 24 42 25 46 25 39 25 48 1b 28 42", "iso-2022-jp").text).toBe("テスト")
    expect(decode("c4 e3 ba c3", "gb2312").text).toBe("你好")
    expect(decode("47 72 c3 bc c3 9f 65", "utf-8")).toEqual({ text: "Grüße", guessed: false })
  })

  it("tries UTF-8 when the label is missing, unknown, or the one that is so often wrong", () => {
    for (const label of ["", "klingon", "us-ascii", "iso-8859-1"]) {
      expect(decode("47 72 c3 bc c3 9f 65", label)).toEqual({ text: "Grüße", guessed: true })
    }
  })

  it("falls back to the hint, then to Windows-1252", () => {
    expect(decode("cf f0 e8 e2 e5 f2", "", "windows-1251")).toEqual({ text: "Привет", guessed: true })
    expect(decode("93 47 72 fc df 65 94", "")).toEqual({ text: "“Grüße”", guessed: true })
    expect(decode("47 72 fc df 65", "utf-8")).toEqual({ text: "Grüße", guessed: true })
  })

  it("keeps damaged UTF-8 as UTF-8, and bears a character torn by a cut", () => {
    expect(decode("c3 a9 ff 61", "utf-8")).toEqual({ text: "é\uFFFDa", guessed: true })
    expect(decode("61 c3 a9 e2 82", "utf-8")).toEqual({ text: "aé", guessed: false })
  })

  it("reads plain ASCII the same under every label", () => {
    for (const label of ["", "utf-8", "shift_jis", "klingon"])
      expect(decode("48 69 2c 0a", label)).toEqual({ text: "Hi,\n", guessed: false })
  })

  it("reads UTF-16 by its label", () => {
    expect(decode("48 00 69 00", "utf-16le").text).toBe("Hi")
  })
})
