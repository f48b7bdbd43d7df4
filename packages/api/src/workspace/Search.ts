import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { Contact } from "../schema/ContactRecord.ts"
import { BadRequest, NotFound, keyErrors } from "../errors.ts"
import { Channel, TenantPath, Timestamp, IdempotencyKey } from "../schema/Field.ts"

const Range = Schema.Struct({ start: Schema.Int, end: Schema.Int })

/** An excerpt with the positions of the matches. Callers must escape the text in HTML, because it is plain text. */
export const Highlight = Schema.Struct({
  field: Schema.Literals(["name", "email", "phone", "company", "notes", "tags", "subject", "body", "from", "to"]),
  text: Schema.String.annotate({ description: "Plain text without markup; escape it before showing it as HTML" }),
  ranges: Schema.Array(Range).annotate({
    description: "The matches in text, from start (inclusive) to end (exclusive), in UTF-16 code units"
  })
}).annotate({ identifier: "SearchHighlight" })

const fit = {
  score: Schema.Int.annotate({ description: "Higher is better; comparable only within one response" }),
  highlights: Schema.Array(Highlight)
}

export const ContactHit = Schema.Struct({ contact: Contact, ...fit }).annotate({ identifier: "ContactHit" })

/** A message that matches the query. */
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
      "Words or parts of a phone number or an email address. The last word may be incomplete. Accents and case are ignored, and there is no query syntax. Only the first 1,000 characters are used."
  }),
  deep: Schema.optionalKey(Schema.Boolean).annotate({
    description:
      "true: search all messages. false: search only the messages of the last six months. Contacts are always searched completely."
  }),
  types: Schema.optionalKey(
    Schema.Array(Schema.Literals(["contacts", "conversations"])).check(Schema.isMinLength(1), Schema.isMaxLength(2))
  ).annotate({ description: "The types to search; default: both" }),
  limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))).annotate({
    description: "Hits of each type per page; default: 20"
  }),
  cursor: Schema.optionalKey(Schema.String).annotate({
    description:
      "The next_cursor of the previous page. query, types and deep must be the same as in the request for that page"
  })
}).annotate({ identifier: "SearchRequest" })

export const SearchPage = Schema.Struct({
  contacts: Schema.Array(ContactHit),
  conversations: Schema.Array(ConversationHit),
  since: Schema.NullOr(Timestamp).annotate({
    description: "The time of the oldest message that was searched; null: all messages were searched"
  }),
  complete: Schema.Boolean.annotate({
    description: "false: some older messages are not indexed yet, for example after an import"
  }),
  next_cursor: Schema.NullOr(Schema.String).annotate({
    description: "The cursor of the next page. A page may have few or no results although more pages follow"
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
  .annotateMerge(
    OpenApi.annotations({ title: "Search", description: "Search in contacts and messages by words and parts of words" })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
