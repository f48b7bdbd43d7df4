import {
  ContactImport,
  type ImportedContact,
  ImportNotFound
} from "@leadloom/core/internal/domain/import/ContactImport"
import { unchecked } from "@leadloom/core/internal/domain/Field"
import { ContactId } from "@leadloom/core/internal/domain/Id"
import { ContactImports } from "@leadloom/core/internal/port/repository/contact/ContactImports"
import { Effect, Layer, Schema } from "effect"
import { Database } from "../../Database.ts"
import { mappedTable, table } from "../../sql/Table.ts"
import type { Row } from "../../unit/RowsForm.ts"

/** The change of a contact: the records before and after, and the added identities. */
type Change = Omit<ImportedContact, "contactId">

class ImportedRow extends Schema.Opaque<ImportedRow>()(
  Schema.Struct({
    tenantId: Schema.String,
    importId: Schema.String,
    contactId: ContactId,
    change: unchecked<Change>()
  })
) {}

type Stored = ImportedContact & { readonly tenantId: string; readonly importId: string }

const imports = table(ContactImport, { name: "contact_imports", key: ["tenantId", "importId"] })
const items = mappedTable(
  ImportedRow,
  { name: "contact_import_items", key: ["tenantId", "importId", "contactId"] },
  {
    toRow: ({ contactId, importId, tenantId, ...change }: Stored) => ({ tenantId, importId, contactId, change }),
    fromRow: ({ change, ...ids }): Stored => ({ ...ids, ...change })
  }
)

/** A text after all ids. A list in descending order starts with it. */
const lastId = "imp_~"

/** Stores imports of contacts in SQL. */
export const layer: Layer.Layer<ContactImports, never, Database> = Layer.effect(
  ContactImports,
  Effect.map(Database, ({ command, isOneOf, query, rows }) => {
    const { all, one } = imports.reading({ query })
    const find = one(`SELECT ${imports.columns} FROM contact_imports WHERE tenant_id = ? AND import_id = ?`)
    // Ids sort by their time of creation.
    const page = all(
      `SELECT ${imports.columns} FROM contact_imports
        WHERE tenant_id = ? AND import_id < ? ORDER BY import_id DESC LIMIT ?`
    )
    const insert = command(imports.insert)
    const replace = command(imports.replace)
    const known = items.reading({ query }).all(
      `SELECT ${items.columns} FROM contact_import_items
          WHERE tenant_id = ? AND import_id = ? AND ${isOneOf("contact_id")}`
    )
    const insertItems = rows(items.inserting)
    const replaceItems = rows(items.replacing)
    const some = items
      .reading({ query })
      .all(`SELECT ${items.columns} FROM contact_import_items WHERE tenant_id = ? AND import_id = ? LIMIT ?`)
    const forget = command(
      `DELETE FROM contact_import_items WHERE tenant_id = ? AND import_id = ? AND ${isOneOf("contact_id")}`
    )
    return ContactImports.of({
      get: (tenantId, importId) =>
        Effect.flatMap(find(tenantId, importId), (found) =>
          found === null ? Effect.fail(new ImportNotFound({ importId })) : Effect.succeed(found)
        ),
      page: (tenantId, limit, after) => page(tenantId, after ?? lastId, limit),
      insert: (of) => insert(...imports.values(of)),
      update: (of) => replace(...imports.changes(of)),
      record: Effect.fnUntraced(function* (tenantId, importId, changed) {
        // A contact that this import creates has no earlier change.
        const existing = changed.filter(({ before }) => before !== null).map(({ contactId }) => contactId)
        const earlier = existing.length === 0 ? [] : yield* known(tenantId, importId, JSON.stringify(existing))
        const byContact = new Map(earlier.map((change) => [change.contactId, change]))
        const fresh: Array<Row> = []
        const again: Array<Row> = []
        for (const change of changed) {
          const stored = { tenantId, importId, ...change }
          const first = byContact.get(change.contactId)
          if (first === undefined) fresh.push(items.values(stored))
          else {
            const identities = [...first.identities, ...change.identities]
            again.push(items.changes({ ...stored, before: first.before, identities }))
          }
        }
        yield* insertItems(fresh)
        yield* replaceItems(again)
      }),
      some: (tenantId, importId, limit) => some(tenantId, importId, limit),
      forget: (tenantId, importId, contactIds) => forget(tenantId, importId, JSON.stringify(contactIds))
    })
  })
)
