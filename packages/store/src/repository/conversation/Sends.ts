import { isAutomatic, type Reservation, Sending } from "@leadloom/core/internal/domain/sending/Reservation"
import type { Wait } from "@leadloom/core/internal/domain/conversation/Wait"
import { GrantId, ThreadId } from "@leadloom/core/internal/domain/Id"
import { describeReason } from "@leadloom/core/internal/domain/reason/Reason"
import {
  type SendAttempt,
  type SendOutcome,
  settleableStates,
  Sends
} from "@leadloom/core/internal/port/repository/conversation/Sends"
import { type DeliveryStep, maxDeliverySteps } from "@leadloom/core/internal/domain/sending/DeliveryStep"
import { Clock, type Context, Effect, Layer, Schema } from "effect"
import { Database, type DatabaseShape } from "../../Database.ts"
import { makeClaim, type WorkTable } from "../../queue/Claim.ts"
import { readArray, readObject } from "../../sql/Json.ts"
import { first, type Queries } from "../../sql/Queries.ts"
import { mappedTable } from "../../sql/Table.ts"
import { makeWakeUps, type WakeUps } from "../../queue/WakeUps.ts"

class SendRow extends Schema.Opaque<SendRow>()(
  Schema.Struct({
    ...Sending.fields,
    channel: Schema.Literals(["email", "sms"]),
    /** The sending account. Empty if the message has none. */
    grantId: Schema.Union([GrantId, Schema.Literal("")]),
    /** The thread of the message. Empty if it has none. */
    threadId: Schema.Union([ThreadId, Schema.Literal("")]),
    automatic: Schema.Boolean,
    /** The mail or text message, as JSON. */
    mail: Schema.String
  })
) {}

const sends = mappedTable(
  SendRow,
  { name: "sends", key: ["tenantId", "messageId"] },
  {
    toRow: (send: Reservation) => {
      const automatic = isAutomatic(send)
      if (send.channel === "email") return { ...send, automatic, mail: JSON.stringify(send.mail) }
      const { text, ...row } = send
      return { ...row, automatic, grantId: "" as const, threadId: "" as const, mail: JSON.stringify(text) }
    },
    fromRow: ({ automatic: _, channel: __, grantId, mail, threadId, ...row }): Reservation =>
      grantId === "" || threadId === ""
        ? { ...row, channel: "sms", text: readObject(mail) }
        : { ...row, channel: "email", grantId, threadId, mail: readObject(mail) }
  }
)

const open = "state IN ('reserved', 'handed_over')"

/**
 * The work table of sends. If a server crashed during the transmission of a send, a claim does not count another
 * attempt, because a retry could send the message twice.
 */
export const work: WorkTable = {
  name: "sends",
  id: "message_id",
  open,
  index: "sends_due",
  changes: "attempts = attempts + CASE WHEN state = 'reserved' THEN 1 ELSE 0 END",
  columns: sends.columns
}

const quoted = (states: ReadonlyArray<string>): string => states.map((state) => `'${state}'`).join(", ")

type Port = Context.Service.Shape<typeof Sends>
type HistoryPart = "history" | "addStep"
type ProgressPart = "handOver" | "settle" | "release"
type QueuePart = "reserve" | "claim" | "handOver" | "settle" | "release" | "waits" | "wait" | "backlog"

