import type { Conversation, ConversationChange } from "@leadloom/client"
import { useQueryClient } from "@tanstack/react-query"
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from "react"
import { useAction } from "../app/Action.ts"
import { type Command, useOfferedCommands } from "../app/Commands.ts"
import { useConnection } from "../app/Connection.ts"
import { noticeFailure, noticeSuccess } from "../component/Notices.tsx"
import { TypedAhead } from "../dialog/TypedAhead.tsx"
import { inboxText } from "../text/Inbox.ts"
import { applyRow, cachedRow } from "./Cache.ts"
import { expectedRow } from "./Change.ts"
import styles from "./Filters.module.css"
import { isSelected, select, toggleSelected, useSelection } from "./Selection.ts"

const AssigneePalette = lazy(() =>
  import("./AssigneePalette.tsx").then((module) => ({ default: module.AssigneePalette }))
)

const words = inboxText.bulk

interface BulkChange {
  /** The selection at the time of the change. It may be another one when the response arrives. */
  readonly chosen: ReadonlySet<string>
  readonly change: ConversationChange
}

/**
 * Returns the function that changes conversations with one request. Refused ones stay selected. If the person has
 * selected others in the meantime, those stay selected.
 */
const useBulkChange = () => {
  const queries = useQueryClient()
  const connection = useConnection()
  const show = (rows: ReadonlyArray<Conversation>): void => {
    for (const row of rows) applyRow(queries, connection, row)
  }
  const send = ({ change, chosen }: BulkChange) =>
    connection.client.inbox.bulk(connection.tenantId, { contact_ids: [...chosen], change })
  return useAction(send, {
    expect: ({ change, chosen }) => {
      const former = [...chosen].flatMap((contactId) => cachedRow(queries, connection, contactId) ?? [])
      show(former.map((row) => expectedRow(row, change)))
      return () => show(former)
    },
    onSuccess: ({ results }, { chosen }) => {
      const changed = results.flatMap(({ conversation }) => (conversation === null ? [] : [conversation]))
      show(changed)
      const refused = results.filter(({ outcome }) => outcome !== "updated")
      if (isSelected(chosen)) select(refused.map(({ contact_id }) => contact_id))
      noticeSuccess(words.changed(changed.length))
      if (refused.length > 0) noticeFailure(words.refused(refused.length))
    }
  })
}

const useBulkCommands = (selected: ReadonlySet<string>, onAssign: () => void) => {
  const { userId } = useConnection()
  const [mutate, isPending] = useBulkChange()
  const commands = useMemo((): ReadonlyArray<Command> => {
    const apply = (change: ConversationChange) => (): void => mutate({ chosen: selected, change })
    return [
      { label: words.close, hint: "e", pick: apply({ state: "closed" }) },
      { label: words.reopen, pick: apply({ state: "open" }) },
      ...(userId === null ? [] : [{ label: words.assign, hint: "i", pick: apply({ assignee_id: userId }) }]),
      { label: words.assignTo, hint: "shift+i", pick: onAssign },
      { label: words.markUnread, hint: "shift+u", pick: apply({ unread: true }) },
      { label: words.clear, hint: "escape", pick: () => select([]) }
    ]
  }, [mutate, onAssign, selected, userId])
  return { commands, isPending, mutate }
}

const Bar = ({ selected }: { readonly selected: ReadonlySet<string> }) => {
  const [isAssigning, setAssigning] = useState(false)
  const openPalette = useCallback(() => setAssigning(true), [])
  const { commands, isPending, mutate } = useBulkCommands(selected, openPalette)
  const close = (): void => setAssigning(false)
  useOfferedCommands(commands)
  return (
    <div className={styles.bulk} role="group" aria-label={words.title}>
      <strong role="status">{words.count(selected.size)}</strong>
      {commands.map(({ hint, label, pick }) => (
        <button key={label} type="button" disabled={isPending} aria-keyshortcuts={hint} onClick={pick}>
          {label}
        </button>
      ))}
      <Suspense fallback={isAssigning ? <TypedAhead onClose={close} /> : null}>
        {isAssigning ? (
          <AssigneePalette onChoose={(change) => mutate({ chosen: selected, change })} onClose={close} />
        ) : null}
      </Suspense>
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
