import { WebhookCall } from "@leadloom/core/internal/domain/rule/action/WebhookCall"
import { type HeldCall, WebhookCalls } from "@leadloom/core/internal/port/repository/webhook/WebhookCalls"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { makeClaim, type WorkTable } from "../../queue/Claim.ts"
import { makeWakeUps } from "../../queue/WakeUps.ts"
import { table } from "../../sql/Table.ts"

const calls = table(WebhookCall, { name: "webhook_calls", key: ["tenantId", "callId"] })

/** The work table of calls. Ended calls are deleted, so every row is open. */
export const work: WorkTable = {
  name: "webhook_calls",
  id: "call_id",
  open: "attempts >= 0",
  index: "webhook_calls_due",
  changes: "attempts = attempts + 1",
  columns: calls.columns
}

/** Stores calls of webhooks in SQL. */
export const layer: Layer.Layer<WebhookCalls, never, Database> = Layer.effect(
  WebhookCalls,
  Effect.map(Database, (database) => {
    const { command, query } = database
    const held = "tenant_id = ? AND call_id = ? AND attempts = ?"
    const keyOf = ({ attempts, callId, tenantId }: HeldCall) => [tenantId, callId, attempts] as const
    const put = command(`${calls.insert} ON CONFLICT (tenant_id, call_id) DO NOTHING`)
    const finish = query(`DELETE FROM webhook_calls WHERE ${held} RETURNING call_id`)
    const release = query(`UPDATE webhook_calls SET due_at = ?, tries = ? WHERE ${held} RETURNING call_id`)
    const claim = makeClaim<WebhookCall>(database, work, ({ callId }) => callId)
    const { wait, wakeAll, wakeOwn } = makeWakeUps(database, "webhook_calls")
    return WebhookCalls.of({
      put: (call) => Effect.andThen(put(...calls.values(call)), wakeAll),
      finish: (call) => Effect.map(finish(...keyOf(call)), (rows) => rows.length > 0),
      release: (call, dueAt, tries) =>
        Effect.map(Effect.tap(release(dueAt, tries, ...keyOf(call)), wakeOwn), (rows) => rows.length > 0),
      claim: (limit, now, leaseUntil) =>
        Effect.map(claim(limit, now, leaseUntil), (rows) => rows.map((row) => calls.fromRow(row))),
      wait
    })
  })
)
