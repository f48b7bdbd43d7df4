/**
 * Claims of due work, and wake-ups of the workers on all servers. The work itself belongs in `core/workflow`. Tests:
 * `packages/store/test/queue`, `packages/testkit/src/suite/pipeline/FairQueueSuite.ts`.
 */
import type { AdmitTenants } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { DatabaseShape } from "../Database.ts"

/** A table of work that workers claim. Its key consists of the tenant and an id, and each row has a `due_at`. */
export interface WorkTable {
  readonly name: string
  readonly id: string
  /** A condition for unfinished rows. */
  readonly open: string
  /** The index of unfinished rows, by tenant, `due_at` and id. */
  readonly index: string
  /** SQL assignments to a claimed row, in addition to `due_at`. */
  readonly changes: string
  /** The returned columns of a claimed row, in SQL. They must include `tenantId`. */
  readonly columns: string
}

/** The maximum number of tenants that one statement visits. The statement then takes about a millisecond. */
export const tenantsPerQuery = 512

/**
 * The maximum number of lookups in a claim that finds nothing. The next claim continues at the tenant where this one
 * stopped.
 */
const maxRounds = 64

/** A tenant with open work, and the number of tenants before it in the same lookup that have due work. */
interface Step {
  readonly tenantId: string | null
  readonly found: number
}

/**
 * Visits tenant after tenant in the index of open work, until enough tenants have due work. It needs one index search
 * per tenant, independent of the number of rows (a loose index scan: https://wiki.postgresql.org/wiki/Loose_indexscan).
 * Whether a tenant has due work is counted in `found` of the next row, so a last row without a tenant follows the last
 * tenant. The statement begins with SELECT, so it uses the read connection, and an idle worker does not block the
 * writer.
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
 * Claims up to an equal share of each tenant, oldest work first. On Postgres, the statement skips rows that another
 * server has locked. The subquery is materialised, because a join could run it several times with different results.
 * The latest versions of the locked rows are open and due, so the update does not check this again. The additional
 * conditions would make the planner use a slower index.
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

/** The tenants with due work, and whether the lookups have visited all tenants. */
interface Round {
  readonly due: ReadonlyArray<string>
  readonly closed: boolean
}

/**
 * Finds tenants with due work. Each call continues after the last tenant of the previous call, and continues with the
 * first tenant after the last one. Every tenant is therefore served, even if a batch has fewer places than there are
 * tenants. If a call has visited all tenants, the next call starts at the first tenant, so one lookup is enough for a
 * few tenants. A call makes another lookup only while it has found nothing.
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

/** Claims due work. See `Signals.claim`. */
export type Claim<Item> = (
  limit: number,
  now: number,
  leaseUntil: number,
  admit?: AdmitTenants
) => Effect.Effect<ReadonlyArray<Item>, StoreUnavailable>

const admitAll: AdmitTenants = (due) => due

/** The queue of claims in the writer. No tenant has an empty id. */
const ofAllTenants = ""

/**
 * Returns how a claim commits. SQLite has one write connection, and each commit waits for the disk, so a claim shares
 * the commit of the waiting units. On Postgres a claim commits alone: it needs no tenant lock, and it must not wait for
 * one.
 */
const commitOf = ({ sql, writer }: DatabaseShape) =>
  sql.onDialectOrElse({
    pg:
      () =>
      <A>(claim: Effect.Effect<A, StoreUnavailable>) =>
        claim,
    orElse:
      () =>
      <A>(claim: Effect.Effect<A, StoreUnavailable>) =>
        writer.submit(ofAllTenants, claim)
  })

/** Creates the claim of a work table. The claim returns its rows in the order of their ids. */
export const makeClaim = <Item extends { readonly tenantId: string }>(
  database: DatabaseShape,
  work: WorkTable,
  idOf: (item: Item) => string
): Claim<Item> => {
  const { by, items, query, sql } = database
  const commit = commitOf(database)
  const index = by(work.index)
  const look = query<Step>(lookupSql(work, index))
  const claimRows = query<Item>(claimText(sql, work, items, index))
  const nextRound = makeRounds(look)
  /** Claims an equal share for each tenant, then gives unused places to tenants with more work. */
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
      const admitted = admit(due)
      const claimed = admitted.length === 0 ? [] : yield* commit(share(admitted, limit, now, leaseUntil))
      // No row was claimed, because other workers claimed all rows first or `admit` rejected all tenants. Further
      // tenants may have work.
      if (claimed.length === 0 && !closed && rounds < maxRounds) continue
      return claimed.toSorted((one, other) => (idOf(one) < idOf(other) ? -1 : 1))
    }
  })
}
