import { Conversation as Noun } from "@leadloom/core/internal/domain/conversation/Conversation"
import { maxConversationTagLength, maxConversationTags } from "@leadloom/core/internal/domain/conversation/InboxState"
import {
  type Presence,
  presenceMillis,
  presenceStates,
  reportedStates
} from "@leadloom/core/internal/domain/conversation/Presence"
import type { InboxCounts as CountedInbox } from "@leadloom/core/internal/workflow/conversation/CountConversations"
import type { ViewCount } from "@leadloom/core/internal/workflow/conversation/CountView"
import { type BulkResult, maxBulk } from "@leadloom/core/internal/workflow/conversation/UpdateConversations"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, keyErrors, NotFound } from "../errors.ts"
import { Conversation, conversationToJson } from "../schema/ConversationRow.ts"
import { IdempotencyKey, isoTime, TenantPath, text, Time } from "../schema/Field.ts"
import { contactId } from "../schema/Ids.ts"
import { filterQuery } from "../schema/InboxFilter.ts"
import { changeRequest, orNull } from "../schema/Wire.ts"

const inboxChange = changeRequest(Noun, "InboxStateChange", "The inbox fields to change", {
  state: { description: "closed: nobody has to answer, and the conversation is read for everybody" },
  assigneeId: { description: "The user who handles the conversation; null: nobody" },
  teamId: { description: "The team that handles the conversation; null: none" },
  tags: {
    schema: Schema.Array(text(maxConversationTagLength)).check(Schema.isMaxLength(maxConversationTags)),
    description: "Replaces all tags"
  },
  priority: {},
  snoozeUntil: { description: "A future time: the conversation is snoozed until this time; null: it opens immediately" }
})

/** A change of one conversation or of several ones. */
export const ConversationChange = Schema.Struct({
  ...inboxChange.schema.fields,
  unread: Schema.optionalKey(Schema.Boolean).annotate({
    description:
      "true: marks the conversation as unread for the acting user; false: marks it as read. Without an acting user (API keys), changes the shared unread state"
  })
}).annotate({
  identifier: "ConversationChange",
  description: "The fields to change. Absent fields stay; null removes a value"
})

/** Reads a change. */
export const conversationChangeOf = ({ unread, ...json }: typeof ConversationChange.Type) => ({
  ...inboxChange.fromJson(json),
  ...(unread === undefined ? {} : { unread })
})

export const BulkChange = Schema.Struct({
  contact_ids: Schema.Array(text(100))
    .check(Schema.isMinLength(1), Schema.isMaxLength(maxBulk))
    .annotate({
      description: `The contacts of the conversations, 1 to ${maxBulk}`
    }),
  change: ConversationChange
}).annotate({ identifier: "BulkChange", description: "The same change for several conversations" })

export const BulkResults = Schema.Struct({
  results: Schema.Array(
    Schema.Struct({
      contact_id: contactId,
      outcome: Schema.Literals(["updated", "not_found", "invalid"]).annotate({
        description:
          "invalid: the change does not fit the state of this conversation, for example a snooze without an end"
      }),
      conversation: Schema.NullOr(Conversation).annotate({
        description: "The conversation after the change; null: not found or invalid"
      })
    }).annotate({ identifier: "BulkResult", description: "The result for one conversation" })
  ).annotate({ description: "The results in the order of the contacts, each once" })
}).annotate({ identifier: "BulkResults", description: "The results of a bulk change" })

/** Encodes the results of a bulk change. */
export const bulkToJson = (results: ReadonlyArray<BulkResult>): typeof BulkResults.Type => ({
  results: results.map(({ contactId, conversation, outcome }) => ({
    contact_id: contactId,
    outcome,
    conversation: orNull(conversation, conversationToJson)
  }))
})

const count = (description: string) => Schema.Int.annotate({ description })

export const InboxCounts = Schema.Struct({
  open: count("The open conversations"),
  snoozed: count("The snoozed conversations"),
  closed: count("The closed conversations"),
  unassigned: count("The open conversations without an assignee"),
  mine: count("The open conversations of the acting user; 0 without one (API keys)"),
  unread: count("The unread conversations in any state, for the acting user or shared"),
  teams: Schema.Array(
    Schema.Struct({
      team_id: Schema.String.annotate({ description: "Team id (`team_…`)" }),
      open: count("The open conversations of the team")
    })
  ).annotate({ description: "The teams with open conversations" }),
  matching: Schema.NullOr(
    Schema.Struct({
      count: count("The conversations that match all filters of the query"),
      count_is_exact: Schema.Boolean.annotate({
        description: "false: at least `count` conversations match. Counting stops after 100 matches"
      })
    })
  ).annotate({ description: "The conversations that match the filters of the query; null: it has none" })
}).annotate({
  identifier: "InboxCounts",
  description: "The numbers of conversations. All but `matching` are exact and ignore the filters"
})

