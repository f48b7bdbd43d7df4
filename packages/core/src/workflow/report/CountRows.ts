import { Effect } from "effect"
import { type Calendar, calendarOf } from "../../domain/report/Calendar.ts"
import {
  changesOf,
  type Fact,
  factIdsOfMessage,
  factsOfClosing,
  factsOfMessage,
  factsOfRun
} from "../../domain/report/Fact.ts"
import { factIdsOfLead, factsOfLead } from "../../domain/report/LeadFacts.ts"
import { Reports, type ReportStream, type StreamRange } from "../../port/repository/tenant/Reports.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Users } from "../../port/repository/tenant/Users.ts"
import { readPipelines } from "../deal/LeadPlaces.ts"

/** Rows of a stream, and the function that computes their facts. */
interface Page {
  readonly ids: ReadonlyArray<string>
  readonly factIds: ReadonlyArray<string>
  readonly userIds: ReadonlyArray<string>
  readonly factsWith: (calendar: Calendar) => ReadonlyArray<Fact>
}

interface Row {
  readonly id: string
  readonly userId?: string | null
}

const pageOf = <A extends Row>(
  rows: ReadonlyArray<A>,
  factsOf: (row: A, calendar: Calendar) => ReadonlyArray<Fact>,
  factIdsOf: (row: A) => ReadonlyArray<string> = ({ id }) => [id]
): Page => ({
  ids: rows.map(({ id }) => id),
  factIds: rows.flatMap(factIdsOf),
  userIds: [...new Set(rows.flatMap(({ userId }) => userId ?? []))],
  factsWith: (calendar) => rows.flatMap((row) => factsOf(row, calendar))
})

const readLeads = Effect.fnUntraced(function* (tenantId: string, range: StreamRange) {
  const rows = yield* (yield* Reports).leads(tenantId, range)
  const pipelines = rows.length === 0 ? [] : yield* readPipelines(tenantId)
  const page: Page = {
    ids: rows.map(({ id }) => id),
    factIds: rows.flatMap(factIdsOfLead),
    // Times in stages are not measured in working hours.
    userIds: [],
    factsWith: (calendar) => rows.flatMap((row) => factsOfLead(row, pipelines, calendar))
  }
  return page
})

/** Reads rows of a stream. */
export const readPage = Effect.fnUntraced(function* (tenantId: string, stream: ReportStream, range: StreamRange) {
  const reports = yield* Reports
  if (stream === "messages") {
    return pageOf(yield* reports.messages(tenantId, range), factsOfMessage, factIdsOfMessage)
  }
  if (stream === "leads") return yield* readLeads(tenantId, range)
  if (stream === "closings") return pageOf(yield* reports.closings(tenantId, range), factsOfClosing)
  return pageOf(yield* reports.runs(tenantId, range), factsOfRun)
})

/** Compares the stored facts of a page of rows with their current facts. */
export const compareRows = Effect.fnUntraced(function* (tenantId: string, stream: ReportStream, range: StreamRange) {
  const { factIds, factsWith, ids, userIds } = yield* readPage(tenantId, stream, range)
  const tenant = yield* (yield* Tenants).get(tenantId)
  const users = userIds.length === 0 ? [] : yield* (yield* Users).some(tenantId, userIds)
  const stored = ids.length === 0 ? [] : yield* (yield* Reports).facts(tenantId, factIds)
  return { ids, changes: changesOf(stored, factsWith(calendarOf(tenant, users))) }
})

/** Counts a page of rows, also rows that are already counted, and returns their ids. Runs inside a unit of work. */
export const countRows = Effect.fnUntraced(function* (tenantId: string, stream: ReportStream, range: StreamRange) {
  const { changes, ids } = yield* compareRows(tenantId, stream, range)
  yield* (yield* Reports).change(tenantId, changes)
  return ids
})
