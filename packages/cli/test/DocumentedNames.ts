/** Finds variables, commands and requests in a page that do not exist. Code in sentences counts too. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { variableCatalog } from "@leadloom/server/internal/config/VariableCatalog"
import { repository } from "@leadloom/testkit/Sources"
import type { Command } from "commander"
import { addOperationCommands } from "../src/operation/AddCommands.ts"
import { program } from "../src/Program.ts"
import { processTerminal } from "../src/Terminal.ts"

/** The variables that only the command line or the tests read, and those of the example of an SMS provider. */
const otherVariables = /^LEADLOOM_(?:URL|API_KEY|ACTING_USER|TENANT|SMS_ACME_|TEST_)/u

/** A name that ends with `_` stands for several variables, for example `LEADLOOM_S3_…`. */
const isVariable = (name: string): boolean =>
  otherVariables.test(name) ||
  Object.keys(variableCatalog).some((known) => known === name || (name.endsWith("_") && known.startsWith(name)))

/** Returns the unknown `LEADLOOM_*` variables of a page. */
export const unknownVariables = (markdown: string): ReadonlyArray<string> =>
  (markdown.match(/\bLEADLOOM_[A-Z0-9_]+/gu) ?? []).filter((name) => !isVariable(name))

const root = program(processTerminal(), addOperationCommands)

const optionsOf = (command: Command): ReadonlyArray<string> => [
  ...command.options.flatMap(({ long }) => (long === undefined || long === null ? [] : [long])),
  ...(command.parent === null ? ["--help"] : optionsOf(command.parent))
]

/** Returns the first unknown subcommand or option of a command line; null if all parts exist. */
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
  const options = words.map((word) => word.replace(/=.*/u, "")).filter((word) => word.startsWith("--"))
  return options.find((option) => !known.includes(option)) ?? null
}

/** Returns the lines that begin with `leadloom` in blocks, up to the next shell operator, and in code of sentences. */
const commandsOf = (markdown: string): ReadonlyArray<string> => {
  const text = markdown.replaceAll(/\\\n\s*/gu, " ")
  const inBlocks = text.match(/^ *leadloom [a-z][^|>&;)\n]*/gmu) ?? []
  const inSentences = [...text.matchAll(/`(leadloom [a-z][^`]*)`/gu)].map(([, line = ""]) => line)
  return [...inBlocks, ...inSentences].map((line) => line.trim())
}

/** Returns the unknown commands and options of a page, each with its line. */
export const unknownCommands = (markdown: string): ReadonlyArray<string> =>
  commandsOf(markdown).flatMap((line) => {
    const part = unknownPart(line)
    return part === null ? [] : [`${part} in: ${line}`]
  })

interface Contract {
  readonly paths: Readonly<Record<string, object>>
}

const contract: Contract = JSON.parse(readFileSync(join(repository, "packages/api/openapi.json"), "utf8"))

/** Returns the segments of a path. Parameters and the tenants of examples become `*`. */
const segmentsOf = (path: string): ReadonlyArray<string> =>
  path.split("/").map((part) => (/^(?:[{<:].*|acme|demo)$/u.test(part) ? "*" : part))

const requests = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => ({ method: method.toUpperCase(), segments: segmentsOf(path) }))
)

/** Returns true if the contract has a request. The path may begin with `…`, and may omit `/api/v1`. */
const isRequest = (request: string): boolean => {
  const [method, path = ""] = request.replace(/[?#].*/u, "").split(" ")
  const wanted = segmentsOf(path).slice(1)
  return requests.some(
    (known) => known.method === method && known.segments.slice(-wanted.length).join("/") === wanted.join("/")
  )
}

/** Returns the unknown requests of a page, such as `POST …/rotate-secret`. */
export const unknownRequests = (markdown: string): ReadonlyArray<string> =>
  [...markdown.replaceAll(/\n\s*/gu, " ").matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) […/][^`\s]*)/gu)]
    .map(([, request = ""]) => request)
    .filter((request) => !isRequest(request))
