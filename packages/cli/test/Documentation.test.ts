/** Checks every page of the documentation: its code blocks, and the variables, commands and requests that it names. */
import { spawnSync } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { parseEnv } from "node:util"
import { checkEnvironment } from "@leadloom/server/internal/config/CheckEnvironment"
import { repository } from "@leadloom/testkit/Sources"
import { describe, expect, it } from "vitest"
import { unknownCommands, unknownRequests, unknownVariables } from "./DocumentedNames.ts"
import { type Block, blocksOf, isExecuted, notRunReasons, stepsOf } from "./Markdown.ts"

const read = (path: string): string => readFileSync(join(repository, path), "utf8")

const pages = globSync(["README.md", "docs/**/*.md"], { cwd: repository }).toSorted()
const pageBlocks = pages.map((page) => blocksOf(page, read(page)))
const blocks = pageBlocks.flat()
const shown = new Set(pageBlocks.flatMap(stepsOf).map(({ expected }) => expected))

/** The guides that a test follows, as paths from the root. */
const followed = globSync("packages/cli/test/*.test.ts", { cwd: repository }).flatMap((file) =>
  [...read(file).matchAll(/follow(?:As)?\("([^"]+\.md)"/gu)].map(([, guide = ""]) => join("docs/how-to", guide))
)

/** Returns true if the comment above a block gives a known reason, or a test that reads the page. */
const isExcused = (note: string, page: string): boolean => {
  if (note.startsWith("not run: ")) return notRunReasons.some((reason) => note === `not run: ${reason}`)
  const test = note.slice("checked by ".length)
  // The test of the package installs it as the pages show, without reading them.
  return test === ".scripts/test/Pack.test.ts" || read(test).includes(basename(page))
}

/** Returns the reason why a block is neither executed nor checked; null if there is none. */
const mistakeOf = (block: Block): string | null => {
  const { code, language, note, page } = block
  if (note !== null) return isExcused(note, page) ? null : `has an unknown reason: ${note}`
  if (isExecuted(block)) return followed.includes(page) ? null : "is on a page that no test follows"
  switch (language) {
    case "text":
      return shown.has(block) ? null : "shows the output of no command"
    case "env":
      return checkEnvironment(parseEnv(code)).mistakes.join(" ") || null
    case "json":
      return JSON.parse(code) === null ? "is empty" : null
    default:
      return "needs a language that tests check, or a comment `not run: …` or `checked by …` above it"
  }
}

/** Returns the findings of a check on all pages except decisions, which may name what no longer exists. */
const findings = (check: (markdown: string) => ReadonlyArray<string>): ReadonlyArray<string> =>
  pages
    .filter((page) => !page.startsWith("docs/decisions/"))
    .flatMap((page) => check(read(page)).map((found) => `${page} ${found}`))

describe("every code block of the documentation", () => {
  it("is executed or checked by a test, or states why it cannot run", () => {
    const mistakes = blocks.flatMap((block) => {
      const mistake = mistakeOf(block)
      return mistake === null ? [] : [`${block.page}:${block.line} ${mistake}`]
    })
    expect(mistakes).toEqual([])
  })

  it("is valid shell syntax if it is a shell block that cannot run", () => {
    const wrong = blocks
      .filter(({ language, note }) => language === "sh" && note?.startsWith("not run: "))
      .filter(({ code }) => spawnSync("bash", ["-n"], { input: code }).status !== 0)
    expect(wrong.map(({ line, page }) => `${page}:${line}`)).toEqual([])
  })

  it("runs in four of five cases", () => {
    const notRun = blocks.filter(({ note }) => note?.startsWith("not run: "))
    expect(notRun.length).toBeLessThan(blocks.length / 5)
  })
})

describe("the documentation names only", () => {
  it("existing variables", () => {
    expect(findings(unknownVariables)).toEqual([])
  })

  it("existing commands and options", () => {
    expect(findings(unknownCommands)).toEqual([])
  })

  it("existing requests", () => {
    expect(findings(unknownRequests)).toEqual([])
  })
})

describe("the checks of names", () => {
  it("report what does not exist", () => {
    expect(unknownVariables("`LEADLOOM_TRUSTED_PROXYS` and `LEADLOOM_S3_…`")).toEqual(["LEADLOOM_TRUSTED_PROXYS"])
    expect(unknownCommands("`leadloom tenants creat x`")).toEqual(["creat in: leadloom tenants creat x"])
    expect(unknownCommands("    leadloom db copy \\\n  --form a")).toEqual(["--form in: leadloom db copy  --form a"])
    expect(unknownRequests("`GET …/leads`, `GET …/lead`, `POST /api/v1/sessions {…}`")).toEqual(["GET …/lead"])
  })
})
