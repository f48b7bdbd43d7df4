/**
 * Building blocks that know neither the API nor a page. Requests do not belong in this folder. Tests:
 * `packages/console/test`.
 */
import { type ReactNode, useEffect, useMemo, useState, useSyncExternalStore } from "react"
import { text } from "../text/Shared.ts"
import styles from "./Notices.module.css"

/** A short message about the outcome of an action. */
interface Notice {
  readonly id: number
  readonly kind: "success" | "failure"
  readonly message: string
  /** The place at which the person can solve the problem. */
  readonly link?: ReactNode
  /** Present while the action can be undone. */
  readonly undo?: { readonly seconds: number; readonly run: () => void }
}

/**
 * The times after which a notice disappears, in milliseconds. A failure also disappears when the person opens another page.
 * Screen readers have announced it by then.
 */
const successMillis = 4_000
const failureMillis = 30_000
const maxNotices = 3

let notices: ReadonlyArray<Notice> = []
let lastId = 0
const listeners = new Set<() => void>()

const replace = (next: ReadonlyArray<Notice>): void => {
  notices = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const dismiss = (id: number): void => replace(notices.filter((notice) => notice.id !== id))

const add = (notice: Omit<Notice, "id">): number => {
  const id = ++lastId
  // A second attempt may fail like the first one. The same failure is shown once.
  const isSame = ({ kind, message }: Notice): boolean => kind === "failure" && message === notice.message
  replace([...notices.filter((shown) => !isSame(shown)), { ...notice, id }].slice(-maxNotices))
  return id
}

export const noticeSuccess = (message: string): void => {
  const id = add({ kind: "success", message })
  setTimeout(() => dismiss(id), successMillis)
}

export const noticeFailure = (message: string, link: ReactNode = null): void => {
  const id = add({ kind: "failure", message, link })
  setTimeout(() => dismiss(id), failureMillis)
}

/** Removes the failures, because they do not concern the page that the person opens. */
export const dismissFailures = (): void => {
  if (notices.some(({ kind }) => kind === "failure")) replace(notices.filter(({ kind }) => kind !== "failure"))
}

/** Says that an action took effect or takes effect after some seconds, and offers to undo it until then. */
export const noticeUndo = (message: string, seconds: number, run: () => void, link: ReactNode = null): void => {
  const id = add({ kind: "success", message, link, undo: { seconds, run } })
  setTimeout(() => dismiss(id), seconds * 1_000)
}

const undoNotice = ({ id, undo }: Notice): void => {
  dismiss(id)
  undo?.run()
}

const latestUndoable = (): Notice | undefined => notices.findLast(({ undo }) => undo !== undefined)

/** Returns the function that undoes the latest action; null if there is none. */
export const useLatestUndo = (): (() => void) | null => {
  const latest = useSyncExternalStore(subscribe, latestUndoable)
  return useMemo(() => (latest === undefined ? null : () => undoNotice(latest)), [latest])
}

/** The seconds that are left. Screen readers hear the message once instead. */
const Countdown = ({ seconds }: { readonly seconds: number }) => {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    const timer = setInterval(() => setLeft((current) => Math.max(0, current - 1)), 1_000)
    return () => clearInterval(timer)
  }, [])
  return <span aria-hidden="true">{left}</span>
}

/** Shows the notices. Screen readers announce them. */
export const Notices = () => {
  const shown = useSyncExternalStore(subscribe, () => notices)
  return (
    <div className={styles.notices} role="region" aria-label={text.shell.notifications} aria-live="polite">
      {shown.map((notice) => (
        <p key={notice.id} className={styles[notice.kind]}>
          <span className={styles.message}>
            {notice.message} {notice.link}
          </span>{" "}
          {notice.undo === undefined ? (
            <button type="button" onClick={() => dismiss(notice.id)}>
              {text.shell.dismiss}
            </button>
          ) : (
            <button type="button" data-once aria-keyshortcuts="z" onClick={() => undoNotice(notice)}>
              {text.shell.undo} <Countdown seconds={notice.undo.seconds} />
            </button>
          )}
        </p>
      ))}
    </div>
  )
}
