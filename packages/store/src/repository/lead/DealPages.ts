import type { DealKey, DealOrder, DealQuery } from "@leadloom/core/internal/domain/lead/LeadQuery"
import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect } from "effect"
import type { Param } from "../../sql/Param.ts"
import { newest, oldest, type Queries } from "../../sql/Queries.ts"
import type { Query } from "../../sql/Statements.ts"

/** The number of leads that one call examines. The filters that its index does not serve are checked for each lead. */
const maxExamined = 500

const columns = { createdAt: "created_at", value: "value", expectedCloseOn: "expected_close_on" } as const

/** The index ranges that a query reads in order. */
type Driver = "tag" | "stages" | "field"

/** The parts of a query that change the text of the statement. All other parts are parameters. */
interface Shape {
  readonly driver: Driver
  readonly order: DealOrder
  readonly newestFirst: boolean
  readonly streams: number
}

const driverOf = ({ order, tag }: DealQuery): Driver =>
  order !== "createdAt" ? "field" : tag === null ? "stages" : "tag"

const directed = (column: string, newestFirst: boolean): string =>
  newestFirst ? `${column} DESC, lead_id DESC` : `${column}, lead_id`

/** Returns the query for one index range in order. Its parameters are `rangeParams`. */
const range = (by: Queries["by"], { driver, newestFirst, order }: Shape): string => {
  const column = columns[order]
  const after = `(${column}, lead_id) ${newestFirst ? "<" : ">"} (?, ?) AND ${column} ${newestFirst ? ">=" : "<="} ?`
  const end = `ORDER BY ${directed(column, newestFirst)} LIMIT ${maxExamined}`
  if (driver === "tag") {
    return `SELECT created_at AS at, lead_id FROM lead_tags WHERE tenant_id = ? AND tag = ? AND ${after} ${end}`
  }
  const isStages = driver === "stages"
  const stage = isStages
    ? "AND pipeline_id = ? AND coalesce(stage_id, '') = ? AND state = ?"
    : `AND ${column} IS NOT NULL`
  return `SELECT ${column} AS at, lead_id FROM leads ${by(isStages ? "leads_stage" : `leads_${column}`)}
    WHERE tenant_id = ? ${stage} AND ${after} AND merged_into IS NULL ${end}`
}

/** The lowest and highest values of each order. Dates are compared as text. */
const extremes = {
  createdAt: [oldest, newest],
  value: [-1, newest],
  expectedCloseOn: ["", "~"]
} as const

const boundsOf = (query: DealQuery): readonly [Param, Param] => {
  const [lowest, highest] = extremes[query.order]
  const [from, until] =
    query.order === "value"
      ? [query.minValue, query.maxValue]
      : query.order === "expectedCloseOn"
        ? [query.closeFrom, query.closeUntil]
        : [query.from, query.until === null ? null : query.until - 1]
  return [from ?? lowest, until ?? highest]
}

/** An id after every lead id. A descending list that starts at an inclusive bound begins with it. */
const afterAllIds = "~"

const rangeParams = (
  tenantId: string,
  query: DealQuery,
  after: DealKey | null
): ReadonlyArray<ReadonlyArray<Param>> => {
  const [from, until] = boundsOf(query)
  const { newestFirst, stages, tag } = query
  const start = after ?? { at: newestFirst ? until : from, leadId: newestFirst ? afterAllIds : "" }
  const place = [start.at, start.leadId, newestFirst ? from : until]
  const driver = driverOf(query)
  if (driver === "tag") return [[tenantId, tag, ...place]]
  if (driver === "field") return [[tenantId, ...place]]
  return (stages ?? []).map(({ pipelineId, stageId, state }) => [tenantId, pipelineId, stageId, state, ...place])
}

