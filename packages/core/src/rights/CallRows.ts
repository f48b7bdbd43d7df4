import { Clock, Effect } from "effect"
import { recordingErrandId } from "../call/CallErrand.ts"
import { Errands } from "../port/Errands.ts"
import { type Row, textOf } from "./Record.ts"

/**
 * A call as it comes in an archive: history. What names it at the provider stays behind, or an archive that somebody wrote
 * by hand would lead to the recordings of others who share the account there.
 */
export const callOfArchive = (row: Row): Row => ({
  ...row,
  recording: row["recording"] === "none" ? "none" : "gone",
  provider_call_id: null,
  contact_leg: null,
  recording_id: null,
  request_key: null,
  fingerprint: null
})

/** Sees to it that recordings go at the provider too, where they are kept. Runs inside the unit of work that erases. */
export const releaseRecordings = Effect.fnUntraced(function* (tenantId: string, rows: ReadonlyArray<Row>) {
  const errands = yield* Errands
  const now = yield* Clock.currentTimeMillis
  for (const row of rows) {
    const [provider, recordingId] = [textOf(row, "provider"), textOf(row, "recording_id")]
    if (recordingId === "") continue
    const errand = { kind: "delete_recording", provider, recordingId } as const
    const errandId = recordingErrandId(recordingId)
    yield* errands.put({ tenantId, errandId, dueAt: now, createdAt: now, errand })
  }
})
