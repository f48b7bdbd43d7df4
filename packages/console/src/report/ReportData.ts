/**
 * Reports: charts with their data, filters and files. Counting belongs to the server. Tests:
 * `packages/console/test/Reports.test.ts`.
 */
import type { Report, ReportRow, ReportsGetOptions } from "@leadloom/client"
import type { Series } from "../component/chart/Chart.tsx"
import { nameOf } from "../text/Conditions.ts"
import { reportText } from "../text/Reports.ts"

/** The reports in the order of the page. */
export const reportNames = [
  "volume",
  "response_times",
  "resolution_times",
  "automation",
  "conversion",
  "tiers",
  "deliveries"
] as const
export type ReportName = (typeof reportNames)[number]

/** The filters of the page. Its address contains them. */
export type ReportFilter = Pick<ReportsGetOptions, "channel" | "from" | "to"> & {
  readonly groupBy?: keyof typeof reportText.groups
}

/** Shows the names of groups and of stages. */
export interface Names {
  readonly group: (group: string | null) => string
  readonly stage: (stage: string) => string
}

/** The content of a chart. */
export interface ChartData {
  readonly kind: "bar" | "line"
  readonly categories: ReadonlyArray<string>
  readonly series: ReadonlyArray<Series>
  readonly format: (value: number) => string
  readonly isCount?: boolean
}

/** The series with colours of their own. */
const maxSeries = 4

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 1 })
const count = { format: (value: number) => whole.format(value), isCount: true }
const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 })
const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1]
] as const
const durations = units.map(
  ([unit, seconds]) =>
    [
      seconds,
      new Intl.NumberFormat("en", { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 1 })
    ] as const
)

/** Returns a duration in its largest unit, for example `1.5 hr`. */
export const durationText = (seconds: number): string => {
  const [divisor, format] = durations.find(([size]) => seconds >= size) ?? [1, durations.at(-1)?.[1] ?? whole]
  return format.format(seconds / divisor)
}

export const percentText = (rate: number): string => percent.format(rate)

const isMetric = (metric: string): metric is keyof typeof reportText.metrics => metric in reportText.metrics

/** Returns the name of a metric. */
export const metricName = (metric: string): string => (isMetric(metric) ? reportText.metrics[metric] : metric)

const sum = (rows: ReadonlyArray<ReportRow>): number => rows.reduce((total, { count }) => total + count, 0)

type Value = (rows: ReadonlyArray<ReportRow>) => number | null

/** Builds a series with one value per category. */
const seriesOf = (
  name: string,
  rows: ReadonlyArray<ReportRow>,
  categories: ReadonlyArray<string | null>,
  value: Value,
  categoryOf: (row: ReportRow) => string | null = ({ group }) => group
): Series => {
  const byCategory = Map.groupBy(rows, categoryOf)
  return { name, values: categories.map((category) => value(byCategory.get(category) ?? [])) }
}

const groupsOf = ({ from, group_by: groupBy, rows, to }: Report): ReadonlyArray<string | null> => {
  if (groupBy !== "day") return [...new Set(rows.map(({ group }) => group))]
  const days: Array<string> = []
  for (let day = Date.parse(from); day <= Date.parse(to); day += 86_400_000)
    days.push(new Date(day).toISOString().slice(0, 10))
  return days
}

const medianOf: Value = ([row]) => row?.median_seconds ?? null

/** Returns a series for each author, because medians of several authors cannot be added. */
const durationSeries = (metric: string, rows: ReadonlyArray<ReportRow>, groups: ReadonlyArray<string | null>) =>
  [
    ...Map.groupBy(
      rows.filter((row) => row.metric === metric),
      ({ detail }) => detail ?? ""
    )
  ].map(([actor, own]) =>
    seriesOf(reportText.by(metricName(metric), nameOf(reportText.actors, actor)), own, groups, medianOf)
  )

const countSeries = (metric: string, rows: ReadonlyArray<ReportRow>, groups: ReadonlyArray<string | null>): Series =>
  seriesOf(
    metricName(metric),
    rows.filter((row) => row.metric === metric),
    groups,
    sum
  )

/** Returns a series of counts for each name. A row belongs to the name whose details contain its own. */
const detailSeries = (
  details: ReadonlyArray<readonly [name: string, details: ReadonlyArray<string | null>]>,
  rows: ReadonlyArray<ReportRow>,
  groups: ReadonlyArray<string | null>
): ReadonlyArray<Series> =>
  details.map(([name, own]) =>
    seriesOf(
      name,
      rows.filter(({ detail }) => own.includes(detail)),
      groups,
      sum
    )
  )

/** The series of tiers and deliveries. Their order gives each its colour: the third one is that of dangers. */
const { deliveries, tiers } = reportText
const tierDetails = [
  [tiers.cold, ["cold"]],
  [tiers.warm, ["warm"]],
  [tiers.hot, ["hot"]],
  [tiers.none, [null]]
] as const
const deliveryDetails = [
  [deliveries.reached, ["sent", "delivered"]],
  [deliveries.open, ["queued", "unknown"]],
  [deliveries.lost, ["failed", "bounced"]]
] as const

const automationRate: Value = (rows) =>
  rows.length === 0 ? null : sum(rows.filter(({ detail }) => detail?.startsWith("done") === true)) / sum(rows)

const stagesOf = ({ rows }: Report): ReadonlyArray<string> => [
  ...new Set(rows.filter(({ metric }) => metric === "stage_entered").map(({ detail }) => detail ?? ""))
]

const conversionOf = (report: Report, { stage }: Names): ChartData => {
  const stages = stagesOf(report)
  const series = (["stage_entered", "stage_left", "stage_advanced"] as const).map((metric) =>
    seriesOf(
      metricName(metric),
      report.rows.filter((row) => row.metric === metric),
      stages,
      sum,
      ({ detail }) => detail
    )
  )
  return { kind: "bar", categories: stages.map(stage), series, ...count }
}

/** Returns the content of the chart of a report. */
export const chartOf = (report: Report, names: Names): ChartData => {
  if (report.name === "conversion") return conversionOf(report, names)
  const { name, rows } = report
  const groups = groupsOf(report)
  const shape = { kind: report.group_by === "day" ? "line" : "bar", categories: groups.map(names.group) } as const
  switch (name) {
    case "volume":
      return {
        ...shape,
        series: [countSeries("received", rows, groups), countSeries("sent", rows, groups)],
        ...count
      }
    case "tiers":
      return { ...shape, series: detailSeries(tierDetails, rows, groups), ...count }
    case "deliveries":
      return { ...shape, series: detailSeries(deliveryDetails, rows, groups), ...count }
    case "automation":
      return { ...shape, series: [seriesOf(reportText.rate, rows, groups, automationRate)], format: percentText }
    case "response_times":
    case "resolution_times": {
      const metric = name === "response_times" ? "first_response" : "resolution"
      return { ...shape, series: durationSeries(metric, rows, groups).slice(0, maxSeries), format: durationText }
    }
  }
}

const cell = (value: string | number | null): string => {
  const shown = String(value ?? "")
  // A spreadsheet would evaluate a text that starts with one of these characters.
  const safe = /^[=+\-@\t\r]/u.test(shown) ? `'${shown}` : shown
  return /[",\n\r]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const fields = [
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

/** Returns the rows of a report as CSV, with the names and the order of the API. */
export const csvOf = (rows: ReadonlyArray<ReportRow>): string =>
  [fields, ...rows.map((row) => fields.map((field) => row[field]))].map((line) => line.map(cell).join(",")).join("\r\n")
