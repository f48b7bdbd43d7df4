import type { Contact } from "../contact/Contact.ts"
import type { CustomField } from "../field/CustomField.ts"
import { formatFieldText, parseFieldText } from "../field/ParseFieldText.ts"
import { joinValues, splitValues } from "../field/ValueList.ts"
import { unprotectCell } from "../text/SpreadsheetCell.ts"
import type { FieldChanges } from "../field/FieldValues.ts"
import { ImportInvalid } from "./ContactImport.ts"

const columns = ["name", "email", "phone", "company", "notes"] as const
type Column = (typeof columns)[number]

const customPrefix = "custom_fields."

/** The fields of a contact that one record of a file sets. A blank cell sets nothing. */
export interface ImportedRow {
  readonly fields: Readonly<Partial<Record<Column, string>>>
  readonly tags: ReadonlyArray<string>
  readonly customFields: FieldChanges
}

/** Returns all fields to which a column can be mapped. An export has a column of the same name for each. */
export const importTargets = (definitions: ReadonlyArray<CustomField>): ReadonlyArray<string> => [
  ...columns,
  "tags",
  ...definitions.map(({ key }) => `${customPrefix}${key}`)
]

/** Returns the cells of a contact in the columns of `importTargets`. `readRow` reads the same values from them. */
export const exportRow = (contact: Contact, definitions: ReadonlyArray<CustomField>): ReadonlyArray<string> => [
  ...columns.map((column) => contact[column] ?? ""),
  joinValues(contact.tags),
  ...definitions.map(({ key }) => {
    const value = contact.customFields[key]
    return value === undefined ? "" : formatFieldText(value)
  })
]

const isColumn = (target: string): target is Column => columns.some((column) => column === target)

/**
 * Checks a mapping of columns to fields. Returns the field of each column of the file, in the order of the columns, and
 * null for columns that are not imported.
 */
export const readMapping = (
  mapping: Readonly<Record<string, string>>,
  header: ReadonlyArray<string>,
  definitions: ReadonlyArray<CustomField>
): ReadonlyArray<string | null> | ImportInvalid => {
  const fail = (reason: string) => new ImportInvalid({ field: "mapping", reason })
  const targets = Object.values(mapping)
  if (targets.length === 0) return fail("Map at least one column.")
  if (new Set(targets).size < targets.length) return fail("Each field can be mapped only once.")
  const missing = Object.keys(mapping).find((column) => !header.includes(column))
  if (missing !== undefined) return fail(`The file has no column ${missing}.`)
  const known = new Set(importTargets(definitions))
  const unknown = targets.find((target) => !known.has(target))
  if (unknown !== undefined) return fail(`There is no field ${unknown}. Known fields are ${[...known].join(", ")}.`)
  const byColumn = new Map(Object.entries(mapping))
  return header.map((column) => byColumn.get(column) ?? null)
}

/** Reads one record of a file. `targets` is the result of `readMapping`. */
export const readRow = (
  cells: ReadonlyArray<string>,
  targets: ReadonlyArray<string | null>,
  definitions: ReadonlyArray<CustomField>
): ImportedRow => {
  const byKey = new Map(definitions.map((definition) => [definition.key, definition]))
  const fields: Partial<Record<Column, string>> = {}
  const custom: Array<[string, FieldChanges[string]]> = []
  let tags: ReadonlyArray<string> = []
  for (const [index, target] of targets.entries()) {
    const cell = unprotectCell(cells[index]?.trim() ?? "")
    if (target === null || cell === "") continue
    if (target === "tags") tags = splitValues(cell)
    else if (isColumn(target)) fields[target] = cell
    else {
      const definition = byKey.get(target.slice(customPrefix.length))
      if (definition !== undefined) custom.push([definition.key, parseFieldText(definition, cell)])
    }
  }
  return { fields, tags, customFields: Object.fromEntries(custom) }
}
