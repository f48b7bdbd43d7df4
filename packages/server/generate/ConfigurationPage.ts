import { variableCatalog } from "../src/config/VariableCatalog.ts"
import { type VariableEntry, type VariableGroup, variableGroups } from "../src/config/VariableEntry.ts"

const row = ([name, entry]: readonly [string, VariableEntry]): string =>
  `| \`${name}\` | ${entry.default === null ? "" : `\`${entry.default}\``} | ${entry.text} |`

const entriesOf = (wanted: VariableGroup) => Object.entries(variableCatalog).filter(([, { group }]) => group === wanted)

const section = (group: VariableGroup): string => {
  const rows = entriesOf(group).map(row)
  return [`## ${group}`, "", "| variable | default | meaning |", "|---|---|---|", ...rows, ""].join("\n")
}

/** Returns the configuration reference, `docs/reference/configuration.md`. */
export const configurationPage = (): string =>
  [
    "# Configuration",
    "",
    "Generated from `packages/server/src/config/VariableCatalog.ts` by `npm run generate`. Do not edit.",
    "",
    "The server reads environment variables. An empty variable counts as unset. The server does not start with an invalid",
    "value; it prints one line per mistake.",
    "",
    ...variableGroups.filter((group) => entriesOf(group).length > 0).map(section)
  ].join("\n")
