import { metrics, reportGroups, reportNames } from "@leadloom/core/internal/domain/report/Report"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, NotFound } from "../errors.ts"
import { TenantPath, Timestamp } from "../schema/Field.ts"

const Name = Schema.Literals(reportNames)
const Group = Schema.Literals(reportGroups)
const Day = Schema.String.annotate({ description: "A date such as 2026-03-01", examples: ["2026-03-01"] })

export const ReportRow = Schema.Struct({
  group: Schema.NullOr(Schema.String).annotate({
    description: "The day, channel, id of the user, or source of the row; null: none"
  }),
  metric: Schema.Literals(metrics).annotate({
    description:
      "`received`: messages of contacts. `sent`: messages to contacts. `first_response`: messages that end the wait of a contact. `reply`: runs of the pipeline by the outcome of the automatic reply"
  }),
  detail: Schema.NullOr(Schema.String).annotate({
    description:
      "For messages to contacts: the author (`agent`, `assistant`). For `reply`: the outcome and the code of its reason, for example `suppressed:quiet_hours`"
  }),
  count: Schema.Int.annotate({ description: "The number of messages or runs" }),
  average_seconds: Schema.NullOr(Schema.Int).annotate({
    description: "For `first_response`: the average wait since the contact's first unanswered message; otherwise null"
  })
}).annotate({ identifier: "ReportRow", description: "The sum of one metric for one group" })

export const Report = Schema.Struct({
  name: Name.annotate({ description: "The name of the report" }),
  from: Day.annotate({ description: "The first day of the report" }),
  to: Day.annotate({ description: "The last day of the report" }),
  group_by: Group.annotate({ description: "The grouping of the rows" }),
  time_zone: Schema.String.annotate({ description: "The IANA time zone of the days" }),
  counted_until: Timestamp.annotate({
    description: "Rows that are stored until this time are counted, with a delay of up to one more minute"
  }),
  rows: Schema.Array(ReportRow).annotate({ description: "The rows in the order of group, metric and detail" })
}).annotate({ identifier: "Report", description: "Counts of a period" })

export const ReportsGroup = HttpApiGroup.make("reports")
  .add(
    HttpApiEndpoint.get("get", "/tenants/:tenant_id/reports/:name", {
      params: { ...TenantPath, name: Name.annotate({ description: "The name of the report" }) },
      query: {
        from: Schema.optionalKey(Day).annotate({
          description: "The first day, in the tenant's time zone. Default: 29 days before `to`"
        }),
        to: Schema.optionalKey(Day).annotate({
          description: "The last day, at most 365 days after `from`. Default: today"
        }),
        group_by: Schema.optionalKey(Group).annotate({ description: "Default: day" }),
        format: Schema.optionalKey(Schema.Literals(["json", "csv"])).annotate({
          description: "csv: one line per row, safe to open in a spreadsheet. Default: json"
        })
      },
      success: Report,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "Read a report: message volume, response times, or outcomes of the automation")
      .annotate(
        OpenApi.Description,
        "The server counts messages and runs about one minute after they are stored. Automatic mail is not counted. Erasures and merges do not change past counts."
      )
      .annotate(Gate, gate("reports.get", { limiter: "admin" }))
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Reports", description: "Counts of messages, response times and outcomes" })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
