/**
 * The inbox: the list of conversations, its filters and live updates. The open conversation belongs in `conversation`. Tests:
 * `packages/console/test`.
 */
import type { Conversation } from "@leadloom/client"
import { useInfiniteQuery } from "@tanstack/react-query"
import { Outlet, useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef } from "react"
import { type Command, useOfferedCommands } from "../app/Commands.ts"
import { useConnection } from "../app/Connection.ts"
import { handleEvents, useLiveState } from "../app/Live.ts"
import { useMay } from "../app/Permissions.ts"
import { problemText } from "../app/Problem.ts"
import { MoreFailure, useNextPage } from "../app/Rows.tsx"
import { noticeSuccess } from "../component/Notices.tsx"
import { Loading, Problem } from "../component/Problem.tsx"
import { conversationText } from "../text/Conversation.ts"
import { inboxText } from "../text/Inbox.ts"
import { text } from "../text/Shared.ts"
import { BulkBar } from "./BulkBar.tsx"
import { listOptions } from "./Cache.ts"
import { ConversationList, readAhead } from "./ConversationList.tsx"
import { Filters } from "./Filters.tsx"
import styles from "./InboxPage.module.css"
import { applyEvent } from "./Live.ts"
import { nextUnread, rememberPlace, rowBeside } from "./Neighbour.ts"
import { rowsOf } from "./PatchList.ts"
import { useUserNames } from "../app/Users.ts"

handleEvents(applyEvent)

type ReadList = ReturnType<typeof useList>

const useList = (isReady: boolean) => {
  const connection = useConnection()
  const filter = useSearch({ from: "/signed-in/inbox" })
  const options = listOptions(connection, filter)
  const list = useInfiniteQuery({ ...options, enabled: isReady })
  return { list, next: useNextPage(list, options.queryKey) }
}

/** The list, or the reason why there is none. */
const ListBody = ({ list, next, rows }: ReadList & { readonly rows: ReadonlyArray<Conversation> }) => {
  const filter = useSearch({ from: "/signed-in/inbox" })
  const navigate = useNavigate()
  const users = useUserNames()
  if (list.isPending) return <Loading />
  if (list.isError && list.data === undefined) {
    return <Problem message={problemText(list.error)} onRetry={() => void list.refetch()} />
  }
  if (rows.length > 0) {
    return (
      <>
        <ConversationList rows={rows} users={users} hasMore={next.hasMore} onMore={next.onMore} />
        <MoreFailure list={next} />
      </>
    )
  }
  const isPlain = Object.keys(filter).length === 0
  return (
    <div className={styles.empty}>
      <p>{isPlain ? inboxText.empty : inboxText.filtered}</p>
      <button type="button" onClick={() => void navigate({ to: ".", search: isPlain ? { state: "any" } : {} })}>
        {isPlain ? inboxText.showAll : inboxText.clear}
      </button>
    </div>
  )
}

/**
 * Reads the next page before the keys reach the last read row, because a narrow window hides the list while a
 * conversation is open.
 */
const useReadAhead = ({ hasMore, onMore }: ReadList["next"], rows: ReadonlyArray<Conversation>): void => {
  const { contactId } = useParams({ strict: false })
  const readMore = useEffectEvent(onMore)
  useEffect(() => {
    if (!hasMore || contactId === undefined) return
    const left = rows.length - 1 - rows.findIndex((row) => row.contact_id === contactId)
    if (left < readAhead) readMore()
  }, [hasMore, contactId, rows])
}

const useListCommands = (rows: ReadonlyArray<Conversation>): void => {
  const filter = useSearch({ from: "/signed-in/inbox" })
  const navigate = useNavigate()
  const { contactId = null } = useParams({ strict: false })
  // The conversation that a key has chosen and that is not shown yet, so that fast keys do not repeat one step.
  const chosen = useRef(contactId)
  useEffect(() => {
    chosen.current = contactId
  }, [contactId])
  const commands = useMemo((): ReadonlyArray<Command> => {
    const open = (target: string | null): void => {
      if (target === null) return
      chosen.current = target
      void navigate({ to: "/inbox/$contactId", params: { contactId: target }, search: true })
    }
    const openUnread = (): void => {
      const found = nextUnread(rows, chosen.current)
      if (found === null) noticeSuccess(conversationText.actions.noNextUnread)
      open(found)
    }
    return [
      { label: text.commands.nextUnread, hint: "n", pick: openUnread },
      { label: text.commands.next, hint: "j", pick: () => open(rowBeside(filter, rows, chosen.current, 1)) },
      { label: text.commands.previous, hint: "k", pick: () => open(rowBeside(filter, rows, chosen.current, -1)) }
    ]
  }, [filter, rows, navigate])
  // Before a key is pressed that continues from this place.
  useLayoutEffect(() => {
    if (contactId !== null) rememberPlace(filter, rows, contactId)
  }, [filter, rows, contactId])
  useOfferedCommands(commands)
}

/** The page with the list of conversations and the open conversation. */
export const InboxPage = () => {
  const { list, next } = useList(useLiveState() !== "connecting")
  const { contactId } = useParams({ strict: false })
  const rows = useMemo(() => rowsOf(list.data), [list.data])
  useReadAhead(next, rows)
  useListCommands(rows)
  const mayChange = useMay("inbox.bulk")
  return (
    <div className={contactId === undefined ? styles.listOnly : styles.withConversation}>
      <section className={styles.list} aria-label={inboxText.title}>
        <Filters />
        {mayChange ? <BulkBar rows={rows} contactId={contactId ?? null} /> : null}
        <ListBody list={list} next={next} rows={rows} />
      </section>
      <main className={styles.main}>
        <Outlet />
      </main>
    </div>
  )
}
