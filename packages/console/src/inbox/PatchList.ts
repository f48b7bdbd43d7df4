import type { Conversation, ConversationPage } from "@leadloom/client"
import type { InfiniteData } from "@tanstack/react-query"
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

/** Inserts a row before the first row that follows it. A row after the last read one is read with its page later. */
const withRow = (pages: ListPages, row: Conversation, sort: ListFilter["sort"]): ListPages => {
  const follows = (other: Conversation): boolean => compareRows(sort, row, other) < 0
  const found = pages.pages.findIndex((page) => page.conversations.some(follows))
  const last = pages.pages.length - 1
  if (found < 0 && pages.pages[last]?.next_cursor !== null) return pages
  const target = found < 0 ? last : found
  return {
    ...pages,
    pages: pages.pages.map((page, index) => {
      if (index !== target) return page
      const at = page.conversations.findIndex(follows)
      return { ...page, conversations: page.conversations.toSpliced(at < 0 ? page.conversations.length : at, 0, row) }
    })
  }
}

/** Puts the current row of a conversation into a list: at its place, or out of the list if it no longer matches. */
export const putRow = (pages: ListPages, row: Conversation, filter: ListFilter): ListPages => {
  const isListed = rowsOf(pages).some((other) => other.contact_id === row.contact_id)
  const removed = isListed ? without(pages, row.contact_id) : pages
  return (matches(filter, row) ?? isListed) ? withRow(removed, row, filter.sort) : removed
}
