import { createHash } from "node:crypto"
import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { repository } from "../Sources.ts"

/** The label of a line: `w` written by the sender, `q` quoted, `s` signature or footer, `o` not counted. */
export type LineTag = "w" | "q" | "s" | "o"

/** A mail body with a label for every line. */
export interface ReplyFixture {
  /** A unique id, in the form `batch/class name`. */
  readonly id: string
  readonly text: string
  readonly lines: ReadonlyArray<{ readonly tag: LineTag; readonly text: string }>
}

/** The errors of a splitter on one fixture: lines of the writer that it removed, and other lines that it kept. */
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
      if (!isTag(tag) || line[1] !== "|") throw new Error(`${group} ${name}: the line ${line} has no label`)
      return { tag, text: line.slice(2) }
    })
  return { id: `${group} ${name}`, text: lines.map(({ text }) => text).join("\n"), lines }
}

/**
 * Reads the labelled reply bodies of one batch. A file contains several bodies. Each body starts with `## name`. A
 * label precedes every line: `w|` written, `q|` quoted, `s|` signature or footer, `o|` not counted.
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

/** Returns the batches of fixtures, oldest first. */
export const replyBatches = (): ReadonlyArray<string> => readdirSync(folder).toSorted()

/**
 * Returns whether a case belongs to the held-out half, which authors of rules do not read. The lowest bit of the first
 * byte of the SHA-256 of its id decides.
 */
export const isHeldOut = (id: string): boolean => ((createHash("sha256").update(id).digest()[0] ?? 0) & 1) === 1

const contentLines = (text: string): Array<string> =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

/** Compares the visible text of a splitter with the labels, line by line, without blank lines. */
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

/** Counts the lines of a fixture that a splitter must keep, and those that it must remove. */
export const countedLines = (fixture: ReplyFixture): { readonly keep: number; readonly drop: number } => {
  const count = (...tags: ReadonlyArray<LineTag>): number =>
    fixture.lines.filter(({ tag, text }) => tags.includes(tag) && text.trim() !== "").length
  return { keep: count("w"), drop: count("q", "s") }
}
