import type { Conversation, ConversationChange } from "@leadloom/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useEffect, useMemo } from "react"
import { type Command, useOfferedCommands } from "../app/Commands.ts"
import { useConnection } from "../app/Connection.ts"
import { problemText } from "../app/Problem.ts"
import { noticeFailure, noticeSuccess } from "../component/Notices.tsx"
import { inboxText } from "../text/Inbox.ts"
import { applyRow, cachedRow } from "./Cache.ts"
import { expectedRow } from "./Change.ts"
import styles from "./Filters.module.css"
import { select, toggleSelected, useSelection } from "./Selection.ts"

const words = inboxText.bulk

/** Returns the function that changes the selected conversations with one request. */
const useBulkChange = (contactIds: ReadonlyArray<string>) => {
  const queries = useQueryClient()
  const connection = useConnection()
  return useMutation({
    mutationFn: (change: ConversationChange) =>
      connection.client.inbox.bulk(connection.tenantId, { contact_ids: contactIds, change }),
    onMutate: (change) => {
      const former = contactIds.flatMap((contactId) => cachedRow(queries, connection, contactId) ?? [])
      for (const row of former) applyRow(queries, connection, expectedRow(row, change))
      return former
    },
    onSuccess: ({ results }, _, former) => {
      const refused = new Set(
        results.filter(({ outcome }) => outcome !== "updated").map(({ contact_id }) => contact_id)
      )
      for (const row of former) if (refused.has(row.contact_id)) applyRow(queries, connection, row)
      const changed = results.flatMap(({ conversation }) => (conversation === null ? [] : [conversation]))
      for (const row of changed) applyRow(queries, connection, row)
      select([...refused])
      noticeSuccess(words.changed(changed.length))
      if (refused.size > 0) noticeFailure(words.refused(refused.size))
    },
    onError: (error, _, former) => {
      for (const row of former ?? []) applyRow(queries, connection, row)
      noticeFailure(words.failed(problemText(error)))
    }
  })
}

const useBulkCommands = (selected: ReadonlySet<string>) => {
  const { userId } = useConnection()
  const { isPending, mutate } = useBulkChange([...selected])
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
