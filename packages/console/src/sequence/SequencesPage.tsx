import type { Sequence } from "@leadloom/client"
import { Link } from "@tanstack/react-router"
import { useConnection } from "../app/Connection.ts"
import { useMay } from "../app/Permissions.ts"
import { ShownRows, useRows } from "../app/Rows.tsx"
import { Empty, Page } from "../component/Page.tsx"
import { type Column, Table } from "../component/Table.tsx"
import { longTime } from "../design/Time.ts"
import { editorText } from "../text/sequence/Editor.ts"
import { sequenceText } from "../text/sequence/Sequence.ts"
import { sequenceListOptions } from "./SequenceData.ts"

const { columns: names } = sequenceText

const columns: ReadonlyArray<Column<Sequence>> = [
  {
    header: names.name,
    cell: ({ id, name }) => (
      <Link to="/sequences/$sequenceId" params={{ sequenceId: id }}>
        {name}
      </Link>
    )
  },
  { header: names.state, cell: ({ paused_at: at }) => (at === null ? sequenceText.running : sequenceText.pause.title) },
  { header: names.steps, cell: ({ steps }) => steps.length, isNumeric: true },
  { header: names.version, cell: ({ version }) => version, isNumeric: true },
  { header: names.changed, cell: ({ updated_at: at }) => <time dateTime={at}>{longTime(at)}</time>, isDetail: true }
]

/** The sequences of the tenant. */
export const SequencesPage = () => {
  const list = useRows(sequenceListOptions(useConnection()))
  return (
    <Page
      title={sequenceText.title}
      actions={useMay("sequences.create") ? <Link to="/sequences/new">{editorText.create}</Link> : null}
    >
      <ShownRows list={list} empty={<Empty>{sequenceText.empty}</Empty>}>
        {(rows) => (
          <Table
            label={sequenceText.list}
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            hasMore={list.hasMore}
            onMore={list.onMore}
          />
        )}
      </ShownRows>
    </Page>
  )
}
