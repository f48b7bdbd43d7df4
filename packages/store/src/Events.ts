import { Events } from "@leadloom/core/port/Events"
import type { OutboundEvent } from "@leadloom/core/webhook/Event"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readObject } from "./Json.ts"
import { queries } from "./Queries.ts"

interface EventRow extends Omit<OutboundEvent, "data"> {
  readonly sequence: number
  readonly data: string
}

/** The outbox of outbound events in SQL. */
export const layer: Layer.Layer<Events, never, SqlClient> = Layer.effect(
  Events,
  Effect.map(SqlClient, (sql) => {
    const { asJson, command, query, whole, tuples } = queries(sql)
    // Counted in a row of the tenant, in the same transaction: a unit that is taken back leaves no gap.
    const number = command(
      `INSERT INTO event_sequences (tenant_id, last_sequence) VALUES (?, ?)
        ON CONFLICT (tenant_id) DO UPDATE SET last_sequence = event_sequences.last_sequence + excluded.last_sequence`
    )
    const insert = command(
      `INSERT INTO events (tenant_id, sequence, event_id, type, "timestamp", data, contact_id)
        SELECT tenant_id, last_sequence - CAST(item.value ->> 0 AS bigint), item.value ->> 1, item.value ->> 2,
          CAST(item.value ->> 3 AS bigint), ${asJson("item.value ->> 4")}, item.value ->> 5
        FROM ${tuples} CROSS JOIN event_sequences WHERE event_sequences.tenant_id = ?`
    )
    const after = query<EventRow>(
      `SELECT tenant_id AS "tenantId", sequence, event_id AS "eventId", type, "timestamp", data FROM events
        WHERE tenant_id = ? AND sequence > ? ORDER BY sequence LIMIT ?`
    )
    return Events.of({
      append: (tenantId, events) => {
        if (events.length === 0) return Effect.void
        const written = events.map(({ eventId, type, timestamp, data }, index) => [
          events.length - index - 1,
          eventId,
          type,
          timestamp,
          JSON.stringify(data),
          data["contact_id"] ?? null
        ])
        return whole(Effect.andThen(number(tenantId, events.length), insert(JSON.stringify(written), tenantId)))
      },
      after: (tenantId, sequence, limit) =>
        Effect.map(after(tenantId, sequence, limit), (rows) =>
          rows.map(({ sequence: place, data, ...event }) => ({
            sequence: place,
            event: { ...event, data: readObject<Record<string, unknown>>(data) }
          }))
        )
    })
  })
)
