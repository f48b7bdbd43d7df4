/** Checks what the pages show: every code block, command, variable and request path. `follow` executes the `sh` and `ts` blocks. */
import { spawnSync } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseEnv } from "node:util"
import { checkEnvironment } from "@leadloom/server/config/CheckEnvironment"
import { variableCatalog } from "@leadloom/server/config/VariableCatalog"
import { repository } from "@leadloom/testkit/Sources"
import type { Command } from "commander"
import { describe, expect, it } from "vitest"
import { program } from "../src/Program.ts"
import { processTerminal } from "../src/Terminal.ts"
import { type Block, blocksOf, isExecuted, notRunReasons, stepsOf } from "./Markdown.ts"

const read = (path: string): string => readFileSync(join(repository, path), "utf8")

const pages = globSync(["README.md", "docs/**/*.md"], { cwd: repository }).toSorted()
const blocks = pages.flatMap((page) => blocksOf(page, read(page)))
const placeOf = ({ line, page }: Block): string => `${page}:${line}`

/** The guides that a test follows, as paths from the root. */
const followed = globSync("packages/cli/test/*.test.ts", { cwd: repository }).flatMap((file) =>
  [...read(file).matchAll(/follow(?:As)?\("(?<guide>[^"]+\.md)"/gu)].map(
    (match) => `docs/how-to/${match.groups?.["guide"]}`
  )
)
const isFollowed = (page: string): boolean => followed.some((guide) => join(guide) === page)

/** Returns the reason why a block is neither executed nor checked; null if there is none. */
const mistakeOf = (block: Block): string | null => {
  const { language, note, page } = block
  if (note?.startsWith("not run: "))
    return notRunReasons.some((reason) => note === `not run: ${reason}`) ? null : `unknown reason: ${note}`
  if (note !== null) {
    const file = note.slice("checked by ".length)
    return read(file).includes(page.split("/").at(-1) ?? "") || file.startsWith(".scripts")
      ? null
      : `${file} ignores it`
  }
  if (isExecuted(block)) return isFollowed(page) ? null : "no test follows this page"
  if (language === "text")
    return stepsOf(blocks).some(({ expected }) => expected === block) ? null : "no executed block above"
  if (language === "env") return checkEnvironment(parseEnv(block.code)).mistakes.join(" ") || null
  if (language === "json") return JSON.parse(block.code) === undefined ? "no JSON" : null
  return "neither sh, ts, text, env nor json, and without a comment `not run: …` or `checked by …`"
}

/** A word such as `LEADLOOM_S3_` followed by `*` or `…` stands for several variables. */
const variablesIn = (text: string): ReadonlyArray<string> => text.match(/\bLEADLOOM_[A-Z0-9_]+/gu) ?? []

/** The variables that only the command line reads, and those of an example. */
const otherVariables = /^LEADLOOM_(?:URL|API_KEY|SMS_ACME_|TEST_)/u
const isVariable = (name: string): boolean =>
  otherVariables.test(name) ||
  Object.keys(variableCatalog).some((known) => known === name || (name.endsWith("_") && known.startsWith(name)))

const root = program(processTerminal())
const optionsOf = (command: Command): ReadonlyArray<string> => [
  ...command.options.flatMap(({ long }) => (long === undefined || long === null ? [] : [long])),
  ...(command.parent === null ? ["--help"] : optionsOf(command.parent))
]

/** Returns the first unknown part of a command line that begins with `leadloom`; null if all parts exist. */
const unknownPart = (line: string): string | null => {
  const words = line.split(/\s+/u).slice(1)
  let command = root
  for (const word of words) {
    if (command.commands.length === 0) break
    const next = command.commands.find((one) => one.name() === word)
    if (next === undefined) return word
    command = next
  }
  const known = optionsOf(command)
  const wrong = words
    .map((word) => word.replace(/=.*/u, ""))
    .find((word) => word.startsWith("--") && !known.includes(word))
  return wrong ?? null
}

