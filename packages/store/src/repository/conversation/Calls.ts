import { Call, type CallKey, CallNotFound, type CallQuery } from "@leadloom/core/internal/domain/call/Call"
import { Calls } from "@leadloom/core/internal/port/repository/conversation/Calls"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { newest, type Queries } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

const calls = table(Call, { name: "calls", key: ["tenantId", "callId"] })

/**
 * Each index that a list can use has a statement of its own. The other filters apply to the few rows that the index
 * returns.
 */
const pages = ({ by, query }: Queries) => {
  const select = (index: string, column: string | null) =>
    query<Call>(
      `SELECT ${calls.columns} FROM calls ${by(index)}
        WHERE tenant_id = ?${column === null ? "" : ` AND ${column} = ?`} AND (started_at, call_id) < (?, ?)
          AND CASE WHEN (CAST(? AS text) IS NULL OR status = ?) AND (CAST(? AS text) IS NULL OR direction = ?)
            THEN 1 ELSE 0 END = 1
        ORDER BY started_at DESC, call_id DESC LIMIT ?`
    )
  const ofContact = select("calls_contact", "contact_id")
  const ofStatus = select("calls_status", "status")
  const ofTenant = select("calls_newest", null)
  return (tenantId: string, { contactId, direction, status }: CallQuery, limit: number, after: CallKey | null) => {
    const rest = [after?.startedAt ?? newest, after?.callId ?? "", status, status, direction, direction, limit] as const
    if (contactId !== null) return ofContact(tenantId, contactId, ...rest)
    return status === null ? ofTenant(tenantId, ...rest) : ofStatus(tenantId, status, ...rest)
  }
}

/** Stores telephone calls in SQL. */
export const layer: Layer.Layer<Calls, never, Database> = Layer.effect(
  Calls,
  Effect.map(Database, (database) => {
    const { by, command, query } = database
    const { all, one } = calls.reading({ query })
    const insert = command(calls.insert)
    const update = command(calls.replace)
    const find = one(`SELECT ${calls.columns} FROM calls WHERE tenant_id = ? AND call_id = ?`)
    const ofProvider = one(
      `SELECT ${calls.columns} FROM calls ${by("calls_provider")}
        WHERE tenant_id = ? AND provider = ? AND provider_call_id = ?`
    )
    const ofKey = one(`SELECT ${calls.columns} FROM calls ${by("calls_key")} WHERE tenant_id = ? AND request_key = ?`)
    const recorded = all(
      `SELECT ${calls.columns} FROM calls ${by("calls_contact")}
        WHERE tenant_id = ? AND contact_id = ? AND recording IN ('ready', 'wanted')
        ORDER BY started_at DESC, call_id DESC LIMIT ?`
    )
    return Calls.of({
      insert: (call) => insert(...calls.values(call)),
      get: Effect.fnUntraced(function* (tenantId, callId) {
        const call = yield* find(tenantId, callId)
        return call ?? (yield* new CallNotFound({ callId }))
      }),
      update: (call) => update(...calls.changes(call)),
      ofProvider,
      ofKey,
      page: pages(database),
      recorded
    })
  })
)
