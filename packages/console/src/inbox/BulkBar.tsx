import type { Conversation, ConversationChange } from "@leadloom/client"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useMemo } from "react"
import { useAction } from "../app/Action.ts"
import { type Command, useOfferedCommands } from "../app/Commands.ts"
import { useConnection } from "../app/Connection.ts"
import { noticeFailure, noticeSuccess } from "../component/Notices.tsx"
import { inboxText } from "../text/Inbox.ts"
import { applyRow, cachedRow } from "./Cache.ts"
import { expectedRow } from "./Change.ts"
import styles from "./Filters.module.css"
import { select, toggleSelected, useSelection } from "./Selection.ts"

const words = inboxText.bulk

/** Returns the function that changes the selected conversations with one request. Refused ones stay selected. */
const useBulkChange = (contactIds: ReadonlyArray<string>) => {
  const queries = useQueryClient()
  const connection = useConnection()
  const show = (rows: ReadonlyArray<Conversation>): void => {
    for (const row of rows) applyRow(queries, connection, row)
  }
  const send = (change: ConversationChange) =>
    connection.client.inbox.bulk(connection.tenantId, { contact_ids: contactIds, change })
  return useAction(send, {
    expect: (change) => {
      const former = contactIds.flatMap((contactId) => cachedRow(queries, connection, contactId) ?? [])
      show(former.map((row) => expectedRow(row, change)))
      return () => show(former)
    },
    onSuccess: ({ results }) => {
      const changed = results.flatMap(({ conversation }) => (conversation === null ? [] : [conversation]))
      show(changed)
      select(results.filter(({ outcome }) => outcome !== "updated").map(({ contact_id }) => contact_id))
      noticeSuccess(words.changed(changed.length))
      if (changed.length < results.length) noticeFailure(words.refused(results.length - changed.length))
    }
  })
}

const useBulkCommands = (selected: ReadonlySet<string>) => {
  const { userId } = useConnection()
  const [mutate, isPending] = useBulkChange([...selected])
  const commands = useMemo(
    (): ReadonlyArray<Command> => [
      { label: words.close, hint: "e", pick: () => mutate({ state: "closed" }) },
      { label: words.reopen, pick: () => mutate({ state: "open" }) },
      ...(userId === null ? [] : [{ label: words.assign, hint: "i", pick: () => mutate({ assignee_id: userId }) }]),
      { label: words.markUnread, hint: "shift+u", pick: () => mutate({ unread: true }) },
      { label: words.clear, hint: "escape", pick: () => select([]) }
    ],
    [mutate, userId]
  )
  return { commands, isPending }
}

const Bar = ({ selected }: { readonly selected: ReadonlySet<string> }) => {
  const { commands, isPending } = useBulkCommands(selected)
  useOfferedCommands(commands)
  return (
    <div className={styles.bulk} role="group" aria-label={words.title}>
      <strong role="status">{words.count(selected.size)}</strong>
      {commands.map(({ hint, label, pick }) => (
        <button key={label} type="button" disabled={isPending} aria-keyshortcuts={hint} onClick={pick}>
          {label}
        </button>
      ))}
    </div>
  )
}

interface BulkBarProps {
  readonly rows: ReadonlyArray<Conversation>
  /** The open conversation; null: none. */
  readonly contactId: string | null
}

/** The commands for several conversations. It appears with the first selected one. */
export const BulkBar = ({ contactId, rows }: BulkBarProps) => {
  const selected = useSelection()
  useOfferedCommands(
    useMemo(
      () => [
        ...(contactId === null ? [] : [{ label: words.toggle, hint: "x", pick: () => toggleSelected(contactId) }]),
        { label: words.all, hint: "mod+a", pick: () => select(rows.map((row) => row.contact_id)) }
      ],
      [contactId, rows]
    )
  )
  useEffect(() => () => select([]), [])
  return selected.size === 0 ? null : <Bar selected={selected} />
}
