import { BadRequest } from "@leadloom/api/internal/errors"
import { millisOf } from "@leadloom/api/internal/schema/Field"
import type { leadSorts } from "@leadloom/api/internal/workspace/Leads"
import type { DealOrder, DealQuery, LeadQuery } from "@leadloom/core/internal/domain/lead/LeadQuery"
import type { LeadState } from "@leadloom/core/internal/domain/lead/LeadState"
import type { Tier } from "@leadloom/core/internal/domain/lead/Score"
import type { StageFilter } from "@leadloom/core/internal/workflow/deal/ListDeals"
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
  readonly pipeline_id?: string
  readonly stage_id?: string
  readonly tag?: string
  readonly min_value?: number
  readonly max_value?: number
  readonly expected_close_from?: string
  readonly expected_close_until?: string
  readonly sort?: (typeof leadSorts)[number]
}

/** A list of leads as deals, before its stages are known. */
export type DealRequest = Omit<DealQuery, "stages"> & StageFilter

type Order = DealOrder | "lastMessageAt"

/** The sort order of each field, and the filters that are ranges of this field. */
const fields = {
  createdAt: { sort: "created_at", range: ["created_after", "created_before"] },
  lastMessageAt: { sort: "last_message_at", range: ["last_message_after", "last_message_before"] },
  value: { sort: "value", range: ["min_value", "max_value"] },
  expectedCloseOn: { sort: "expected_close_on", range: ["expected_close_from", "expected_close_until"] }
} as const satisfies Record<Order, { readonly sort: string; readonly range: ReadonlyArray<keyof LeadFilter> }>

/** The fields in the order in which a range selects the default sort order. */
const orders = ["lastMessageAt", "value", "expectedCloseOn", "createdAt"] as const

const isRanged = (filter: LeadFilter, order: Order): boolean =>
  fields[order].range.some((name) => filter[name] !== undefined)

const millisOrNull = (text: string | undefined): number | null => (text === undefined ? null : millisOf(text))

const refuse = (message: string) =>
  Effect.fail(BadRequest.of("The filters cannot be combined.", [{ path: "sort", message }]))

const orderOf = (filter: LeadFilter): { readonly order: Order; readonly newestFirst: boolean } => {
  const given = orders.find((order) => fields[order].sort === filter.sort?.replace("-", ""))
  const order = given ?? orders.find((one) => isRanged(filter, one)) ?? "createdAt"
  return { order, newestFirst: filter.sort === undefined ? order !== "expectedCloseOn" : filter.sort.startsWith("-") }
}

/** Returns the reason why no index serves the filters in this order; null if one does. */
const misfit = (filter: LeadFilter, order: Order): string | null => {
  const isPlaced = [filter.pipeline_id, filter.stage_id, filter.tag].some((value) => value !== undefined)
  const isDeal = isPlaced || isRanged(filter, "value") || isRanged(filter, "expectedCloseOn")
  if (order === "lastMessageAt" && isDeal) {
    return "Filters by pipeline, stage, tag, value and expected date require another sort order than last_message_at."
  }
  const ranges = isPlaced ? (["createdAt", "lastMessageAt"] as const) : orders
  // With a value or an expected date as the order, the range of the other field is checked for each lead.
  const checked = order === "value" || order === "expectedCloseOn" ? (["createdAt", "lastMessageAt"] as const) : ranges
  const other = checked.find((one) => one !== order && isRanged(filter, one))
  if (other === undefined) return null
  return `A range of ${fields[other].sort} requires sort=-${fields[other].sort} or sort=${fields[other].sort}.`
}

/**
 * Converts the filters to a query for leads, or for leads as deals. A range must use the field of the sort order,
 * because no index serves other combinations.
 */
export const leadQueryOf = (filter: LeadFilter): Effect.Effect<LeadQuery | DealRequest, BadRequest> => {
  const { newestFirst, order } = orderOf(filter)
  const wrong = misfit(filter, order)
  if (wrong !== null) return refuse(wrong)
  const shared = {
    state: filter.state ?? null,
    tier: filter.tier ?? null,
    contactId: filter.contact_id ?? null,
    assignee: filter.assignee ?? null,
    assigneeId: filter.assignee_id ?? null,
    teamId: filter.team_id ?? null,
    newestFirst
  }
  const isPlain = filter.pipeline_id === undefined && filter.stage_id === undefined && filter.tag === undefined
  if (order === "lastMessageAt" || (order === "createdAt" && isPlain)) {
    const [after, before] = fields[order].range
    return Effect.succeed({
      ...shared,
      time: order,
      from: millisOrNull(filter[after]),
      until: millisOrNull(filter[before])
    })
  }
  return Effect.succeed({
    ...shared,
    order,
    from: millisOrNull(filter.created_after),
    until: millisOrNull(filter.created_before),
    pipelineId: filter.pipeline_id ?? null,
    stageId: filter.stage_id ?? null,
    tag: filter.tag ?? null,
    minValue: filter.min_value ?? null,
    maxValue: filter.max_value ?? null,
    closeFrom: filter.expected_close_from ?? null,
    closeUntil: filter.expected_close_until ?? null
  })
}
