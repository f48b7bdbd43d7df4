import type { Conversation } from "@leadloom/client"
import { Link, useParams } from "@tanstack/react-router"
import { useVirtualizer } from "@tanstack/react-virtual"
import { memo, useCallback, useEffect, useEffectEvent, useRef } from "react"
import { useContactNames } from "../app/ContactNames.ts"
import { useNow } from "../component/Now.ts"
import { inboxText } from "../text/Inbox.ts"
import { text } from "../text/Shared.ts"
import { durationSince, shortTime, weekdayTime } from "../design/Time.ts"
import styles from "./ConversationList.module.css"
import { toggleSelected, useIsSelected } from "./Selection.ts"

/** The height of a row in pixels, as in the style sheet. */
const rowHeight = 84
/** The next page is read when fewer rows than this are left. */
export const readAhead = 30

/** Returns the ids of contacts that have neither a name nor an address, so that only a number identifies them. */
const withoutName = (rows: ReadonlyArray<Conversation>): ReadonlyArray<string> =>
  rows.flatMap((row) => (row.contact_name === null && row.contact_email === null ? [row.contact_id] : []))

const isTier = (tier: string | null): tier is keyof typeof text.tiers => tier !== null && tier in text.tiers

/** Returns the state of a conversation that nobody works on. */
const awayText = ({ snooze_until: until }: Conversation): string =>
  until === null ? inboxText.closed : inboxText.snoozedUntil(weekdayTime(until))

const Badges = ({ now, row }: { readonly row: Conversation; readonly now: number }) => (
  <span className={styles.badges}>
    <span>{text.channels[row.last_channel]}</span>
    {isTier(row.score_tier) ? <span className={styles[row.score_tier]}>{text.tiers[row.score_tier]}</span> : null}
    {row.state === "open" ? null : <span className={styles.away}>{awayText(row)}</span>}
    {row.waiting_since === null ? null : <span>{inboxText.waiting(durationSince(row.waiting_since, now))}</span>}
    {row.unread === 0 ? null : (
      <span className={styles.unread} aria-label={inboxText.unread(row.unread)}>
        {row.unread}
      </span>
    )}
  </span>
)

interface RowProps {
  readonly row: Conversation
  readonly name: string
  readonly assignee: string | null
  readonly now: number
  readonly top: number
  readonly position: number
  readonly size: number
}

const Row = memo(({ assignee, name, now, position, row, size, top }: RowProps) => {
  const isSelected = useIsSelected(row.contact_id)
  return (
    <li
      className={isSelected ? styles.selected : styles.row}
      style={{ transform: `translateY(${top}px)` }}
      aria-posinset={position}
      aria-setsize={size}
    >
      <input
        type="checkbox"
        className={styles.check}
        aria-label={inboxText.bulk.select(name)}
        checked={isSelected}
        onChange={() => toggleSelected(row.contact_id)}
      />
      <Link to="/inbox/$contactId" params={{ contactId: row.contact_id }} search className={styles.link}>
        <span className={styles.head}>
          <span className={row.unread > 0 ? styles.bold : styles.name}>{name}</span>
          <time dateTime={row.last_timestamp}>{shortTime(row.last_timestamp, now)}</time>
        </span>
        <span className={styles.snippet}>{row.last_message}</span>
        <span className={styles.foot}>
          <Badges row={row} now={now} />
          <span className={styles.assignee}>{assignee}</span>
        </span>
      </Link>
    </li>
  )
})

interface ListProps {
  readonly rows: ReadonlyArray<Conversation>
  /** The names of users by id. */
  readonly users: ReadonlyMap<string, string>
  readonly hasMore: boolean
  readonly onMore: () => unknown
}

/** The list of conversations. Only the visible rows are in the document. */
export const ConversationList = ({ hasMore, onMore, rows, users }: ListProps) => {
  const scroller = useRef<HTMLDivElement>(null)
  const { contactId } = useParams({ strict: false })
  const now = useNow()
  // The list computes the places of all rows again if this function changes.
  const getItemKey = useCallback((index: number) => rows[index]?.contact_id ?? index, [rows])
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey,
    overscan: 8
  })
  const items = list.getVirtualItems()
  const numbers = useContactNames(withoutName(items.flatMap(({ index }) => rows[index] ?? [])))
  const last = items.at(-1)?.index ?? 0
  const readMore = useEffectEvent(onMore)
  useEffect(() => {
    if (hasMore && last >= rows.length - readAhead) readMore()
  }, [hasMore, last, rows.length])
  // Scrolls when the person opens another conversation, not when the rows change.
  const show = useEffectEvent((opened: string | undefined) => {
    const index = rows.findIndex((row) => row.contact_id === opened)
    if (index >= 0) list.scrollToIndex(index)
  })
  useEffect(() => show(contactId), [contactId])
  return (
    <div ref={scroller} className={styles.scroller}>
      <ul className={styles.rows} style={{ blockSize: list.getTotalSize() }}>
        {items.map((item) => {
          const row = rows[item.index]
          if (row === undefined) return null
          return (
            <Row
              key={item.key}
              row={row}
              name={row.contact_name ?? row.contact_email ?? numbers.get(row.contact_id) ?? text.unknownContact}
              now={now}
              assignee={row.assignee_id === null ? null : (users.get(row.assignee_id) ?? null)}
              top={item.start}
              position={item.index + 1}
              size={hasMore ? -1 : rows.length}
            />
          )
        })}
      </ul>
    </div>
  )
}
