import type { EmailGrant } from "@leadloom/client"
import { Facts } from "../../component/Facts.tsx"
import { Section } from "../../component/Page.tsx"
import { type Column, Table } from "../../component/Table.tsx"
import blocks from "../../design/Blocks.module.css"
import { longTime } from "../../design/Time.ts"
import { accountText } from "../../text/Account.ts"

const { sync: shown } = accountText.mailbox

type Folder = NonNullable<EmailGrant["folders"]>[number]

const timeOr = (iso: string | null | undefined, none: string): string =>
  iso === null || iso === undefined ? none : longTime(iso)

const columns: ReadonlyArray<Column<Folder>> = [
  { header: shown.folder, cell: ({ path }) => path },
  { header: shown.messages, cell: ({ messages }) => messages, isNumeric: true },
  { header: shown.progress, cell: ({ complete }) => (complete ? shown.complete : shown.incomplete) },
  { header: shown.readAt, cell: ({ synced_at: at }) => timeOr(at, shown.never), isDetail: true }
]

/** The sync of a mailbox: the last look, the current error and the folders. Ignored folders are omitted. */
export const MailboxState = ({ account }: { readonly account: EmailGrant }) => {
  const { error = null, folders = [], last_sync_at: lastSyncAt } = account
  return (
    <Section title={shown.title}>
      {error === null ? null : (
        <p role="alert" className={blocks.error}>
          {shown.error(error)}
        </p>
      )}
      <Facts facts={[[shown.lastSync, timeOr(lastSyncAt, shown.never)]]} />
      {folders.length === 0 ? null : (
        <Table label={shown.folders} columns={columns} rows={folders} keyOf={({ path }) => path} />
      )}
    </Section>
  )
}
