import type { LeadKey, LeadQuery } from "@leadloom/core/internal/domain/lead/LeadQuery"
import { leadStates } from "@leadloom/core/internal/domain/lead/LeadState"
import { tiers } from "@leadloom/core/internal/domain/lead/Score"
import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import type { Effect } from "effect"
import type { Param } from "../../sql/Param.ts"
import { newest, oldest, type Queries } from "../../sql/Queries.ts"
import type { Query } from "../../sql/Statements.ts"

/** The value of `coalesce(tier, '')` for a lead without a score. */
const noTier = ""

/** The parts of a query that change the text of the statement. All other parts are parameters. */
interface Shape {
  readonly column: "created_at" | "last_message_at"
  readonly newestFirst: boolean
  readonly streams: number
  /** The columns of the requested assignees. The first one selects the index. */
  readonly held: ReadonlyArray<Holder>
}

/** The columns that name an assignee. Each has an index for every order. */
const holders = ["assignee_id", "team_id", "assignee"] as const

type Holder = (typeof holders)[number]

const holderValues = ({ assignee, assigneeId, teamId }: LeadQuery): Readonly<Record<Holder, string | null>> => ({
  assignee_id: assigneeId,
  team_id: teamId,
  assignee
})

/** Returns the combinations of state and tier that a list shows. For each of them, an index has the leads in order. */
const streamsOf = ({ state, tier }: LeadQuery): ReadonlyArray<readonly [string, string]> => {
  const shown = tier === null ? [...tiers, noTier] : [tier === "none" ? noTier : tier]
  return (state === null ? leadStates : [state]).flatMap((one) => shown.map((other) => [one, other] as const))
}

const columnOf = (query: LeadQuery): Shape["column"] => (query.time === "createdAt" ? "created_at" : "last_message_at")

/**
 * Returns a condition for the rows after the previous page and within the time range. `boundsOf` returns its
 * parameters.
 */
const within = ({ column, newestFirst }: Pick<Shape, "column" | "newestFirst">): string =>
  newestFirst ? `(${column}, lead_id) < (?, ?) AND ${column} >= ?` : `(${column}, lead_id) > (?, ?) AND ${column} < ?`

const boundsOf = ({ from, newestFirst, until }: LeadQuery, after: LeadKey | null): ReadonlyArray<Param> => {
  const [begin, end] = newestFirst ? [until ?? newest, from ?? oldest] : [from ?? oldest, until ?? newest]
  return [after?.at ?? begin, after?.leadId ?? "", end]
}

const orderOf = ({ column, newestFirst }: Pick<Shape, "column" | "newestFirst">): string =>
  newestFirst ? `${column} DESC, lead_id DESC` : `${column}, lead_id`

/** Returns a query for the leads of one state and tier, in order. */
const stream = (by: Queries["by"], shape: Shape): string => {
  const { column, held } = shape
  const index = ["leads", ...held.slice(0, 1), column].join("_")
  return `SELECT * FROM (SELECT ${column}, lead_id FROM leads ${by(index)}
    WHERE tenant_id = ? ${held.map((holder) => `AND ${holder} = ? `).join("")}AND state = ? AND coalesce(tier, '') = ?
      AND ${within(shape)} AND merged_into IS NULL ORDER BY ${orderOf(shape)} LIMIT ?) AS stream`
}

/** Returns a query that merges the first keys of all states and tiers, then loads the leads of the page. */
const merged = (by: Queries["by"], columns: string, shape: Shape): string => {
  const one = stream(by, shape)
  const streams = Array.from({ length: shape.streams }, () => one).join(" UNION ALL ")
  const order = orderOf(shape)
  return `SELECT ${columns} FROM (SELECT ${shape.column}, lead_id FROM (${streams}) AS streams
      ORDER BY ${order} LIMIT ?) AS page
    CROSS JOIN leads l WHERE l.tenant_id = ? AND l.lead_id = page.lead_id
    ORDER BY ${order.replaceAll(/\b(?=lead_id|created_at|last_message_at)/gu, "page.")}`
}

/** Returns a query that reads all leads of one contact, which are few. */
const ofContact = ({ by, isOneOf }: Queries, columns: string, shape: Shape): string =>
  `SELECT ${columns} FROM leads l ${by("leads_contact")} WHERE tenant_id = ? AND contact_id = ?
    AND CASE WHEN ${isOneOf("state")} AND ${isOneOf("coalesce(tier, '')")} 
      ${holders.map((holder) => `AND (CAST(? AS text) IS NULL OR ${holder} = ?)`).join(" ")}
      AND ${within(shape)} AND merged_into IS NULL THEN 1 ELSE 0 END = 1
    ORDER BY ${orderOf(shape)} LIMIT ?`

/**
 * Creates the statements for pages of leads. A page reads at most one page of each state and tier, independent of the
 * number of leads, because an index exists for every combination of filters in every order. `columns` use the alias
 * `l`.
 */
export const leadPages = <Row extends object>(
  queries: Queries,
  columns: string,
  prepare: (text: string) => Query<Row>
) => {
  const kept = new Map<string, Query<Row>>()
  const prepared = (name: string, text: () => string): Query<Row> => {
    const found = kept.get(name) ?? prepare(text())
    kept.set(name, found)
    return found
  }
  return (
    tenantId: string,
    query: LeadQuery,
    limit: number,
    after: LeadKey | null
  ): Effect.Effect<ReadonlyArray<Row>, StoreUnavailable> => {
    const { contactId, newestFirst } = query
    const values = holderValues(query)
    const held = holders.filter((holder) => values[holder] !== null)
    const streams = streamsOf(query)
    const bounds = boundsOf(query, after)
    const shape = { column: columnOf(query), newestFirst, streams: streams.length, held }
    if (contactId !== null) {
      const [states, shown] = [streams.map(([state]) => state), streams.map(([, tier]) => tier)]
      const find = prepared(`contact ${shape.column} ${newestFirst}`, () => ofContact(queries, columns, shape))
      const lists = [JSON.stringify(states), JSON.stringify(shown)]
      const wanted = holders.flatMap((holder) => [values[holder], values[holder]])
      return find(tenantId, contactId, ...lists, ...wanted, ...bounds, limit)
    }
    const find = prepared(JSON.stringify(shape), () => merged(queries.by, columns, shape))
    const wanted = held.map((holder) => values[holder])
    const params = streams.flatMap(([state, tier]) => [tenantId, ...wanted, state, tier, ...bounds, limit])
    return find(...params, limit, tenantId)
  }
}
