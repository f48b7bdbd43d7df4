import { Activity } from "@leadloom/core/internal/domain/contact/Activity"
import { Enrolment } from "@leadloom/core/internal/domain/sequence/Enrolment"
import type { PastMessage } from "@leadloom/core/internal/domain/conversation/PastMessage"
import { TrackedLink } from "@leadloom/core/internal/domain/link/TrackedLink"
import { PastFacts, type PastScore, type PastSlot } from "@leadloom/core/internal/port/repository/pipeline/PastFacts"
import { Task } from "@leadloom/core/internal/domain/task/Task"
import { type Context, Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { first, type Queries } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"
import { messages } from "../conversation/Messages.ts"

const enrolments = table(Enrolment, { name: "enrolments", key: ["tenantId", "enrolmentId"] })
const activities = table(Activity, { name: "activities", key: ["tenantId", "contactId", "at", "activityId"] })

const pastColumns = `tenant_id AS "tenantId", message_id AS "messageId", contact_id AS "contactId", lead_id AS "leadId",
  channel, actor, auto, delivery, "timestamp", received_at AS "receivedAt"`

const tasks = table(Task, { name: "tasks", key: ["tenantId", "taskId"] })
const links = table(TrackedLink, { name: "tracked_links", key: ["tenantId", "token"] })

type Port = Context.Service.Shape<typeof PastFacts>

type OfSequences =
  | "changes"
  | "enrolments"
  | "newestEmail"
  | "newestText"
  | "slots"
  | "undeliverableSince"
  | "writtenAfter"

/** The statements that find the causes of rules, and the facts on which they depended. */
const causesOf = ({ by, query }: Queries): Omit<Port, OfSequences> => {
  const between = activities.reading({ query }).all(
    `SELECT ${activities.columns} FROM activities ${by("activities_id")}
      WHERE tenant_id = ? AND type IN (?, ?) AND activity_id > ? AND activity_id < ? ORDER BY activity_id LIMIT ?`
  )
  const score = query<PastScore>(
    `SELECT score, tier FROM lead_scores WHERE tenant_id = ? AND lead_id = ? AND created_at < ?
      ORDER BY score_id DESC LIMIT 1`
  )
  const causes = (condition: string) =>
    query<PastMessage>(
      `SELECT ${pastColumns} FROM messages WHERE tenant_id = ? AND message_id > ? AND message_id < ? AND ${condition}
        ORDER BY message_id LIMIT ?`
    )
  const ours = causes("actor IN ('agent', 'assistant') AND (auto IS NULL OR auto = 'own')")
  const theirs = causes("actor = 'contact' AND auto IS NULL")
  const ofContact = query<PastMessage>(
    `SELECT ${pastColumns} FROM messages WHERE tenant_id = ? AND contact_id = ? AND received_at <= ?
      ORDER BY "timestamp" DESC, message_id DESC LIMIT ?`
  )
  const ranAt = query(
    `SELECT 1 AS one FROM trigger_runs ${by("trigger_runs_contact")}
      WHERE tenant_id = ? AND contact_id = ? AND state = 'ran' AND updated_at = ? LIMIT 1`
  )
  const run = query<{ readonly createdAt: number }>(
    `SELECT created_at AS "createdAt" FROM runs WHERE tenant_id = ? AND signal_id = ?`
  )
  return {
    activities: (tenantId, types, after, before, limit) => between(tenantId, ...types, after, before, limit),
    scoreBefore: (tenantId, leadId, at) => Effect.map(score(tenantId, leadId, at), first),
    messages: (tenantId, trigger, after, before, limit) =>
      (trigger === "no_answer" ? ours : theirs)(tenantId, after, before, limit),
    messagesOf: ofContact,
    runEndedAt: (tenantId, signalId) => Effect.map(run(tenantId, signalId), (rows) => first(rows)?.createdAt ?? null),
    hasRunAt: (tenantId, contactId, at) => Effect.map(ranAt(tenantId, contactId, at), (rows) => rows.length > 0),
    tasksDue: tasks.reading({ query }).all(
      `SELECT ${tasks.columns} FROM tasks WHERE tenant_id = ? AND due_at >= ? AND due_at < ? AND contact_id IS NOT NULL
        ORDER BY due_at, task_id LIMIT ?`
    ),
    openedLinks: links.reading({ query }).all(
      `SELECT ${links.columns} FROM tracked_links ${by("tracked_links_created")}
        WHERE tenant_id = ? AND created_at >= ? AND first_opened_at >= ? AND first_opened_at < ?
        ORDER BY first_opened_at, token LIMIT ?`
    )
  }
}

/** Reads facts of an earlier time in SQL. */
export const layer: Layer.Layer<PastFacts, never, Database> = Layer.effect(
  PastFacts,
  Effect.map(Database, (database) => {
    const { by, query } = database
    const ofMessages = messages.reading({ query })
    const written = query<{ readonly receivedAt: number }>(
      `SELECT received_at AS "receivedAt" FROM messages ${by("messages_from_contact")}
        WHERE tenant_id = ? AND contact_id = ? AND received_at > ? AND actor = 'contact' AND auto IS NULL
        ORDER BY received_at LIMIT 1`
    )
    const undeliverable = query<{ readonly bouncedAt: number }>(
      `SELECT bounced_at AS "bouncedAt" FROM undeliverable WHERE tenant_id = ? AND email = ?`
    )
    return PastFacts.of({
      enrolments: enrolments.reading({ query }).all(
        `SELECT ${enrolments.columns} FROM enrolments ${by("enrolments_created")}
          WHERE tenant_id = ? AND sequence_id = ? AND created_at >= ? AND created_at < ?
          ORDER BY created_at, enrolment_id LIMIT ?`
      ),
      writtenAfter: (tenantId, contactId, receivedAt) =>
        Effect.map(written(tenantId, contactId, receivedAt), (rows) => first(rows)?.receivedAt ?? null),
      newestEmail: ofMessages.one(
        `SELECT ${messages.columns} FROM messages WHERE tenant_id = ? AND contact_id = ? AND received_at <= ?
            AND channel = 'email' AND lead_id IS NOT NULL AND internet_message_id IS NOT NULL
            AND (auto IS NULL OR auto NOT IN ('auto_reply', 'bounce'))
          ORDER BY "timestamp" DESC, message_id DESC LIMIT 1`
      ),
      newestText: ofMessages.one(
        `SELECT ${messages.columns} FROM messages WHERE tenant_id = ? AND contact_id = ? AND received_at <= ?
            AND channel = 'sms' AND actor = 'contact' AND from_address IS NOT NULL
          ORDER BY "timestamp" DESC, message_id DESC LIMIT 1`
      ),
      undeliverableSince: (tenantId, address) =>
        Effect.map(undeliverable(tenantId, address), (rows) => first(rows)?.bouncedAt ?? null),
      changes: activities.reading({ query }).all(
        `SELECT ${activities.columns} FROM activities
          WHERE tenant_id = ? AND contact_id = ? AND happened_at > ?
            AND type IN ('lead_state_changed', 'lead_stage_changed', 'tag_added', 'tag_removed', 'field_changed',
              'conversation_closed', 'conversation_reopened')
          ORDER BY happened_at DESC, activity_id DESC LIMIT ?`
      ),
      ...causesOf(database),
      slots: query<PastSlot>(
        `SELECT slot_at AS "slotAt", created_at AS "reservedAt", send_key AS "key" FROM sends
          WHERE tenant_id = ? AND slot_at > ? AND slot_at <= ? ORDER BY slot_at DESC LIMIT ?`
      )
    })
  })
)
