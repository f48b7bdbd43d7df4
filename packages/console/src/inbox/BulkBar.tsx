import type { Conversation, ConversationChange } from "@leadloom/client"
import { useQueryClient } from "@tanstack/react-query"
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from "react"
import { useAction } from "../app/Action.ts"
import { type Command, useOfferedCommands } from "../app/Commands.ts"
import { useConnection } from "../app/Connection.ts"
import { problemText } from "../app/Problem.ts"
import { noticeFailure, noticeSuccess, noticeUndo } from "../component/Notices.tsx"
import { Confirm } from "../dialog/Confirm.tsx"
import { TypedAhead } from "../dialog/TypedAhead.tsx"
import { inboxText } from "../text/Inbox.ts"
import { applyRow, cachedRow } from "./Cache.ts"
import { expectedRow } from "./Change.ts"
import styles from "./Filters.module.css"
import { undoSeconds, waysBack } from "./WayBack.ts"
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

/** Returns the function that restores conversations after a change of several ones. */
const useBulkUndo = () => {
  const queries = useQueryClient()
  const connection = useConnection()
  const { client, tenantId } = connection
  return async (former: ReadonlyArray<Conversation>, changed: ConversationChange): Promise<void> => {
    try {
      for (const { change, contactIds } of waysBack(former, changed)) {
        const { results } = await client.inbox.bulk(tenantId, { contact_ids: [...contactIds], change })
        for (const { conversation } of results) if (conversation !== null) applyRow(queries, connection, conversation)
      }
      noticeSuccess(words.restored)
    } catch (error) {
      noticeFailure(words.notRestored(problemText(error)))
    }
  }
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
  const undo = useBulkUndo()
  const former = useRef<ReadonlyArray<Conversation>>([])
  const send = ({ change, chosen }: BulkChange) =>
    connection.client.inbox.bulk(connection.tenantId, { contact_ids: [...chosen], change })
  return useAction(send, {
    expect: ({ change, chosen }) => {
      const rows = [...chosen].flatMap((contactId) => cachedRow(queries, connection, contactId) ?? [])
      former.current = rows
      show(rows.map((row) => expectedRow(row, change)))
      return () => show(rows)
    },
    onSuccess: ({ results }, { change, chosen }) => {
      const rows = former.current
      const changed = results.flatMap(({ conversation }) => (conversation === null ? [] : [conversation]))
      show(changed)
      const refused = results.filter(({ outcome }) => outcome !== "updated")
      if (isSelected(chosen)) select(refused.map(({ contact_id }) => contact_id))
      const changedIds = new Set(changed.map(({ contact_id }) => contact_id))
      const restorable = rows.filter(({ contact_id }) => changedIds.has(contact_id))
      noticeUndo(words.changed(changed.length), undoSeconds, () => void undo(restorable, change))
      if (refused.length > 0) noticeFailure(words.refused(refused.length))
    }
  })
}

type Opened = "assignee" | "close" | null

const useBulkCommands = (selected: ReadonlySet<string>, open: (opened: Opened) => void) => {
  const { userId } = useConnection()
  const [mutate, isPending] = useBulkChange()
  const commands = useMemo((): ReadonlyArray<Command> => {
    const apply = (change: ConversationChange) => (): void => mutate({ chosen: selected, change })
    const close = apply({ state: "closed" })
    return [
      // Closing marks as read for everybody, which nobody can undo, so it asks.
      { label: words.close, hint: "e", pick: selected.size === 1 ? close : () => open("close") },
      { label: words.reopen, pick: apply({ state: "open" }) },
      ...(userId === null ? [] : [{ label: words.assign, hint: "i", pick: apply({ assignee_id: userId }) }]),
      { label: words.assignTo, hint: "shift+i", pick: () => open("assignee") },
      { label: words.markUnread, hint: "shift+u", pick: apply({ unread: true }) },
      { label: words.clear, hint: "escape", pick: () => select([]) }
    ]
  }, [mutate, open, selected, userId])
  return { commands, isPending, mutate }
}

const Bar = ({ selected }: { readonly selected: ReadonlySet<string> }) => {
  const [opened, open] = useState<Opened>(null)
  const { commands, isPending, mutate } = useBulkCommands(selected, open)
  const close = (): void => open(null)
  useOfferedCommands(commands)
  return (
    <div className={styles.bulk} role="group" aria-label={words.title}>
      <strong role="status">{words.count(selected.size)}</strong>
      {commands.map(({ hint, label, pick }) => (
        <button key={label} type="button" disabled={isPending} aria-keyshortcuts={hint} onClick={pick}>
          {label}
        </button>
      ))}
      {opened === "close" ? (
        <Confirm
          title={words.closeTitle(selected.size)}
          message={words.closeMessage}
          action={words.close}
          onConfirm={() => mutate({ chosen: selected, change: { state: "closed" } })}
          onClose={close}
        />
      ) : null}
      <Suspense fallback={opened === "assignee" ? <TypedAhead onClose={close} /> : null}>
        {opened === "assignee" ? (
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
