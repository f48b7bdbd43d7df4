/** The reasons for which a block of the documentation cannot run in a test. */
export const notRunReasons = [
  "builds the workspace",
  "drawing",
  "needs a DNS zone",
  "needs a mail server",
  "needs a model server",
  "needs a provider's account",
  "needs an identity provider",
  "needs another version",
  "needs Docker",
  "needs Prometheus",
  "needs systemd",
  "needs the package registry",
  "part of a file",
  "runs until it is stopped"
] as const

/** A fenced code block of a page. */
export interface Block {
  readonly page: string
  /** The line of the opening fence, from 1. */
  readonly line: number
  /** The language after the opening fence; empty if there is none. */
  readonly language: string
  readonly code: string
  /** The text of the comment above the block: `not run: <reason>` or `checked by <file>`; null without a comment. */
  readonly note: string | null
}

const fence = /^(?<indent> *)```(?<language>[^\s`]*)[^\n]*\n(?<code>[\s\S]*?)^\k<indent>```$/gmu
const noteAbove = /<!-- (?<note>(?:not run: |checked by )[^>]+) -->\n\s*$/u

const unindent = (code: string, indent: string): string =>
  code
    .split("\n")
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
    .join("\n")

/** Returns the code blocks of a page in their order. */
export const blocksOf = (page: string, markdown: string): ReadonlyArray<Block> =>
  [...markdown.matchAll(fence)].map((match) => {
    const { code = "", indent = "", language = "" } = match.groups ?? {}
    const before = markdown.slice(0, match.index)
    return {
      page,
      line: before.split("\n").length,
      language,
      code: unindent(code, indent),
      note: noteAbove.exec(before)?.groups?.["note"] ?? null
    }
  })

/** Returns true for a block that `follow` executes: shell commands, and programs in TypeScript. */
export const isExecuted = ({ language, note }: Block): boolean =>
  (language === "sh" || language === "ts") && note === null

/** A command of a guide with the output that the guide shows; null if it shows none. */
export interface Step {
  readonly block: Block
  readonly expected: Block | null
}

/** Returns the executed blocks. A `text` block after an executed block shows its expected output. */
export const stepsOf = (blocks: ReadonlyArray<Block>): ReadonlyArray<Step> =>
  blocks.flatMap((block, index) => {
    if (!isExecuted(block)) return []
    const next = blocks[index + 1]
    return [{ block, expected: next?.language === "text" && next.note === null ? next : null }]
  })

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&")

/**
 * Returns true when an output matches the output that a guide shows. `…` stands for a part of a line, a line with `…`
 * alone for any number of lines. White space at the end of a line and around the output is ignored.
 */
export const showsOutput = (expected: string, output: string): boolean => {
  const lines = expected.trim().split("\n")
  const pattern = lines.map((line) =>
    line.trim() === "…" ? "(?:.*\n)*?" : `${line.trimEnd().split("…").map(escaped).join(".*")}[ \\t]*\n`
  )
  return new RegExp(`^\n*${pattern.join("")}\n*$`, "u").test(`${output.trimEnd()}\n`)
}
