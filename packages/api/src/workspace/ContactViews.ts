import { activityTypes } from "@leadloom/core/domain/contact/Activity"
import { leadStates } from "@leadloom/core/domain/lead/LeadState"
import { tiers } from "@leadloom/core/domain/lead/Score"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { Contact, Tag } from "../schema/ContactRecord.ts"
import { ContactDetail, TimelineTask } from "./ContactDetail.ts"
import { Message } from "./Conversations.ts"
import { BadRequest, NotFound, keyErrors } from "../errors.ts"
import { Channel, TenantPath, Time, Timestamp, IdempotencyKey } from "../schema/Field.ts"

const LeadState = Schema.Literals(leadStates)
const Tier = Schema.Literals(tiers)
const Actor = Schema.Literals(["contact", "agent", "assistant", "system"])

export const TimelineEntry = Schema.Struct({
  id: Schema.String,
  type: Schema.Literals(["message", "task", ...activityTypes]),
  at: Timestamp,
  actor: Actor,
  lead_id: Schema.NullOr(Schema.String),
  message: Schema.optionalKey(Message),
  task: Schema.optionalKey(TimelineTask),
  data: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)).annotate({
    description: "The details of an entry other than a message or task"
  })
}).annotate({ identifier: "TimelineEntry" })

const limit = Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })))

export const EnrichedFilter = Schema.Struct({
  tier: Schema.optionalKey(Tier),
  state: Schema.optionalKey(LeadState).annotate({
    description: "The state of the lead to which the newest message with a lead belongs"
  }),
  channel: Schema.optionalKey(Channel).annotate({ description: "The channel of the newest message" }),
  tag: Schema.optionalKey(Tag),
  last_activity_after: Schema.optionalKey(Time),
  last_activity_before: Schema.optionalKey(Time),
  has_email: Schema.optionalKey(Schema.Boolean),
  has_phone: Schema.optionalKey(Schema.Boolean),
  archived: Schema.optionalKey(Schema.Boolean).annotate({ description: "true: only archived contacts" }),
  cursor: Schema.optionalKey(Schema.String),
  limit
}).annotate({ identifier: "EnrichedFilter" })

export const EnrichedContact = Schema.Struct({
  ...Contact.fields,
  last_activity_at: Timestamp.annotate({
    description: "The time of the newest message; for a contact without messages, the time of its creation"
  }),
  last_channel: Schema.NullOr(Channel),
  last_message: Schema.NullOr(Schema.String),
  unread: Schema.Int,
  lead_id: Schema.NullOr(Schema.String),
  lead_state: Schema.NullOr(LeadState),
  score: Schema.NullOr(Schema.Int),
  score_tier: Schema.NullOr(Tier)
}).annotate({ identifier: "EnrichedContact" })

const ContactPath = { ...TenantPath, contact_id: Schema.String }

export const ContactViewsGroup = HttpApiGroup.make("contactViews")
  .add(
    HttpApiEndpoint.get("detail", "/tenants/:tenant_id/contacts/:contact_id/detail", {
      params: ContactPath,
      success: ContactDetail,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Show a contact with its score, source, identities, open work and latest messages")
      .annotate(Gate, gate("contactViews.detail", { limiter: "admin" })),
    HttpApiEndpoint.get("timeline", "/tenants/:tenant_id/contacts/:contact_id/timeline", {
      params: ContactPath,
      query: { cursor: Schema.optionalKey(Schema.String), limit },
      success: Schema.Struct({
        entries: Schema.Array(TimelineEntry),
        next_cursor: Schema.NullOr(Schema.String)
      }).annotate({ identifier: "TimelinePage" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List the messages, tasks and other events of a contact, newest first")
      .annotate(Gate, gate("contactViews.timeline", { limiter: "admin" })),
    HttpApiEndpoint.post("enriched", "/tenants/:tenant_id/contacts/enriched", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: EnrichedFilter,
      success: Schema.Struct({
        contacts: Schema.Array(EnrichedContact),
        next_cursor: Schema.NullOr(Schema.String).annotate({
          description: "With combined filters, a page may be short although more pages follow: continue until null"
        })
      }).annotate({ identifier: "EnrichedPage" }),
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "List contacts with their current state, latest activity first")
      .annotate(Gate, gate("contactViews.enriched", { limiter: "admin", idempotency: "repeatable" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Contact views", description: "Contacts from an agent's perspective" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
