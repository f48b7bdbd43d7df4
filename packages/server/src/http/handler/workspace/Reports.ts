import { Api } from "@leadloom/api/internal/Api"
import { isoTime } from "@leadloom/api/internal/schema/Field"
import type { Report } from "@leadloom/api/internal/workspace/Reports"
import type { ReportRow } from "@leadloom/core/internal/domain/report/Report"
import { readReport } from "@leadloom/core/internal/workflow/report/ReadReport"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"
import { csvLine } from "../../json/Csv.ts"

const textOrNull = (text: string): string | null => (text === "" ? null : text)

const rowToJson = ({ averageSeconds, detail, group, medianSeconds, p90Seconds, ...row }: ReportRow) => ({
  group: textOrNull(group),
  metric: row.metric,
  detail: textOrNull(detail),
  count: row.count,
  average_seconds: averageSeconds,
  median_seconds: medianSeconds,
  p90_seconds: p90Seconds,
  value: row.value,
  rate: row.rate
})

const columns = [
  "group",
  "metric",
  "detail",
  "count",
  "average_seconds",
  "median_seconds",
  "p90_seconds",
  "value",
  "rate"
] as const

/** Encodes the rows of a report as CSV. */
const toCsv = ({ name, rows }: typeof Report.Type) =>
  HttpServerResponse.text(
    [csvLine(columns), ...rows.map((row) => csvLine(columns.map((column) => String(row[column] ?? ""))))].join(""),
    {
      contentType: "text/csv; charset=utf-8; header=present",
      headers: {
        "content-disposition": `attachment; filename="${name}.csv"`,
        "x-content-type-options": "nosniff",
        "cache-control": "private, no-store"
      }
    }
  )

/** Endpoints for reports. */
export const layer = HttpApiBuilder.group(Api, "reports", (handlers) =>
  handlers.handleAll({
    get: Effect.fnUntraced(function* ({ params, query }) {
      const { channel = null, format, from = null, group_by: groupBy = "day", tag = null, to = null } = query
      const filter = { channel, userId: query.user_id ?? null, teamId: query.team_id ?? null, tag }
      const found = yield* answer(readReport(params.tenant_id, params.name, { from, to, groupBy, filter }))
      const report = {
        name: found.name,
        from: found.from,
        to: found.to,
        group_by: found.groupBy,
        time_zone: found.timeZone,
        counted_until: isoTime(found.countedUntil),
        rows: found.rows.map(rowToJson)
      }
      return format === "csv" ? toCsv(report) : report
    })
  })
)
