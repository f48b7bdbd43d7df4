import type { Conversation, ConversationPage } from "@leadloom/client"
import type { InfiniteData } from "@tanstack/react-query"
import { placeIn } from "../app/RowCache.ts"
import { compareRows, type ListFilter, matches } from "./ListFilter.ts"

/** The pages of a conversation list that were read. */
export type ListPages = InfiniteData<ConversationPage, unknown>

/** Returns the rows of a list in their order. */
export const rowsOf = (pages: ListPages | undefined): ReadonlyArray<Conversation> =>
  pages?.pages.flatMap((page) => page.conversations) ?? []

const without = (pages: ListPages, contactId: string): ListPages => ({
  ...pages,
  pages: pages.pages.map((page) =>
    page.conversations.some((row) => row.contact_id === contactId)
      ? { ...page, conversations: page.conversations.filter((row) => row.contact_id !== contactId) }
      : page
  )
})

/** Inserts a row at its place. */
const withRow = (pages: ListPages, row: Conversation, sort: ListFilter["sort"]): ListPages => {
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

/** Puts the current row of a conversation into a list: at its place, or out of the list if it no longer matches. */
export const putRow = (pages: ListPages, row: Conversation, filter: ListFilter): ListPages => {
  const isListed = rowsOf(pages).some((other) => other.contact_id === row.contact_id)
  const removed = isListed ? without(pages, row.contact_id) : pages
  return (matches(filter, row) ?? isListed) ? withRow(removed, row, filter.sort) : removed
}
