import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"
import { ImportInvalid } from "../../../src/domain/import/ContactImport.ts"
import { decodeCsv, readCsvHead, readCsvPart } from "../../../src/domain/import/ReadCsv.ts"

const utf16 = (text: string, littleEndian: boolean): Uint8Array => {
  const bytes = new Uint8Array(2 * text.length + 2)
  const view = new DataView(bytes.buffer)
  for (const [index, unit] of [
    0xfeff,
    ...Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
  ].entries())
    view.setUint16(2 * index, unit, littleEndian)
  return bytes
}

/** Reads a whole file in parts of a few records. */
const readAll = (text: string, limit: number) => {
  const head = readCsvHead(text)
  if (head instanceof ImportInvalid) throw new Error(head.reason)
  const rows = []
  let at = head.read
  while (at < text.length) {
    const part = readCsvPart(text, at, limit, head.delimiter)
    if (part.read <= at) throw new Error("no progress")
    rows.push(...part.rows)
    at = part.read
  }
  return { header: head.header, rows }
}

describe("decodeCsv", () => {
  const text = "Größe;Preis\nXL;5 €"

  it.each([
    ["UTF-8", new TextEncoder().encode(text)],
    ["UTF-8 with a byte order mark", new TextEncoder().encode(`\uFEFF${text}`)],
    ["UTF-16, little endian", utf16(text, true)],
    ["UTF-16, big endian", utf16(text, false)],
    ["Windows-1252", Uint8Array.from([...text].map((letter) => (letter === "€" ? 0x80 : letter.charCodeAt(0))))]
  ])("reads %s", (_, bytes) => {
    expect(decodeCsv(bytes)).toBe(text)
  })
})

describe("reading a file", () => {
  it.each([",", ";", "\t"])("recognises the separator %j", (delimiter) => {
    const lines = ["Name|Email", "Ann|ann@x.example", "Bob|bob@x.example"]
    expect(readAll(lines.join("\n").replaceAll("|", delimiter), 1)).toEqual({
      header: ["Name", "Email"],
      rows: [
        ["Ann", "ann@x.example"],
        ["Bob", "bob@x.example"]
      ]
    })
  })

  it("reads a file with one column, and ignores empty lines", () => {
    expect(readAll("Email\r\na@x.example\r\n\r\nb@x.example\r\n", 2)).toEqual({
      header: ["Email"],
      rows: [["a@x.example"], ["b@x.example"]]
    })
  })

  it.each(["", "\n", ";;\n", "Name,Name\na,b", `${"x,".repeat(200)}y\n`])("rejects an invalid header: %j", (text) => {
    expect(readCsvHead(text)).toBeInstanceOf(ImportInvalid)
  })

  it("returns every cell, whatever the size of the parts", () => {
    const cell = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "ä", " ") })
    const table = fc.array(fc.tuple(fc.constant("x"), cell, cell), { minLength: 1, maxLength: 9 })
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
    fc.assert(
      fc.property(table, fc.integer({ min: 1, max: 4 }), (rows, limit) => {
        const lines = [["one", "two", "three"], ...rows].map((cells) => cells.map(quoted).join(","))
        expect(readAll(lines.join("\n"), limit).rows).toEqual(rows)
      })
    )
  })
})
