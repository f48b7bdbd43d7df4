import { Effect } from "effect"
import { Secrets } from "../../domain/access/Secrets.ts"
import { Erasures } from "../../port/repository/contact/Erasures.ts"
import { PersonalData } from "../../port/repository/contact/PersonalData.ts"
import { counted, type Erasure, tombstone } from "../../domain/privacy/Erasure.ts"
import { filesOfMessage } from "./ExportArchive.ts"
import type { PersonalDataTable } from "../../domain/privacy/PersonalDataTable.ts"
import { inventoryByName } from "../../domain/privacy/DataInventory.ts"
import { type Row, textOf } from "../../domain/privacy/Record.ts"

/** The message id in a tombstone. No message has it. */
const nowhere = "msg_erased"

/**
 * Replaces dedup keys by tombstones. A later copy of a message is still recognised, but nobody can recover the original
 * key.
 */
const buryKeys = Effect.fnUntraced(function* (tenantId: string, rows: ReadonlyArray<Row>) {
  const personalData = yield* PersonalData
  const { pepper } = yield* Secrets
  const table = inventoryByName.dedup_keys
  const marks = rows.map(({ fingerprint, ...row }) => ({
    dedup_key: tombstone(textOf(row, "dedup_key"), pepper),
    message_id: nowhere,
    fingerprint: typeof fingerprint === "string" ? tombstone(fingerprint, pepper) : null
  }))
  const known = new Set((yield* personalData.present(tenantId, table, marks)).map((row) => textOf(row, "dedup_key")))
  yield* personalData.remove(tenantId, table, rows)
  yield* personalData.insert(
    tenantId,
    table,
    marks.filter((mark) => !known.has(mark.dedup_key))
  )
})

const present = (rows: ReadonlyArray<Row>, column: string): ReadonlyArray<string> => [
  ...new Set(rows.map((row) => textOf(row, column)).filter((text) => text !== ""))
]

/**
 * Deletes threads that have no messages any more. Removes the contact's addresses and the erased Message-IDs from the
 * other threads.
 */
const pruneThreads = Effect.fnUntraced(function* (erasure: Erasure, messages: ReadonlyArray<Row>) {
  const { emails, tenantId } = erasure
  const personalData = yield* PersonalData
  const threadIds = present(messages, "thread_id")
  const used = yield* personalData.inUse(tenantId, "thread_id", threadIds)
  const internetIds = present(messages, "internet_message_id")
  yield* personalData.leaveCorrections(tenantId, [...present(messages, "message_id"), ...internetIds])
  const empty = threadIds.filter((threadId) => !used.has(threadId))
  yield* personalData.dropThreads(tenantId, empty)
  yield* personalData.leaveThreads(
    tenantId,
    threadIds.filter((threadId) => used.has(threadId)),
    emails,
    internetIds
  )
  return counted(erasure.erased, inventoryByName.threads.name, empty.length)
})

/** The tables that have a few rows per message and are keyed by the message or its signal. */
const beside: ReadonlyArray<PersonalDataTable> = [inventoryByName.signals, inventoryByName.runs, inventoryByName.sends]

const idOf = (table: PersonalDataTable, messageId: string): Row =>
  table === inventoryByName.sends ? { message_id: messageId } : { signal_id: `sig_${messageId.slice("msg_".length)}` }

/**
 * Erases a batch of a contact's messages, with all rows that depend on them. Queues their objects for removal after the
 * commit. Returns null when no message is left. Runs inside a unit of work.
 */
export const eraseMessages = (batchRows: number) =>
  Effect.fnUntraced(function* (erasure: Erasure) {
    const { contactId, erasureId, tenantId } = erasure
    const personalData = yield* PersonalData
    const table = inventoryByName.messages
    const messages = yield* personalData.some(tenantId, table, contactId, batchRows)
    if (messages.length === 0) return null
    const ids = messages.map((row) => textOf(row, "message_id"))
    const keys = yield* personalData.dedupKeys(tenantId, ids)
    yield* buryKeys(tenantId, keys)
    let erased = counted(erasure.erased, inventoryByName.dedup_keys.name, keys.length)
    for (const one of beside) {
      const rows = yield* personalData.present(
        tenantId,
        one,
        ids.map((id) => idOf(one, id))
      )
      yield* personalData.remove(tenantId, one, rows)
      erased = counted(erased, one.name, rows.length)
    }
    yield* personalData.redactArrivals(tenantId, ids)
    const objects = messages.flatMap(filesOfMessage).map(({ key }) => key)
    yield* (yield* Erasures).addObjects(tenantId, erasureId, objects)
    yield* personalData.remove(tenantId, table, messages)
    erased = counted(counted(erased, table.name, messages.length), "objects", objects.length)
    return yield* pruneThreads({ ...erasure, erased }, messages)
  })
