import { activityTypes } from "@leadloom/core/internal/domain/contact/Activity"
import { leadStates } from "@leadloom/core/internal/domain/lead/LeadState"
import { tiers } from "@leadloom/core/internal/domain/lead/Score"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { contactSorts } from "@leadloom/core/internal/domain/contact/ContactFilter"
import { ContactFilter } from "./ContactFilter.ts"
import { Contact } from "../schema/ContactRecord.ts"
import { ContactDetail, TimelineTask } from "./ContactDetail.ts"
import { Message } from "../inbox/Conversations.ts"
import { Note } from "../inbox/Notes.ts"
import { BadRequest, NotFound, keyErrors } from "../errors.ts"
import { Channel, TenantPath, Timestamp, IdempotencyKey, cursor, nextCursor, pageSize } from "../schema/Field.ts"
import { contactId } from "../schema/Ids.ts"

const LeadState = Schema.Literals(leadStates)
const Tier = Schema.Literals(tiers)
const Actor = Schema.Literals(["contact", "agent", "assistant", "system"])

export const TimelineEntry = Schema.Struct({
  id: Schema.String.annotate({ description: "The id of the message, the task or the event" }),
  type: Schema.Literals(["message", "task", "note", ...activityTypes]).annotate({
    description: "The kind of the entry; it determines whether `message`, `task`, `note` or `data` is present"
  }),
  at: Timestamp.annotate({ description: "The time of the entry (ISO 8601 in UTC)" }),
  actor: Actor.annotate({ description: "Who caused the entry" }),
  user_id: Schema.NullOr(Schema.String).annotate({
    description: "The user who caused the entry (`usr_…`); null: not a user"
  }),
  user_name: Schema.NullOr(Schema.String).annotate({
    description:
      "The name of this user when the event happened; null: a message, task or note, not a user, or stored by an earlier version"
  }),
  lead_id: Schema.NullOr(Schema.String).annotate({ description: "The lead of the entry; null: none" }),
  message: Schema.optionalKey(Message),
  task: Schema.optionalKey(TimelineTask),
  note: Schema.optionalKey(Note),
  data: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)).annotate({
    description: "The details of an entry other than a message, task or note"
  })
}).annotate({ identifier: "TimelineEntry", description: "A message, a task, a note or another event of a contact" })

const limit = pageSize(100, 50)

export const EnrichedFilter = Schema.Struct({
  ...ContactFilter.fields,
  sort: Schema.optionalKey(Schema.Literals(contactSorts)).annotate({
    description:
      "The order: latest activity first, newest first, or by name. Default: last_activity, which is the fastest with filters"
  }),
  cursor,
  limit
}).annotate({
  identifier: "EnrichedFilter",
  description: "The filters of the list. An absent filter selects all contacts"
})

export const EnrichedContact = Schema.Struct({
  ...Contact.fields,
  last_activity_at: Timestamp.annotate({
    description: "The time of the newest message; for a contact without messages, the time of its creation"
  }),
  last_channel: Schema.NullOr(Channel).annotate({ description: "The channel of the newest message; null: no message" }),
  last_message: Schema.NullOr(Schema.String).annotate({
    description: "The start of the newest message, at most 140 characters; null: no message"
  }),
  unread: Schema.Int.annotate({ description: "The number of unread messages from the contact" }),
  lead_id: Schema.NullOr(Schema.String).annotate({
    description: "The lead of the newest message with a lead; null: none"
  }),
  lead_state: Schema.NullOr(LeadState).annotate({ description: "The state of that lead; null: no lead" }),
  score: Schema.NullOr(Schema.Int).annotate({
    description: "The score of that lead, 0 to 100; null: no lead or not scored"
  }),
  score_tier: Schema.NullOr(Tier).annotate({ description: "The tier of that lead; null: no lead or not scored" })
}).annotate({ identifier: "EnrichedContact", description: "A contact with its current lead and newest message" })

export const EnrichedPage = Schema.Struct({
  contacts: Schema.Array(EnrichedContact).annotate({ description: "The contacts in the order of the list" }),
  next_cursor: Schema.NullOr(Schema.String).annotate({
    description: "With combined filters, a page may be short although more pages follow: continue until null"
  })
}).annotate({ identifier: "EnrichedPage", description: "A page of contacts with their current state" })

const ContactPath = { ...TenantPath, contact_id: contactId }

export const ContactViewsGroup = HttpApiGroup.make("contactViews")
  .add(
    HttpApiEndpoint.get("detail", "/tenants/:tenant_id/contacts/:contact_id/detail", {
      params: ContactPath,
      success: ContactDetail,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Show a contact with its score, source, identities, open work and latest messages")
      .annotate(
        OpenApi.Description,
        "One request for the view of a contact. Lists are limited; use the other operations for all records."
      )
      .annotate(Gate, gate("contactViews.detail", { limiter: "admin" })),
    HttpApiEndpoint.get("timeline", "/tenants/:tenant_id/contacts/:contact_id/timeline", {
      params: ContactPath,
      query: { cursor, limit },
      success: Schema.Struct({
        entries: Schema.Array(TimelineEntry).annotate({ description: "The entries, newest first" }),
        next_cursor: nextCursor
      }).annotate({ identifier: "TimelinePage", description: "A page of a contact's timeline" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List the messages, tasks, notes and other events of a contact, newest first")
      .annotate(OpenApi.Description, "Merges messages, tasks, notes, scores, state changes and edits in order of time.")
      .annotate(Gate, gate("contactViews.timeline", { limiter: "admin" })),
    HttpApiEndpoint.post("enriched", "/tenants/:tenant_id/contacts/enriched", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: EnrichedFilter,
      success: EnrichedPage,
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "List contacts with their current state, latest activity first")
      .annotate(
        OpenApi.Description,
        "For the overview of an inbox. POST, because the filters are in the body; it changes nothing. With `Accept: text/csv`, the response is a CSV file with all contacts of the filters instead of a page, newest first. Its columns are the fields of a CSV import."
      )
      .annotate(Gate, gate("contactViews.enriched", { limiter: "admin", idempotency: "repeatable" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Contact views", description: "Contacts from an agent's perspective" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
