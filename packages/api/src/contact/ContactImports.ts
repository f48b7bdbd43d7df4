import {
  ContactImport as ContactImportNoun,
  maxImportBytes,
  maxImportRows
} from "@leadloom/core/internal/domain/import/ContactImport"
import { maxColumns } from "@leadloom/core/internal/domain/import/ReadCsv"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, keyErrors, NotFound, ServiceUnavailable } from "../errors.ts"
import { cursor, IdempotencyKey, nextCursor, pageSize, TenantPath, unstated } from "../schema/Field.ts"
import { wire } from "../schema/Wire.ts"

export const { schema: ContactImport, toJson: contactImportToJson } = wire(ContactImportNoun, "ContactImport", {
  description: "An import of contacts from a CSV file, with its progress",
  id: "importId",
  omit: ["tenantId"]
})

const base64Length = Math.ceil(maxImportBytes / 3) * 4

export const StartImport = Schema.Struct({
  csv: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(maxImportBytes))).annotate({
    description: `The file as text; either \`csv\` or \`file\` is required. A file has at most ${maxImportRows} records`
  }),
  file: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(base64Length))).annotate({
    description:
      "The file in base64: UTF-8, UTF-16 with a byte order mark, or Windows-1252; separated by commas, semicolons or tabs; at most 20 MiB"
  }),
  mapping: Schema.Record(Schema.String, Schema.String.check(Schema.isMaxLength(100)))
    .check(
      Schema.makeFilter((value) => Object.keys(value).length <= maxColumns, {
        ...unstated,
        message: `Expected at most ${maxColumns} columns`
      })
    )
    .annotate({
      description:
        "The field of each column: name, email, phone, company, notes, other_emails, other_phones, tags, or `custom_fields.<key>`. Other columns are ignored. Several values in a cell are separated by `;`"
    }),
  dry_run: Schema.optionalKey(Schema.Boolean).annotate({
    description: "true: only check the file and report the results. Default: false"
  }),
  on_conflict: Schema.optionalKey(Schema.Literals(["skip", "update"])).annotate({
    description: "What happens to a record with an email address or number of an existing contact. Default: skip"
  })
}).annotate({ identifier: "StartContactImport", description: "A CSV file with contacts, and how to import it" })

const ImportPath = { ...TenantPath, import_id: Schema.String.annotate({ description: "Import id (`imp_…`)" }) }

/** Imports of contacts from CSV files. */
export const ContactImportsGroup = HttpApiGroup.make("contactImports")
  .add(
    HttpApiEndpoint.post("start", "/tenants/:tenant_id/contacts/import", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: StartImport,
      success: ContactImport.pipe(HttpApiSchema.status(202)),
      error: [BadRequest, NotFound, Conflict, ServiceUnavailable, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Import contacts from a CSV file")
      .annotate(
        OpenApi.Description,
        "Workers import the file; read the import for its progress and errors. While another import of the tenant runs, the status is 409."
      )
      .annotate(Gate, gate("contactImports.start", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.get("list", "/tenants/:tenant_id/imports", {
      params: TenantPath,
      query: { cursor, limit: pageSize(100, 50) },
      success: Schema.Struct({
        imports: Schema.Array(ContactImport).annotate({ description: "The imports, newest first" }),
        next_cursor: nextCursor
      }).annotate({ identifier: "ContactImportPage", description: "A page of imports" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List the imports of contacts, newest first")
      .annotate(OpenApi.Description, "Dry runs are listed too.")
      .annotate(Gate, gate("contactImports.list", { limiter: "admin" })),
    HttpApiEndpoint.get("get", "/tenants/:tenant_id/imports/:import_id", {
      params: ImportPath,
      success: ContactImport,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Read an import with its progress and errors")
      .annotate(OpenApi.Description, "The import lists its first 100 errors and counts the others.")
      .annotate(Gate, gate("contactImports.get", { limiter: "admin" })),
    HttpApiEndpoint.post("undo", "/tenants/:tenant_id/imports/:import_id/undo", {
      params: ImportPath,
      headers: IdempotencyKey,
      success: ContactImport.pipe(HttpApiSchema.status(202)),
      error: [NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Undo an import")
      .annotate(
        OpenApi.Description,
        "Workers archive the created contacts and restore the changed values. Contacts and values that have changed since stay."
      )
      .annotate(Gate, gate("contactImports.undo", { limiter: "admin", idempotency: "unit" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Contact imports", description: "Imports of contacts from CSV files" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
