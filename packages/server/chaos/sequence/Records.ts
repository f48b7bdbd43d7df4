/** The stored records of a simulation, as the model compares them. Times are in epoch milliseconds. */
import type { Stored, StoredRow } from "../Stored.ts"

/** An entry in the history of an enrolment. */
export interface StoredEntry {
  readonly step: string
  readonly outcome: string
  readonly at: number
  readonly reason: string | null
}

export interface StoredEnrolment {
  readonly id: string
  readonly contactId: string
  readonly sequenceId: string
  readonly state: string
  readonly stopReason: string | null
  readonly nextAt: number | null
  readonly createdAt: number
  readonly history: ReadonlyArray<StoredEntry>
}

export interface StoredSend {
  readonly state: string
  readonly reason: string
  readonly endedAt: number
  readonly dueAt: number
}

export interface StoredMessage {
  readonly id: string
  readonly contactId: string
  readonly isOurs: boolean
  /** Whether it is the keyword STOP. The pipeline does not run for keywords. */
  readonly isKeyword: boolean
  readonly timestamp: number
  readonly receivedAt: number
  readonly delivery: string
}

export interface StoredRun {
  readonly rule: string
  readonly contactId: string
  readonly messageId: string | null
  readonly state: string
  readonly reason: string
  readonly runAt: number
  readonly updatedAt: number
  /** The new value, as JSON; for a removed tag, the former one. */
  readonly value: string
}

/** Everything that the model reads. */
export interface Records {
  readonly enrolments: ReadonlyArray<StoredEnrolment>
  /** By the key of the send. */
  readonly sends: ReadonlyMap<string, StoredSend>
  readonly sendsOfMessages: ReadonlyMap<string, StoredSend>
  /** By contact, in the order of their times. */
  readonly messages: ReadonlyMap<string, ReadonlyArray<StoredMessage>>
  readonly runs: ReadonlyArray<StoredRun>
  /** The number of tasks by contact and title. */
  readonly tasks: ReadonlyMap<string, number>
}

const text = (row: StoredRow, name: string): string => row[name] ?? ""
const number = (row: StoredRow, name: string): number => Number(row[name] ?? 0)

const sendOf = (row: StoredRow): StoredSend => ({
  state: text(row, "state"),
  reason: text(row, "reason"),
  endedAt: number(row, "ended_at"),
  dueAt: number(row, "due_at")
})

const messageOf = (row: StoredRow): StoredMessage => ({
  id: text(row, "message_id"),
  contactId: text(row, "contact_id"),
  isOurs: text(row, "actor") !== "contact",
  isKeyword: text(row, "body") === "STOP",
  timestamp: number(row, "timestamp"),
  receivedAt: number(row, "received_at"),
  delivery: text(row, "delivery")
})

const valueOf = (change: string | null): string => {
  if (change === null) return ""
  const { from, to }: { readonly from: unknown; readonly to: unknown } = JSON.parse(change)
  return String(to ?? from)
}

const enrolmentOf = (row: StoredRow): StoredEnrolment => ({
  id: text(row, "enrolment_id"),
  contactId: text(row, "contact_id"),
  sequenceId: text(row, "sequence_id"),
  state: text(row, "state"),
  stopReason: row["stop_reason"] ?? null,
  nextAt: row["next_at"] === null ? null : number(row, "next_at"),
  createdAt: number(row, "created_at"),
  history: JSON.parse(text(row, "history"))
})

const runOf = (row: StoredRow): StoredRun => ({
  rule: text(row, "rule_id"),
  contactId: text(row, "contact_id"),
  messageId: row["message_id"] ?? null,
  state: text(row, "state"),
  reason: text(row, "reason"),
  runAt: number(row, "run_at"),
  updatedAt: number(row, "updated_at"),
  value: valueOf(row["change"] ?? null)
})

/** Reads the records. */
export const readRecords = async ({ rows }: Stored): Promise<Records> => {
  const sends = await rows("SELECT send_key, message_id, state, reason, ended_at, due_at FROM sends")
  const messages = new Map<string, Array<StoredMessage>>()
  for (const row of await rows(`SELECT message_id, contact_id, actor, "timestamp", received_at, delivery, body FROM messages
    WHERE auto IS NULL OR auto = 'own' ORDER BY "timestamp", message_id`)) {
    const message = messageOf(row)
    messages.set(message.contactId, [...(messages.get(message.contactId) ?? []), message])
  }
  const tasks = await rows(
    "SELECT contact_id, title, count(*) AS count FROM tasks WHERE contact_id IS NOT NULL GROUP BY contact_id, title"
  )
  const enrolments = await rows(`SELECT enrolment_id, contact_id, sequence_id, state, stop_reason, next_at, created_at,
    CAST(history AS text) AS history FROM enrolments`)
  const runs = await rows(`SELECT rule_id, contact_id, message_id, state, reason, run_at, updated_at,
    CAST(change AS text) AS change FROM trigger_runs`)
  return {
    enrolments: enrolments.map(enrolmentOf),
    sends: new Map(sends.map((row) => [text(row, "send_key"), sendOf(row)])),
    sendsOfMessages: new Map(sends.map((row) => [text(row, "message_id"), sendOf(row)])),
    messages,
    runs: runs.map(runOf),
    tasks: new Map(tasks.map((row) => [`${text(row, "contact_id")} ${text(row, "title")}`, number(row, "count")]))
  }
}
