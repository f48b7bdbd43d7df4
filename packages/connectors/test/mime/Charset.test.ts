import { describe, expect, it } from "vitest"
import { decodeText } from "../../src/mime/Charset.ts"
import { encodingOf } from "../../src/mime/CharsetLabel.ts"
import { withReadableWords } from "../../src/mime/EncodedWord.ts"

const decode = (hex: string, label: string, hint: string | null = null) =>
  decodeText(Buffer.from(hex.replaceAll(" ", ""), "hex"), label, hint)

describe("encodingOf", () => {
  it.each([
    ["UTF-8", "utf-8"],
    [" iso-8859-1 ", "windows-1252"],
    ["ISO8859_15", "iso-8859-15"],
    ["ISO_8859-2:1987", "iso-8859-2"],
    ["iso-8859-8-i", "iso-8859-8-i"],
    ["x-cp1251", "windows-1251"],
    ["Windows1251", "windows-1251"],
    ["win-1250", "windows-1250"],
    ["cp932", "shift_jis"],
    ["ISO-2022-JP-2", "iso-2022"],
    ["iso-2022-kr", "iso-2022"],
    ["HZ-GB-2312", "hz"],
    ["GB2312_CHARSET", "gbk"],
    ["chinesebig5", "big5"],
    ["Big5-HKSCS", "big5"],
    ["x-windows-949", "euc-kr"],
    ["macRoman", "macintosh"],
    ["KOI8-RU", "koi8-u"],
    ["utf-7", "utf-7"],
    ["unicode-1-1-utf-7", "utf-7"],
    ["IBM850", "ibm850"],
    ["x-mac-centraleurope", "maccenteuro"],
    ['"utf-8"; charset=iso-8859-1', "utf-8"],
    ["'windows-1251'", "windows-1251"],
    ["utf8mb4", "utf-8"]
  ])("finds the encoding of %s", (label, encoding) => {
    expect(encodingOf(label)?.name).toBe(encoding)
  })

  it.each([
    "",
    "default",
    "DEFAULT_CHARSET",
    "unknown-8bit",
    "x-user-defined",
    "klingon",
    "hex",
    "base64",
    "x".repeat(500)
  ])("returns null for %j", (label) => {
    expect(encodingOf(label)).toBeNull()
  })
})

