import { Erasure } from "@leadloom/core/internal/domain/privacy/Erasure"
import { Erasures } from "@leadloom/core/internal/port/repository/contact/Erasures"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { newest } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

const erasures = table(Erasure, { name: "erasures", key: ["tenantId", "erasureId"] })

const upsert = `${erasures.insert} ON CONFLICT (tenant_id, erasure_id) DO UPDATE SET
  completed_at = excluded.completed_at, receipt_hash = excluded.receipt_hash, erased = excluded.erased,
  emails = excluded.emails`

/** Stores the receipts of erasures in SQL. */
export const layer: Layer.Layer<Erasures, never, Database> = Layer.effect(
  Erasures,
  Effect.map(Database, ({ command, isOneOf, items, query }) => {
    const { all, one } = erasures.reading({ query })
    const save = command(upsert)
    const ofContact = one(`SELECT ${erasures.columns} FROM erasures WHERE tenant_id = ? AND contact_id = ?`)
    const page = all(
      `SELECT ${erasures.columns} FROM erasures WHERE tenant_id = ? AND (requested_at, erasure_id) < (?, ?)
        ORDER BY requested_at DESC, erasure_id DESC LIMIT ?`
    )
    const among = query<{ readonly id: string }>(
      `SELECT contact_id AS id FROM erasures WHERE tenant_id = ? AND ${isOneOf("contact_id")}`
    )
    const addObjects = command(
      `INSERT INTO erasure_objects (tenant_id, erasure_id, object_key) SELECT ?, ?, item.value FROM ${items} WHERE true
        ON CONFLICT (tenant_id, erasure_id, object_key) DO NOTHING`
    )
    const objects = query<{ readonly key: string }>(
      `SELECT object_key AS "key" FROM erasure_objects WHERE tenant_id = ? AND erasure_id = ? ORDER BY object_key LIMIT ?`
    )
    const dropObjects = command(
      `DELETE FROM erasure_objects WHERE tenant_id = ? AND erasure_id = ? AND ${isOneOf("object_key")}`
    )
    return Erasures.of({
      save: (erasure) => save(...erasures.values(erasure)),
      ofContact,
      page: (tenantId, limit, after) => page(tenantId, after?.requestedAt ?? newest, after?.erasureId ?? "", limit),
      among: (tenantId, contactIds) =>
        Effect.map(
          among(tenantId, JSON.stringify([...new Set(contactIds)])),
          (rows) => new Set(rows.map(({ id }) => id))
        ),
      addObjects: (tenantId, erasureId, keys) =>
        keys.length === 0 ? Effect.void : addObjects(tenantId, erasureId, JSON.stringify([...new Set(keys)])),
      objects: (tenantId, erasureId, limit) =>
        Effect.map(objects(tenantId, erasureId, limit), (rows) => rows.map(({ key }) => key)),
      dropObjects: (tenantId, erasureId, keys) => dropObjects(tenantId, erasureId, JSON.stringify(keys))
    })
  })
)
