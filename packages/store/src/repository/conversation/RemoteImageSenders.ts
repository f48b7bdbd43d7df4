import { RemoteImageSenders } from "@leadloom/core/internal/port/repository/conversation/RemoteImageSenders"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"

/** Stores the contacts whose remote images a tenant shows in SQL. */
export const layer: Layer.Layer<RemoteImageSenders, never, Database> = Layer.effect(
  RemoteImageSenders,
  Effect.map(Database, ({ command, query }) => {
    const allow = command(
      `INSERT INTO remote_image_senders (tenant_id, contact_id, allowed_at) VALUES (?, ?, ?)
        ON CONFLICT (tenant_id, contact_id) DO NOTHING`
    )
    const remove = command("DELETE FROM remote_image_senders WHERE tenant_id = ? AND contact_id = ?")
    const find = query("SELECT 1 AS one FROM remote_image_senders WHERE tenant_id = ? AND contact_id = ?")
    return RemoteImageSenders.of({
      allow,
      remove,
      isAllowed: (tenantId, contactId) => Effect.map(find(tenantId, contactId), (rows) => rows.length > 0)
    })
  })
)
