import { channels } from "@leadloom/core/internal/domain/Channel"
import { conversationSorts, maxTagFilters } from "@leadloom/core/internal/domain/conversation/ConversationQuery"
import {
  conversationPriorities,
  conversationStates,
  maxConversationTagLength
} from "@leadloom/core/internal/domain/conversation/InboxState"
import { leadStates } from "@leadloom/core/internal/domain/lead/LeadState"
import { tiers } from "@leadloom/core/internal/domain/lead/Score"
import { type InboxFilter, type InboxView, noFilter } from "@leadloom/core/internal/domain/conversation/InboxFilter"
import { Schema } from "effect"
import { isoTime, millisOf, text, Time, unstated } from "./Field.ts"

const tag = text(maxConversationTagLength)

/** The filters that a query and a view spell alike. */
const common = {
  state: Schema.optionalKey(Schema.Literals(conversationStates)).annotate({
    description: "Only conversations in this state. Default: any state"
  }),
  assignee_id: Schema.optionalKey(text(100)).annotate({
    description: "Only conversations of this user; none: conversations without an assignee"
  }),
  team_id: Schema.optionalKey(text(100)).annotate({
    description: "Only conversations of this team; none: conversations without a team"
  }),
  priority: Schema.optionalKey(Schema.Literals(conversationPriorities)).annotate({
    description: "Only conversations of this priority"
  }),
  snooze_until: Schema.optionalKey(Time).annotate({
    description: "Only snoozed conversations that open again up to this time"
  }),
  channel: Schema.optionalKey(Schema.Literals(channels)).annotate({
    description: "Only conversations whose newest message is on this channel"
  }),
  tier: Schema.optionalKey(Schema.Literals(tiers)).annotate({
    description: "Only conversations with a lead of this tier"
  }),
  lead_state: Schema.optionalKey(Schema.Literals(leadStates)).annotate({
    description: "Only conversations with a lead in this state"
  }),
  alias: Schema.optionalKey(Schema.String).annotate({ description: "Only messages that arrived at this address" }),
  mailbox: Schema.optionalKey(Schema.String).annotate({
    description: "The address of the connected account. Only conversations with mail to this account or to its aliases"
  }),
  q: Schema.optionalKey(text(200)).annotate({
    description:
      "Only conversations with these words in a message or in the contact's data; the newest 200 matches of each"
  })
}

const tagsOf = (list: string): ReadonlyArray<string> => list.split(",").map((one) => one.trim())

/** The filters as parameters of a query. */
export const filterQuery = {
  ...common,
  tags: Schema.optionalKey(
    Schema.String.check(
      Schema.makeFilter(
        (list) => {
          const tags = tagsOf(list)
          return (
            tags.length <= maxTagFilters &&
            tags.every((one) => one.length > 0 && one.length <= maxConversationTagLength)
          )
        },
        { ...unstated, message: `Expected 1 to ${maxTagFilters} tags, separated by commas` }
      )
    )
  ).annotate({ description: `Only conversations with all of these tags, up to ${maxTagFilters}, separated by commas` }),
  unread: Schema.optionalKey(Schema.Literals(["true", "false"])).annotate({
    description: "true: only unread conversations; false: only read ones. A user has an own unread state"
  })
}

/** The order as a parameter of a query. */
export const sortQuery = {
  sort: Schema.optionalKey(Schema.Literals(conversationSorts)).annotate({
    description:
      "-last_timestamp (default): newest first. waiting_since: only conversations that wait for an answer, longest wait first. -priority: most urgent first, and equal ones newest first"
  })
}

/** The filters in the JSON of a view. */
export const ViewFilters = Schema.Struct({
  ...common,
  ...sortQuery,
  tags: Schema.optionalKey(Schema.Array(tag).check(Schema.isMinLength(1), Schema.isMaxLength(maxTagFilters))).annotate({
    description: "Only conversations with all of these tags"
  }),
  unread: Schema.optionalKey(Schema.Boolean).annotate({
    description: "true: only unread conversations; false: only read ones"
  })
}).annotate({
  identifier: "ViewFilters",
  description:
    "Filters and order of the conversation list, with the names of its parameters. Absent fields do not filter"
})

type Common = Schema.Struct.Type<typeof common>

const commonOf = (given: Common): Omit<InboxFilter, "tags" | "unread"> => ({
  state: given.state ?? null,
  assigneeId: given.assignee_id ?? null,
  teamId: given.team_id ?? null,
  priority: given.priority ?? null,
  snoozeUntil: given.snooze_until === undefined ? null : millisOf(given.snooze_until),
  channel: given.channel ?? null,
  tier: given.tier ?? null,
  leadState: given.lead_state ?? null,
  alias: given.alias ?? null,
  mailbox: given.mailbox ?? null,
  text: given.q ?? null
})

/** Reads the filters of a query. */
export const filterOfQuery = (query: Schema.Struct.Type<typeof filterQuery>): InboxFilter => ({
  ...commonOf(query),
  tags: query.tags === undefined ? noFilter.tags : tagsOf(query.tags),
  unread: query.unread === undefined ? null : query.unread === "true"
})

/** Reads the filters and the order of a view. */
export const viewOfJson = (filters: typeof ViewFilters.Type): InboxView => ({
  ...commonOf(filters),
  tags: filters.tags ?? noFilter.tags,
  unread: filters.unread ?? null,
  sort: filters.sort ?? "-last_timestamp"
})

/** Encodes the filters and the order of a view, without those that do not filter. */
export const viewFiltersToJson = ({
  assigneeId,
  leadState,
  snoozeUntil,
  sort,
  tags,
  teamId,
  text,
  ...rest
}: InboxView) => {
  const named = {
    ...rest,
    assignee_id: assigneeId,
    team_id: teamId,
    snooze_until: snoozeUntil === null ? null : isoTime(snoozeUntil),
    lead_state: leadState,
    q: text,
    tags: tags.length === 0 ? null : tags,
    sort: sort === "-last_timestamp" ? null : sort
  }
  const present: typeof ViewFilters.Type = Object.fromEntries(
    Object.entries(named).filter(([, value]) => value !== null)
  )
  return present
}
