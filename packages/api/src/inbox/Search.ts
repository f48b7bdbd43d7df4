import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { Contact } from "../schema/ContactRecord.ts"
import { BadRequest, NotFound, keyErrors } from "../errors.ts"
import { Note } from "./Notes.ts"
import { Channel, TenantPath, Timestamp, IdempotencyKey } from "../schema/Field.ts"
import { contactId, messageId } from "../schema/Ids.ts"

const Range = Schema.Struct({
  start: Schema.Int.annotate({ description: "The first character of the match" }),
  end: Schema.Int.annotate({ description: "The character after the match" })
})

/** An excerpt with the positions of the matches. Callers must escape the text in HTML, because it is plain text. */
export const Highlight = Schema.Struct({
  field: Schema.Literals([
    "name",
    "email",
    "phone",
    "company",
    "notes",
    "tags",
    "subject",
    "body",
    "from",
    "to"
  ]).annotate({ description: "The field with the match" }),
  text: Schema.String.annotate({ description: "Plain text without markup; escape it before showing it as HTML" }),
  ranges: Schema.Array(Range).annotate({
    description: "The matches in text, from start (inclusive) to end (exclusive), in UTF-16 code units"
  })
}).annotate({ identifier: "SearchHighlight", description: "An excerpt with the positions of the matches" })

const fit = {
  score: Schema.Int.annotate({ description: "Higher is better; comparable only within one response" }),
  highlights: Schema.Array(Highlight).annotate({ description: "The fields that match" })
}

export const ContactHit = Schema.Struct({ contact: Contact, ...fit }).annotate({
  identifier: "ContactHit",
  description: "A contact that matches the query"
})

const person = {
  contact_id: contactId,
  contact_name: Schema.NullOr(Schema.String).annotate({ description: "The name of the contact; null: unknown" }),
  contact_email: Schema.NullOr(Schema.String).annotate({
    description: "The email address of the contact; null: unknown"
  })
}

/** A message that matches the query. */
export const ConversationHit = Schema.Struct({
  ...person,
  lead_id: Schema.NullOr(Schema.String).annotate({ description: "The lead of the message; null: none" }),
  message_id: messageId,
  thread_id: Schema.NullOr(Schema.String).annotate({ description: "The email thread of the message; null: none" }),
  channel: Channel,
  actor: Schema.Literals(["contact", "agent", "assistant", "system"]).annotate({
    description: "The author of the message"
  }),
  timestamp: Timestamp,
  subject: Schema.NullOr(Schema.String).annotate({ description: "The subject line; null: none" }),
  ...fit
}).annotate({ identifier: "ConversationHit", description: "A message that matches the query" })

const { fields: note } = Note

/** A private note that matches the query. */
export const NoteHit = Schema.Struct({
  type: Schema.Literal("note").annotate({ description: "Marks a private note, which the contact never sees" }),
  ...person,
  note_id: note.id,
  author_id: note.author_id,
  author: note.author,
  created_at: note.created_at,
  updated_at: note.updated_at,
  ...fit
}).annotate({ identifier: "NoteHit", description: "A private note that matches the query" })

export const SearchRequest = Schema.Struct({
  query: Schema.String.annotate({
    description:
      "Words or parts of a phone number or an email address. The last word may be incomplete. Accents and case are ignored, and there is no query syntax. Only the first 1,000 characters are used."
  }),
  deep: Schema.optionalKey(Schema.Boolean).annotate({
    description:
      "true: search all messages. false: search only the messages of the last six months. Contacts and notes are always searched completely."
  }),
  types: Schema.optionalKey(
    Schema.Array(Schema.Literals(["contacts", "conversations", "notes"])).check(
      Schema.isMinLength(1),
      Schema.isMaxLength(3)
    )
  ).annotate({ description: "The types to search; default: all" }),
  limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))).annotate({
    description: "Hits of each type per page; default: 20"
  }),
  cursor: Schema.optionalKey(Schema.String).annotate({
    description:
      "The next_cursor of the previous page. query, types and deep must be the same as in the request for that page"
  })
}).annotate({ identifier: "SearchRequest", description: "The query and its limits" })

export const SearchPage = Schema.Struct({
  contacts: Schema.Array(ContactHit).annotate({ description: "Matching contacts, best match first" }),
  conversations: Schema.Array(ConversationHit).annotate({ description: "Matching messages, best match first" }),
  notes: Schema.Array(NoteHit).annotate({ description: "Matching private notes, best match first" }),
  since: Schema.NullOr(Timestamp).annotate({
    description: "The time of the oldest message that was searched; null: all messages were searched"
  }),
  complete: Schema.Boolean.annotate({
    description: "false: some older messages are not indexed yet, for example after an import"
  }),
  next_cursor: Schema.NullOr(Schema.String).annotate({
    description: "The cursor of the next page. A page may have few or no results although more pages follow"
  })
}).annotate({ identifier: "SearchPage", description: "A page of hits" })

export const SearchGroup = HttpApiGroup.make("search")
  .add(
    HttpApiEndpoint.post("search", "/tenants/:tenant_id/search", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: SearchRequest,
      success: SearchPage.pipe(HttpApiSchema.status(200)),
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Search contacts, conversations and private notes")
      .annotate(OpenApi.Description, "POST, because the query is in the body; it changes nothing.")
      .annotate(Gate, gate("search.search", { limiter: "admin", idempotency: "repeatable" }))
  )
  .annotateMerge(
    OpenApi.annotations({
      title: "Search",
      description: "Search in contacts, messages and private notes by words and parts of words"
    })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
