import { contactToJson } from "@leadloom/api/internal/schema/ContactRecord"
import { Api } from "@leadloom/api/internal/Api"
import { isoTime } from "@leadloom/api/internal/schema/Field"
import type * as Wire from "@leadloom/api/internal/inbox/Search"
import type { Contact } from "@leadloom/core/internal/domain/contact/Contact"
import type { FoundMessage, FoundNote, SearchKind } from "@leadloom/core/internal/port/repository/contact/Search"
import { type Hit, searchTenant } from "@leadloom/core/internal/workflow/search/SearchTenant"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

/** The default number of hits of each kind per page. */
const defaultPageSize = 20
const everything: ReadonlyArray<SearchKind> = ["contacts", "conversations", "notes"]

const contactHit = ({ fit, value }: Hit<Contact>): typeof Wire.ContactHit.Type => ({
  contact: contactToJson(value),
  ...fit
})

const messageHit = ({ fit, value }: Hit<FoundMessage>): typeof Wire.ConversationHit.Type => ({
  contact_id: value.contactId,
  contact_name: value.contactName,
  contact_email: value.contactEmail,
  lead_id: value.leadId,
  message_id: value.messageId,
  thread_id: value.threadId,
  channel: value.channel,
  actor: value.actor,
  timestamp: isoTime(value.timestamp),
  subject: value.subject,
  ...fit
})

const noteHit = ({ fit, value }: Hit<FoundNote>): typeof Wire.NoteHit.Type => ({
  type: "note",
  contact_id: value.contactId,
  contact_name: value.contactName,
  contact_email: value.contactEmail,
  note_id: value.noteId,
  author_id: value.authorId,
  author: value.author,
  created_at: isoTime(value.createdAt),
  updated_at: isoTime(value.updatedAt),
  ...fit
})

/** Endpoints for search. */
export const layer = HttpApiBuilder.group(Api, "search", (handlers) =>
  handlers.handleAll({
    search: Effect.fnUntraced(function* ({ params, payload }) {
      const { complete, contacts, messages, nextCursor, notes, since } = yield* answer(
        searchTenant(params.tenant_id, {
          query: payload.query,
          deep: payload.deep ?? false,
          kinds: payload.types ?? everything,
          limit: payload.limit ?? defaultPageSize,
          cursor: payload.cursor ?? null
        })
      )
      return {
        contacts: contacts.map(contactHit),
        conversations: messages.map(messageHit),
        notes: notes.map(noteHit),
        since: since === null ? null : isoTime(since),
        complete,
        next_cursor: nextCursor
      }
    })
  })
)
