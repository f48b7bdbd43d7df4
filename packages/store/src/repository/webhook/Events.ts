import { Events, type SequencedEvent } from "@leadloom/core/internal/port/repository/webhook/Events"
import { makeWatchers } from "@leadloom/core/internal/port/system/WakeUp"
import { OutboundEvent } from "@leadloom/core/internal/domain/webhook/Event"
import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect, Layer, Schema } from "effect"
import { Database, type DatabaseShape } from "../../Database.ts"
import type { Param } from "../../sql/Param.ts"
import { first, type Queries } from "../../sql/Queries.ts"
import { totals } from "../../sql/ArrayRows.ts"
import type { Row, RowsForm } from "../../unit/RowsForm.ts"
import { mappedTable } from "../../sql/Table.ts"

class EventRow extends Schema.Opaque<EventRow>()(Schema.Struct({ ...OutboundEvent.fields, sequence: Schema.Int })) {}

const sequenced = mappedTable(
  EventRow,
  { name: "events", key: ["tenantId", "sequence"] },
  {
    toRow: ({ event, sequence }: SequencedEvent): EventRow => ({ ...event, sequence }),
    fromRow: ({ sequence, ...event }) => ({ sequence, event })
  }
)

const columns = sequenced.columnsOf("e")

const reading = ({ query, tuples }: Queries) => ({
  after: sequenced
    .reading({ query })
    .all(`SELECT ${columns} FROM events e WHERE e.tenant_id = ? AND e.sequence > ? ORDER BY e.sequence LIMIT ?`),
  pick: sequenced.reading({ query }).all(
    `SELECT ${columns} FROM ${tuples} CROSS JOIN events e
      WHERE e.tenant_id = ? AND e.sequence = CAST(item.value ->> 0 AS bigint) ORDER BY e.sequence`
  ),
  oldest: query<{ readonly sequence: number }>(
    "SELECT sequence FROM events WHERE tenant_id = ? AND sequence > 0 ORDER BY sequence LIMIT 1"
  ),
  last: query<{ readonly last: number }>("SELECT last_sequence AS last FROM event_sequences WHERE tenant_id = ?"),
  tenants: query<{ readonly tenantId: string }>(
    `SELECT tenant_id AS "tenantId" FROM event_sequences WHERE tenant_id > ? ORDER BY tenant_id LIMIT ?`
  )
})

/** The statements that delete the oldest events of a tenant and their deliveries. */
const expiring = ({ command, query, whole }: Queries) => {
  const look = query<{ readonly sequence: number; readonly timestamp: number }>(
    `SELECT sequence, "timestamp" FROM events WHERE tenant_id = ? AND sequence > 0 ORDER BY sequence LIMIT ?`
  )
  const removals = [
    command("DELETE FROM events WHERE tenant_id = ? AND sequence <= ?"),
    ...[
      { name: "webhook_deliveries", column: "sequence" },
      { name: "webhook_log", column: "first_sequence" }
    ].map(({ column, name }) =>
      command(
        `DELETE FROM ${name} WHERE ${column} <= ? AND (tenant_id, webhook_id) IN
          (SELECT webhook_subscriptions.tenant_id, webhook_subscriptions.webhook_id FROM webhook_subscriptions
            WHERE webhook_subscriptions.tenant_id = ?)`
      )
    )
  ]
  return Effect.fnUntraced(function* (tenantId: string, before: number, limit: number) {
    const oldest = yield* look(tenantId, limit)
    const stays = oldest.findIndex(({ timestamp }) => timestamp >= before)
    const gone = stays === -1 ? oldest : oldest.slice(0, stays)
    const last = gone.at(-1)?.sequence
    if (last === undefined) return 0
    const [removeEvents, ...removeDeliveries] = removals
    yield* whole(
      Effect.gen(function* () {
        if (removeEvents !== undefined) yield* removeEvents(tenantId, last)
        for (const remove of removeDeliveries) yield* remove(last, tenantId)
      })
    )
    return gone.length
  })
}

type Write = (tenantId: string, events: ReadonlyArray<OutboundEvent>) => Effect.Effect<void, StoreUnavailable>

/**
 * Each tenant has a row that numbers its events. The row changes in the same transaction as the events, so a rollback
 * leaves no gap. It also records whether an active subscription has events to receive (`Subscriptions.claim` reads it).
 */
const number = `INSERT INTO event_sequences (tenant_id, last_sequence, waiting) VALUES (?, ?, CASE WHEN EXISTS (SELECT 1
      FROM webhook_subscriptions WHERE tenant_id = ? AND status = 'active') THEN 1 ELSE 0 END)
    ON CONFLICT (tenant_id) DO UPDATE SET last_sequence = event_sequences.last_sequence + excluded.last_sequence,
      waiting = excluded.waiting`

/** Writes one event per statement. On SQLite, this takes less time than a set, which SQLite must parse as JSON. */
const writingRows = ({ commandEach, query }: Queries): Write => {
  const advance = query<{ readonly last: number }>(`${number} RETURNING last_sequence AS last`)
  const insert = commandEach(
    `INSERT INTO events (tenant_id, sequence, event_id, type, "timestamp", data, contact_id) VALUES (?, ?, ?, ?, ?, ?, ?)`
  )
  return (tenantId, events) =>
    Effect.flatMap(advance(tenantId, events.length, tenantId), (rows) => {
      const start = (first(rows)?.last ?? 0) - events.length + 1
      return insert(
        events.map(({ data, eventId, timestamp, type }, index) => {
          const contactId = data["contact_id"]
          const ofContact = typeof contactId === "string" ? contactId : null
          return [tenantId, start + index, eventId, type, timestamp, JSON.stringify(data), ofContact]
        })
      )
    })
}

