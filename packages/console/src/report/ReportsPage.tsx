import { useNavigate, useSearch } from "@tanstack/react-router"
import { Choice } from "../component/Choice.tsx"
import { Page } from "../component/Page.tsx"
import { reportText } from "../text/Reports.ts"
import { text } from "../text/Shared.ts"
import { type ReportFilter, reportNames } from "./ReportData.ts"
import { readReportFilter } from "./ReportFilter.ts"
import { ReportSection } from "./ReportSection.tsx"
import { useNames } from "./ReportNames.ts"

const dayMillis = 86_400_000

const dayBefore = (days: number): string => new Date(Date.now() - days * dayMillis).toISOString().slice(0, 10)

/** Returns the period of a filter as the number of days; undefined for chosen dates. */
const periodOf = ({ from, to }: ReportFilter): string | undefined =>
  to === undefined ? Object.keys(reportText.periods).find((days) => from === dayBefore(Number(days) - 1)) : undefined

const Filters = ({ filter }: { readonly filter: ReportFilter }) => {
  const navigate = useNavigate()
  const set = (changed: Readonly<Record<string, unknown>>): void => {
    void navigate({ to: "/reports", search: readReportFilter({ ...filter, ...changed }) })
  }
  return (
    <>
      <Choice
        label={reportText.period}
        any={reportText.periods["30"]}
        value={periodOf(filter)}
        options={reportText.periods}
        onChoose={(days) => set({ from: days === "" ? undefined : dayBefore(Number(days) - 1), to: undefined })}
      />
      <input
        type="date"
        aria-label={reportText.from}
        value={filter.from ?? ""}
        onChange={(event) => set({ from: event.target.value })}
      />
      <input
        type="date"
        aria-label={reportText.to}
        value={filter.to ?? ""}
        onChange={(event) => set({ to: event.target.value })}
      />
      <Choice
        label={reportText.group}
        any={reportText.groups.day}
        value={filter.groupBy}
        options={reportText.groups}
        onChoose={(groupBy) => set({ groupBy })}
      />
      <Choice
        label={reportText.channel}
        value={filter.channel}
        options={text.channels}
        onChoose={(channel) => set({ channel })}
      />
    </>
  )
}

/** The reports of the tenant. */
export const ReportsPage = () => {
  const filter = useSearch({ from: "/signed-in/reports" })
  const names = useNames()
  return (
    <Page title={reportText.title} tools={<Filters filter={filter} />}>
      {reportNames.map((name) => (
        <ReportSection key={name} name={name} filter={filter} names={names} />
      ))}
    </Page>
  )
}
