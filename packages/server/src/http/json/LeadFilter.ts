import { BadRequest } from "@leadloom/api/internal/errors"
import { millisOf } from "@leadloom/api/internal/schema/Field"
import type { LeadQuery, LeadTime } from "@leadloom/core/internal/domain/lead/LeadQuery"
import type { LeadState } from "@leadloom/core/internal/domain/lead/LeadState"
import type { Tier } from "@leadloom/core/internal/domain/lead/Score"
import { Effect } from "effect"

/** The filters of a list request. */
export interface LeadFilter {
  readonly state?: LeadState
  readonly tier?: Tier | "none"
  readonly contact_id?: string
  readonly assignee?: string
  readonly assignee_id?: string
  readonly team_id?: string
  readonly created_after?: string
  readonly created_before?: string
  readonly last_message_after?: string
  readonly last_message_before?: string
  readonly sort?: "-created_at" | "created_at" | "-last_message_at" | "last_message_at"
}

const fields = {
  createdAt: { sort: "created_at", after: "created_after", before: "created_before" },
  lastMessageAt: { sort: "last_message_at", after: "last_message_after", before: "last_message_before" }
} as const

const isRanged = (filter: LeadFilter, time: LeadTime): boolean =>
  filter[fields[time].after] !== undefined || filter[fields[time].before] !== undefined

const millisOrNull = (text: string | undefined): number | null => (text === undefined ? null : millisOf(text))

/**
 * Converts the filters to a query for leads. A time range must use the field of the sort order, because no index serves
 * other combinations.
 */
export const leadQueryOf = (filter: LeadFilter): Effect.Effect<LeadQuery, BadRequest> => {
  const sort = filter.sort ?? (isRanged(filter, "lastMessageAt") ? "-last_message_at" : "-created_at")
  const time = sort.endsWith("created_at") ? "createdAt" : "lastMessageAt"
  const other = time === "createdAt" ? "lastMessageAt" : "createdAt"
  if (isRanged(filter, other)) {
    const message = `A range of ${fields[other].sort} requires sort=-${fields[other].sort} or sort=${fields[other].sort}.`
    return Effect.fail(BadRequest.of("The filters cannot be combined.", [{ path: "sort", message }]))
  }
  return Effect.succeed({
    state: filter.state ?? null,
    tier: filter.tier ?? null,
    contactId: filter.contact_id ?? null,
    assignee: filter.assignee ?? null,
    assigneeId: filter.assignee_id ?? null,
    teamId: filter.team_id ?? null,
    time,
    newestFirst: sort.startsWith("-"),
    from: millisOrNull(filter[fields[time].after]),
    until: millisOrNull(filter[fields[time].before])
  })
}
