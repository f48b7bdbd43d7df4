import type { Contact } from "../contact/Contact.ts"
import type { Identity } from "../contact/Identity.ts"
import type { CustomField } from "../field/CustomField.ts"
import { formatFieldText, parseFieldText } from "../field/ParseFieldText.ts"
import { joinValues, splitValues } from "../field/ValueList.ts"
import { unprotectCell } from "../text/SpreadsheetCell.ts"
import type { FieldChanges } from "../field/FieldValues.ts"
import { ImportInvalid } from "./ContactImport.ts"

const columns = ["name", "email", "phone", "company", "notes"] as const
type Column = (typeof columns)[number]

/** The columns with several addresses or numbers beyond the primary ones. */
const otherEmails = "other_emails"
const otherPhones = "other_phones"

const customPrefix = "custom_fields."

/** The fields of a contact that one record of a file sets. A blank cell sets nothing. */
export interface ImportedRow {
  readonly fields: Readonly<Partial<Record<Column, string>>>
  readonly otherEmails: ReadonlyArray<string>
  readonly otherPhones: ReadonlyArray<string>
  readonly tags: ReadonlyArray<string>
  readonly customFields: FieldChanges
}

/** Returns all fields to which a column can be mapped. An export has a column of the same name for each. */
export const importTargets = (definitions: ReadonlyArray<CustomField>): ReadonlyArray<string> => [
  ...columns,
  otherEmails,
  otherPhones,
  "tags",
  ...definitions.map(({ key }) => `${customPrefix}${key}`)
]

/** Returns the values of one kind, except the primary one. Their order does not depend on the time of their addition. */
const othersOf = (identities: ReadonlyArray<Identity>, kind: "email" | "phone", primary: string | null): string =>
  joinValues(
    identities
      .filter((identity) => identity.kind === kind && identity.value !== primary)
      .map(({ value }) => value)
      .toSorted()
  )

/**
 * Returns the cells of a contact with its identities, in the columns of `importTargets`. `readRow` reads the same values
 * from them.
 */
export const exportRow = (
  contact: Contact,
  identities: ReadonlyArray<Identity>,
  definitions: ReadonlyArray<CustomField>
): ReadonlyArray<string> => [
  ...columns.map((column) => contact[column] ?? ""),
  othersOf(identities, "email", contact.email),
  othersOf(identities, "phone", contact.phone),
  joinValues(contact.tags),
  ...definitions.map(({ key }) => {
    const value = contact.customFields[key]
    return value === undefined ? "" : formatFieldText(value)
  })
]

const isList = (target: string): boolean => target === "tags" || target === otherEmails || target === otherPhones

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
  const lists = new Map<string, ReadonlyArray<string>>()
  for (const [index, target] of targets.entries()) {
    const cell = unprotectCell(cells[index]?.trim() ?? "")
    if (target === null || cell === "") continue
    if (isList(target)) lists.set(target, splitValues(cell))
    else if (isColumn(target)) fields[target] = cell
    else {
      const definition = byKey.get(target.slice(customPrefix.length))
      if (definition !== undefined) custom.push([definition.key, parseFieldText(definition, cell)])
    }
  }
  const listOf = (target: string): ReadonlyArray<string> => lists.get(target) ?? []
  return {
    fields,
    otherEmails: listOf(otherEmails),
    otherPhones: listOf(otherPhones),
    tags: listOf("tags"),
    customFields: Object.fromEntries(custom)
  }
}
