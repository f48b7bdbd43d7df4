import type { Message } from "@leadloom/core/internal/domain/conversation/Message"
import type { MailAuthentication } from "@leadloom/core/internal/domain/email/authentication/MailAuthentication"
import type { Run } from "@leadloom/core/internal/domain/run/Run"
import type { RunInputs } from "@leadloom/core/internal/domain/run/RunSubject"
import { recordingsOfStored, type StoredRecordings } from "@leadloom/core/internal/domain/run/StoredRun"
import { type PastRun, PastRuns } from "@leadloom/core/internal/port/repository/pipeline/Runs"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { readArray, readObject } from "../../sql/Json.ts"

interface PastRow
  extends
    Pick<Run, "signalId" | "messageId" | "contactId" | "createdAt">,
    Pick<Message, "auto" | "body" | "channel" | "receivedAlias" | "source" | "subject"> {
  readonly inputs: string | null
  readonly recordings: string | null
  readonly attachments: string
  readonly flags: string
  readonly metadata: string
  readonly authentication: string | null
}

/** A text that sorts after every signal id. */
const beyond = "sig_~"

const fromRow = (row: PastRow): PastRun => ({
  signalId: row.signalId,
  messageId: row.messageId,
  contactId: row.contactId,
  createdAt: row.createdAt,
  inputs: row.inputs === null ? null : readObject<RunInputs>(row.inputs),
  recordings: recordingsOfStored(row.recordings === null ? null : readObject<StoredRecordings>(row.recordings)),
  message: {
    attachments: readArray(row.attachments),
    auto: row.auto,
    body: row.body,
    channel: row.channel,
    flags: readArray(row.flags),
    metadata: readObject(row.metadata),
    receivedAlias: row.receivedAlias,
    authentication: row.authentication === null ? null : readObject<MailAuthentication>(row.authentication),
    source: row.source,
    subject: row.subject
  }
})

/** Reads the past runs of the pipeline in SQL. */
export const layer: Layer.Layer<PastRuns, never, Database> = Layer.effect(
  PastRuns,
  Effect.map(Database, ({ query }) => {
    // The statement uses the keys of both tables. Its cost depends on the size of the page, not on its position.
    const page = query<PastRow>(
      `SELECT r.signal_id AS "signalId", r.message_id AS "messageId", r.contact_id AS "contactId",
          r.created_at AS "createdAt", r.inputs, r.recordings, m.auto, m.body, m.channel, m.subject, m.source,
          m.received_alias AS "receivedAlias", m.attachments, m.flags, m.metadata,
          m.authentication
        FROM runs r JOIN messages m ON m.tenant_id = r.tenant_id AND m.message_id = r.message_id
        WHERE r.tenant_id = ? AND r.signal_id < ? ORDER BY r.signal_id DESC LIMIT ?`
    )
    return PastRuns.of({
      page: (tenantId, limit, before) =>
        Effect.map(page(tenantId, before ?? beyond, limit), (rows) => rows.map(fromRow))
    })
  })
)
