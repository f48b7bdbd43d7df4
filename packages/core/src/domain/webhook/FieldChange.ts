import type { Change } from "./Change.ts"
import type { FieldValues } from "../field/FieldValues.ts"

/** Returns the changes of the custom fields of a contact or a lead. */
export const fieldChanges = (
  record: Pick<Change, "contactId" | "leadId">,
  before: FieldValues,
  after: FieldValues
): ReadonlyArray<Change> =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
    .map((field) => ({
      ...record,
      task: null,
      type: "field_changed",
      field,
      from: before[field] ?? null,
      to: after[field] ?? null
    }))
