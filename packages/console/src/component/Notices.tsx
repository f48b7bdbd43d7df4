/**
 * Building blocks that know neither the API nor a page. Requests do not belong in this folder. Tests:
 * `packages/console/test`.
 */
import { useSyncExternalStore } from "react"
import { text } from "../text/Shared.ts"
import styles from "./Notices.module.css"

/** A short message about the outcome of an action. */
interface Notice {
  readonly id: number
  readonly kind: "success" | "failure"
  readonly message: string
}

/** A success disappears after this time in milliseconds. A failure stays until the person dismisses it. */
const successMillis = 4_000
const maxNotices = 3

let notices: ReadonlyArray<Notice> = []
let lastId = 0
const listeners = new Set<() => void>()

const replace = (next: ReadonlyArray<Notice>): void => {
  notices = next
  for (const listener of listeners) listener()
}

const dismiss = (id: number): void => replace(notices.filter((notice) => notice.id !== id))

const add = (kind: Notice["kind"], message: string): void => {
  const id = ++lastId
  replace([...notices, { id, kind, message }].slice(-maxNotices))
  if (kind === "success") setTimeout(() => dismiss(id), successMillis)
}

export const noticeSuccess = (message: string): void => add("success", message)

export const noticeFailure = (message: string): void => add("failure", message)

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shows the notices. Screen readers announce them. */
export const Notices = () => {
  const shown = useSyncExternalStore(subscribe, () => notices)
  return (
    <div className={styles.notices} role="region" aria-label={text.shell.notifications} aria-live="polite">
      {shown.map(({ id, kind, message }) => (
        <p key={id} className={styles[kind]}>
          {message}{" "}
          <button type="button" onClick={() => dismiss(id)}>
            {text.shell.dismiss}
          </button>
        </p>
      ))}
    </div>
  )
}
