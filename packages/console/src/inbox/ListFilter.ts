import type { Conversation, ConversationsListOptions, View, ViewFilters } from "@leadloom/client"

/** The filters and the order of a conversation list, as the API knows them. */
export type ListRequest = Omit<
  ConversationsListOptions,
  "cursor" | "signal" | "credential" | "timeoutMs" | "maxRetries"
>

/** The filters as the address of the page contains them. Without a state, the list shows open conversations. */
export interface ListFilter extends Omit<ListRequest, "state"> {
  readonly state?: NonNullable<ListRequest["state"]> | "any" | undefined
}

/** The state that a list shows if its address names none. Words are searched in conversations of every state. */
export const defaultState = ({ q, snoozeUntil }: ListFilter): "any" | "open" =>
  q === undefined && snoozeUntil === undefined ? "open" : "any"

/** Returns the filters of the request for a list. */
export const requestOf = (filter: ListFilter): ListRequest => {
  const { state = defaultState(filter), ...others } = filter
  return state === "any" ? others : { ...others, state }
}

const names = [
  "state",
  "assigneeId",
  "teamId",
  "priority",
  "snoozeUntil",
  "channel",
  "tier",
  "leadState",
  "alias",
  "mailbox",
  "q",
  "tags",
  "unread",
  "sort"
] as const satisfies ReadonlyArray<keyof ListFilter>

/** Reads the filters from an address. The server rejects invalid values. */
export const readFilter = (search: Readonly<Record<string, unknown>>): ListFilter =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = search[name]
      const isValid = name === "unread" ? typeof value === "boolean" : typeof value === "string" && value !== ""
      return isValid ? [[name, value]] : []
    })
  )

/** Returns the filters of a saved view. A view without a state shows conversations of every state. */
export const filterOfView = ({ filters }: View): ListFilter => {
  const { assignee_id, lead_state, snooze_until, tags, team_id, ...same } = filters
  return readFilter({
    ...same,
    state: same.state ?? "any",
    assigneeId: assignee_id,
    teamId: team_id,
    leadState: lead_state,
    snoozeUntil: snooze_until,
    tags: tags?.join(",")
  })
}

/** Returns the filters as a saved view stores them. */
export const viewFiltersOf = (filter: ListFilter): ViewFilters => {
  const { assigneeId, leadState, snoozeUntil, tags, teamId, ...same } = requestOf(filter)
  return {
    ...same,
    assignee_id: assigneeId,
    lead_state: leadState,
    snooze_until: snoozeUntil,
    tags: tags?.split(","),
    team_id: teamId
  }
}

/** Returns whether two filters show the same list. */
export const isSameFilter = (one: ListFilter, other: ListFilter): boolean => {
  const [first, second] = [requestOf(one), requestOf(other)]
  return names.every((name) => first[name] === second[name])
}

/** The filters that only the server can apply, because a row does not contain the compared text. */
const unknowable = ["q", "alias", "mailbox"] as const satisfies ReadonlyArray<keyof ListFilter>

const fits = (wanted: string | undefined, value: string | null): boolean =>
  wanted === undefined || wanted === (value ?? "none")

const fitsSnooze = (until: string | undefined, { snooze_until }: Conversation): boolean =>
  until === undefined || (snooze_until !== null && Date.parse(snooze_until) <= Date.parse(until))

/** Returns whether a row belongs to a list; null if only the server can decide. */
export const matches = (filter: ListRequest, row: Conversation): boolean | null => {
  const isMatch =
    fits(filter.state, row.state) &&
    fits(filter.assigneeId, row.assignee_id) &&
    fits(filter.teamId, row.team_id) &&
    fits(filter.priority, row.priority) &&
    fits(filter.channel, row.last_channel) &&
    fits(filter.tier, row.score_tier) &&
    fits(filter.leadState, row.lead_state) &&
    fitsSnooze(filter.snoozeUntil, row) &&
    (filter.unread === undefined || filter.unread === row.unread > 0) &&
    (filter.tags === undefined || filter.tags.split(",").every((tag) => row.tags.includes(tag))) &&
    (filter.sort !== "waiting_since" || row.waiting_since !== null)
  return isMatch && unknowable.some((name) => filter[name] !== undefined) ? null : isMatch
}
