import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { repository } from "@leadloom/testkit/Sources"
import { beforeAll, describe, expect, it } from "vitest"
import { buildConsole, consoleFolder } from "../../../.scripts/build.ts"

/** The limits in bytes, gzipped: the files that every page loads, and all files of one page. */
const maxEntry = 135_000
const maxRoute = 190_000

interface Chunk {
  readonly file: string
  readonly css?: ReadonlyArray<string>
  readonly imports?: ReadonlyArray<string>
  readonly dynamicImports?: ReadonlyArray<string>
}

const folder = join(repository, consoleFolder)
let chunks: Readonly<Record<string, Chunk>> = {}

beforeAll(async () => {
  expect(await buildConsole(repository)).toMatchObject({ ok: true })
  chunks = JSON.parse(readFileSync(join(folder, ".vite", "manifest.json"), "utf8"))
})

/** Returns the files that the browser loads for the given chunks. */
const filesOf = (names: Iterable<string>): ReadonlySet<string> => {
  const seen = new Set<string>()
  const files = new Set<string>()
  const visit = (name: string): void => {
    const chunk = chunks[name]
    if (chunk === undefined || seen.has(name)) return
    seen.add(name)
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file)
    for (const next of chunk.imports ?? []) visit(next)
  }
  for (const name of names) visit(name)
  return files
}

const sizeOf = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file)), { level: 9 }).length, 0)

const entry = "index.html"

describe("the size of the console", () => {
  it("loads at most 135 kB before any page", () => {
    const size = sizeOf(filesOf([entry]))
    expect(size).toBeGreaterThan(10_000)
    expect(size).toBeLessThanOrEqual(maxEntry)
  })

  it("loads at most 190 kB for the page of a conversation, which contains the inbox", () => {
    const pages = ["src/inbox/InboxPage.tsx", "src/conversation/ConversationPage.tsx"]
    expect(pages.filter((page) => chunks[page] === undefined)).toEqual([])
    expect(sizeOf(filesOf([entry, ...pages]))).toBeLessThanOrEqual(maxRoute)
  })

  it("loads at most 190 kB for every page and dialog alone", () => {
    const lazy = new Set(Object.values(chunks).flatMap((chunk) => chunk.dynamicImports ?? []))
    expect(lazy.size).toBeGreaterThan(2)
    const large = [...lazy].filter((page) => sizeOf(filesOf([entry, page])) > maxRoute)
    expect(large).toEqual([])
  })

  it("needs no inline script, style or data URL", () => {
    const html = readFileSync(join(folder, entry), "utf8")
    expect(html).not.toMatch(/<style|style=|<script>|data:|https?:/u)
  })
})
