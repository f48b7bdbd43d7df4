import { encodeId } from "@leadloom/core/internal/domain/Id"
import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect } from "effect"
import { type CatalogTable, catalog } from "../src/admin/Catalog.ts"
import type { RowsCollided, Target } from "../src/admin/CopyEndpoint.ts"
import { letters } from "./Correspondence.ts"
import {
  addConversation,
  addInboxRows,
  addLead,
  addMessage,
  addPerson,
  addThread,
  type Correspondent,
  makeEvents,
  random,
  type Recipient,
  type Values
} from "./LetterRows.ts"
import { inboxWork, tierOf } from "./InboxWork.ts"

/** Collects rows and writes them to a database, a thousand per table at a time. */
const makeSink = (target: Target, tables: ReadonlyMap<string, CatalogTable>) => {
  const waiting = new Map<string, Array<ReadonlyArray<string | null>>>()
  const flush = (name: string): Effect.Effect<void, StoreUnavailable | RowsCollided> =>
    Effect.suspend(() => {
      const [table, rows] = [tables.get(name), waiting.get(name) ?? []]
      waiting.delete(name)
      return table === undefined ? Effect.die(new Error(`no table ${name}`)) : target.write(table, rows, null)
    })
  return {
    add: (name: string, values: Values): void => {
      const columns = tables.get(name)?.columns ?? []
      const row = columns.map((column) => {
        const value = values[column]
        return value === undefined || value === null ? null : String(value)
      })
      const rows = waiting.get(name)
      if (rows === undefined) waiting.set(name, [row])
      else rows.push(row)
    },
    flushFull: Effect.suspend(() =>
      Effect.forEach(
        [...waiting].filter(([, rows]) => rows.length >= 1_000).map(([name]) => name),
        flush,
        { discard: true }
      )
    ),
    flushAll: Effect.suspend(() => Effect.forEach([...waiting.keys()], flush, { discard: true }))
  }
}

/**
 * Writes mails into an empty tenant of a database, as if each had been imported on arrival. It writes the rows of
 * `ingestEmail` (a test compares a sample) through the bulk writer of `db copy`, but not the stored source of the
 * mails. Afterwards the search index is behind, as after an import. With `isWorked`, people have worked on the inbox.
 */
export const seed = Effect.fnUntraced(function* (
  target: Target,
  count: number,
  end: number,
  recipient: Recipient,
  isWorked = false
) {
  const tables = new Map((yield* catalog).map((table) => [table.name, table]))
  const { add, flushAll, flushFull } = makeSink(target, tables)
  const events = makeEvents(add, recipient)
  const people = new Map<number, Correspondent>()
  for (const letter of letters(count, end)) {
    const { at, number, person } = letter
    const known = people.get(person)
    const contactId = known?.contactId ?? encodeId("con", at, random(number))
    const messageId = encodeId("msg", at, random(number))
    if (known === undefined) {
      addPerson(add, recipient, letter, contactId)
      events.met(letter, contactId)
    } else if (letter.place === 0) addLead(add, known.lead, known.last)
    const lead = known === undefined || letter.place === 0 ? addThread(add, recipient, letter, contactId) : known.lead
    addMessage(add, recipient, letter, messageId, lead)
    const since = { letters: (known?.letters ?? 0) + 1, firstAt: known?.firstAt ?? at }
    events.said(letter, messageId, lead, since)
    people.set(person, { ...since, contactId, last: letter, messageId, lead })
    if (number % 1_000 === 999) yield* flushFull
  }
  for (const whom of people.values()) {
    const { last, lead } = whom
    addLead(add, isWorked ? { ...lead, tier: tierOf(last.person) } : lead, last)
    addConversation(add, recipient, whom, isWorked ? inboxWork(last.person, last.at, end) : undefined)
    if (isWorked) addInboxRows(add, recipient, whom)
  }
  const { tenantId } = recipient
  add("event_sequences", { tenant_id: tenantId, last_sequence: events.count(), waiting: 0 })
  add("arrival_counts", { tenant_id: tenantId, outcome: "message", arrivals: count })
  yield* flushAll
})
