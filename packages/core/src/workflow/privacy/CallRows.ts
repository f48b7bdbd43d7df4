import { Clock, Effect } from "effect"
import { recordingJobId, recordingsJobId } from "../../domain/call/Call.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { type Row, textOf } from "../../domain/privacy/Record.ts"

/**
 * Converts a call in an archive to a row for the import. The provider's ids are removed, because a forged archive could
 * contain ids of other tenants' recordings in the same provider account.
 */
export const importedCall = (row: Row): Row => ({
  ...row,
  recording: row["recording"] === "none" ? "none" : "gone",
  provider_call_id: null,
  contact_leg: null,
  recording_id: null,
  request_key: null,
  fingerprint: null
})

/**
 * Queues the deletion of recordings at the provider. It includes recordings that the provider has not reported yet.
 * Runs inside the unit of work that erases the calls.
 */
export const enqueueRecordingDeletion = Effect.fnUntraced(function* (tenantId: string, rows: ReadonlyArray<Row>) {
  const jobs = yield* Jobs
  const now = yield* Clock.currentTimeMillis
  for (const row of rows) {
    const [provider, recordingId] = [textOf(row, "provider"), textOf(row, "recording_id")]
    const due = { tenantId, dueAt: now, createdAt: now }
    if (recordingId !== "") {
      const job = { kind: "delete_recording", provider, recordingId } as const
      yield* jobs.put({ ...due, jobId: recordingJobId(recordingId), job })
    }
    const legs = [...new Set([textOf(row, "provider_call_id"), textOf(row, "contact_leg")])].filter((leg) => leg !== "")
    if (row["recording"] === "none" || legs.length === 0) continue
    const job = { kind: "delete_recordings", provider, legs } as const
    yield* jobs.put({ ...due, jobId: recordingsJobId(textOf(row, "call_id")), job })
  }
})