/** Encodes the numbers of the inbox. */
export const countsToJson = (
  { teams, ...counts }: CountedInbox,
  matching: ViewCount | null
): typeof InboxCounts.Type => ({
  ...counts,
  teams: teams.map(({ open, teamId }) => ({ team_id: teamId, open })),
  matching: orNull(matching, ({ conversations, isExact }) => ({ count: conversations, count_is_exact: isExact }))
})

/** The users who view a conversation or write in it. */
export const PresenceList = Schema.Struct({
  presence: Schema.Array(
    Schema.Struct({
      user_id: Schema.String.annotate({ description: "User id (`usr_…`)" }),
      name: Schema.String.annotate({ description: "The name of the user" }),
      state: Schema.Literals(presenceStates).annotate({ description: "typing: the user writes an answer" }),
      since: Time.annotate({ description: "The time at which the user entered this state" }),
      expires_at: Time.annotate({ description: "The time at which the presence ends without a renewal" })
    }).annotate({ identifier: "Presence", description: "A user who is present in a conversation" })
  ).annotate({ description: "The users who are present" })
}).annotate({ identifier: "PresenceList", description: "The users who are present in a conversation" })

/** Encodes present users. */
export const presenceToJson = (presences: ReadonlyArray<Presence>): typeof PresenceList.Type => ({
  presence: presences.map(({ expiresAt, name, since, state, userId }) => ({
    user_id: userId,
    name,
    state,
    since: isoTime(since),
    expires_at: isoTime(expiresAt)
  }))
})

export const PresenceChange = Schema.Struct({
  state: Schema.Literals(reportedStates).annotate({
    description: "viewing: the user has opened the conversation; typing: the user writes; left: ends the presence",
    message: `Expected one of ${reportedStates.join(", ")}`
  })
}).annotate({ identifier: "PresenceChange", description: "The presence of the acting user" })

const ContactPath = { ...TenantPath, contact_id: contactId }

export const InboxGroup = HttpApiGroup.make("inbox")
  .add(
    HttpApiEndpoint.patch("update", "/tenants/:tenant_id/conversations/:contact_id", {
      params: ContactPath,
      payload: ConversationChange,
      success: Conversation,
      error: [BadRequest, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Assign, snooze, close, tag or prioritise a conversation, or mark it as unread")
      .annotate(
        OpenApi.Description,
        "A new message of the contact opens a snoozed or closed conversation. The end of a snooze opens it too."
      )
      .annotate(Gate, gate("inbox.update", { limiter: "admin" })),
    HttpApiEndpoint.get("row", "/tenants/:tenant_id/conversations/:contact_id/row", {
      params: ContactPath,
      success: Conversation,
      error: [NotFound]
    })
      .annotate(OpenApi.Summary, "Read a contact's row of the conversation list")
      .annotate(OpenApi.Description, "Events carry the same row, so a client needs no list to show a change.")
      .annotate(Gate, gate("inbox.row", { limiter: "admin" })),
    HttpApiEndpoint.get("presence", "/tenants/:tenant_id/conversations/:contact_id/presence", {
      params: ContactPath,
      success: PresenceList,
      error: [NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "List the users who view a conversation or write in it")
      .annotate(OpenApi.Description, "Includes the acting user. Presence is held in memory and not stored.")
      .annotate(Gate, gate("inbox.presence", { limiter: "admin" })),
    HttpApiEndpoint.put("reportPresence", "/tenants/:tenant_id/conversations/:contact_id/presence", {
      params: ContactPath,
      payload: PresenceChange,
      success: PresenceList,
      error: [BadRequest, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Report that the acting user views a conversation, writes in it or has left it")
      .annotate(
        OpenApi.Description,
        `Renew the report every 10 to 20 seconds; it expires after ${presenceMillis / 1_000} seconds. The latest report of a user counts. The response contains all users who are present. Event streams with \`presence=true\` carry the reports.`
      )
      .annotate(Gate, gate("inbox.reportPresence", { limiter: "admin" })),
    HttpApiEndpoint.post("bulk", "/tenants/:tenant_id/conversations/bulk", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: BulkChange,
      success: BulkResults,
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, `Change up to ${maxBulk} conversations`)
      .annotate(
        OpenApi.Description,
        "Each contact has a result. The audit trail gets one entry. A repetition has no further effect."
      )
      .annotate(Gate, gate("inbox.bulk", { limiter: "admin", audited: true, idempotency: "repeatable" })),
    HttpApiEndpoint.get("counts", "/tenants/:tenant_id/conversations/counts", {
      params: TenantPath,
      query: filterQuery,
      success: InboxCounts,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "Count conversations by state, assignee, team, unread state and filters")
      .annotate(
        OpenApi.Description,
        "The cost does not depend on the number of conversations. With filters of the list, `matching` counts their conversations: exactly for state, assignee, team and shared unread state, otherwise up to 100."
      )
      .annotate(Gate, gate("inbox.counts", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Inbox", description: "The work on conversations" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
