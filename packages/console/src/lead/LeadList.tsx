import type { Lead, SalesPipeline } from "@leadloom/client"
import { Link, useNavigate } from "@tanstack/react-router"
import { useMemo } from "react"
import { useConnection } from "../app/Connection.ts"
import { useContactNames } from "../app/ContactNames.ts"
import { ShownRows, useRows } from "../app/Rows.tsx"
import { useUserNames } from "../app/Users.ts"
import { Empty } from "../component/Page.tsx"
import { type Column, Table } from "../component/Table.tsx"
import { money } from "../design/Number.ts"
import { shortDay } from "../design/Time.ts"
import { leadText } from "../text/Lead.ts"
import { tierName } from "../text/Names.ts"
import { text } from "../text/Shared.ts"
import { leadListOptions } from "./LeadData.ts"
import type { LeadSearch } from "./LeadSearch.ts"
import { StageSelect } from "./StageSelect.tsx"

type Sort = NonNullable<LeadSearch["sort"]>

interface ListProps {
  readonly search: LeadSearch
  readonly pipelines: ReadonlyArray<SalesPipeline>
}

/** Returns the stages of the pipeline of a lead. */
export const stagesOf = (pipelines: ReadonlyArray<SalesPipeline>, lead: Lead) =>
  pipelines.find(({ pipeline_id }) => pipeline_id === lead.pipeline_id)?.stages ?? []

interface Names {
  readonly contacts: ReadonlyMap<string, string>
  readonly users: ReadonlyMap<string, string>
  readonly pipelines: ReadonlyArray<SalesPipeline>
}

const columnsOf = ({ contacts, pipelines, users }: Names): ReadonlyArray<Column<Lead, Sort>> => [
  {
    header: leadText.columns.subject,
    cell: (lead) => (
      <Link to="/leads/$leadId" params={{ leadId: lead.id }}>
        {lead.subject ?? leadText.untitled}
      </Link>
    )
  },
  { header: leadText.columns.contact, cell: (lead) => contacts.get(lead.contact_id) },
  { header: leadText.columns.stage, cell: (lead) => <StageSelect lead={lead} stages={stagesOf(pipelines, lead)} /> },
  { header: leadText.columns.tier, cell: (lead) => tierName(lead.tier), isDetail: true },
  {
    header: leadText.columns.value,
    sort: "-value",
    reverse: "value",
    isNumeric: true,
    cell: (lead) => money(lead.value, lead.currency),
    isDetail: true
  },
  {
    header: leadText.columns.owner,
    cell: (lead) => (lead.assignee_id === null ? lead.assignee : users.get(lead.assignee_id)),
    isDetail: true
  },
  {
    header: leadText.columns.close,
    sort: "expected_close_on",
    reverse: "-expected_close_on",
    // A date without a time is that day in every time zone.
    cell: (lead) => (lead.expected_close_on === null ? null : shortDay(`${lead.expected_close_on}T00:00`)),
    isDetail: true
  },
  {
    header: leadText.columns.created,
    sort: "-created_at",
    reverse: "created_at",
    cell: (lead) => <time dateTime={lead.created_at}>{shortDay(lead.created_at)}</time>,
    isDetail: true
  },
  {
    header: leadText.columns.activity,
    sort: "-last_message_at",
    reverse: "last_message_at",
    cell: (lead) => <time dateTime={lead.last_message_at}>{shortDay(lead.last_message_at)}</time>,
    isDetail: true
  }
]

const NoLeads = ({ search: { sort: _, ...filters } }: { readonly search: LeadSearch }) => {
  const navigate = useNavigate()
  if (Object.keys(filters).length === 0) return <Empty>{leadText.empty}</Empty>
  return (
    <Empty>
      <p>{leadText.filtered}</p>
      <button type="button" onClick={() => void navigate({ to: "/leads", search: {} })}>
        {text.clear}
      </button>
    </Empty>
  )
}

const noRows: ReadonlyArray<Lead> = []

/** The leads as a table. */
export const LeadList = ({ pipelines, search }: ListProps) => {
  const navigate = useNavigate()
  const list = useRows(leadListOptions(useConnection(), search))
  const { rows: leads = noRows } = list
  const contactIds = useMemo(() => leads.map((lead) => lead.contact_id), [leads])
  const columns = columnsOf({ contacts: useContactNames(contactIds), users: useUserNames(), pipelines })
  return (
    <ShownRows list={list} empty={<NoLeads search={search} />}>
      {(rows) => (
        <Table
          label={leadText.title}
          columns={columns}
          rows={rows}
          keyOf={(lead) => lead.id}
          sort={search.sort ?? "-created_at"}
          onSort={(sort) => void navigate({ to: "/leads", search: { ...search, sort } })}
          hasMore={list.hasMore}
          onMore={list.onMore}
        />
      )}
    </ShownRows>
  )
}
