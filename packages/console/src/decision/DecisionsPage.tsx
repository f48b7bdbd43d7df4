import type { PipelineRun } from "@leadloom/client"
import { Link, useSearch } from "@tanstack/react-router"
import { useConnection } from "../app/Connection.ts"
import { ShownRows, useRows } from "../app/Rows.tsx"
import { Empty, Page } from "../component/Page.tsx"
import { type Column, Table } from "../component/Table.tsx"
import { longTime } from "../design/Time.ts"
import { nameOf, sentence } from "../text/Conditions.ts"
import { reasonWords } from "../text/rule/ReasonWords.ts"
import { decisionText } from "../text/Decisions.ts"
import { text } from "../text/Shared.ts"
import { decisiveStep, outcomeOf, runsOptions } from "./Runs.ts"
import type { RunFilter } from "./RunFilter.ts"

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
        {run.contact_name ?? text.unknownContact}
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
  {
    header: names.reason,
    isDetail: true,
    cell: (run) => sentence(reasonWords(decisiveStep(run)?.reason ?? decisionText.none))
  }
]

const FilterNotice = ({ filter }: { readonly filter: RunFilter }) => (
  <p role="status">
    {filter.contactId === undefined ? decisionText.onlyLead : decisionText.onlyContact}{" "}
    <Link to="/decisions">{text.clear}</Link>
  </p>
)

/** The list of runs. */
export const DecisionsPage = () => {
  const filter = useSearch({ from: "/signed-in/decisions" })
  const isFiltered = Object.keys(filter).length > 0
  const list = useRows(runsOptions(useConnection(), filter))
  return (
    <Page title={decisionText.title} tools={isFiltered ? <FilterNotice filter={filter} /> : <p>{decisionText.help}</p>}>
      <ShownRows list={list} empty={<Empty>{isFiltered ? decisionText.filtered : decisionText.empty}</Empty>}>
        {(rows) => (
          <Table
            label={decisionText.list}
            columns={columns}
            rows={rows}
            keyOf={(run) => run.run_id}
            hasMore={list.hasMore}
            onMore={list.onMore}
          />
        )}
      </ShownRows>
    </Page>
  )
}
