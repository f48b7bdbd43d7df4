/** The entry of a thread that the address names, as the link of a search hit does. */
import { useLocation } from "@tanstack/react-router"
import { useEffect } from "react"

/** Returns whether the address names an entry of the thread, and scrolls to it. */
export const useIsNamed = (id: string): boolean => {
  const isNamed = useLocation({ select: ({ hash }) => hash === id })
  useEffect(() => {
    if (isNamed) document.getElementById(id)?.scrollIntoView()
  }, [isNamed, id])
  return isNamed
}

/** The maximum number of pages that are read in search of a named entry: 2,000 messages. */
const maxPages = 40

/** The messages of a conversation before the shown ones. */
export interface OlderMessages {
  readonly read: () => unknown
  readonly isReading: boolean
  /** Why the last request failed; null if it did not. */
  readonly problem: string | null
}

/** Reads older messages until the entry that the address names is shown. Stops when a request fails. */
export const useReadToNamed = (isShown: (id: string) => boolean, pages: number, older: OlderMessages | null): void => {
  const id = useLocation({ select: ({ hash }) => hash })
  const isMissing = id !== "" && !isShown(id)
  const reads = isMissing && older !== null && !older.isReading && older.problem === null && pages < maxPages
  const read = older?.read
  useEffect(() => {
    if (reads) read?.()
  }, [reads, read])
}
