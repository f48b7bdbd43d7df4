import type { Conversation, ConversationPage } from "@leadloom/client"
import type { InfiniteData } from "@tanstack/react-query"
import { compareText, placeIn } from "../app/RowCache.ts"
import { type ListRequest, matches } from "./ListFilter.ts"

/** The pages of a conversation list that were read. */
export type ListPages = InfiniteData<ConversationPage, unknown>

/** Returns the rows of a list in their order. */
export const rowsOf = (pages: ListPages | undefined): ReadonlyArray<Conversation> =>
  pages?.pages.flatMap((page) => page.conversations) ?? []

const priorities = ["urgent", "high", "normal", "low"] as const

const newestFirst = (one: Conversation, other: Conversation): number =>
  compareText(other.last_timestamp, one.last_timestamp) || compareText(other.contact_id, one.contact_id)

const longestFirst = (one: Conversation, other: Conversation): number =>
  compareText(one.waiting_since ?? "", other.waiting_since ?? "") || compareText(one.contact_id, other.contact_id)

/**
 * Compares two rows in the order of a list. The id decides between equal times, as on the server, so that a row that
 * returns to a list gets its former place.
 */
const compareRows = (sort: ListRequest["sort"], one: Conversation, other: Conversation): number => {
  if (sort === "waiting_since") return longestFirst(one, other)
  if (sort !== "-priority") return newestFirst(one, other)
  return priorities.indexOf(one.priority) - priorities.indexOf(other.priority) || newestFirst(one, other)
}

const without = (pages: ListPages, contactId: string): ListPages => ({
  ...pages,
  pages: pages.pages.map((page) =>
    page.conversations.some((row) => row.contact_id === contactId)
      ? { ...page, conversations: page.conversations.filter((row) => row.contact_id !== contactId) }
      : page
  )
})

/** Inserts a row at its place. */
const withRow = (pages: ListPages, row: Conversation, sort: ListRequest["sort"]): ListPages => {
  const rows = pages.pages.map((page) => page.conversations)
  const isComplete = pages.pages.at(-1)?.next_cursor === null
  const place = placeIn(rows, isComplete, (other) => compareRows(sort, row, other) < 0)
  if (place === null) return pages
  return {
    ...pages,
    pages: pages.pages.map((page, index) =>
      index === place.page ? { ...page, conversations: page.conversations.toSpliced(place.at, 0, row) } : page
    )
  }
}

const replaced = (pages: ListPages, row: Conversation): ListPages => ({
  ...pages,
  pages: pages.pages.map((page) => {
    const position = page.conversations.findIndex((one) => one.contact_id === row.contact_id)
    return position < 0 ? page : { ...page, conversations: page.conversations.with(position, row) }
  })
})

/**
 * Puts the current row of a conversation into a list: at its place, or out of the list if it no longer matches. A row
 * stays where it is unless its place in the order changes, because rows can have the same time.
 */
export const putRow = (pages: ListPages, row: Conversation, filter: ListRequest): ListPages => {
  const former = rowsOf(pages).find((other) => other.contact_id === row.contact_id)
  const isWanted = matches(filter, row) ?? former !== undefined
  if (former === undefined) return isWanted ? withRow(pages, row, filter.sort) : pages
  if (isWanted && compareRows(filter.sort, row, former) === 0) return replaced(pages, row)
  const removed = without(pages, row.contact_id)
  return isWanted ? withRow(removed, row, filter.sort) : removed
}
