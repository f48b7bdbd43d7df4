import { readFile } from "node:fs/promises"
import { usageFailure } from "./Failure.ts"
import type { Terminal } from "./Terminal.ts"

/** What a file says, or standard input where its name is `-`. */
export const readText = (terminal: Terminal, file: string): Promise<string> =>
  file === "-"
    ? terminal.readInput()
    : readFile(file, "utf8").catch(() => {
        throw usageFailure(`Cannot read ${file}.`)
      })

/** The JSON in a file. The server checks what is in it. */
export const readJson = async (terminal: Terminal, file: string): Promise<unknown> => {
  const text = await readText(terminal, file)
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw usageFailure(`${file === "-" ? "Standard input" : file} is not JSON: ${reason}.`)
  }
}

/** What stands under a name in an object, or the value itself where it has no such name. */
export const within = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && name in value
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : value
