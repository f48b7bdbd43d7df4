import type { Conversation, MessagePage } from "@leadloom/client"
import { type InfiniteData, infiniteQueryOptions, type QueryClient } from "@tanstack/react-query"
import type { Connection } from "../app/Connection.ts"
import { patchData, readAgain } from "../app/RowCache.ts"
import { type ListFilter, type ListRequest, requestOf } from "./ListFilter.ts"
import { type ListPages, putRow, rowsOf } from "./PatchList.ts"

/** The messages per page of a conversation. */
const messagesPerPage = 50

/** The pages of a conversation that were read, newest page first. */
export type MessagePages = InfiniteData<MessagePage, unknown>

const listsKey = (tenantId: string) => [tenantId, "conversations"] as const

/** The request of a conversation list, page by page. */
export const listOptions = ({ client, tenantId }: Connection, filter: ListFilter) => {
  const request = requestOf(filter)
  return infiniteQueryOptions({
    queryKey: [...listsKey(tenantId), request] as const,
    queryFn: ({ pageParam, signal }) => client.conversations.list(tenantId, { ...request, cursor: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined
  })
}

/** The request of one conversation, newest page first. */
export const conversationOptions = ({ client, tenantId }: Connection, contactId: string) =>
  infiniteQueryOptions({
    queryKey: [tenantId, "conversation", contactId] as const,
    queryFn: ({ pageParam, signal }) =>
      client.conversations.get(tenantId, contactId, { limit: messagesPerPage, cursor: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined
  })

/** Returns the rows of all lists that were read. A conversation can occur several times. */
export const cachedRows = (queries: QueryClient, tenantId: string): ReadonlyArray<Conversation> =>
  queries.getQueriesData<ListPages>({ queryKey: listsKey(tenantId) }).flatMap(([, pages]) => rowsOf(pages))

/** Returns the row of a conversation from any list or from the open conversation; null if none was read. */
export const cachedRow = (queries: QueryClient, connection: Connection, contactId: string): Conversation | null => {
  const open = queries.getQueryData(conversationOptions(connection, contactId).queryKey)
  if (open?.pages[0] !== undefined) return open.pages[0].conversation
  return cachedRows(queries, connection.tenantId).find((row) => row.contact_id === contactId) ?? null
}

/** Puts the current row of a conversation into every list and into the open conversation. Sends no request. */
export const applyRow = (queries: QueryClient, connection: Connection, row: Conversation): void => {
  const cache = queries.getQueryCache()
  for (const list of cache.findAll({ queryKey: listsKey(connection.tenantId) })) {
    patchData<ListPages>(queries, list, (pages) => putRow(pages, row, list.queryKey[2] as ListRequest))
  }
  const open = cache.find({ queryKey: conversationOptions(connection, row.contact_id).queryKey })
  if (open === undefined) return
  patchData<MessagePages>(queries, open, (pages) => ({
    ...pages,
    pages: pages.pages.map((page, index) => (index === 0 ? { ...page, conversation: row } : page))
  }))
}

/** Puts the newest page into a conversation. Messages that have left this page stay. */
export const mergeNewest = (pages: MessagePages, fresh: MessagePage): MessagePages => {
  const [first, ...older] = pages.pages
  if (first === undefined) return pages
  const known = new Set(fresh.messages.map((message) => message.id))
  const kept = first.messages.filter((message) => !known.has(message.id))
  const merged = { ...fresh, messages: [...kept, ...fresh.messages], next_cursor: first.next_cursor }
  return { ...pages, pages: [merged, ...older] }
}

/** Reads the newest page of a conversation again. Does nothing for a conversation that was not read. */
export const refreshConversation = async (
  queries: QueryClient,
  connection: Connection,
  contactId: string
): Promise<void> => {
  const { queryKey } = conversationOptions(connection, contactId)
  // A read that has begun before may not contain what is new.
  await queries
    .getQueryCache()
    .find({ queryKey })
    ?.promise?.catch(() => undefined)
  if (queries.getQueryData(queryKey) === undefined) return
  const { client, tenantId } = connection
  const fresh = await client.conversations.get(tenantId, contactId, { limit: messagesPerPage })
  queries.setQueryData(queryKey, (pages) => (pages === undefined ? undefined : mergeNewest(pages, fresh)))
}

/**
 * Reads the newest page of a conversation again after an event. A conversation that no page shows is read when it is next
 * opened.
 */
export const refreshAfterEvent = (queries: QueryClient, connection: Connection, contactId: string): void => {
  const query = queries.getQueryCache().find({ queryKey: conversationOptions(connection, contactId).queryKey })
  if (query === undefined) return
  if (query.isActive()) {
    void readAgain(`conversation ${contactId}`, () => refreshConversation(queries, connection, contactId))
  } else query.invalidate()
}
