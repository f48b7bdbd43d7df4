import type { Report, ReportRow } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { useConnection } from "../app/Connection.ts"
import { Loaded } from "../app/Loaded.tsx"
import { Chart } from "../component/chart/Chart.tsx"
import { Section } from "../component/Page.tsx"
import { type Column, Table } from "../component/Table.tsx"
import { longTime } from "../design/Time.ts"
import { nameOf } from "../text/Conditions.ts"
import { reportText } from "../text/Reports.ts"
import {
  chartOf,
  csvOf,
  durationText,
  metricName,
  type Names,
  percentText,
  type ReportFilter,
  type ReportName
} from "./ReportData.ts"
import styles from "./Report.module.css"

const orNone = (value: number | null, format: (value: number) => string): string =>
  value === null ? "" : format(value)

const detailOf = ({ detail, metric }: ReportRow, { stage }: Names): string => {
  if (detail === null) return metric === "tier" ? reportText.tiers.none : ""
  if (metric === "tier") return nameOf(reportText.tiers, detail)
  if (metric === "delivery") return nameOf(reportText.deliveries, detail)
  const [id = "", currency] = detail.split(":", 2)
  if (!metric.startsWith("stage_") && metric !== "won" && metric !== "lost") return nameOf(reportText.actors, detail)
  return currency === undefined ? stage(id) : `${stage(id)}, ${currency}`
}

const isSet = (rows: ReadonlyArray<ReportRow>, field: "detail" | "median_seconds" | "rate"): boolean =>
  rows.some((row) => row[field] !== null)

/** Returns the columns that have a value in a row. */
const columnsOf = (names: Names, rows: ReadonlyArray<ReportRow>): ReadonlyArray<Column<ReportRow>> => {
  const { columns } = reportText
  const detail: Column<ReportRow> = { header: columns.detail, cell: (row) => detailOf(row, names) }
  const durations: ReadonlyArray<Column<ReportRow>> = [
    { header: columns.median, cell: (row) => orNone(row.median_seconds, durationText), isNumeric: true },
    { header: columns.p90, cell: (row) => orNone(row.p90_seconds, durationText), isNumeric: true, isDetail: true }
  ]
  const rate: Column<ReportRow> = {
    header: columns.rate,
    cell: (row) => orNone(row.rate, percentText),
    isNumeric: true,
    isDetail: true
  }
  return [
    { header: columns.group, cell: ({ group }) => <span className={styles.group}>{names.group(group)}</span> },
    { header: columns.metric, cell: ({ metric }) => metricName(metric) },
    ...(isSet(rows, "detail") ? [detail] : []),
    { header: columns.count, cell: (row) => row.count, isNumeric: true },
    ...(isSet(rows, "median_seconds") ? durations : []),
    ...(isSet(rows, "rate") ? [rate] : [])
  ]
}

/** Offers a text as a file. */
const download = (name: string, content: string): void => {
  const url = URL.createObjectURL(new Blob([content], { type: "text/csv" }))
  const link = document.createElement("a")
  Object.assign(link, { href: url, download: name }).click()
  URL.revokeObjectURL(url)
}

interface ContentProps {
  readonly name: ReportName
  readonly names: Names
  readonly report: Report
}

const Content = ({ name, names, report }: ContentProps) => {
  const counted = reportText.counted(longTime(report.counted_until), report.time_zone)
  if (report.rows.length === 0)
    return (
      <p>
        {reportText.empty} {counted}
      </p>
    )
  const title = reportText.names[name]
  return (
    <>
      <div className={styles.report}>
        <Chart title={reportText.help[name]} {...chartOf(report, names)} />
        <div className={styles.data}>
          <Table
            label={reportText.table(title)}
            columns={columnsOf(names, report.rows)}
            rows={report.rows}
            keyOf={({ detail, group, metric }) => `${group} ${metric} ${detail}`}
          />
        </div>
      </div>
      <p>
        <button type="button" onClick={() => download(`${name}-${report.from}-${report.to}.csv`, csvOf(report.rows))}>
          {reportText.download(title)}
        </button>{" "}
        {counted}
      </p>
    </>
  )
}

interface SectionProps {
  readonly name: ReportName
  readonly filter: ReportFilter
  readonly names: Names
}

/** One report: its chart, and the same numbers as a table. */
export const ReportSection = ({ filter, name, names }: SectionProps) => {
  const { client, tenantId } = useConnection()
  // Only leads have stages, so their report always has a group per pipeline.
  const options = name === "conversion" ? { ...filter, groupBy: "pipeline" as const } : filter
  const report = useQuery({
    queryKey: [tenantId, "report", name, options] as const,
    queryFn: ({ signal }) => client.reports.get(tenantId, name, { ...options, signal }),
    // The server counts every minute, so every visit reads the numbers again.
    gcTime: 0
  })
  return (
    <Section title={reportText.names[name]}>
      <Loaded query={report}>{(found) => <Content name={name} names={names} report={found} />}</Loaded>
    </Section>
  )
}
