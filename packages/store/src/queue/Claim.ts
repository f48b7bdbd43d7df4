import type { AdmitTenants } from "@leadloom/core/port/repository/pipeline/Signals"
import type { StoreUnavailable } from "@leadloom/core/port/system/Transactions"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { queries } from "../sql/Queries.ts"

/** A table of work that is done by whoever takes it. Its key is the tenant and an id, and each row has a `due_at`. */
export interface WorkTable {
  readonly name: string
  readonly id: string
  /** What has not ended. */
  readonly open: string
  /** The index of what is open, by tenant, `due_at` and id. */
  readonly index: string
  /** What taking a row changes besides its `due_at`. */
  readonly changes: string
  /** What is known of a row that was taken, in SQL; `tenantId` must be among it. */
  readonly columns: string
}

/** Tenants that one statement looks at, at most: about a millisecond's worth. */
export const tenantsPerQuery = 512

/** Looks of one claim that finds nothing to take, at most. The next claim goes on from there. */
const maxRounds = 64

/** A tenant that has something queued, and how many before it on the walk have something due. */
interface Step {
  readonly tenantId: string | null
  readonly found: number
}

/**
 * Goes from tenant to tenant through the index of what is open, one search each, whatever they have queued (a loose
 * index scan: https://wiki.postgresql.org/wiki/Loose_indexscan), until enough of them have something due. Whether a
 * tenant has is counted in the row after it, and the row after the last tenant has none. It begins with SELECT and so
 * reads beside the writer: an idle worker is in nobody's way.
 */
export const lookupSql = ({ name, open }: WorkTable, index: string) => `SELECT tenant_id AS "tenantId", found FROM (
  WITH RECURSIVE walk (tenant_id, found, step) AS (
    SELECT (SELECT tenant_id FROM ${name} ${index} WHERE ${open} AND tenant_id > ? ORDER BY tenant_id LIMIT 1), 0, 0
    UNION ALL
    SELECT (SELECT w.tenant_id FROM ${name} AS w ${index} WHERE ${open} AND w.tenant_id > walk.tenant_id
        ORDER BY w.tenant_id LIMIT 1),
      walk.found + CASE WHEN EXISTS (SELECT 1 FROM ${name} AS w ${index}
        WHERE ${open} AND w.tenant_id = walk.tenant_id AND w.due_at <= ?) THEN 1 ELSE 0 END, walk.step + 1
      FROM walk WHERE walk.tenant_id IS NOT NULL AND walk.step < ${tenantsPerQuery} AND walk.found < ?)
  SELECT tenant_id, found, step FROM walk) AS walked ORDER BY step`

/**
 * Takes up to a share of each of some tenants, oldest first. On Postgres what another server is taking is passed over;
 * materialised, because inside a join it may be run more than once and finds others each time. What it has locked is
 * open and due in its latest version, so the update need not ask again: it would be led into the wrong index.
 */
export const claimText = (
  sql: SqlClient,
  { changes, columns, id, name, open }: WorkTable,
  items: string,
  index: string
) => {
  const dueOfTenant = `SELECT q.tenant_id, q.${id} FROM ${name} AS q ${index}
    WHERE ${open} AND q.tenant_id = item.value AND q.due_at <= ? ORDER BY q.due_at, q.${id} LIMIT ?`
  const due = sql.onDialectOrElse({
    pg: () => `LATERAL (${dueOfTenant} FOR UPDATE SKIP LOCKED) AS w`,
    orElse: () => `${name} AS w WHERE (w.tenant_id, w.${id}) IN (${dueOfTenant})`
  })
  return `WITH due AS MATERIALIZED (SELECT w.tenant_id, w.${id} FROM ${items} CROSS JOIN ${due} LIMIT ?)
    UPDATE ${name} SET ${changes}, due_at = ? WHERE (tenant_id, ${id}) IN (SELECT tenant_id, ${id} FROM due)
      RETURNING ${columns}`
}

type Look = (after: string, now: number, wanted: number) => Effect.Effect<ReadonlyArray<Step>, StoreUnavailable>

/** The tenants that were found to have something due, and whether that is all of them. */
interface Round {
  readonly due: ReadonlyArray<string>
  readonly closed: boolean
}

/**
 * Finds tenants that have something due, going on behind the last one found before and round to there: with more tenants
 * than a batch has places each gets its turn. Once it has been to all it begins anew, so that for few one look does. It
 * looks further only as long as it has found nothing.
 */
const makeRounds = (look: Look): ((limit: number, now: number) => Effect.Effect<Round, StoreUnavailable>) => {
  let cursor = ""
  const walk = Effect.fnUntraced(function* (limit: number, now: number) {
    const seen = new Set<string>()
    const due: Array<string> = []
    let after = cursor
    for (let arcs = after === "" ? 1 : 2; arcs > 0;) {
      const steps = yield* look(after, now, limit - due.length)
      for (const [index, { found, tenantId }] of steps.slice(0, -1).entries()) {
        if (tenantId === null || seen.has(tenantId)) return { due, closed: true, after: "" }
        seen.add(tenantId)
        if ((steps[index + 1]?.found ?? found) > found) due.push(tenantId)
        after = tenantId
      }
      const ended = steps.at(-1)?.tenantId === null
      if (due.length >= limit || (due.length > 0 && !ended)) return { due, closed: false, after }
      if (!ended) continue
      arcs -= 1
      after = ""
    }
    return { due, closed: true, after: "" }
  })
  return (limit, now) => Effect.tap(walk(limit, now), ({ after }) => Effect.sync(() => void (cursor = after)))
}

/** How due work is taken: `Signals.claim` says it. */
export type Claim<Item> = (
  limit: number,
  now: number,
  leaseUntil: number,
  admit?: AdmitTenants
) => Effect.Effect<ReadonlyArray<Item>, StoreUnavailable>

const admitAll: AdmitTenants = (due) => due

/** Takes due work from a table for a worker. What it gives stands in the order of its ids. */
export const makeClaim = <Item extends { readonly tenantId: string }>(
  sql: SqlClient,
  work: WorkTable,
  idOf: (item: Item) => string
): Claim<Item> => {
  const { by, items, query } = queries(sql)
  const index = by(work.index)
  const look = query<Step>(lookupSql(work, index))
  const claimRows = query<Item>(claimText(sql, work, items, index))
  const nextRound = makeRounds(look)
  /** An even share of each, and what some leave over to those that have more. */
  const share = Effect.fnUntraced(function* (
    tenants: ReadonlyArray<string>,
    limit: number,
    now: number,
    leaseUntil: number
  ) {
    const claimed: Array<Item> = []
    for (let left = tenants; left.length > 0 && claimed.length < limit;) {
      const rest = limit - claimed.length
      const each = Math.max(1, Math.floor(rest / left.length))
      const rows = yield* claimRows(JSON.stringify(left), now, each, rest, leaseUntil)
      claimed.push(...rows)
      left = left.filter((tenantId) => rows.filter((row) => row.tenantId === tenantId).length === each)
    }
    return claimed
  })
  return Effect.fnUntraced(function* (limit, now, leaseUntil, admit = admitAll) {
    if (limit < 1) return []
    for (let rounds = 1; ; rounds++) {
      const { closed, due } = yield* nextRound(limit, now)
      const claimed = yield* share(admit(due), limit, now, leaseUntil)
      // Others were faster with all of these, or none of them has a turn: there are more, further on.
      if (claimed.length === 0 && !closed && rounds < maxRounds) continue
      return claimed.toSorted((one, other) => (idOf(one) < idOf(other) ? -1 : 1))
    }
  })
}
