import { ProviderEvents } from "@leadloom/core/internal/port/repository/webhook/ProviderEvents"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"

/** Stores the ids of received provider events in SQL. */
export const layer: Layer.Layer<ProviderEvents, never, Database> = Layer.effect(
  ProviderEvents,
  Effect.map(Database, ({ query }) => {
    const receive = query(
      `INSERT INTO provider_events (tenant_id, provider, event_id, received_at) VALUES (?, ?, ?, ?)
        ON CONFLICT (tenant_id, provider, event_id) DO NOTHING RETURNING event_id`
    )
    const expire = query(
      `DELETE FROM provider_events WHERE tenant_id = ? AND (provider, event_id) IN (SELECT provider, event_id FROM provider_events
        WHERE tenant_id = ? AND received_at < ? ORDER BY received_at LIMIT ?) RETURNING event_id`
    )
    return ProviderEvents.of({
      receive: (tenantId, provider, providerEventId, now) =>
        Effect.map(receive(tenantId, provider, providerEventId, now), (rows) => rows.length > 0),
      expire: (tenantId, before, limit) => Effect.map(expire(tenantId, tenantId, before, limit), (rows) => rows.length)
    })
  })
)