/** The condition of all filters. A filter whose parameter is null does not apply. */
const filter = (isOneOf: Queries["isOneOf"]): string => {
  const unless = (condition: string): string => `(CAST(? AS text) IS NULL OR ${condition})`
  return [
    unless("l.state = ?"),
    unless("coalesce(l.tier, '') = ?"),
    unless("l.contact_id = ?"),
    unless("l.assignee = ?"),
    unless("l.assignee_id = ?"),
    unless("l.team_id = ?"),
    unless("l.expected_close_on >= ?"),
    unless("l.expected_close_on <= ?"),
    unless("l.value >= ?"),
    unless("l.value <= ?"),
    unless(`EXISTS (SELECT 1 FROM lead_tags t
      WHERE t.tenant_id = l.tenant_id AND t.tag = ? AND t.created_at = l.created_at AND t.lead_id = l.lead_id)`),
    unless(isOneOf("l.pipeline_id || ' ' || coalesce(l.stage_id, '') || ' ' || l.state"))
  ].join(" AND ")
}

const filterParams = (query: DealQuery): ReadonlyArray<Param> => {
  const {
    assignee,
    assigneeId,
    closeFrom,
    closeUntil,
    contactId,
    maxValue,
    minValue,
    stages,
    state,
    tag,
    teamId,
    tier
  } = query
  const places = stages?.map(({ pipelineId, stageId, state: of }) => `${pipelineId} ${stageId} ${of}`) ?? null
  const params = [
    state,
    tier === "none" ? "" : tier,
    contactId,
    assignee,
    assigneeId,
    teamId,
    closeFrom,
    closeUntil,
    minValue,
    maxValue,
    tag,
    places === null ? null : JSON.stringify(places)
  ]
  return params.flatMap((value) => [value === null ? null : String(value), value])
}

interface Examined {
  readonly at: number | string
  readonly leadId: string
  readonly matches: number
}

/** Returns the query that examines leads in order: the key of each lead, and whether it matches all filters. */
const examining = ({ by, isOneOf }: Queries, shape: Shape): string => {
  const one = `SELECT * FROM (${range(by, shape)}) AS stream`
  const streams = Array.from({ length: shape.streams }, () => one).join(" UNION ALL ")
  const order = directed("at", shape.newestFirst)
  return `SELECT page.at AS "at", page.lead_id AS "leadId", CASE WHEN ${filter(isOneOf)} THEN 1 ELSE 0 END AS "matches"
    FROM (SELECT at, lead_id FROM (${streams}) AS streams ORDER BY ${order} LIMIT ${maxExamined}) AS page
    CROSS JOIN leads l WHERE l.tenant_id = ? AND l.lead_id = page.lead_id
    ORDER BY ${order.replaceAll(/\b(?=at|lead_id)/gu, "page.")}`
}

/** The ids of a page, and the position after which the list continues. */
export interface DealIds {
  readonly ids: ReadonlyArray<string>
  readonly next: DealKey | null
}

const pageOf = (rows: ReadonlyArray<Examined>, limit: number): DealIds => {
  const matching = rows.filter(({ matches }) => matches === 1)
  const shown = matching.slice(0, limit)
  const last = matching.length > limit ? shown.at(-1) : rows.length === maxExamined ? rows.at(-1) : undefined
  const next = last === undefined ? null : { at: last.at, leadId: last.leadId }
  return { ids: shown.map(({ leadId }) => leadId), next }
}

/** Creates the statements for lists of deals. Returns the ids of the leads in order. */
export const dealPages = (queries: Queries) => {
  const kept = new Map<string, Query<Examined>>()
  return (
    tenantId: string,
    query: DealQuery,
    limit: number,
    after: DealKey | null
  ): Effect.Effect<DealIds, StoreUnavailable> => {
    const ranges = rangeParams(tenantId, query, after)
    if (ranges.length === 0) return Effect.succeed({ ids: [], next: null })
    const { newestFirst, order } = query
    const shape: Shape = { driver: driverOf(query), order, newestFirst, streams: ranges.length }
    const name = JSON.stringify(shape)
    const examine = kept.get(name) ?? queries.query<Examined>(examining(queries, shape))
    kept.set(name, examine)
    return Effect.map(examine(...filterParams(query), ...ranges.flat(), tenantId), (rows) => pageOf(rows, limit))
  }
}
