import { Enrolment } from "@leadloom/core/internal/domain/sequence/Enrolment"
import { type EnrolmentFilter, Enrolments } from "@leadloom/core/internal/port/repository/sequence/Enrolments"
import { type Context, Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { makeClaim, type WorkTable } from "../../queue/Claim.ts"
import { makeWakeUps } from "../../queue/WakeUps.ts"
import type { Queries } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"
import { countGroups } from "./EnrolledGroups.ts"

const enrolments = table(Enrolment, { name: "enrolments", key: ["tenantId", "enrolmentId"] })

/** The work table of enrolments. A claim only delays the next one: the unit of work decides. */
export const work: WorkTable = {
  name: "enrolments",
  id: "enrolment_id",
  open: "state = 'active'",
  index: "enrolments_due",
  changes: "attempts = attempts + 1",
  columns: enrolments.columns
}

/** Returns the index that a list uses: the most selective filter decides. */
const indexOf = ({ contactId, sequenceId, state }: EnrolmentFilter): string | null => {
  if (contactId !== null) return "enrolments_contact"
  if (sequenceId === null) return state === null ? null : "enrolments_state"
  return state === null ? "enrolments_sequence" : "enrolments_sequence_state"
}

/** The statements that read the enrolments of a contact. */
const readRunning = ({
  by,
  query
}: Queries): Pick<Context.Service.Shape<typeof Enrolments>, "newest" | "running" | "runningOf"> => {
  const { all, one } = enrolments.reading({ query })
  const runningOf = (condition: string) =>
    all(
      `SELECT ${enrolments.columns} FROM enrolments ${by("enrolments_contact")}
        WHERE tenant_id = ? AND contact_id = ? ${condition} AND state IN ('active', 'paused')
        ORDER BY enrolment_id LIMIT ?`
    )
  const [inAny, inOne] = [runningOf(""), runningOf("AND sequence_id = ?")]
  const newest = one(
    `SELECT ${enrolments.columns} FROM enrolments ${by("enrolments_contact")}
      WHERE tenant_id = ? AND contact_id = ? AND sequence_id = ? ORDER BY enrolment_id DESC LIMIT 1`
  )
  return {
    newest: (tenantId, sequenceId, contactId) => newest(tenantId, contactId, sequenceId),
    running: (tenantId, sequenceId, contactId) =>
      Effect.map(inOne(tenantId, contactId, sequenceId, 1), ([oldest = null]) => oldest),
    runningOf: (tenantId, contactId, sequenceId, limit) =>
      sequenceId === null ? inAny(tenantId, contactId, limit) : inOne(tenantId, contactId, sequenceId, limit)
  }
}

/** The statements about times: messages of a contact since a time, and enrolments that ended before one. */
const sinceTime = ({
  by,
  query
}: Queries): Pick<Context.Service.Shape<typeof Enrolments>, "expire" | "messagedSince"> => {
  const expire = query(
    `DELETE FROM enrolments WHERE tenant_id = ? AND enrolment_id IN (SELECT enrolment_id FROM enrolments
      ${by("enrolments_ended")} WHERE tenant_id = ? AND state IN ('completed', 'stopped', 'held_out')
        AND updated_at < ? ORDER BY updated_at, enrolment_id LIMIT ?) RETURNING enrolment_id`
  )
  return {
    messagedSince: enrolments.reading({ query }).all(
      `SELECT ${enrolments.columns} FROM enrolments ${by("enrolments_contact")}
        WHERE tenant_id = ? AND contact_id = ? AND last_sent_at >= ? ORDER BY enrolment_id LIMIT ?`
    ),
    expire: (tenantId, before, limit) => Effect.map(expire(tenantId, tenantId, before, limit), (rows) => rows.length)
  }
}

/** The statements that read the results of a sequence. */
const readResults = ({
  by,
  query,
  tuples
}: Queries): Pick<Context.Service.Shape<typeof Enrolments>, "answers" | "recent"> => {
  const { all } = enrolments.reading({ query })
  const recent = all(
    `SELECT ${enrolments.columns} FROM enrolments ${by("enrolments_sequence")}
      WHERE tenant_id = ? AND sequence_id = ? ORDER BY enrolment_id DESC LIMIT ?`
  )
  const answers = query<{ readonly enrolmentId: string; readonly at: number | string | null }>(
    `SELECT item.value ->> 0 AS "enrolmentId", (SELECT min(m.received_at) FROM messages m ${by("messages_from_contact")}
        WHERE m.tenant_id = ? AND m.contact_id = item.value ->> 1 AND m.actor = 'contact' AND m.auto IS NULL
          AND m.received_at > CAST(item.value ->> 2 AS bigint)) AS "at"
      FROM ${tuples}`
  )
  return {
    recent,
    answers: (tenantId, wanted) =>
      Effect.map(
        answers(
          tenantId,
          JSON.stringify(wanted.map(({ contactId, enrolmentId, since }) => [enrolmentId, contactId, since]))
        ),
        (rows) =>
          new Map(rows.flatMap(({ at, enrolmentId }) => (at === null ? [] : [[enrolmentId, Number(at)] as const])))
      )
  }
}

/** Stores enrolments in SQL. */
export const layer: Layer.Layer<Enrolments, never, Database> = Layer.effect(
  Enrolments,
  Effect.map(Database, (database) => {
    const { by, command, query } = database
    const { all, one } = enrolments.reading({ query })
    const insert = command(enrolments.insert)
    const replace = command(enrolments.replace)
    const overlaps = query<{ readonly found: number }>(
      `SELECT 1 AS found FROM enrolments ${by("enrolments_contact")}
        WHERE tenant_id = ? AND contact_id = ? AND sequence_id = ? AND enrolment_id < ?
          AND (state IN ('active', 'paused') OR updated_at > ?) LIMIT 1`
    )
    const sentSince = all(
      `SELECT ${enrolments.columns} FROM enrolments ${by("enrolments_contact")}
        WHERE tenant_id = ? AND contact_id = ? AND last_sent_at >= ?`
    )
    const conditions = (filter: EnrolmentFilter): ReadonlyArray<readonly [string, string]> =>
      (
        [
          ["contact_id = ?", filter.contactId],
          ["sequence_id = ?", filter.sequenceId],
          ["state = ?", filter.state]
        ] as const
      ).flatMap(([condition, value]) => (value === null ? [] : [[condition, value] as const]))
    const pages = new Map<string, ReturnType<typeof all>>()
    const pageOf = (filter: EnrolmentFilter) => {
      const index = indexOf(filter)
      const text = `SELECT ${enrolments.columns} FROM enrolments ${index === null ? "" : by(index)} WHERE tenant_id = ?
        ${conditions(filter)
          .map(([condition]) => `AND ${condition}`)
          .join(" ")} AND enrolment_id > ? ORDER BY enrolment_id LIMIT ?`
      const page = pages.get(text) ?? all(text)
      pages.set(text, page)
      return page
    }
    const claim = makeClaim<Enrolment>(database, work, ({ enrolmentId }) => enrolmentId)
    const { wait, wakeAll, wakeOwn } = makeWakeUps(database, "sequences")
    const wake = ({ dueAt, updatedAt }: Enrolment) => (dueAt > updatedAt ? wakeOwn : wakeAll)
    return Enrolments.of({
      insert: (enrolment) => Effect.andThen(insert(...enrolments.values(enrolment)), wake(enrolment)),
      find: one(`SELECT ${enrolments.columns} FROM enrolments WHERE tenant_id = ? AND enrolment_id = ?`),
      ...readRunning(database),
      ...readResults(database),
      overlaps: ({ createdAt, enrolmentId, sequenceId, tenantId }, contactId) =>
        Effect.map(overlaps(tenantId, contactId, sequenceId, enrolmentId, createdAt), (rows) => rows.length > 0),
      replace: (enrolment) => Effect.andThen(replace(...enrolments.changes(enrolment)), wake(enrolment)),
      sentSince: (tenantId, contactId, since) =>
        Effect.map(sentSince(tenantId, contactId, since), (rows) => rows.map(({ history }) => history)),
      ...sinceTime(database),
      groups: countGroups(database),
      page: (tenantId, filter, limit, after) =>
        pageOf(filter)(tenantId, ...conditions(filter).map(([, value]) => value), after ?? "", limit),
      claim: (limit, now, leaseUntil) =>
        Effect.map(claim(limit, now, leaseUntil), (rows) => rows.map((row) => enrolments.fromRow(row))),
      wait
    })
  })
)
