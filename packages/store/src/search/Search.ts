/**
 * The full-text index of messages, contacts and notes. Tokenisation and relevance belong in core's `domain/search`. Tests:
 * `packages/store/test/search`, `packages/testkit/src/suite/search`.
 */
import { Search } from "@leadloom/core/internal/port/repository/contact/Search"
import type { FoundMessage, FoundNote } from "@leadloom/core/internal/port/repository/contact/Search"
import { maxSearchedLength } from "@leadloom/core/internal/domain/search/Token"
import { Effect, Layer } from "effect"
import { Database } from "../Database.ts"
import { contacts } from "../repository/contact/Contacts.ts"
import { readArray } from "../sql/Json.ts"
import { makeIndex } from "./SearchIndex.ts"
import { makePlaces } from "./SearchPlaces.ts"

type MessageRow = Omit<FoundMessage, "to" | "cc" | "attachments"> & {
  readonly to: string
  readonly cc: string
  readonly attachments: string
}

const messageOf = (row: MessageRow): FoundMessage => ({
  ...row,
  to: readArray(row.to),
  cc: readArray(row.cc),
  attachments: readArray(row.attachments)
})

/**
 * The search index in SQL: FTS5 on SQLite, `tsvector` with a GIN index on Postgres. See docs/decisions/0031-search.md.
 */
export const layer: Layer.Layer<Search, never, Database> = Layer.effect(
  Search,
  Effect.map(Database, (database) => {
    const { isOneOf, query } = database
    const messages = query<MessageRow>(
      `SELECT m.message_id AS "messageId", m.contact_id AS "contactId", m.lead_id AS "leadId", m.thread_id AS "threadId",
          m.channel, m.actor, m.subject, substr(m.body, 1, ${maxSearchedLength}) AS body, m.from_address AS "from",
          m.to_addresses AS "to", m.cc_addresses AS "cc", m.attachments, m."timestamp", p.name AS "contactName",
          p.email AS "contactEmail"
        FROM messages m LEFT JOIN contacts p ON p.tenant_id = m.tenant_id AND p.contact_id = m.contact_id
        WHERE m.tenant_id = ? AND ${isOneOf("m.message_id")}`
    )
    const found = contacts.reading({ query }).all(
      `SELECT ${contacts.columns} FROM contacts
        WHERE tenant_id = ? AND ${isOneOf("contact_id")} AND archived_at IS NULL`
    )
    const notes = query<FoundNote>(
      `SELECT n.note_id AS "noteId", n.contact_id AS "contactId", n.author_id AS "authorId", n.author, n.body,
          n.created_at AS "createdAt", n.updated_at AS "updatedAt", p.name AS "contactName", p.email AS "contactEmail"
        FROM notes n LEFT JOIN contacts p ON p.tenant_id = n.tenant_id AND p.contact_id = n.contact_id
        WHERE n.tenant_id = ? AND ${isOneOf("n.note_id")}`
    )
    return Search.of({
      ...makeIndex(database),
      places: makePlaces(database),
      rest: (millis) => Effect.sleep(millis),
      messages: (tenantId, ids) =>
        ids.length === 0
          ? Effect.succeed([])
          : Effect.map(messages(tenantId, JSON.stringify(ids)), (rows) => rows.map(messageOf)),
      notes: (tenantId, ids) => (ids.length === 0 ? Effect.succeed([]) : notes(tenantId, JSON.stringify(ids))),
      contacts: (tenantId, ids) => (ids.length === 0 ? Effect.succeed([]) : found(tenantId, JSON.stringify(ids)))
    })
  })
)
