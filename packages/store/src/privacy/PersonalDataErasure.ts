import type { PersonalDataShape } from "@leadloom/core/internal/port/repository/contact/PersonalData"
import { Effect } from "effect"
import type { Queries } from "../sql/Queries.ts"

const text = (values: ReadonlyArray<string>): string => JSON.stringify([...new Set(values)])

/** The statements that delete queued work of a contact and redact events and ledger entries about it. */
export const stopping = ({
  asJson,
  by,
  command,
  isOneOf,
  query,
  tuples,
  whole
}: Queries): Pick<PersonalDataShape, "stopWork" | "redactEvents" | "redactArrivals"> => {
  // The statement searches all queued rows of the tenant, which are few. An index by contact would cost an additional
  // write for every message.
  const stopSignals = command(
    `DELETE FROM signals ${by("signals_due")} WHERE tenant_id = ? AND contact_id = ? AND state = 'queued'`
  )
  const stopSends = command(
    `DELETE FROM sends ${by("sends_due")} WHERE tenant_id = ? AND contact_id = ? AND state IN ('reserved', 'handed_over')`
  )
  const stopScheduled = command(
    `DELETE FROM scheduled_sends ${by("scheduled_sends_contact")} WHERE tenant_id = ? AND contact_id = ? AND state = 'scheduled'`
  )
  const stopEnrolments = command(
    `DELETE FROM enrolments ${by("enrolments_contact")} WHERE tenant_id = ? AND contact_id = ? AND state IN ('active', 'paused')`
  )
  const stopTriggers = command(
    `DELETE FROM trigger_runs ${by("trigger_runs_contact")} WHERE tenant_id = ? AND contact_id = ? AND state = 'waiting'`
  )
  const redactEvents = query<{ readonly sequence: number }>(
    `UPDATE events SET contact_id = NULL, data = ${asJson(`'{"redacted":true}'`)}
      WHERE tenant_id = ? AND sequence IN
        (SELECT sequence FROM events WHERE tenant_id = ? AND contact_id = ? LIMIT ?) RETURNING sequence`
  )
  // Responses of receivers may contain data of the contact.
  const redactResponses = command(
    `UPDATE webhook_deliveries SET attempts = '[]' WHERE (tenant_id, webhook_id, sequence) IN
      (SELECT webhook_subscriptions.tenant_id, webhook_subscriptions.webhook_id, CAST(item.value ->> 0 AS bigint)
        FROM ${tuples} CROSS JOIN webhook_subscriptions WHERE webhook_subscriptions.tenant_id = ?)`
  )
  const redactArrivals = command(
    `UPDATE arrivals ${by("arrivals_message")} SET detail = NULL WHERE tenant_id = ? AND message_id IS NOT NULL AND ${isOneOf("message_id")}`
  )
  return {
    stopWork: (tenantId, contactId) =>
      whole(
        Effect.forEach(
          [stopSignals, stopSends, stopScheduled, stopEnrolments, stopTriggers],
          (stop) => stop(tenantId, contactId),
          {
            discard: true
          }
        )
      ),
    redactEvents: (tenantId, contactId, limit) =>
      whole(
        Effect.gen(function* () {
          const emptied = yield* redactEvents(tenantId, tenantId, contactId, limit)
          yield* redactResponses(JSON.stringify(emptied.map(({ sequence }) => [sequence])), tenantId)
          return emptied.length
        })
      ),
    redactArrivals: (tenantId, messageIds) => redactArrivals(tenantId, text(messageIds))
  }
}

/** The statements that delete the recorded rows of thread corrections. */
const correcting = ({ by, command, isOneOf, whole }: Queries) => {
  const concerned = `thread_correction_items i ${by("thread_correction_items_item")}`
  const ofThreads = `i.tenant_id = ? AND i.kind = 'thread' AND ${isOneOf("i.item_id")}`
  // The threads that were joined into a dropped thread have no messages either.
  const dropSources = command(
    `DELETE FROM threads WHERE tenant_id = ? AND thread_id IN (SELECT other.item_id FROM ${concerned}
        JOIN thread_correction_items other ON other.tenant_id = i.tenant_id
          AND other.correction_id = i.correction_id AND other.kind = 'thread'
        WHERE ${ofThreads})
      AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.tenant_id = threads.tenant_id AND m.thread_id = threads.thread_id)`
  )
  const dropItems = command(
    `DELETE FROM thread_correction_items WHERE tenant_id = ? AND kind <> 'thread' AND correction_id IN
      (SELECT i.correction_id FROM ${concerned} WHERE ${ofThreads})`
  )
  const leaveCorrections = command(
    `DELETE FROM thread_correction_items ${by("thread_correction_items_item")}
      WHERE tenant_id = ? AND kind <> 'thread' AND ${isOneOf("item_id")}`
  )
  return {
    dropCorrections: (tenantId: string, threadIds: ReadonlyArray<string>) => {
      const params = [tenantId, tenantId, text(threadIds)] as const
      return whole(Effect.andThen(dropSources(...params), dropItems(...params)))
    },
    leaveCorrections: (tenantId: string, ids: ReadonlyArray<string>) => leaveCorrections(tenantId, text(ids))
  }
}