/** Wakes code that waits for new events, including events that other servers write. */
const watching = ({ notifications }: DatabaseShape) => {
  const { wake, watch } = makeWatchers()
  notifications?.onNotification("events", () => wake(null))
  return {
    watch,
    report: (tenantId: string) => () => {
      wake(tenantId)
      notifications?.notifyOthers("events")
    }
  }
}

const numberText = (source: string, tenant: string): string =>
  `INSERT INTO event_sequences (tenant_id, last_sequence, waiting) ${source} CASE WHEN EXISTS (SELECT 1
      FROM webhook_subscriptions WHERE webhook_subscriptions.tenant_id = ${tenant} AND status = 'active')
    THEN 1 ELSE 0 END`
const raise = `ON CONFLICT (tenant_id) DO UPDATE SET
  last_sequence = event_sequences.last_sequence + excluded.last_sequence, waiting = excluded.waiting`

/** Reserves sequence numbers. The values of a row are the tenant and the number of its new events. */
const numbering: RowsForm = {
  text: `${numberText("VALUES (?, ?,", "?")}) ${raise}`,
  params: ([[tenantId = null, count = null] = []]) => [tenantId, count, tenantId],
  types: ["text", "bigint"],
  batch: (source) =>
    `${numberText("SELECT item.tenant_id, item.count,", "item.tenant_id")}
      FROM ${source} AS item(tenant_id, count) ${raise}`,
  combine: totals
}

/** Sets the second value of each row: the number of later rows of its tenant. */
const fromLast = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const later = new Map<Param, number>()
  return rows
    .toReversed()
    .map(([tenantId = null, , ...event]) => {
      const count = later.get(tenantId) ?? 0
      later.set(tenantId, count + 1)
      return [tenantId, count, ...event]
    })
    .toReversed()
}

/** Stores events after `numbering` has reserved their numbers. */
const inserting = ({ asJson, tuples }: Queries): RowsForm => ({
  text: `INSERT INTO events (tenant_id, sequence, event_id, type, "timestamp", data, contact_id)
    SELECT tenant_id, last_sequence - CAST(item.value ->> 0 AS bigint), item.value ->> 1, item.value ->> 2,
      CAST(item.value ->> 3 AS bigint), ${asJson("item.value ->> 4")}, item.value ->> 5
    FROM ${tuples} CROSS JOIN event_sequences WHERE event_sequences.tenant_id = ?`,
  params: (rows) => {
    const [[tenantId = null] = []] = rows
    return [JSON.stringify(rows.map(([, ...event]) => event)), tenantId]
  },
  types: ["text", "bigint", "text", "text", "bigint", "json", "text"],
  batch: (source) =>
    `INSERT INTO events (tenant_id, sequence, event_id, type, "timestamp", data, contact_id)
      SELECT s.tenant_id, s.last_sequence - item.later, item.event_id, item.type, item.at, item.data, item.contact_id
      FROM ${source} AS item(tenant_id, later, event_id, type, at, data, contact_id)
        JOIN event_sequences s ON s.tenant_id = item.tenant_id`,
  combine: (rows) => [fromLast(rows)]
})

/** Writes events in one statement, without waiting for their number. */
const writingSets = (database: DatabaseShape): Write => {
  const advance = database.rows(numbering)
  const insert = database.rows(inserting(database))
  return (tenantId, events) => {
    const written = events.map(({ data, eventId, timestamp, type }): Row => {
      const contactId = data["contact_id"]
      const ofContact = typeof contactId === "string" ? contactId : null
      return [tenantId, 0, eventId, type, timestamp, JSON.stringify(data), ofContact]
    })
    return Effect.andThen(advance([[tenantId, events.length]]), insert(fromLast(written)))
  }
}

const writing = (database: DatabaseShape): Write =>
  database.sql.onDialectOrElse({ pg: () => writingSets(database), orElse: () => writingRows(database) })

/** Stores the outbox of outbound events in SQL. */
export const layer: Layer.Layer<Events, never, Database> = Layer.effect(
  Events,
  Effect.map(Database, (database) => {
    const { afterCommit, whole } = database
    const write = writing(database)
    const { after, last, oldest, pick, tenants } = reading(database)
    const { report, watch } = watching(database)
    return Events.of({
      append: (tenantId, events) => {
        if (events.length === 0) return Effect.void
        return Effect.andThen(whole(write(tenantId, events)), afterCommit(report(tenantId)))
      },
      after,
      pick: (tenantId, sequences) =>
        sequences.length === 0
          ? Effect.succeed([])
          : pick(JSON.stringify(sequences.map((sequence) => [sequence])), tenantId),
      range: Effect.fnUntraced(function* (tenantId) {
        const newest = first(yield* last(tenantId))?.last ?? 0
        return { first: first(yield* oldest(tenantId))?.sequence ?? newest + 1, last: newest }
      }),
      expire: expiring(database),
      tenants: (after, limit) => Effect.map(tenants(after, limit), (rows) => rows.map(({ tenantId }) => tenantId)),
      watch
    })
  })
)