const withoutContinuations = (code: string): string => code.replaceAll(/\\\n\s*/gu, " ")

/** Returns the commands of shell blocks and of code in sentences, up to the next shell operator. */
const commandsIn = (page: string): ReadonlyArray<string> => {
  const text = withoutContinuations(read(page))
  const inBlocks = text.match(/^ *leadloom [a-z][^|>&;)\n]*/gmu) ?? []
  const inSentences = [...text.matchAll(/`(?<line>leadloom [a-z][^`]*)`/gu)].map(
    (match) => match.groups?.["line"] ?? ""
  )
  return [...inBlocks, ...inSentences].map((line) => line.trim())
}

interface Contract {
  readonly paths: Readonly<Record<string, object>>
}

const contract: Contract = JSON.parse(read("packages/api/openapi.json"))
const requests = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/gu, "*")}`)
)

/** Returns true if the contract has a request such as `POST …/rotate-secret` or `GET /api/v1/tenants/acme/leads`. */
const isRequest = (request: string): boolean => {
  const [method = "", path = ""] = request.replace(/[?#].*/u, "").split(" ")
  const wanted = path.split("/").map((part) => (/^(?:[{<:].*|acme|demo)$/u.test(part) ? "*" : part))
  return requests.some((one) => {
    const [knownMethod = "", knownPath = ""] = one.split(" ")
    const known = knownPath.split("/")
    const rest = wanted[0] === "…" || wanted[0] === "" ? wanted.slice(1) : wanted
    const end = known.slice(-rest.length)
    return knownMethod === method && rest.every((part, index) => part === end[index])
  })
}

const requestsIn = (page: string): ReadonlyArray<string> =>
  [
    ...read(page)
      .replaceAll(/\n\s*/gu, " ")
      .matchAll(/`(?<request>(?:GET|POST|PUT|PATCH|DELETE) (?:…|\/)[^`\s]*)/gu)
  ].map((match) => match.groups?.["request"] ?? "")

/** Pages of decisions describe the past, so their commands and variables may no longer exist. */
const current = pages.filter((page) => !page.startsWith("docs/decisions/"))

describe("every code block of the documentation", () => {
  it("is executed or checked by a test, or states why it cannot run", () => {
    const mistakes = blocks.flatMap((block) => {
      const mistake = mistakeOf(block)
      return mistake === null ? [] : [`${placeOf(block)} ${mistake}`]
    })
    expect(mistakes).toEqual([])
  })

  it("is shell syntax if it is a shell block that cannot run", () => {
    const unexecuted = blocks.filter((block) => block.language === "sh" && !isExecuted(block))
    const wrong = unexecuted.flatMap((block) => {
      const { status, stderr } = spawnSync("bash", ["-n"], { input: block.code, encoding: "utf8" })
      return status === 0 ? [] : [`${placeOf(block)} ${stderr}`]
    })
    expect(unexecuted.length).toBeGreaterThan(0)
    expect(wrong).toEqual([])
  })

  it("runs in four of five cases", () => {
    const notRun = blocks.filter(({ note }) => note?.startsWith("not run: "))
    expect(notRun.length).toBeLessThan(blocks.length / 5)
  })
})

describe("the documentation names", () => {
  it("existing variables", () => {
    const unknown = current.flatMap((page) =>
      variablesIn(read(page)).flatMap((name) => (isVariable(name) ? [] : [`${page} ${name}`]))
    )
    expect(unknown).toEqual([])
  })

  it("existing commands and options", () => {
    const unknown = current.flatMap((page) =>
      commandsIn(page).flatMap((line) => {
        const part = unknownPart(line)
        return part === null ? [] : [`${page} ${part} in: ${line}`]
      })
    )
    expect(unknown).toEqual([])
  })

  it("existing requests", () => {
    const unknown = current.flatMap((page) =>
      requestsIn(page).flatMap((request) => (isRequest(request) ? [] : [`${page} ${request}`]))
    )
    expect(unknown).toEqual([])
  })
})
