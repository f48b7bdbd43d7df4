import type { Conversation } from "@leadloom/client"

type Rows = ReadonlyArray<Conversation>

const positionOf = (rows: Rows, contactId: string | null): number =>
  rows.findIndex((row) => row.contact_id === contactId)

/** Returns the row before (-1) or after (1) the open one; the first row if none is open; null at the end. */
export const rowBeside = (rows: Rows, contactId: string | null, step: 1 | -1): string | null => {
  const position = positionOf(rows, contactId)
  return rows[position < 0 ? 0 : position + step]?.contact_id ?? null
}

/** Returns the next unread row after the open one. Continues at the start of the list; null if there is no other. */
export const nextUnread = (rows: Rows, contactId: string | null): string | null => {
  const after = positionOf(rows, contactId) + 1
  const inOrder = [...rows.slice(after), ...rows.slice(0, after)]
  return inOrder.find((row) => row.unread > 0 && row.contact_id !== contactId)?.contact_id ?? null
}
