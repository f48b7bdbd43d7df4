import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { Contact } from "../schema/ContactRecord.ts"
import { BadRequest, NotFound, keyErrors } from "../errors.ts"
import { Channel, TenantPath, Timestamp, IdempotencyKey } from "../schema/Field.ts"

const Range = Schema.Struct({ start: Schema.Int, end: Schema.Int })

/** Part of a text with the places that were found. Plain text: whoever shows it escapes it. */
export const Highlight = Schema.Struct({
  field: Schema.Literals(["name", "email", "phone", "company", "notes", "tags", "subject", "body", "from", "to"]),
  text: Schema.String.annotate({ description: "Plain text without markup: escape it before it is shown as HTML" }),
  ranges: Schema.Array(Range).annotate({
    description: "What was found in text: from start to before end, in UTF-16 units"
  })
}).annotate({ identifier: "SearchHighlight" })

const fit = {
  score: Schema.Int.annotate({ description: "The greater the better; only good for comparing within one answer" }),
  highlights: Schema.Array(Highlight)
}

export const ContactHit = Schema.Struct({ contact: Contact, ...fit }).annotate({ identifier: "ContactHit" })

/** A message of a conversation that was found. */
export const ConversationHit = Schema.Struct({
  contact_id: Schema.String,
  contact_name: Schema.NullOr(Schema.String),
  contact_email: Schema.NullOr(Schema.String),
  lead_id: Schema.NullOr(Schema.String),
  message_id: Schema.String,
  thread_id: Schema.NullOr(Schema.String),
  channel: Channel,
  actor: Schema.Literals(["contact", "agent", "assistant", "system"]),
  timestamp: Timestamp,
  subject: Schema.NullOr(Schema.String),
  ...fit
}).annotate({ identifier: "ConversationHit" })

export const SearchRequest = Schema.Struct({
  query: Schema.String.annotate({
    description:
      "Words, the last of which may be unfinished, or part of a phone number or an email address. Accents and case do not count; there is no syntax. The first 1,000 characters are read."
  }),
  deep: Schema.optionalKey(Schema.Boolean).annotate({
    description: "All messages, and not only those of the last six months. Contacts are searched whatever their age."
  }),
  types: Schema.optionalKey(
    Schema.Array(Schema.Literals(["contacts", "conversations"])).check(Schema.isMinLength(1), Schema.isMaxLength(2))
  ).annotate({ description: "What to search; default: both" }),
  limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))).annotate({
    description: "Hits of each type on a page; default 20"
  }),
  cursor: Schema.optionalKey(Schema.String).annotate({
    description: "The next_cursor of the page before, with the same query, types and deep"
  })
}).annotate({ identifier: "SearchRequest" })

export const SearchPage = Schema.Struct({
  contacts: Schema.Array(ContactHit),
  conversations: Schema.Array(ConversationHit),
  since: Schema.NullOr(Timestamp).annotate({ description: "Messages from then on were searched; null: all of them" }),
  complete: Schema.Boolean.annotate({
    description: "False while older messages are still being brought into the index, as after an import"
  }),
  next_cursor: Schema.NullOr(Schema.String).annotate({
    description: "Leads to more; a page may be short, or empty, before the last one"
  })
}).annotate({ identifier: "SearchPage" })

export const SearchGroup = HttpApiGroup.make("search")
  .add(
    HttpApiEndpoint.post("search", "/tenants/:tenant_id/search", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: SearchRequest,
      success: SearchPage.pipe(HttpApiSchema.status(200)),
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Search contacts and conversations")
      .annotate(Gate, gate("search.search", { limiter: "admin", idempotency: "repeatable" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Search", description: "Contacts and messages by words and fragments" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
