import { Activity } from "@leadloom/core/internal/domain/contact/Activity"
import { Enrolment } from "@leadloom/core/internal/domain/sequence/Enrolment"
import { PastFacts, type PastSlot } from "@leadloom/core/internal/port/repository/pipeline/PastFacts"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { first } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"
import { messages } from "../conversation/Messages.ts"

const enrolments = table(Enrolment, { name: "enrolments", key: ["tenantId", "enrolmentId"] })
const activities = table(Activity, { name: "activities", key: ["tenantId", "contactId", "at", "activityId"] })

/** Reads facts of an earlier time in SQL. */
export const layer: Layer.Layer<PastFacts, never, Database> = Layer.effect(
  PastFacts,
  Effect.map(Database, ({ by, query }) => {
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
      leadMoves: activities.reading({ query }).all(
        `SELECT ${activities.columns} FROM activities
          WHERE tenant_id = ? AND contact_id = ? AND happened_at > ?
            AND type IN ('lead_state_changed', 'lead_stage_changed')
          ORDER BY happened_at DESC, activity_id DESC LIMIT ?`
      ),
      slots: query<PastSlot>(
        `SELECT slot_at AS "slotAt", created_at AS "reservedAt", send_key AS "key" FROM sends
          WHERE tenant_id = ? AND slot_at > ? AND slot_at <= ? ORDER BY slot_at DESC LIMIT ?`
      )
    })
  })
)
