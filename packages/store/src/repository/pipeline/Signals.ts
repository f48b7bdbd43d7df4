/**
 * Repositories of signals, runs, batches and guardrail evaluations. Decisions of the pipeline belong in core. Tests:
 * `packages/testkit/src/suite/pipeline`.
 */
import { Time } from "@leadloom/core/internal/domain/Field"
import { processingReason, type Wait } from "@leadloom/core/internal/domain/conversation/Wait"
import { Signal } from "@leadloom/core/internal/domain/classification/Signal"
import { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import { Effect, Layer, Schema } from "effect"
import { Database } from "../../Database.ts"
import { makeClaim, type WorkTable } from "../../queue/Claim.ts"
import { first } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"
import { makeWakeUps } from "../../queue/WakeUps.ts"

/** A signal and its place in the queue. */
class SignalRow extends Schema.Opaque<SignalRow>()(
  Schema.Struct({
    ...Signal.fields,
    state: Schema.Literals(["queued", "done", "failed"]),
    dueAt: Time,
    createdAt: Time
  })
) {}

const signals = table(SignalRow, { name: "signals", key: ["tenantId", "signalId"] })
const claimed = table(Signal, { name: "signals", key: ["tenantId", "signalId"] })

/** The work table of signals. */
export const work: WorkTable = {
  name: "signals",
  id: "signal_id",
  open: "state = 'queued'",
  index: "signals_due",
  changes: "attempts = attempts + 1, unfinished = unfinished + 1 - suspect",
  columns: claimed.columns
}

/** Decrements the number of starts that have not ended. */
const startEnded = "unfinished = CASE WHEN unfinished > 0 THEN unfinished - 1 ELSE 0 END"

/** Stores the queue of signals in SQL. */
export const layer: Layer.Layer<Signals, never, Database> = Layer.effect(
  Signals,
  Effect.map(Database, (database) => {
    const { command, isOneOf, query, rows } = database
    const insert = rows(signals.inserting)
    const finish = query(
      `UPDATE signals SET state = ?, ended_at = ? WHERE tenant_id = ? AND signal_id = ? AND state = 'queued'
        RETURNING signal_id`
    )
    const release = command(
      `UPDATE signals SET due_at = ?, reason = ?, ${startEnded}
        WHERE tenant_id = ? AND signal_id = ? AND state = 'queued'`
    )
    const putAside = command(
      `UPDATE signals SET due_at = ?, suspect = 1, ${startEnded}
        WHERE tenant_id = ? AND signal_id = ? AND state = 'queued'`
    )
    const begin = query(
      `UPDATE signals SET unfinished = unfinished + 1 WHERE tenant_id = ? AND signal_id = ? AND state = 'queued'
        RETURNING signal_id`
    )
    const claim = makeClaim<Signal>(database, work, ({ signalId }) => signalId)
    const hold = command(
      "UPDATE signals SET due_at = ? WHERE tenant_id = ? AND signal_id = ? AND state = 'queued' AND due_at < ?"
    )
    const backlog = query<{ readonly waiting: number }>(
      "SELECT count(*) AS waiting FROM signals WHERE state = 'queued'"
    )
    const waiting = query<Omit<Wait, "reason"> & { readonly reason: string | null }>(
      `SELECT message_id AS "messageId", due_at AS "until", reason FROM signals
        WHERE tenant_id = ? AND ${isOneOf("signal_id")} AND state = 'queued' AND unfinished = 0 AND due_at > ?`
    )
    const { wait, wakeAll, wakeOwn } = makeWakeUps(database, "signals")
    return Signals.of({
      enqueue: (signal, now, notBefore) => {
        const dueAt = Math.max(now, notBefore)
        const stored = insert([signals.values({ ...signal, state: "queued", dueAt, createdAt: now })])
        return dueAt > now ? stored : Effect.andThen(stored, wakeAll)
      },
      claim: (limit, now, leaseUntil, admit) =>
        Effect.map(claim(limit, now, leaseUntil, admit), (rows) => rows.map((row) => claimed.fromRow(row))),
      putAside: (tenantId, signalId, now) => Effect.andThen(putAside(now, tenantId, signalId), wakeOwn),
      begin: (tenantId, signalId) => Effect.map(begin(tenantId, signalId), (rows) => rows.length > 0),
      finish: (tenantId, signalId, outcome, now) =>
        Effect.map(finish(outcome, now, tenantId, signalId), (rows) => rows.length > 0),
      hold: (tenantId, signalId, until) => Effect.asVoid(hold(until, tenantId, signalId, until)),
      release: (tenantId, signalId, dueAt, reason) =>
        Effect.andThen(release(dueAt, reason, tenantId, signalId), wakeOwn),
      waits: (tenantId, signalIds, now) =>
        Effect.map(waiting(tenantId, JSON.stringify(signalIds), now), (rows) =>
          rows.map(({ reason, ...row }) => ({ ...row, reason: processingReason(reason) }))
        ),
      wait,
      backlog: Effect.map(backlog(), (rows) => first(rows)?.waiting ?? 0)
    })
  })
)
