import type { EnrichedContact } from "@leadloom/client"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useConnection } from "../app/Connection.ts"
import { nameOf } from "../app/ContactNames.ts"
import { useMay } from "../app/Permissions.ts"
import { handleEvents } from "../app/Live.ts"
import { ShownRows, useRows } from "../app/Rows.tsx"
import { useNow } from "../component/Now.ts"
import { Empty, Page } from "../component/Page.tsx"
import { type Column, Table } from "../component/Table.tsx"
import { shortTime } from "../design/Time.ts"
import { contactText } from "../text/Contact.ts"
import { text } from "../text/Shared.ts"
import { applyContactEvent, contactListOptions } from "./ContactData.ts"
import type { ContactSearch, ContactSort } from "./ContactFilter.ts"
import { ContactFilters } from "./ContactFilters.tsx"
import { ContactChoice } from "../form/ContactChoice.tsx"
import { NewContact } from "./NewContact.tsx"
import { SegmentActions } from "./Segments.tsx"

handleEvents(applyContactEvent)

const columnsAt = (now: number): ReadonlyArray<Column<EnrichedContact, ContactSort>> => [
  {
    header: contactText.columns.name,
    sort: "name",
    cell: (row) => (
      <Link to="/contacts/$contactId" params={{ contactId: row.id }}>
        {nameOf(row)}
      </Link>
    )
  },
  { header: contactText.columns.address, cell: (row) => row.email ?? row.phone, isDetail: true },
  { header: contactText.columns.company, cell: (row) => row.company, isDetail: true },
  { header: contactText.columns.tier, cell: (row) => (row.score_tier === null ? null : text.tiers[row.score_tier]) },
  {
    header: contactText.columns.state,
    cell: (row) => (row.lead_state === null ? null : text.leadStates[row.lead_state]),
    isDetail: true
  },
  {
    header: contactText.columns.activity,
    sort: "last_activity",
    direction: "descending",
    cell: (row) => <time dateTime={row.last_activity_at}>{shortTime(row.last_activity_at, now)}</time>
  },
  {
    header: contactText.columns.created,
    sort: "created",
    direction: "descending",
    cell: (row) => <time dateTime={row.created_at}>{shortTime(row.created_at, now)}</time>,
    isDetail: true
  }
]

const NoContacts = ({ search }: { readonly search: ContactSearch }) => {
  const navigate = useNavigate()
  const { sort: _, ...filters } = search
  if (Object.keys(filters).length === 0) return <Empty>{contactText.empty}</Empty>
  return (
    <Empty>
      <p>{contactText.filtered}</p>
      <button type="button" onClick={() => void navigate({ to: "/contacts", search: {} })}>
        {text.clear}
      </button>
    </Empty>
  )
}

/** Finds a contact by name, address or number, and creates one. */
const ContactActions = () => {
  const navigate = useNavigate()
  const mayCreate = useMay("contacts.create")
  const [open, setOpen] = useState<"find" | "create" | null>(null)
  const close = (): void => setOpen(null)
  return (
    <>
      <button type="button" onClick={() => setOpen("find")}>
        {contactText.find}
      </button>
      {mayCreate ? (
        <button type="button" onClick={() => setOpen("create")}>
          {contactText.create.title}
        </button>
      ) : null}
      {open === "find" ? (
        <ContactChoice
          onChoose={({ id }) => void navigate({ to: "/contacts/$contactId", params: { contactId: id } })}
          onClose={close}
        />
      ) : null}
      {open === "create" ? <NewContact onClose={close} /> : null}
    </>
  )
}

/** The list of contacts with filters, orders and segments. */
export const ContactsPage = () => {
  const search = useSearch({ from: "/signed-in/contacts" })
  const navigate = useNavigate()
  const list = useRows(contactListOptions(useConnection(), search))
  const columns = columnsAt(useNow())
  return (
    <Page
      title={contactText.title}
      actions={
        <>
          <ContactActions />
          <SegmentActions search={search} />
          <Link to="/contacts/duplicates">{contactText.tabs.merges}</Link>
        </>
      }
      tools={<ContactFilters search={search} />}
    >
      <ShownRows list={list} empty={<NoContacts search={search} />}>
        {(rows) => (
          <Table
            label={contactText.title}
            columns={columns}
            rows={rows}
            keyOf={(row) => row.id}
            sort={search.sort ?? "last_activity"}
            onSort={(sort) => void navigate({ to: "/contacts", search: { ...search, sort } })}
            hasMore={list.hasMore}
            onMore={list.onMore}
          />
        )}
      </ShownRows>
    </Page>
  )
}
