import type { Conversation, ConversationUpdatedEvent } from "@leadloom/client"
import type { QueryClient } from "@tanstack/react-query"
import type { Connection } from "../app/Connection.ts"
import type { EventHandler } from "../app/Live.ts"
import { applyRow, cachedRow, refreshAfterEvent } from "./Cache.ts"

/**
 * Returns the unread messages after an event. The row of the event contains the shared unread state, and a user has an
 * own one, which counts the messages of the contact.
 */
const unreadAfter = ({ actor, changes }: UpdateData, row: Conversation, known: Conversation | null): number => {
  if (known === null || row.state === "closed" || changes?.includes("unread") === true) return row.unread
  return changes === undefined && actor === "contact" ? known.unread + 1 : known.unread
}

type UpdateData = Exclude<ConversationUpdatedEvent["data"], { readonly redacted: true }>

const applyUpdate = (queries: QueryClient, connection: Connection, data: UpdateData): void => {
  const { conversation: row } = data
  if (row === undefined) return
  const known = cachedRow(queries, connection, row.contact_id)
  applyRow(queries, connection, { ...row, unread: unreadAfter(data, row, known) })
}

/** Applies one event to the lists and to the open conversation. Only a shown conversation is read again. */
export const applyEvent: EventHandler = (queries, connection, { data, event_type }) => {
  if ("redacted" in data) return
  if (event_type === "conversation.updated") applyUpdate(queries, connection, data as UpdateData)
  const contactId = "contact_id" in data ? data.contact_id : null
  if (typeof contactId === "string") refreshAfterEvent(queries, connection, contactId)
}
