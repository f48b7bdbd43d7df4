import { channels } from "@leadloom/core/internal/domain/Channel"
import { maxConversationTagLength } from "@leadloom/core/internal/domain/conversation/InboxState"
import { TeamId, UserId } from "@leadloom/core/internal/domain/Id"
import { metrics, reportGroups, reportNames } from "@leadloom/core/internal/domain/report/Report"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, NotFound } from "../errors.ts"
import { TenantPath, Timestamp } from "../schema/Field.ts"

const Name = Schema.Literals(reportNames)
const Group = Schema.Literals(reportGroups)
const Tag = Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(maxConversationTagLength))
const Day = Schema.String.annotate({ description: "A date such as 2026-03-01", examples: ["2026-03-01"] })

const seconds = (description: string) => Schema.NullOr(Schema.Int).annotate({ description })

export const ReportRow = Schema.Struct({
  group: Schema.NullOr(Schema.String).annotate({
    description: "The day, channel, source or tag of the row, or the id of its user, team or pipeline; null: none"
  }),
  metric: Schema.Literals(metrics).annotate({
    description:
      "`received`: messages of contacts. `sent`: messages to contacts. `first_response`: messages that end the wait of a contact. `resolution`: closed conversations, from the opening or reopening to the closing. `…_business`: the same intervals, measured in working hours. `reply`: runs of the pipeline by the outcome of the automatic reply. `stage_entered`, `stage_left`: leads that entered or left a stage. `stage_advanced`: leads that left it for a later stage, and neither for a lost nor an archived one. `stage_value`: entries of leads with a value. `won`, `lost`: leads that entered a stage with this state. `tier`: leads by the tier that they have now, on the day of their creation. `delivery`: messages to contacts by their delivery state now, including failed and bounced ones"
  }),
  detail: Schema.NullOr(Schema.String).annotate({
    description:
      "For messages to contacts and closed conversations: the author (`agent`, `assistant`). For `reply`: the outcome and the code of its reason, for example `suppressed:quiet_hours`. For leads: the id of the stage; for `stage_value` also a colon and the currency. For `tier`: `hot`, `warm`, `cold`, or null for a lead without a score. For `delivery`: `queued`, `sent`, `delivered`, `failed`, `bounced` or `unknown`"
  }),
  count: Schema.Int.annotate({ description: "The number of messages, closed conversations, runs or leads" }),
  average_seconds: seconds("The average duration; null for metrics without a duration"),
  median_seconds: seconds("The median duration, at most 5 % inexact; null for metrics without a duration"),
  p90_seconds: seconds(
    "The 90th percentile of the durations, at most 5 % inexact; null for metrics without a duration"
  ),
  value: Schema.NullOr(Schema.Int).annotate({
    description: "For `stage_value`: the sum of the values in minor units of the currency; otherwise null"
  }),
  rate: Schema.NullOr(Schema.Finite).annotate({
    description:
      "For `stage_advanced`: the conversion rate, which is the share of the leads in `stage_left`; otherwise null"
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
          description: "The last day, at most 399 days after `from`. Default: today"
        }),
        group_by: Schema.optionalKey(Group).annotate({
          description:
            "Default: day. With `tag`, a conversation counts once for each of its tags, and conversations without tags are omitted. Only `conversion` has the group `pipeline`"
        }),
        channel: Schema.optionalKey(Schema.Literals(channels)).annotate({ description: "Only this channel" }),
        user_id: Schema.optionalKey(UserId).annotate({
          description: "Only messages and closings of this user (`usr_…`)"
        }),
        team_id: Schema.optionalKey(TeamId).annotate({
          description: "Only conversations that this team has now (`team_…`)"
        }),
        tag: Schema.optionalKey(Tag).annotate({ description: "Only conversations that have this tag now" }),
        format: Schema.optionalKey(Schema.Literals(["json", "csv"])).annotate({
          description: "csv: one line per row, safe to open in a spreadsheet. Default: json"
        })
      },
      success: Report,
      error: [BadRequest, NotFound]
    })
      .annotate(
        OpenApi.Summary,
        "Read a report: message volume, response and resolution times, outcomes of the automation, conversion or tiers of leads, or deliveries"
      )
      .annotate(
        OpenApi.Description,
        "The server counts messages, closings, runs and leads about one minute after they are stored. Automatic mail and messages that failed or bounced are not counted, but `deliveries` contains the messages that failed or bounced. Erasures, merges, imports, and changes of tags, teams, time zone and working hours change past counts within a few minutes. Working hours are those of the user who answers or closes, otherwise the callback hours of the tenant. There are no holidays. For `conversion` and `tiers`, users, teams and tags are those of the lead."
      )
      .annotate(Gate, gate("reports.get", { limiter: "admin" }))
  )
  .annotateMerge(
    OpenApi.annotations({
      title: "Reports",
      description: "Counts of messages, response and resolution times, and outcomes"
    })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
