import type { PipelineRun } from "@leadloom/client"
import { useInfiniteQuery } from "@tanstack/react-query"
import { Link, useSearch } from "@tanstack/react-router"
import { useConnection } from "../app/Connection.ts"
import { problemText } from "../app/Problem.ts"
import { Page } from "../component/Page.tsx"
import { Loading, Problem } from "../component/Problem.tsx"
import { type Column, Table } from "../component/Table.tsx"
import { longTime } from "../design/Time.ts"
import { nameOf, sentence } from "../text/Conditions.ts"
import { decisionText } from "../text/Decisions.ts"
import { text } from "../text/Shared.ts"
import { decisiveStep, outcomeOf, type RunFilter, runsOptions } from "./Runs.ts"

const { columns: names } = decisionText

const columns: ReadonlyArray<Column<PipelineRun>> = [
  {
    header: names.time,
    cell: (run) => (
      <Link to="/decisions/$runId" params={{ runId: run.signal_id }}>
        {longTime(run.created_at)}
      </Link>
    )
  },
  {
    header: names.contact,
    cell: (run) => (
      <Link to="/decisions" search={{ contactId: run.contact_id }}>
        {run.contact_name ?? decisionText.unknownContact}
      </Link>
    )
  },
  {
    header: names.channel,
    isDetail: true,
    cell: ({ channel }) => (channel === null ? decisionText.erased : nameOf(text.channels, channel))
  },
  { header: names.message, isDetail: true, cell: ({ excerpt }) => excerpt ?? decisionText.erased },
  { header: names.outcome, cell: (run) => decisionText.outcomes[outcomeOf(run)] },
  { header: names.reason, isDetail: true, cell: (run) => sentence(decisiveStep(run)?.reason ?? decisionText.none) }
]

const FilterNotice = ({ filter }: { readonly filter: RunFilter }) => (
  <p role="status">
    {filter.contactId === undefined ? decisionText.onlyLead : decisionText.onlyContact}{" "}
    <Link to="/decisions">{decisionText.clear}</Link>
  </p>
)

const RunTable = ({ filter }: { readonly filter: RunFilter }) => {
  const runs = useInfiniteQuery(runsOptions(useConnection(), filter))
  if (runs.data === undefined) {
    return runs.isError ? (
      <Problem message={problemText(runs.error)} onRetry={() => void runs.refetch()} />
    ) : (
      <Loading />
    )
  }
  const rows = runs.data.pages.flatMap((page) => page.runs)
  if (rows.length === 0) return <p>{Object.keys(filter).length > 0 ? decisionText.filtered : decisionText.empty}</p>
  return (
    <Table
      label={decisionText.list}
      columns={columns}
      rows={rows}
      keyOf={(run) => run.run_id}
      hasMore={runs.hasNextPage}
      onMore={runs.fetchNextPage}
    />
  )
}

/** The list of runs. */
export const DecisionsPage = () => {
  const filter = useSearch({ from: "/signed-in/decisions" })
  return (
    <Page title={decisionText.title}>
      <p>{decisionText.help}</p>
      {Object.keys(filter).length > 0 ? <FilterNotice filter={filter} /> : null}
      <RunTable filter={filter} />
    </Page>
  )
}
