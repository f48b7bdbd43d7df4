import { createHash } from "node:crypto"
import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { repository } from "../Sources.ts"

/** What a line of a fixture is: written by the sender, quoted, a signature or footer, or of no account. */
export type LineTag = "w" | "q" | "s" | "o"

/** A mail body of which every line is labelled. */
export interface ReplyFixture {
  /** `batch/class name`, unique. */
  readonly id: string
  readonly text: string
  readonly lines: ReadonlyArray<{ readonly tag: LineTag; readonly text: string }>
}

/** How a splitter did on one fixture: the lines of the writer it lost, and the other lines it left. */
export interface FixtureScore {
  readonly lost: ReadonlyArray<string>
  readonly left: ReadonlyArray<string>
}

const folder = join(repository, "packages/testkit/replies")

const isTag = (tag: string | undefined): tag is LineTag => tag === "w" || tag === "q" || tag === "s" || tag === "o"

const readFixture = (group: string, section: string): ReplyFixture => {
  const [name = "", ...rest] = section.trimEnd().split("\n")
  const lines = rest
    .filter((line) => line !== "")
    .map((line) => {
      const tag = line[0]
      if (!isTag(tag) || line[1] !== "|") throw new Error(`${group} ${name}: no label on the line ${line}`)
      return { tag, text: line.slice(2) }
    })
  return { id: `${group} ${name}`, text: lines.map(({ text }) => text).join("\n"), lines }
}

/**
 * Reads the labelled reply bodies of one batch. A file holds many: `## name`, then one line of the body each, with its
 * label in front (`w|` written, `q|` quoted, `s|` signature or footer, `o|` not counted).
 */
export const readReplyFixtures = (batch: string): ReadonlyArray<ReplyFixture> =>
  readdirSync(join(folder, batch))
    .toSorted()
    .flatMap((file) =>
      readFileSync(join(folder, batch, file), "utf8")
        .split(/^## /mu)
        .slice(1)
        .map((section) => readFixture(`${batch}/${file.replace(/\.txt$/u, "")}`, section))
    )

/** The batches of fixtures, oldest first. */
export const replyBatches = (): ReadonlyArray<string> => readdirSync(folder).toSorted()

/**
 * Whether a case belongs to the half that nobody looks at while rules are written: the lowest bit of the first byte of
 * the SHA-256 of its id.
 */
export const isHeldOut = (id: string): boolean => ((createHash("sha256").update(id).digest()[0] ?? 0) & 1) === 1

const contentLines = (text: string): Array<string> =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

/** Compares the visible text a splitter gave with the labels, line by line, blank lines aside. */
export const scoreFixture = (fixture: ReplyFixture, visible: string): FixtureScore => {
  const shown = contentLines(visible)
  const take = (line: string): boolean => {
    const at = shown.indexOf(line.trim())
    if (at !== -1) shown.splice(at, 1)
    return at !== -1
  }
  const labelled = fixture.lines.filter(({ text }) => text.trim() !== "")
  const tagged = (tag: LineTag): ReadonlyArray<string> =>
    labelled.filter((line) => line.tag === tag).map((line) => line.text)
  const lost = tagged("w").filter((line) => !take(line))
  tagged("o").forEach(take)
  return { lost, left: shown }
}

/** Number of lines of a fixture that count, by what ought to become of them. */
export const countedLines = (fixture: ReplyFixture): { readonly keep: number; readonly drop: number } => {
  const count = (...tags: ReadonlyArray<LineTag>): number =>
    fixture.lines.filter(({ tag, text }) => tags.includes(tag) && text.trim() !== "").length
  return { keep: count("w"), drop: count("q", "s") }
}
