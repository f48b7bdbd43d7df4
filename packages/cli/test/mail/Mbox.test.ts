import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type MboxMail, splitMbox } from "../../src/mail/Mbox.ts"

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

const split = async (bytes: Buffer, size = 7): Promise<ReadonlyArray<MboxMail>> => {
  const mails: Array<MboxMail> = []
  for await (const mail of splitMbox(inChunks(bytes, size))) mails.push(mail)
  return mails
}
const textsOf = async (mbox: string, size?: number): Promise<ReadonlyArray<string>> =>
  (await split(Buffer.from(mbox), size)).map((mail) => mail.raw.toString("utf8"))

const separator = "From ada@example.org Mon Mar  2 08:14:22 2026\n"

/** Formats mails as mboxrd. */
const write = (mails: ReadonlyArray<string>): string =>
  mails.map((mail) => `${separator}${mail.replaceAll(/^(?=>*From )/gmu, ">")}\n`).join("")

describe("splitMbox", () => {
  it("returns every mail of a file for any chunk size", async () => {
    const line = fc.oneof(
      fc.constantFrom("", "From here on", ">From there", "From ada@example.org Mon Mar  2 08:14:22 2026", "Grüße"),
      fc.string({ unit: "grapheme" }).map((text) => text.replaceAll(/[\r\n]/gu, ""))
    )
    const mail = fc.array(line).map((lines) => `Subject: x\n\n${lines.map((one) => `${one}\n`).join("")}`)
    await fc.assert(
      fc.asyncProperty(fc.array(mail), fc.integer({ min: 1, max: 100 }), async (mails, size) => {
        expect(await textsOf(write(mails), size)).toEqual(mails)
      })
    )
  })

  it("returns the byte range of each mail", async () => {
    const mbox = write(["A: 1\n\none\n", "B: 2\n\ntwo\n"])
    const mails = await split(Buffer.from(mbox))
    expect(mails.map(({ offset, end }) => mbox.slice(offset, end)).join("")).toBe(mbox)
    expect(mails.map(({ offset }) => mbox.indexOf(separator, offset) === offset)).toEqual([true, true])
  })

  it("keeps an unquoted From line in a body", async () => {
    const mbox = `${separator}Subject: x\n\nHello,\n\nFrom my point of view it is fine.\n\n${separator}Subject: y\n\n`
    const first = "Subject: x\n\nHello,\n\nFrom my point of view it is fine.\n"
    expect(await textsOf(mbox)).toEqual([first, "Subject: y\n"])
  })

  it("requires an empty line before a From line", async () => {
    expect(await textsOf(`${separator}Subject: x\n\nforwarded:\n${separator}Subject: y\n\n`)).toHaveLength(1)
  })

  it("reads the From lines of Gmail, of mailman and with CR LF", async () => {
    const gmail = "From 1781234567890@xxx Mon Mar 02 13:14:22 +0000 2026\r\nA: 1\r\n\r\none\r\n\r\n"
    const mailman = "From ada at example.org  Mon Mar  2 08:14:22 2026\r\nB: 2\r\n\r\ntwo\r\n"
    expect(await textsOf(gmail + mailman)).toEqual(["A: 1\r\n\r\none\r\n", "B: 2\r\n\r\ntwo\r\n"])
  })

  it("accepts a last line without an ending, and an empty file", async () => {
    expect(await textsOf(`${separator}A: 1\n\nunfinished`)).toEqual(["A: 1\n\nunfinished"])
    expect(await textsOf("")).toEqual([])
  })
})