const records = ({ by, command, query }: Queries): Omit<Port, HistoryPart | QueuePart> => {
  const { one } = sends.reading({ query })
  const find = one(`SELECT ${sends.columns} FROM sends WHERE tenant_id = ? AND message_id = ?`)
  const findByKey = one(`SELECT ${sends.columns} FROM sends WHERE tenant_id = ? AND send_key = ?`)
  const retireKey = command("UPDATE sends SET send_key = ? WHERE tenant_id = ? AND message_id = ?")
  const slots = query<{ readonly slotAt: number }>(
    `SELECT slot_at AS "slotAt" FROM sends WHERE tenant_id = ? AND slot_at > ? ORDER BY slot_at DESC LIMIT ?`
  )
  const inThread = query<{ readonly replies: number }>(
    `SELECT count(*) AS replies FROM messages m WHERE m.tenant_id = ? AND m.thread_id = ? AND m.actor = 'assistant'
      AND m.received_at > (SELECT coalesce(max(a.received_at), -1) FROM messages a
        WHERE a.tenant_id = m.tenant_id AND a.thread_id = m.thread_id AND a.actor = 'agent')`
  )
  const toCorrespondent = query<{ readonly replies: number }>(
    `SELECT count(*) AS replies FROM sends
      WHERE tenant_id = ? AND correspondent = ? AND created_at >= ? AND automatic = 1`
  )
  const inConversation = query<{ readonly replies: number }>(
    `SELECT count(*) AS replies FROM messages m ${by("messages_ours")} WHERE m.tenant_id = ? AND m.contact_id = ?
      AND m.actor IN ('assistant', 'agent') AND m.actor = 'assistant' AND m.channel = 'sms'
      AND m.received_at > (SELECT coalesce(max(a.received_at), -1) FROM messages a ${by("messages_ours")}
        WHERE a.tenant_id = m.tenant_id AND a.contact_id = m.contact_id AND a.actor IN ('assistant', 'agent')
          AND a.actor = 'agent' AND a.channel = 'sms')`
  )
  return {
    find,
    findByKey,
    retireKey: (tenantId, messageId) => retireKey(`used:${messageId}`, tenantId, messageId),
    slots: (tenantId, after, limit) =>
      Effect.map(slots(tenantId, after, limit), (rows) => rows.map(({ slotAt }) => slotAt)),
    replyCounts: Effect.fnUntraced(function* (tenantId, threadId, correspondent, since) {
      return {
        inThread: first(yield* inThread(tenantId, threadId))?.replies ?? 0,
        toCorrespondent: first(yield* toCorrespondent(tenantId, correspondent, since))?.replies ?? 0
      }
    }),
    textCounts: Effect.fnUntraced(function* (tenantId, contactId, phone, since) {
      return {
        inConversation: first(yield* inConversation(tenantId, contactId))?.replies ?? 0,
        toCorrespondent: first(yield* toCorrespondent(tenantId, phone, since))?.replies ?? 0
      }
    })
  }
}

/** The reasons for which a send is postponed when it is stored. */
const postponed = {
  email: describeReason({ code: "hourly_limit" }),
  sms: describeReason({ code: "quiet_hours" })
}

/** An assignment that adds a step to the history of a send. The parameter is the step as JSON. */
const addingStep = ({ appended }: Pick<Queries, "appended">): string =>
  `history = CASE WHEN json_array_length(history) < ${maxDeliverySteps} THEN ${appended("history")} ELSE history END`

const history = (database: Queries): Pick<Port, HistoryPart> => {
  const steps = database.query<{ readonly history: string }>(
    "SELECT history FROM sends WHERE tenant_id = ? AND message_id = ?"
  )
  const add = database.command(`UPDATE sends SET ${addingStep(database)} WHERE tenant_id = ? AND message_id = ?`)
  return {
    history: (tenantId, messageId) =>
      Effect.map(steps(tenantId, messageId), (rows) => {
        const stored = first(rows)
        return stored === null ? [] : readArray(stored.history)
      }),
    addStep: (tenantId, messageId, step) => add(JSON.stringify(step), tenantId, messageId)
  }
}

/** Encodes a step that happens now. */
const stepNow = ({ attempts: attempt }: SendAttempt, step: DeliveryStep["step"], reason: string | null) =>
  Effect.map(Clock.currentTimeMillis, (at) => JSON.stringify({ at, step, attempt, reason } satisfies DeliveryStep))

/** The step that each outcome adds. */
const outcomeSteps = { confirmed: "sent", failed: "failed", unknown: "unknown" } as const

