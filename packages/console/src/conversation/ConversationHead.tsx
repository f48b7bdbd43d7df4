import type { Conversation } from "@leadloom/client"
import { useMutation, useQuery } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { lazy, Suspense, useMemo, useRef, useState } from "react"
import { type Command, useOfferedCommands } from "../app/Commands.ts"
import { useConnection } from "../app/Connection.ts"
import { nameOf } from "../app/ContactNames.ts"
import { useMay } from "../app/Permissions.ts"
import { problemText } from "../app/Problem.ts"
import { Arrow } from "../component/Arrow.tsx"
import { noticeFailure, noticeSuccess } from "../component/Notices.tsx"
import { TypedAhead } from "../dialog/TypedAhead.tsx"
import { useNow } from "../component/Now.ts"
import { LazyCallDialog } from "../contact/call/CallButton.tsx"
import { contactOptions } from "../contact/ContactData.ts"
import type { Choice } from "../dialog/Palette.tsx"
import { callText } from "../text/Call.ts"
import { conversationText } from "../text/Conversation.ts"
import { text } from "../text/Shared.ts"
import { laterTimes } from "../design/LaterTimes.ts"
import { longTime } from "../design/Time.ts"
import { useChange } from "../inbox/Change.ts"
import { Others } from "../composer/Others.tsx"
import styles from "./ConversationHead.module.css"
import { useSelection } from "../inbox/Selection.ts"
import { TagEditor } from "./TagEditor.tsx"
import { useOpenNext } from "./OpenNext.ts"

const Palette = lazy(() => import("../dialog/Palette.tsx").then((module) => ({ default: module.Palette })))

/** Returns the function that opens the newest decision about the conversation. */
const useOpenDecision = (contactId: string): (() => void) => {
  const { client, tenantId } = useConnection()
  const navigate = useNavigate()
  const { mutate } = useMutation({
    mutationFn: async () => (await client.pipeline.listRuns(tenantId, { contactId, limit: 1 })).runs[0],
    onSuccess: (run) =>
      run === undefined
        ? noticeFailure(conversationText.actions.noRun)
        : navigate({ to: "/decisions/$runId", params: { runId: run.signal_id } }),
    onError: (error) => noticeFailure(problemText(error))
  })
  return mutate
}

type Opened = "snooze" | "tags" | "call" | null

/** Returns the commands of the conversation. The buttons, the keys and the palette share them. */
const useActions = (row: Conversation, open: (opened: Opened) => void) => {
  const { userId } = useConnection()
  const mayCall = useMay("calls.outbound")
  const change = useChange(row.contact_id)
  const openNext = useOpenNext(row.contact_id)
  const openDecision = useOpenDecision(row.contact_id)
  const navigate = useNavigate()
  // A key that is pressed twice closes once, and does not reopen the conversation before the next one is shown.
  const isLeft = useRef(false)
  return useMemo(() => {
    const close = (): void => {
      if (isLeft.current) return
      isLeft.current = true
      // The closed row may leave the list, so its neighbour is determined first.
      openNext()
      change({ state: "closed" })
      noticeSuccess(conversationText.actions.closed)
    }
    const reopen = (): void => {
      if (!isLeft.current) change({ state: "open" })
    }
    const markUnread = (): void => {
      change({ unread: true })
      void navigate({ to: "/inbox", search: true })
    }
    const toggle: Command =
      row.state === "closed"
        ? { label: conversationText.actions.reopen, hint: "e", pick: reopen }
        : { label: conversationText.actions.close, hint: "e", pick: close }
    const assign: ReadonlyArray<Command> =
      userId === null
        ? []
        : row.assignee_id === userId
          ? [{ label: conversationText.actions.unassign, hint: "i", pick: () => change({ assignee_id: null }) }]
          : [{ label: conversationText.actions.assignMe, hint: "i", pick: () => change({ assignee_id: userId }) }]
    const commands: ReadonlyArray<Command> = [
      toggle,
      ...assign,
      { label: conversationText.actions.snooze, hint: "b", pick: () => open("snooze") },
      { label: conversationText.actions.tag, hint: "l", pick: () => open("tags") },
      { label: conversationText.actions.markUnread, hint: "shift+u", pick: markUnread },
      ...(mayCall ? [{ label: callText.place.short, pick: () => open("call") }] : []),
      { label: conversationText.actions.why, hint: "w", pick: openDecision }
    ]
    return commands
  }, [row, userId, mayCall, change, navigate, open, openDecision, openNext])
}

const SnoozePalette = ({ contactId, onClose }: { readonly contactId: string; readonly onClose: () => void }) => {
  const change = useChange(contactId)
  const choices = laterTimes(new Date(useNow())).map(({ label, until }): Choice => ({
    label,
    hint: longTime(until.toISOString()),
    pick: () => change({ snooze_until: until.toISOString() })
  }))
  return <Palette title={conversationText.snooze.title} choices={choices} onClose={onClose} />
}

const none: ReadonlyArray<Command> = []

interface HeadProps {
  readonly row: Conversation
  readonly isPanelOpen: boolean
  readonly onPanel: () => void
}

/** The name and the actions of the open conversation. */
export const ConversationHead = ({ isPanelOpen, onPanel, row }: HeadProps) => {
  const [opened, setOpened] = useState<Opened>(null)
  // The row has no number, which is all that is known about some contacts.
  const contact = useQuery(contactOptions(useConnection(), row.contact_id)).data?.contact
  const name = row.contact_name ?? row.contact_email ?? (contact === undefined ? null : nameOf(contact))
  const commands = useActions(row, setOpened)
  // The same keys change the selected conversations while there are some.
  useOfferedCommands(useSelection().size === 0 ? commands : none)
  const close = (): void => setOpened(null)
  return (
    <header className={styles.head}>
      <Link to="/inbox" search className={styles.back} aria-label={conversationText.back}>
        <Arrow to="left" />
      </Link>
      <h1 className={styles.name}>{name}</h1>
      <span className={styles.state}>
        {text.states[row.state]}
        {row.snooze_until === null ? "" : ` · ${longTime(row.snooze_until)}`}
        {row.tags.length === 0 ? "" : ` · ${row.tags.join(", ")}`}
      </span>
      <span role="status">
        <Others contactId={row.contact_id} states={["viewing", "typing"]} />
      </span>
      <div className={styles.actions} role="group" aria-label={conversationText.actions.group}>
        {commands.map(({ hint, label, pick }) => (
          <button key={label} type="button" onClick={pick} aria-keyshortcuts={hint}>
            {label}
          </button>
        ))}
        <button type="button" aria-expanded={isPanelOpen} onClick={onPanel}>
          {conversationText.actions.panel}
        </button>
      </div>
      <Suspense fallback={opened === null ? null : <TypedAhead onClose={close} />}>
        {opened === "snooze" ? <SnoozePalette contactId={row.contact_id} onClose={close} /> : null}
        {opened === "tags" ? <TagEditor row={row} onClose={close} /> : null}
      </Suspense>
      <Suspense fallback={null}>
        {opened === "call" ? (
          <LazyCallDialog contact={{ contactId: row.contact_id, name: name ?? text.unknownContact }} onClose={close} />
        ) : null}
      </Suspense>
    </header>
  )
}
