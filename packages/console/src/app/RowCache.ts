import type { InfiniteData, Query, QueryClient } from "@tanstack/react-query"
import type { RowPage } from "./Rows.tsx"

type Pages<Row> = InfiniteData<RowPage<Row>, unknown>

interface Identified {
  readonly id: string
}

/** Decides where rows belong. The last element of the key of a list contains its filters. */
export interface Placement<Row, Filter> {
  /** Returns whether a row belongs to a list; null if only the server can decide. */
  readonly belongs: (filter: Filter, row: Row) => boolean | null
  /** Compares two rows in the order of a list. Null means that new rows appear only when the list is read. */
  readonly compare: (filter: Filter) => ((one: Row, other: Row) => number) | null
}

/** Compares two ids or times by their characters, as the server does. `localeCompare` ignores or reorders some of them. */
export const compareText = (one: string, other: string): number => (one < other ? -1 : Number(one > other))

const mapPages = <Row>(pages: Pages<Row>, change: (rows: ReadonlyArray<Row>) => ReadonlyArray<Row>): Pages<Row> => ({
  ...pages,
  pages: pages.pages.map((page) => ({ ...page, rows: change(page.rows) }))
})

/** The place of a row in a list of pages. */
interface Place {
  readonly page: number
  readonly at: number
}

/**
 * Returns the place before the first row that follows. Null means that the row comes after the last read one, so that it
 * is read with its page later.
 */
export const placeIn = <Row>(
  pages: ReadonlyArray<ReadonlyArray<Row>>,
  isComplete: boolean,
  follows: (other: Row) => boolean
): Place | null => {
  const found = pages.findIndex((rows) => rows.some(follows))
  if (found >= 0) return { page: found, at: pages[found]?.findIndex(follows) ?? 0 }
  const last = pages.length - 1
  return isComplete && last >= 0 ? { page: last, at: pages[last]?.length ?? 0 } : null
}

const insert = <Row>(pages: Pages<Row>, row: Row, compare: (one: Row, other: Row) => number): Pages<Row> => {
  const rows = pages.pages.map((page) => page.rows)
  const place = placeIn(rows, pages.pages.at(-1)?.next === null, (other) => compare(row, other) < 0)
  if (place === null) return pages
  return {
    ...pages,
    pages: pages.pages.map((page, index) =>
      index === place.page ? { ...page, rows: page.rows.toSpliced(place.at, 0, row) } : page
    )
  }
}

const placed = <Row extends Identified, Filter>(
  pages: Pages<Row>,
  row: Row,
  filter: Filter,
  { belongs, compare }: Placement<Row, Filter>
): Pages<Row> => {
  const former = pages.pages.flatMap((page) => page.rows).find(({ id }) => id === row.id)
  const order = compare(filter)
  const isWanted = belongs(filter, row) ?? former !== undefined
  // A row stays where it is unless its place in the order changes, because rows can be equal in it.
  if (former !== undefined && isWanted && (order === null || order(row, former) === 0)) {
    return mapPages(pages, (rows) => rows.map((one) => (one.id === row.id ? row : one)))
  }
  const without = former === undefined ? pages : mapPages(pages, (rows) => rows.filter(({ id }) => id !== row.id))
  return isWanted && order !== null ? insert(without, row, order) : without
}

/**
 * Changes a response in the cache. If the response is being read, the change is applied again after the read, because the
 * read may have begun before the change and then replaces it. A list that must be read again when it is next shown stays
 * so, although new data counts as current.
 */
export const patchData = <Data>(queries: QueryClient, query: Query, change: (data: Data) => Data): void => {
  const patch = (): void => {
    const { queryKey, state } = query
    if (state.data === undefined) return
    queries.setQueryData<Data>(queryKey, (data) => (data === undefined ? undefined : change(data)))
    if (state.isInvalidated) void queries.invalidateQueries({ queryKey, exact: true, refetchType: "none" })
  }
  const isRead = query.state.fetchStatus === "fetching"
  patch()
  // A failed or canceled read leaves the change in the cache.
  if (isRead) query.promise?.then(patch, () => undefined)
}

/** Returns the function that restores the lists of a key. */
const restorer = (queries: QueryClient, queryKey: ReadonlyArray<unknown>): (() => void) => {
  const former = queries
    .getQueryCache()
    .findAll({ queryKey })
    .map((query) => [query, query.state.data] as const)
  return () => {
    for (const [query, data] of former) {
      if (data === undefined) void queries.invalidateQueries({ queryKey: query.queryKey, exact: true })
      else patchData(queries, query, () => data)
    }
  }
}

/**
 * Puts the current row into the lists of a key: at its place, or out of a list to which it no longer belongs. Returns the
 * function that restores the lists.
 */
export const putRow = <Row extends Identified, Filter>(
  queries: QueryClient,
  queryKey: ReadonlyArray<unknown>,
  row: Row,
  placement: Placement<Row, Filter>
): (() => void) => {
  const restore = restorer(queries, queryKey)
  for (const query of queries.getQueryCache().findAll({ queryKey })) {
    const filter = query.queryKey.at(-1) as Filter
    patchData<Pages<Row>>(queries, query, (pages) => placed(pages, row, filter, placement))
  }
  return restore
}

/** Returns a row that any list of a key contains. */
export const cachedRow = <Row extends Identified>(
  queries: QueryClient,
  queryKey: ReadonlyArray<unknown>,
  id: string
): Row | undefined => {
  for (const [, pages] of queries.getQueriesData<Pages<Row>>({ queryKey })) {
    const found = pages?.pages.flatMap((page) => page.rows).find((row) => row.id === id)
    if (found !== undefined) return found
  }
  return undefined
}

/** Reads the first page of the lists of a key again. Further pages follow when the person scrolls. */
export const refreshRows = (queries: QueryClient, queryKey: ReadonlyArray<unknown>): Promise<void> => {
  queries.setQueriesData<Pages<unknown>>({ queryKey }, (pages) =>
    pages === undefined ? undefined : { pages: pages.pages.slice(0, 1), pageParams: pages.pageParams.slice(0, 1) }
  )
  return queries.invalidateQueries({ queryKey })
}

const running = new Map<string, boolean>()

/**
 * Reads something again after an event. While it is being read, further events cause only one more read. A failed read
 * leaves the former state on the screen; the next event reads again.
 */
export const readAgain = async (key: string, read: () => Promise<unknown>): Promise<void> => {
  if (running.has(key)) {
    running.set(key, true)
    return
  }
  do {
    running.set(key, false)
    await read().catch(() => undefined)
  } while (running.get(key) === true)
  running.delete(key)
}
