import { Clock, Effect } from "effect"
import {
  groupsOf,
  metricsOf,
  type ReportFilter,
  type ReportGroup,
  type ReportName,
  reportRows
} from "../../domain/report/Report.ts"
import { TaggedError } from "../../domain/TaggedError.ts"
import { addDays, isDate, wallClock } from "../../domain/time/WallClock.ts"
import { Reports } from "../../port/repository/tenant/Reports.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { withSpan } from "../WithSpan.ts"
import { countedAfterMillis } from "./FollowReports.ts"

/** The maximum number of days in a report: a year and a month, to compare with the same month of the previous year. */
export const maxReportDays = 400

const defaultReportDays = 30

/** The request for a report is invalid. `reason` describes a valid value. */
export class ReportRequestInvalid extends TaggedError("ReportRequestInvalid")<{
  readonly field: "from" | "to" | "group_by"
  readonly reason: string
}> {}

/** The period, grouping and filter that a request asks for. Days are `YYYY-MM-DD` in the tenant's time zone. */
export interface ReportRequest {
  readonly from: string | null
  readonly to: string | null
  readonly groupBy: ReportGroup
  readonly filter: ReportFilter
}

const requireDay = Effect.fnUntraced(function* (field: "from" | "to", day: string) {
  if (isDate(day)) return day
  return yield* new ReportRequestInvalid({ field, reason: "Send a date such as 2026-03-01." })
})

const periodOf = Effect.fnUntraced(function* (request: Pick<ReportRequest, "from" | "to">, today: string) {
  const to = yield* requireDay("to", request.to ?? today)
  const from = yield* requireDay("from", request.from ?? addDays(to, 1 - defaultReportDays))
  if (from <= to && addDays(from, maxReportDays) > to) return { from, to }
  const reason = `Send a day that is at most ${maxReportDays - 1} days before \`to\`, and not after it.`
  return yield* new ReportRequestInvalid({ field: "from", reason })
})

/** Reads a report from its sums. The default period is the last 30 days, including today. */
export const readReport = Effect.fnUntraced(function* (tenantId: string, name: ReportName, request: ReportRequest) {
  const { filter, groupBy } = request
  if (!groupsOf(name).includes(groupBy)) {
    const reason = `The groups of the report ${name} are ${groupsOf(name).join(", ")}.`
    return yield* new ReportRequestInvalid({ field: "group_by", reason })
  }
  const { config } = yield* (yield* Tenants).get(tenantId)
  const now = yield* Clock.currentTimeMillis
  const period = yield* periodOf(request, wallClock(config.timeZone).read(now).date)
  const sums = yield* (yield* Reports).sums(tenantId, { metrics: metricsOf[name], ...period, groupBy, filter })
  return {
    name,
    ...period,
    groupBy,
    timeZone: config.timeZone,
    countedUntil: now - countedAfterMillis,
    rows: reportRows(sums)
  }
}, withSpan("readReport"))
