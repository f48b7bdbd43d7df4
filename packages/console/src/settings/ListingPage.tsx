import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useConnection } from "../app/Connection.ts"
import { rowsOptions, ShownRows, useRows } from "../app/Rows.tsx"
import { useUserNames } from "../app/Users.ts"
import { Empty, Page } from "../component/Page.tsx"
import { type Column, Table } from "../component/Table.tsx"
import { settingsText } from "../text/Settings.ts"
import { ActionDialog } from "./ActionDialog.tsx"
import type { Action, Listing, UserNames } from "./Listing.ts"
import { PageActions } from "./PageActions.tsx"
import { RowActions } from "./RowActions.tsx"

interface ListingPageProps<Row> {
  /** The name of the list in the address, which also identifies its responses. */
  readonly noun: string
  readonly listing: Listing<Row>
}

/** Returns the columns of a list, with the buttons of its rows at the end. */
const columnsOf = <Row,>(
  { actions, columns, nameOf }: Listing<Row>,
  names: UserNames,
  onAsk: (action: Action) => void
): ReadonlyArray<Column<Row>> => {
  if (actions === undefined) return columns(names)
  const buttons = (row: Row) => <RowActions actions={actions(row, names)} name={nameOf(row, names)} onAsk={onAsk} />
  return [...columns(names), { header: settingsText.actions, cell: buttons }]
}

/** A page with one list, its changes, and the dialog of a change. */
export const ListingPage = <Row,>({ listing, noun }: ListingPageProps<Row>) => {
  const queries = useQueryClient()
  const connection = useConnection()
  const { tenantId } = connection
  const names = useUserNames()
  const [asked, setAsked] = useState<Action | null>(null)
  const list = useRows(
    rowsOptions([tenantId, noun, "settings"], (cursor, signal) => listing.read(connection, cursor, signal))
  )
  const onDone = () => void queries.invalidateQueries({ queryKey: [tenantId, noun] })
  return (
    <Page title={listing.title} actions={<PageActions actions={listing.general ?? []} onDone={onDone} />}>
      <ShownRows list={list} empty={<Empty>{listing.empty}</Empty>}>
        {(rows) => (
          <Table
            label={listing.title}
            columns={columnsOf(listing, names, setAsked)}
            rows={rows}
            keyOf={listing.keyOf}
            hasMore={list.hasMore}
            onMore={list.onMore}
          />
        )}
      </ShownRows>
      {asked === null ? null : <ActionDialog action={asked} onDone={onDone} onClose={() => setAsked(null)} />}
    </Page>
  )
}
