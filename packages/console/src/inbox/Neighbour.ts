import type { Conversation } from "@leadloom/client"
import { isSameFilter, type ListFilter } from "./ListFilter.ts"

type Rows = ReadonlyArray<Conversation>

/** A list at the last time when it contained the open conversation. */
interface Place {
  readonly filter: ListFilter
  readonly contactId: string
  readonly rows: Rows
}

let place: Place | null = null

const positionOf = (rows: Rows, contactId: string | null): number =>
  rows.findIndex((row) => row.contact_id === contactId)

/**
 * Remembers the rows around the open conversation. It may leave the list while it is open, for example that of unread
 * conversations when it is read.
 */
export const rememberPlace = (filter: ListFilter, rows: Rows, contactId: string): void => {
  if (positionOf(rows, contactId) >= 0) place = { filter, rows, contactId }
}

/** Returns the rows that followed the open one, or that preceded it, the nearest first, and are still in the list. */
const remembered = (filter: ListFilter, rows: Rows, contactId: string, step: 1 | -1): Rows | null => {
  if (place === null || place.contactId !== contactId || !isSameFilter(place.filter, filter)) return null
  const position = positionOf(place.rows, contactId)
  const beside = step === 1 ? place.rows.slice(position + 1) : place.rows.slice(0, position).toReversed()
  const listed = new Set(rows.map((row) => row.contact_id))
  return beside.filter((row) => listed.has(row.contact_id))
}

/**
 * Returns the row before (-1) or after (1) the open one, also if the open one has left the list; the first row if none is
 * open; null at the end.
 */
export const rowBeside = (filter: ListFilter, rows: Rows, contactId: string | null, step: 1 | -1): string | null => {
  const position = positionOf(rows, contactId)
  if (position >= 0) return rows[position + step]?.contact_id ?? null
  const beside = contactId === null ? null : remembered(filter, rows, contactId, step)
  return (beside ?? rows)[0]?.contact_id ?? null
}

/** Returns the next unread row after the open one. Continues at the start of the list; null if there is no other. */
export const nextUnread = (rows: Rows, contactId: string | null): string | null => {
  const after = positionOf(rows, contactId) + 1
  const inOrder = [...rows.slice(after), ...rows.slice(0, after)]
  return inOrder.find((row) => row.unread > 0 && row.contact_id !== contactId)?.contact_id ?? null
}
