import type { Report, ReportRow } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { useConnection } from "../app/Connection.ts"
import { Loaded } from "../app/Loaded.tsx"
import { Chart } from "../component/Chart.tsx"
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

const columnsOf = (names: Names): ReadonlyArray<Column<ReportRow>> => [
  { header: reportText.columns.group, cell: ({ group }) => names.group(group) },
  { header: reportText.columns.metric, cell: ({ metric }) => metricName(metric) },
  { header: reportText.columns.detail, cell: (row) => detailOf(row, names) },
  { header: reportText.columns.count, cell: ({ count }) => count, isNumeric: true },
  { header: reportText.columns.median, cell: (row) => orNone(row.median_seconds, durationText), isNumeric: true },
  {
    header: reportText.columns.p90,
    cell: (row) => orNone(row.p90_seconds, durationText),
    isNumeric: true,
    isDetail: true
  },
  { header: reportText.columns.rate, cell: ({ rate }) => orNone(rate, percentText), isNumeric: true, isDetail: true }
]

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
  if (report.rows.length === 0) return <p>{reportText.empty}</p>
  const title = reportText.names[name]
  return (
    <>
      <div className={styles.report}>
        <Chart title={reportText.help[name]} {...chartOf(report, names)} />
        <div className={styles.data}>
          <Table
            label={reportText.table(title)}
            columns={columnsOf(names)}
            rows={report.rows}
            keyOf={({ detail, group, metric }) => `${group} ${metric} ${detail}`}
          />
        </div>
      </div>
      <p>
        <button type="button" onClick={() => download(`${name}-${report.from}-${report.to}.csv`, csvOf(report.rows))}>
          {reportText.download(title)}
        </button>{" "}
        {reportText.counted(longTime(report.counted_until), report.time_zone)}
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
