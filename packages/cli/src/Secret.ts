import { usageFailure } from "./Failure.ts"
import { readText } from "./ReadJson.ts"
import type { Terminal } from "./Terminal.ts"

const readSecret = async (terminal: Terminal, file: string): Promise<string> => {
  const secret = (await readText(terminal, file)).trim()
  if (secret === "") throw usageFailure(`${file === "-" ? "Standard input" : file} is empty.`)
  return secret
}

/**
 * Returns a secret: the value of an option, or the content of the file that another option names. The list of processes
 * and the history of the shell show values, but no files.
 */
export const secretOf = async (
  terminal: Terminal,
  value: string | undefined,
  file: string | undefined
): Promise<string | undefined> => (file === undefined ? value : readSecret(terminal, file))

/** Returns the URL of a database: the text itself, the content of a file for `@<path>`, or standard input for `-`. */
export const databaseUrl = (terminal: Terminal, given: string): Promise<string> => {
  if (given === "-") return readSecret(terminal, given)
  return given.startsWith("@") ? readSecret(terminal, given.slice(1)) : Promise.resolve(given)
}

/** The help of an option with the URL of a database. */
export const databaseHelp = "sqlite:<file>, postgres://…, or @<path> of a file with the URL"
