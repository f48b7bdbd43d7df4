import { Effect } from "effect"
import { Reports } from "../../port/repository/tenant/Reports.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { withSpan } from "../WithSpan.ts"
import { countRows } from "./CountRows.ts"

/** The number of rows that one unit of work counts again. */
const rowsAtOnce = 500

/**
 * Counts the next rows of a recount again. Reports stay complete meanwhile, because only changed facts are replaced.
 * Returns false when no recount is left. Runs inside a unit of work.
 */
const recountRows = Effect.fnUntraced(function* (tenantId: string) {
  const reports = yield* Reports
  const recount = yield* reports.nextRecount(tenantId)
  if (recount === null) return false
  const { subjectId, position, stream } = recount
  // All ids have the same length, so exactly the counted rows have smaller ids than the appended digit.
  const before = `${yield* reports.position(tenantId, stream)}0`
  const ids = yield* countRows(tenantId, stream, { after: position, before, limit: rowsAtOnce, subjectId })
  const last = ids.at(-1)
  yield* last === undefined || ids.length < rowsAtOnce
    ? reports.endRecount(tenantId, recount)
    : reports.moveRecount(tenantId, { ...recount, position: last })
  return true
})

/** Carries out all recounts of a tenant. Without one, it costs a query. */
export const carryOutRecounts = Effect.fnUntraced(function* (tenantId: string) {
  const { nextRecount } = yield* Reports
  const { atomically } = yield* Transactions
  if ((yield* nextRecount(tenantId)) === null) return
  while (yield* atomically(tenantId, recountRows(tenantId)));
})

/** Counts all counted rows of a tenant again. */
export const recountReports = Effect.fnUntraced(function* (tenantId: string) {
  yield* (yield* Tenants).get(tenantId)
  yield* (yield* Transactions).atomically(tenantId, (yield* Reports).recountAll(tenantId))
  yield* carryOutRecounts(tenantId)
}, withSpan("recountReports"))
