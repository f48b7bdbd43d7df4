import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useConnection } from "../app/Connection.ts"
import { rowsOptions, ShownRows, useRows } from "../app/Rows.tsx"
import { useUserNames } from "../app/Users.ts"
import { Empty, Page } from "../component/Page.tsx"
import { type Column, Table } from "../component/Table.tsx"
import { settingsText } from "../text/Settings.ts"
import { ActionDialog } from "./ActionDialog.tsx"
import type { Action, Listing } from "./Listing.ts"
import styles from "./Settings.module.css"

interface ListingPageProps<Row> {
  /** The name of the list in the address, which also identifies its responses. */
  readonly noun: string
  readonly listing: Listing<Row>
}

/** A page with one list, its changes, and the dialog of a change. Forbidden changes are hidden. */
export const ListingPage = <Row,>({ listing, noun }: ListingPageProps<Row>) => {
  const queries = useQueryClient()
  const connection = useConnection()
  const { permitted, tenantId } = connection
  const names = useUserNames()
  const [asked, setAsked] = useState<Action | null>(null)
  const list = useRows(
    rowsOptions([tenantId, noun, "settings"], (cursor, signal) => listing.read(connection, cursor, signal))
  )
  const { create } = listing
  const actions: Column<Row> = {
    header: settingsText.actions,
    cell: (row) => (
      <div className={styles.actions}>
        {listing
          .actions(row)
          .filter(({ operation }) => permitted.has(operation))
          .map((action) => (
            <button
              key={action.label}
              type="button"
              aria-label={settingsText.actionOn(action.label, listing.nameOf(row, names))}
              onClick={() => setAsked(action)}
            >
              {action.label}
            </button>
          ))}
      </div>
    )
  }
  return (
    <Page
      title={listing.title}
      actions={
        create !== undefined && permitted.has(create.operation) ? (
          <button type="button" onClick={() => setAsked(create)}>
            {create.label}
          </button>
        ) : undefined
      }
    >
      <ShownRows list={list} empty={<Empty>{listing.empty}</Empty>}>
        {(rows) => (
          <Table
            label={listing.title}
            columns={[...listing.columns(names), actions]}
            rows={rows}
            keyOf={listing.keyOf}
            hasMore={list.hasMore}
            onMore={list.onMore}
          />
        )}
      </ShownRows>
      {asked === null ? null : (
        <ActionDialog
          action={asked}
          onDone={() => void queries.invalidateQueries({ queryKey: [tenantId, noun] })}
          onClose={() => setAsked(null)}
        />
      )}
    </Page>
  )
}