describe("decodeText", () => {
  it("follows the label", () => {
    expect(decode("47 72 fc df 65", "iso-8859-1")).toEqual({ text: "Grüße", guessed: false })
    expect(decode("cf f0 e8 e2 e5 f2", "windows-1251").text).toBe("Привет")
    expect(decode("83 65 83 58 83 67", "shift_jis").text).toBe("テスト")
    expect(decode("1b 24 42 25 46 25 39 25 48 1b 28 42", "iso-2022-jp").text).toBe("テスト")
    expect(decode("c4 e3 ba c3", "gb2312").text).toBe("你好")
    expect(decode("47 72 c3 bc c3 9f 65", "utf-8")).toEqual({ text: "Grüße", guessed: false })
  })

  it("tries UTF-8 when the label is missing, unknown or often wrong", () => {
    for (const label of ["", "klingon", "us-ascii", "iso-8859-1"]) {
      expect(decode("47 72 c3 bc c3 9f 65", label)).toEqual({ text: "Grüße", guessed: true })
    }
  })

  it("falls back to the hint, then to Windows-1252", () => {
    expect(decode("cf f0 e8 e2 e5 f2", "", "windows-1251")).toEqual({ text: "Привет", guessed: true })
    expect(decode("93 47 72 fc df 65 94", "")).toEqual({ text: "“Grüße”", guessed: true })
    expect(decode("47 72 fc df 65", "utf-8")).toEqual({ text: "Grüße", guessed: true })
  })

  it("keeps damaged UTF-8 as UTF-8, and tolerates a truncated character", () => {
    expect(decode("c3 a9 ff 61", "utf-8")).toEqual({ text: "é\uFFFDa", guessed: true })
    expect(decode("61 c3 a9 e2 82", "utf-8")).toEqual({ text: "aé", guessed: false })
    expect(decode("63 61 66 e9", "iso-8859-1")).toEqual({ text: "café", guessed: false })
  })

  it("reads plain ASCII equally under every label", () => {
    for (const label of ["", "utf-8", "shift_jis", "klingon"])
      expect(decode("48 69 2c 0a", label)).toEqual({ text: "Hi,\n", guessed: false })
  })

  it("reads UTF-16 by its label", () => {
    expect(decode("48 00 69 00", "utf-16le").text).toBe("Hi")
    expect(decode("2a 0e 27 0e", "utf-16-le").text).toBe("สว")
  })

  it("reads code pages and 7-bit encodings that TextDecoder does not support", () => {
    expect(decode("47 72 81 e1 65", "cp850").text).toBe("Grüße")
    const utf7 = (text: string) => decode(Buffer.from(text).toString("hex"), "utf-7").text
    expect(utf7("Hi +AOk-! 1 +- 2, +AOkA6Q. +2D3cAA-")).toBe("Hi é! 1 + 2, éé. 🐀")
    expect(utf7("+AAA+-")).toBe("\0")
    expect(utf7("+2D0- +")).toBe("\uFFFD ")
    expect(decode("7e 7b 44 63 3a 43 7e 7d 21", "hz-gb-2312").text).toBe("你好!")
    expect(decode("1b 24 29 43 0e 3e 48 33 67 0f", "iso-2022-kr").text).toBe("안녕")
  })

  it("reads the sets that mailers mix into ISO-2022-JP", () => {
    expect(decode("1b 28 49 43 3d 44 1b 28 42", "iso-2022-jp").text).toBe("ﾃｽﾄ")
    expect(decode("1b 24 42 2d 21 7c 62 1b 28 42", "iso-2022-jp").text).toBe("①髙")
    expect(decode("1b 24 41 44 63 1b 24 28 43 3e 48 1b 28 42", "iso-2022-jp-2").text).toBe("你안")
    expect(decode("1b 2e 41 63 61 66 1b 4e 69", "iso-2022-jp-2").text).toBe("café")
    expect(decode("1b 24 42 25 46 0a 41 42", "iso-2022-jp").text).toBe("テ\nAB")
  })

  it("reads the Windows additions to ISO 8859 and characters that the runtime omits", () => {
    expect(decode("84 b1 94", "iso-8859-2").text).toBe("„ą”")
    expect(decode("93 e9 94", "iso-8859-15").text).toBe("“é”")
    expect(decode("93 e1 94", "iso-8859-7").text).toBe("“α”")
    expect(decode("8c 63 b9 e6", "ks_c_5601-1987").text).toBe("똠방")
  })

  it("follows the bytes when the label cannot be correct", () => {
    const chinese = Buffer.from("您好，谢谢").toString("hex")
    expect(decode(chinese, "gb2312")).toEqual({ text: "您好，谢谢", guessed: true })
    expect(decode(Buffer.from("Привет").toString("hex"), "koi8-r")).toEqual({ text: "Привет", guessed: true })
    expect(decode("83 65 83 58 83 67", "iso-2022-jp")).toEqual({ text: "テスト", guessed: true })
    expect(decode("83 65 83 58 83 67 82 f0 82 b7", "euc-jp")).toEqual({ text: "テストをす", guessed: true })
    expect(decode("ff fe 48 00 69 00", "us-ascii")).toEqual({ text: "Hi", guessed: true })
    expect(decode("48 69 21", "utf-16").text).not.toContain("\0")
  })

  it("keeps a short word in its labelled encoding even if it is valid UTF-8", () => {
    expect(decode("d2 bb", "gbk")).toEqual({ text: "一", guessed: false })
  })

  it("reads Windows-1252 bytes within UTF-8", () => {
    expect(decode("c3 a9 20 e9 20 93 61 94", "utf-8")).toEqual({ text: "é é “a”", guessed: true })
    expect(decode("c3 a9 20 e2 82 20", "utf-8").text).toBe("é \uFFFD ")
  })
})

describe("withReadableWords", () => {
  const spelled = (value: string): string =>
    withReadableWords(value).replace(/=\?utf-8\?B\?([^?]*)\?=/gu, (_, text: string) =>
      Buffer.from(text, "base64").toString()
    )

  it.each([
    ["=?iso-2022-kr?B?GyQpQw4+SDNnDw==?=", "안녕"],
    ["=?unknown-8bit?Q?Gr=C3=BC=C3=9Fe?= <a@b.co>", "Grüße <a@b.co>"],
    ["=?gb2312?B?xOM=?= =?gb2312?B?usM=?=", "你好"],
    ["=?big5?B?p9o=?=\r\n =?big5?B?qg==?= =?big5?B?vg==?=", "我知"],
    ["=?big5?Q?=A4@=B0_=A8=D3?=", "一起來"],
    ["=?utf-8?Q?a?= =?windows-1251?Q?=CF?=", "a П"]
  ])("reads %j", (value, text) => {
    expect(spelled(value)).toBe(text)
  })

  it.each(["plain", "=?utf-8?Q?Gr=C3=BC=C3=9Fe?= x", "=?utf-8?Q", "=?"])("leaves %j unchanged", (value) => {
    expect(withReadableWords(value)).toBe(value)
  })
})
