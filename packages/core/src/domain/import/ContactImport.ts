// Imports of contacts from CSV files: the import, its mapping, and the reading of rows. Imports of email and of archives
// do not belong here. Tests: `packages/core/test/domain/import`, `packages/server/test/http/contact/Imports.test.ts`.

import { Schema } from "effect"
import type { Contact } from "../contact/Contact.ts"
import { Time } from "../Field.ts"
import { ContactImportId } from "../Id.ts"
import { TaggedError } from "../TaggedError.ts"

/** The limit of bytes of a file. */
export const maxImportBytes = 20 * 1_024 * 1_024
/** The limit of rows of a file, without the header. */
export const maxImportRows = 50_000
/** The limit of errors that an import lists. Further errors are only counted. */
export const maxImportErrors = 100
/** The number of rows per stored part of a file. A worker processes one part at a time. */
export const rowsPerPart = 500
/** The number of rows that one unit of work imports. Their reads and writes are a few statements. */
export const rowsPerUnit = 250
/** The number of contacts that one unit of work reverts. It bounds the time for which other work of the tenant waits. */
export const revertsPerUnit = 50

export const importStatuses = ["queued", "running", "done", "undoing", "undone"] as const

/** An error in one record of the file. */
export const ImportError = Schema.Struct({
  line: Schema.Int.annotate({ description: "The number of the record; the header is 1" }),
  field: Schema.String.annotate({ description: "The field with the error; empty: the whole record" }),
  message: Schema.String.annotate({ description: "The reason, for people" })
}).annotate({ identifier: "ContactImportError", description: "An error in one record of a file" })
export type ImportError = typeof ImportError.Type

/** An import of contacts from a CSV file, with its progress. */
export class ContactImport extends Schema.Opaque<ContactImport>()(
  Schema.Struct({
    importId: ContactImportId.annotate({ description: "Import id (`imp_…`)" }),
    tenantId: Schema.String,
    status: Schema.Literals(importStatuses).annotate({ description: "The progress of the import or of its undo" }),
    dryRun: Schema.Boolean.annotate({ description: "Whether the import only checks the file and changes nothing" }),
    onConflict: Schema.Literals(["skip", "update"]).annotate({
      description: "What happens to a record of an existing contact"
    }),
    mapping: Schema.Record(Schema.String, Schema.String).annotate({ description: "The field of each mapped column" }),
    rows: Schema.Int.annotate({ description: "The number of records in the file" }),
    processed: Schema.Int.annotate({ description: "The number of processed records" }),
    created: Schema.Int.annotate({ description: "The number of created contacts" }),
    updated: Schema.Int.annotate({ description: "The number of changed contacts" }),
    skipped: Schema.Int.annotate({ description: "The number of records of existing contacts that were not changed" }),
    failed: Schema.Int.annotate({ description: "The number of records with errors" }),
    errors: Schema.Array(ImportError).annotate({
      description: `The first ${maxImportErrors} errors, in the order of the records`
    }),
    reverted: Schema.Int.annotate({ description: "The number of contacts that an undo archived or restored" }),
    kept: Schema.Int.annotate({ description: "The number of contacts that an undo kept, because they had changed" }),
    createdAt: Time.annotate({ description: "The time of the request (ISO 8601 in UTC)" }),
    updatedAt: Time.annotate({ description: "The time of the last progress (ISO 8601 in UTC)" })
  })
) {}

/** The change of one contact by an import, for its undo. */
export interface ImportedContact {
  readonly contactId: Contact["contactId"]
  /** The contact before the import; null if the import created it. */
  readonly before: Contact | null
  readonly after: Contact
  /** The keys of the identities that the import added. */
  readonly identities: ReadonlyArray<string>
}

/** The tenant has no import with this id. */
export class ImportNotFound extends TaggedError("ImportNotFound")<{ readonly importId: string }> {}

/** The file or its mapping is invalid. */
export class ImportInvalid extends TaggedError("ImportInvalid")<{
  readonly field: "file" | "mapping"
  readonly reason: string
}> {}

/** The import cannot be undone in its present state. */
export class ImportNotUndoable extends TaggedError("ImportNotUndoable")<{ readonly status: string }> {}

/** Another import of the tenant is not done yet. */
export class ImportRunning extends TaggedError("ImportRunning")<{ readonly importId: string }> {}

/** A job that processes the next part of an import. */
export type ImportJob = { readonly kind: "contact_import"; readonly importId: ContactImportId; readonly part: number }

/** Returns the id of the only job of an import. */
export const importJobId = (importId: ContactImportId): string => `contact_import:${importId}`

/** Returns the key of the object with one part of a file. */
export const partKey = (importId: ContactImportId, part: number): string => `${importId}:${part}`

/** Adds errors to those of an import, up to `maxImportErrors`. */
export const withErrors = (
  { errors, failed }: Pick<ContactImport, "errors" | "failed">,
  more: ReadonlyArray<ImportError>
): Pick<ContactImport, "errors" | "failed"> => ({
  errors: [...errors, ...more].slice(0, maxImportErrors),
  failed: failed + more.length
})

const restorable = ["name", "email", "phone", "company", "notes", "tags", "companyId"] as const

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Returns the values of custom fields as before, except those that have changed since. */
const restoredFields = (
  now: Contact,
  { after, before }: { after: Contact; before: Contact }
): Contact["customFields"] => {
  const untouched = Object.entries(now.customFields).filter(
    ([key, value]) =>
      isSame(after.customFields[key], before.customFields[key]) || !isSame(value, after.customFields[key])
  )
  const earlier = Object.entries(before.customFields).filter(
    ([key]) =>
      !isSame(after.customFields[key], before.customFields[key]) &&
      isSame(now.customFields[key], after.customFields[key])
  )
  return Object.fromEntries([...untouched, ...earlier])
}

/** Returns a contact without the changes of an import. A value that has changed since the import stays. */
export const restoredContact = (now: Contact, before: Contact, after: Contact): Contact => {
  const earlier = restorable.filter((key) => isSame(now[key], after[key]) && !isSame(after[key], before[key]))
  return {
    ...now,
    ...Object.fromEntries(earlier.map((key) => [key, before[key]])),
    customFields: restoredFields(now, { after, before })
  }
}
