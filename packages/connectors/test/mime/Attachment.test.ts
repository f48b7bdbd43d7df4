import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { corpora, corporaNote } from "@leadloom/testkit/mail/Corpora"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { attachmentOf, parseMail } from "../../src/mime/MimeParser.ts"

const mail = (...lines: ReadonlyArray<string>): Buffer =>
  Buffer.from(["From: Ada <ada@example.org>", "Subject: Chairs", ...lines].join("\r\n"), "latin1")

const part = (name: string, encoding: string, content: string): string =>
  [
    "--b",
    `Content-Type: application/octet-stream; name="${name}"`,
    `Content-Transfer-Encoding: ${encoding}`,
    "",
    content
  ].join("\r\n")

const textOf = (raw: Buffer, index: number): string | null => {
  const bytes = attachmentOf(raw, index)
  return bytes === null ? null : Buffer.from(bytes).toString()
}

describe("the content of an attachment", () => {
  it("is found by the attachment's index, in any structure, and is decoded", () => {
    const inner = ["From: B <b@x.example>", "Content-Type: multipart/mixed; boundary=c", "", "--c", "", "Inner", "--c"]
    const file = ['Content-Disposition: attachment; filename="inner.txt"', "", "inner content", "--c--"]
    const raw = mail(
      "Content-Type: multipart/mixed; boundary=b",
      "",
      "--b",
      "Content-Type: text/html",
      "",
      `<p>${"long ".repeat(300_000)}</p>`,
      part("a.bin", "base64", "YSBmaWxl\r\n"),
      "--b",
      "Content-Type: message/rfc822",
      "",
      ...inner,
      ...file,
      part("q.bin", "quoted-printable", "caf=C3=A9 =\r\nau lait"),
      part("p.bin", "8bit", "as it is"),
      "--b--"
    )
    const names = parseMail(raw).attachments.map(({ filename }) => filename)
    expect(names).toEqual(["a.bin", null, "inner.txt", "q.bin", "p.bin"])
    expect(textOf(raw, 0)).toBe("a file")
    expect(textOf(raw, 1)).toContain("inner content")
    expect([2, 3, 4].map((index) => textOf(raw, index))).toEqual(["inner content", "café au lait", "as it is"])
    expect([5, -1, 0.5, Number.NaN].map((index) => textOf(raw, index))).toEqual([null, null, null, null])
  })

  it("may be the whole body, if the mail is a single file", () => {
    expect(textOf(mail("Content-Type: application/pdf", "", "%PDF"), 0)).toBe("%PDF")
  })

  it("is null or bytes for any input, never an error", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.integer({ min: 0, max: 3 }), (bytes, index) => {
        const raw = Buffer.concat([mail("Content-Type: multipart/mixed; boundary=b", "", "--b", ""), bytes])
        expect(attachmentOf(raw, index) === null).toBe(index >= parseMail(raw).attachments.length)
      })
    )
  })

  it.skipIf(corpora === null)(`has the announced size, for every unusual mail of the corpora${corporaNote}`, () => {
    const odd = join(corpora ?? "", "odd")
    const files = readdirSync(odd, { recursive: true, encoding: "utf8" }).map((name) => join(odd, name))
    let found = 0
    const wrong = files
      .filter((file) => statSync(file).isFile() && !file.endsWith(".json"))
      .flatMap((file) => {
        const raw = readFileSync(file)
        return parseMail(raw).attachments.flatMap(({ size }, index) => {
          found++
          const length = attachmentOf(raw, index)?.length ?? null
          return length === size ? [] : [{ file, index, size, length }]
        })
      })
    expect(wrong).toEqual([])
    expect(found).toBeGreaterThan(50)
  })
})
