import type { QueuedErrand } from "@leadloom/core/domain/job/Errand"
import { Errands, type HeldErrand } from "@leadloom/core/port/repository/webhook/Errands"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { makeClaim, type WorkTable } from "../../queue/Claim.ts"
import { readObject } from "../../sql/Json.ts"
import { first, queries } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"
import { makeWakeUps } from "../../queue/WakeUps.ts"

interface ErrandRow extends Omit<QueuedErrand, "errand"> {
  readonly errand: string
}

const errands = table<ErrandRow>(
  "errands",
  {
    tenantId: "tenant_id",
    errandId: "errand_id",
    attempts: "attempts",
    dueAt: "due_at",
    createdAt: "created_at",
    reason: "reason",
    errand: "errand"
  },
  ["tenantId", "errandId"]
)

const fromRow = ({ errand, ...row }: ErrandRow): QueuedErrand => ({ ...row, errand: readObject(errand) })

/** Errands as work that is claimed. What is done is gone, so that all there is, is open. */
export const work: WorkTable = {
  name: "errands",
  id: "errand_id",
  open: "attempts >= 0",
  index: "errands_due",
  changes: "attempts = attempts + 1",
  columns: errands.columns
}

/** The first text behind all that begin so, as bytes are compared. */
const behind = (beginning: string): string => {
  const last = beginning.codePointAt(beginning.length - 1) ?? 0
  return `${beginning.slice(0, -1)}${String.fromCodePoint(last + 1)}`
}

/** What is to be done at providers' in SQL. */
export const layer: Layer.Layer<Errands, never, SqlClient> = Layer.effect(
  Errands,
  Effect.map(SqlClient, (sql) => {
    const { command, query } = queries(sql)
    const held = "tenant_id = ? AND errand_id = ? AND attempts = ?"
    const keyOf = ({ attempts, errandId, tenantId }: HeldErrand) => [tenantId, errandId, attempts] as const
    const put = command(`${errands.insert} ON CONFLICT (tenant_id, errand_id) DO NOTHING`)
    const renew = command(
      `${errands.insert} ON CONFLICT (tenant_id, errand_id) DO UPDATE SET attempts = errands.attempts + 1`
    )
    const hurry = command("UPDATE errands SET due_at = ? WHERE tenant_id = ? AND errand_id = ?")
    const claim = makeClaim<ErrandRow>(sql, work, ({ errandId }) => errandId)
    const finish = query(`DELETE FROM errands WHERE ${held} RETURNING errand_id`)
    const release = query(`UPDATE errands SET due_at = ?, errand = ?, reason = ? WHERE ${held} RETURNING errand_id`)
    const backlog = query<{ readonly waiting: number }>("SELECT count(*) AS waiting FROM errands")
    const waiting = query<{ readonly waiting: number }>(
      "SELECT count(*) AS waiting FROM errands WHERE tenant_id = ? AND errand_id >= ? AND errand_id < ?"
    )
    const { wait, wakeAll, wakeOwn } = makeWakeUps(sql, "errands")
    type New = Omit<QueuedErrand, "attempts" | "reason">
    const keep = (statement: typeof put, queued: New) => {
      const row = { ...queued, attempts: 0, reason: null, errand: JSON.stringify(queued.errand) }
      return Effect.andThen(statement(...errands.values(row)), queued.dueAt > queued.createdAt ? wakeOwn : wakeAll)
    }
    return Errands.of({
      put: (queued) => keep(put, queued),
      renew: (queued) => keep(renew, queued),
      hurry: (tenantId, errandId, now) => Effect.andThen(hurry(now, tenantId, errandId), wakeAll),
      claim: (limit, now, leaseUntil) => Effect.map(claim(limit, now, leaseUntil), (rows) => rows.map(fromRow)),
      finish: (attempt) => Effect.map(finish(...keyOf(attempt)), (rows) => rows.length > 0),
      release: (attempt, dueAt, errand, reason) =>
        Effect.map(
          Effect.tap(release(dueAt, JSON.stringify(errand), reason, ...keyOf(attempt)), wakeOwn),
          (rows) => rows.length > 0
        ),
      wait,
      backlog: Effect.map(backlog(), (rows) => first(rows)?.waiting ?? 0),
      waiting: (tenantId, beginning) =>
        Effect.map(waiting(tenantId, beginning, behind(beginning)), (rows) => first(rows)?.waiting ?? 0)
    })
  })
)
