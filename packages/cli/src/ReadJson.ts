import { readFile } from "node:fs/promises"
import { usageFailure } from "./Failure.ts"
import type { Terminal } from "./Terminal.ts"

/** Reads a file, or standard input for the name `-`. */
export const readText = (terminal: Terminal, file: string): Promise<string> =>
  file === "-"
    ? terminal.readInput()
    : readFile(file, "utf8").catch(() => {
        throw usageFailure(`Cannot read ${file}.`)
      })

/** Parses JSON. `source` names its origin in the message of a failure. */
export const parseJson = (text: string, source: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw usageFailure(`${source} is not JSON: ${reason}.`)
  }
}

/** Parses the JSON in a file. The server validates the content. */
export const readJson = async (terminal: Terminal, file: string): Promise<unknown> =>
  parseJson(await readText(terminal, file), file === "-" ? "Standard input" : file)

/** Returns the property `name` of an object, or the value itself when it has no such property. */
export const within = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && name in value
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : value
