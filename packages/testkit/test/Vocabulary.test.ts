import { readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { describe, expect, it } from "vitest"
import { repository, type SourceFile, sourcesOf } from "../src/Sources.ts"

const packages = ["core", "api", "store", "connectors", "server", "client", "cli", "testkit"] as const

/** Words that this project coined although the field has a standard term. The value is the standard term. */
const coined: Readonly<Record<string, string>> = {
  errand: "job",
  notice: "provider event",
  deed: "operation",
  bell: "notifications",
  lane: "write connection",
  turn: "tenant lock, or deliver to subscription",
  parcel: "encoded event",
  holding: "personal data",
  wish: "consent change",
  heed: "apply",
  sought: "search query",
  circumstance: "send context",
  tidy: "trimToNull",
  forever: "poll loop",
  surviving: "restart on defect",
  patience: "timeout",
  guest: "connection limiter",
  desk: "handler",
  trouble: "a failure with a reason",
  usual: "default",
  longest: "max",
  most: "max",
  largest: "max",
  least: "min",
  shortest: "min",
  told: "reported",
  heard: "received",
  stranger: "the caller's role, for example anonymous",
  somebody: "the caller's role",
  nobody: "none"
}

/** Returns the words of an identifier: `maxPageSize` → max, page, size. */
const wordsOf = (identifier: string): ReadonlyArray<string> =>
  [...identifier.matchAll(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/gu)].map(([word]) => word.toLowerCase())

const singular = (word: string): string => (word.endsWith("s") && !(word in coined) ? word.slice(0, -1) : word)

const coinedIn = (identifier: string): ReadonlyArray<string> =>
  wordsOf(identifier)
    .map(singular)
    .filter((word) => word in coined)
    .map((word) => `${identifier}: write "${coined[word]}" instead of "${word}"`)

const exportsOf = (file: SourceFile): ReadonlyArray<string> =>
  [
    ...file.text.matchAll(
      /^export (?:declare )?(?:abstract )?(?:const|let|function|class|interface|type) (?:\{([^}]+)\}|(\w+))/gmu
    )
  ].flatMap(([, list, name]) => (name === undefined ? (list ?? "").split(/[\s,:]+/u) : [name]))

/** Matches two joined string literals without a space between their words. Lists of patterns join at `|`. */
const joinedWords = /[^\s|]["`] \+\n *["`][\p{L}\p{N}].*/gu

describe("vocabulary", () => {
  it("recognises a coined word in any part of a name", () => {
    expect(coinedIn("runMailErrands")).toHaveLength(1)
    expect(coinedIn("returnedJobs")).toEqual([])
  })

  for (const name of packages) {
    it(`${name} uses standard terms in file names and exports`, () => {
      // Released migrations keep the names of their time.
      const files = sourcesOf(name).filter(({ path }) => !path.includes("/migration/"))
      const inNames = files.flatMap(({ path }) => coinedIn(basename(path, ".ts")).map((each) => `${path}: ${each}`))
      const inExports = files.flatMap((file) =>
        exportsOf(file)
          .flatMap(coinedIn)
          .map((each) => `${file.path}: ${each}`)
      )
      expect([...inNames, ...inExports]).toEqual([])
    })
  }

  it("recognises joined texts without a space", () => {
    expect('"Set the" +\n  "same keys."'.match(joinedWords)).toHaveLength(1)
    expect('"Set the " +\n  "same keys."'.match(joinedWords)).toBeNull()
    expect('"from|" +\n  "van"'.match(joinedWords)).toBeNull()
  })

  for (const name of packages) {
    it(`${name} joins the parts of a text with a space`, () => {
      const unspaced = sourcesOf(name).flatMap(({ path, text }) =>
        (text.match(joinedWords) ?? []).map((each) => `${path}: ${each}`)
      )
      expect(unspaced).toEqual([])
    })
  }

  it("the glossary defines each word once, in at most 60 rows", () => {
    const rows = readFileSync(join(repository, "docs/glossary.md"), "utf8")
      .split("\n")
      .filter((line) => line.startsWith("| "))
      .slice(1)
    expect(rows.length).toBeLessThanOrEqual(60)
    const words = rows.flatMap((row) => (row.split("|")[1] ?? "").split(",").map((word) => word.trim()))
    expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([])
  })
})