const progress = (database: DatabaseShape, { wakeOwn }: WakeUps): Pick<Port, ProgressPart> => {
  const { query } = database
  const adding = addingStep(database)
  const held = "tenant_id = ? AND message_id = ? AND attempts = ?"
  const keyOf = ({ attempts, messageId, tenantId }: SendAttempt) => [tenantId, messageId, attempts] as const
  const handOver = query(
    `UPDATE sends SET state = 'handed_over', due_at = ?, ${adding} WHERE ${held} AND state = 'reserved' RETURNING message_id`
  )
  const settle = (outcome: SendOutcome) =>
    query(
      `UPDATE sends SET state = '${outcome}', reason = ?, ended_at = ?, ${adding}
        WHERE ${held} AND state IN (${quoted(settleableStates(outcome))}) RETURNING message_id`
    )
  const endings = { confirmed: settle("confirmed"), failed: settle("failed"), unknown: settle("unknown") }
  const release = query(
    `UPDATE sends SET state = 'reserved', due_at = ?, reason = ?, ${adding} WHERE ${held} AND ${open} RETURNING message_id`
  )
  return {
    handOver: (send, leaseUntil) =>
      stepNow(send, "started", null).pipe(
        Effect.flatMap((step) => handOver(leaseUntil, step, ...keyOf(send))),
        Effect.map((rows) => rows.length > 0)
      ),
    settle: (send, outcome, reason, now) =>
      stepNow(send, outcomeSteps[outcome], reason).pipe(
        Effect.flatMap((step) => endings[outcome](reason, now, step, ...keyOf(send))),
        Effect.map((rows) => rows.length > 0)
      ),
    release: (send, dueAt, reason) =>
      stepNow(send, "postponed", reason).pipe(
        Effect.flatMap((step) => release(dueAt, reason, step, ...keyOf(send))),
        Effect.tap(wakeOwn),
        Effect.map((rows) => rows.length > 0)
      )
  }
}

const queue = (
  database: DatabaseShape,
  { wait, wakeAll, wakeOwn }: WakeUps
): Pick<Port, Exclude<QueuePart, ProgressPart>> => {
  const { command, isOneOf, query } = database
  const insert = command(sends.insert)
  const claim = makeClaim<SendRow>(database, work, ({ messageId }) => messageId)
  const backlog = query<{ readonly waiting: number }>(`SELECT count(*) AS waiting FROM sends WHERE ${open}`)
  // The first attempt of a send without a reason may be in progress. It was postponed only if no attempt has started.
  const waiting = query<
    Omit<Wait, "reason"> & { readonly channel: Reservation["channel"]; readonly reason: string | null }
  >(
    `SELECT message_id AS "messageId", channel, due_at AS "until", reason FROM sends
      WHERE tenant_id = ? AND ${isOneOf("message_id")} AND state = 'reserved' AND due_at > ?
        AND (attempts = 0 OR reason IS NOT NULL)`
  )
  return {
    reserve: (send) => {
      const stored = insert(...sends.values(send))
      if (send.attempts > 0) return stored
      return Effect.andThen(stored, send.dueAt > send.createdAt ? wakeOwn : wakeAll)
    },
    claim: (limit, now, leaseUntil) => Effect.map(claim(limit, now, leaseUntil), (rows) => rows.map(sends.toRecord)),
    waits: (tenantId, messageIds, now) =>
      Effect.map(waiting(tenantId, JSON.stringify(messageIds), now), (rows) =>
        rows.map(({ channel, messageId, reason, until }) => ({
          messageId,
          until,
          reason: reason ?? postponed[channel]
        }))
      ),
    wait,
    backlog: Effect.map(backlog(), (rows) => first(rows)?.waiting ?? 0)
  }
}

/** Stores sends in SQL. */
export const layer: Layer.Layer<Sends, never, Database> = Layer.effect(
  Sends,
  Effect.map(Database, (database) => {
    const wakeUps = makeWakeUps(database, "sends")
    return Sends.of({
      ...records(database),
      ...history(database),
      ...progress(database, wakeUps),
      ...queue(database, wakeUps)
    })
  })
)
