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
import { noticeFailure, noticeUndo } from "../component/Notices.tsx"
import { TypedAhead } from "../dialog/TypedAhead.tsx"
import { LazyCallDialog } from "../contact/call/CallButton.tsx"
import { contactOptions } from "../contact/ContactData.ts"
import { callText } from "../text/Call.ts"
import { conversationText } from "../text/Conversation.ts"
import { text } from "../text/Shared.ts"
import { weekdayTime } from "../design/Time.ts"
import { useChange } from "../inbox/Change.ts"
import { keyName } from "../app/Keys.ts"
import { useTeamNames, useUserNames } from "../app/Users.ts"
import { undoSeconds, wayBack } from "../inbox/WayBack.ts"
import { Others } from "../composer/Others.tsx"
import styles from "./ConversationHead.module.css"
import { useSelection } from "../inbox/Selection.ts"
import { TagEditor } from "./TagEditor.tsx"
import { useOpenNext } from "./OpenNext.ts"

const SnoozePalette = lazy(() => import("./SnoozePalette.tsx").then((module) => ({ default: module.SnoozePalette })))
const AssigneePalette = lazy(() =>
  import("../inbox/AssigneePalette.tsx").then((module) => ({ default: module.AssigneePalette }))
)

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

type Opened = "assignee" | "call" | "snooze" | "tags" | null

/** A command of the conversation. Narrow windows show the secondary ones on request. */
interface HeadCommand extends Command {
  readonly isSecondary?: true
}

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
      const closing = { state: "closed" } as const
      change(closing)
      noticeUndo(conversationText.actions.closed, undoSeconds, () => change(wayBack(row, closing)))
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
    const snooze: Command =
      row.state === "snoozed"
        ? { label: conversationText.actions.unsnooze, hint: "b", pick: () => change({ snooze_until: null }) }
        : { label: conversationText.actions.snooze, hint: "b", pick: () => open("snooze") }
    const assignTo = { label: conversationText.actions.assignTo, hint: "shift+i", pick: () => open("assignee") }
    const commands: ReadonlyArray<HeadCommand> = [
      toggle,
      ...assign,
      snooze,
      { ...assignTo, isSecondary: true },
      { label: conversationText.actions.tag, hint: "l", pick: () => open("tags"), isSecondary: true },
      { label: conversationText.actions.markUnread, hint: "shift+u", pick: markUnread, isSecondary: true },
      ...(mayCall ? [{ label: callText.place.short, pick: () => open("call"), isSecondary: true as const }] : []),
      { label: conversationText.actions.why, hint: "w", pick: openDecision, isSecondary: true }
    ]
    return commands
  }, [row, userId, mayCall, change, navigate, open, openDecision, openNext])
}

const none: ReadonlyArray<Command> = []

interface HeadProps {
  readonly row: Conversation
  readonly isPanelOpen: boolean
  readonly onPanel: () => void
}

/** Returns the state of the conversation in words: also who has it, and its tags. */
const useStateText = (row: Conversation): string => {
  const [users, teams] = [useUserNames(), useTeamNames()]
  const { assignee_id: assignee, snooze_until: until, tags, team_id: team } = row
  const parts = [
    text.states[row.state] + (until === null ? "" : ` until ${weekdayTime(until)}`),
    assignee === null ? undefined : users.get(assignee),
    team === null ? undefined : teams.get(team),
    tags.length === 0 ? undefined : tags.join(", ")
  ]
  return parts.filter((part) => part !== undefined).join(" · ")
}

interface ActionsProps extends Pick<HeadProps, "isPanelOpen" | "onPanel"> {
  readonly commands: ReadonlyArray<HeadCommand>
}

/** The buttons of the commands. */
const Actions = ({ commands, isPanelOpen, onPanel }: ActionsProps) => {
  const [showsAll, setShowsAll] = useState(false)
  const classOf = (isSecondary: boolean) => (isSecondary && !showsAll ? styles.secondary : undefined)
  return (
    <div className={styles.actions} role="group" aria-label={conversationText.actions.group}>
      {commands.map(({ hint, isSecondary = false, label, pick }) => (
        <button
          key={label}
          type="button"
          className={classOf(isSecondary)}
          title={hint === undefined ? undefined : keyName(hint)}
          aria-keyshortcuts={hint}
          onClick={pick}
        >
          {label}
        </button>
      ))}
      <button type="button" className={classOf(true)} aria-expanded={isPanelOpen} onClick={onPanel}>
        {conversationText.actions.panel}
      </button>
      <button
        type="button"
        className={styles.moreActions}
        aria-expanded={showsAll}
        onClick={() => setShowsAll(!showsAll)}
      >
        {conversationText.actions.more}
      </button>
    </div>
  )
}

/** The name and the actions of the open conversation. */
export const ConversationHead = ({ isPanelOpen, onPanel, row }: HeadProps) => {
  const [opened, setOpened] = useState<Opened>(null)
  // The row has no number, which is all that is known about some contacts.
  const contact = useQuery(contactOptions(useConnection(), row.contact_id)).data?.contact
  const name = row.contact_name ?? row.contact_email ?? (contact === undefined ? null : nameOf(contact))
  const change = useChange(row.contact_id)
  const commands = useActions(row, setOpened)
  // The same keys change the selected conversations while there are some.
  useOfferedCommands(useSelection().size === 0 ? commands : none)
  const close = (): void => setOpened(null)
  const snooze = (until: Date): void => {
    const snoozing = { snooze_until: until.toISOString() }
    change(snoozing)
    const done = conversationText.snooze.done(weekdayTime(snoozing.snooze_until))
    noticeUndo(done, undoSeconds, () => change(wayBack(row, snoozing)))
  }
  return (
    <header className={styles.head}>
      <Link to="/inbox" search className={styles.back} aria-label={conversationText.back}>
        <Arrow to="left" />
      </Link>
      <h1 className={styles.name}>{name}</h1>
      <span className={styles.state}>{useStateText(row)}</span>
      <span role="status">
        <Others contactId={row.contact_id} states={["viewing", "typing"]} />
      </span>
      <Actions commands={commands} isPanelOpen={isPanelOpen} onPanel={onPanel} />
      <Suspense fallback={opened === null ? null : <TypedAhead onClose={close} />}>
        {opened === "snooze" ? <SnoozePalette onSnooze={snooze} onClose={close} /> : null}
        {opened === "tags" ? <TagEditor row={row} onClose={close} /> : null}
        {opened === "assignee" ? <AssigneePalette current={row} onChoose={change} onClose={close} /> : null}
      </Suspense>
      <Suspense fallback={null}>
        {opened === "call" ? (
          <LazyCallDialog contact={{ contactId: row.contact_id, name: name ?? text.unknownContact }} onClose={close} />
        ) : null}
      </Suspense>
    </header>
  )
}
