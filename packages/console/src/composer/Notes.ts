import { queryOptions } from "@tanstack/react-query"
import type { Connection } from "../app/Connection.ts"
import { handleEvents } from "../app/Live.ts"

/** The notes that are read at most. A conversation with more shows the newest. */
const maxNotes = 100

/** The request of the newest notes about a conversation, newest first. */
export const notesOptions = ({ client, tenantId }: Connection, contactId: string) =>
  queryOptions({
    queryKey: [tenantId, "notes", contactId] as const,
    queryFn: async ({ signal }) => (await client.notes.list(tenantId, contactId, { limit: maxNotes, signal })).notes
  })

handleEvents((queries, connection, { data, event_type }) => {
  if (!event_type.startsWith("note.") || !("contact_id" in data) || typeof data.contact_id !== "string") return
  void queries.invalidateQueries({ queryKey: notesOptions(connection, data.contact_id).queryKey })
})