/** The statements that remove a contact from its threads, and delete unused threads. */
export const threading = (
  database: Queries
): Pick<PersonalDataShape, "inUse" | "dropThreads" | "leaveCorrections" | "leaveThreads"> => {
  const { by, command, isOneOf, query, whole } = database
  const used = (column: string) =>
    query<{ readonly id: string }>(
      `SELECT DISTINCT ${column} AS id FROM messages WHERE tenant_id = ? AND ${column} IS NOT NULL AND ${isOneOf(column)}`
    )
  const inUse = { message_id: used("message_id"), thread_id: used("thread_id") }
  const drops = [`thread_ids ${by("thread_ids_thread")}`, "thread_participants", "threads"].map((name) =>
    command(`DELETE FROM ${name} WHERE tenant_id = ? AND ${isOneOf("thread_id")}`)
  )
  const { dropCorrections, leaveCorrections } = correcting(database)
  const inThreads = `tenant_id = ? AND ${isOneOf("thread_id")}`
  const leaveParticipants = command(`DELETE FROM thread_participants WHERE ${inThreads} AND ${isOneOf("email")}`)
  const leaveIds = command(`DELETE FROM thread_ids WHERE ${inThreads} AND ${isOneOf("message_id")}`)
  return {
    inUse: (tenantId, field, ids) =>
      Effect.map(inUse[field](tenantId, text(ids)), (rows) => new Set(rows.map(({ id }) => id))),
    dropThreads: (tenantId, threadIds) =>
      threadIds.length === 0
        ? Effect.void
        : whole(
            Effect.andThen(
              Effect.forEach(drops, (drop) => drop(tenantId, text(threadIds)), { discard: true }),
              dropCorrections(tenantId, threadIds)
            )
          ),
    leaveCorrections,
    leaveThreads: (tenantId, threadIds, emails, internetMessageIds) =>
      threadIds.length === 0
        ? Effect.void
        : whole(
            Effect.andThen(
              leaveParticipants(tenantId, text(threadIds), text(emails)),
              leaveIds(tenantId, text(threadIds), text(internetMessageIds))
            )
          )
  }
}

/** The statements that detach rows of other contacts from the leads of an erased contact. */
export const leads = ({ command, isOneOf, whole }: Queries): Pick<PersonalDataShape, "detachLeads"> => {
  const release = (table: string, column: string) =>
    command(
      `UPDATE ${table} SET lead_id = NULL WHERE ${isOneOf("lead_id")} AND (tenant_id, ${column}) IN
        (SELECT m.tenant_id, m.${column} FROM messages m
          WHERE m.tenant_id = ? AND m.lead_id IS NOT NULL AND ${isOneOf("m.lead_id")})`
    )
  const releases = [release("conversations", "contact_id"), release("threads", "thread_id")]
  const releaseMessages = command(
    `UPDATE messages SET lead_id = NULL
      WHERE tenant_id = ? AND contact_id <> ? AND lead_id IS NOT NULL AND ${isOneOf("lead_id")}`
  )
  const releaseMerged = command(
    `UPDATE leads SET merged_into = NULL WHERE tenant_id = ? AND merged_into IS NOT NULL AND ${isOneOf("merged_into")}`
  )
  return {
    detachLeads: (tenantId, contactId, leadIds) => {
      const ids = text(leadIds)
      return whole(
        Effect.gen(function* () {
          for (const letGo of releases) yield* letGo(ids, tenantId, ids)
          yield* releaseMessages(tenantId, contactId, ids)
          yield* releaseMerged(tenantId, ids)
        })
      )
    }
  }
}
