import { variableCatalog, type VariableName } from "./VariableCatalog.ts"
import { type VariableEntry, variableGroups } from "./VariableEntry.ts"

/** The variables that an environment file sets. */
export type FileValues = Readonly<Partial<Record<VariableName, string>>>

/** The maximum length of a comment line in characters. */
const lineWidth = 100

const head = [
  "The environment of a Leadloom server. It contains secrets: keep it readable by its owner only, and back it up.",
  "Docker, systemd and leadloom --env-file read this format. Lines that begin with # have no effect.",
  "Check changes with: leadloom config check --env-file <this file>"
]

/** Wraps a text into comment lines. */
const comment = (text: string): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = "#"
  for (const word of text.split(/\s+/u)) {
    if (line.length + 1 + word.length > lineWidth) {
      lines.push(line)
      line = "#"
    }
    line += ` ${word}`
  }
  return [...lines, line]
}

/** Removes links and code marks of Markdown. */
const plain = (text: string): string => text.replace(/\[([^[\]]{1,200})\]\([^()]{1,200}\)/gu, "$1").replaceAll("`", "")

const section = (name: string, entry: VariableEntry, value: string | undefined): ReadonlyArray<string> => [
  ...comment(`${plain(entry.text)}${entry.default === null ? "" : ` Default: ${entry.default}.`}`),
  value === undefined ? `#${name}=` : `${name}=${value}`,
  ""
]

/** The variables that appear only if a problem occurs. They stay out of the file, because they apply to one start only. */
const oneStartOnly: ReadonlyArray<string> = ["LEADLOOM_SECRET_KEY_LOST", "LEADLOOM_NEW_DATABASE"]

/** Matches values that Docker, systemd and shells read in the same way, without quotes. */
const portable = /^[\w./:@%+,=~?&[\]-]*$/u

/** Returns the names of the variables whose value an environment file cannot contain. */
export const unportable = (values: FileValues): ReadonlyArray<string> =>
  Object.entries(values).flatMap(([name, value]) => (portable.test(value ?? "") ? [] : [name]))

/**
 * Returns the text of an environment file: every variable with its description. Variables without a value are comments.
 * `serverUrl` is the server that the command line calls; null for its default.
 */
export const environmentFile = (values: FileValues, serverUrl: string | null = null): string => {
  const given = new Map(Object.entries(values))
  const groups = variableGroups.flatMap((group) => {
    const entries = Object.entries<VariableEntry>(variableCatalog).filter(
      ([name, entry]) => entry.group === group && !oneStartOnly.includes(name)
    )
    if (entries.length === 0) return []
    return [`# ---- ${group} ----`, "", ...entries.flatMap(([name, entry]) => section(name, entry, given.get(name)))]
  })
  const client = [
    "# ---- Command line ----",
    "",
    ...comment("The server that commands such as leadloom tenants call. Default: http://127.0.0.1:4800."),
    serverUrl === null ? "#LEADLOOM_URL=" : `LEADLOOM_URL=${serverUrl}`
  ]
  return `${[...head.flatMap(comment), "", ...groups, ...client].join("\n")}\n`
}
