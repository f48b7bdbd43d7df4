import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { Loading, Problem } from "../component/Problem.tsx"
import { useLiveState } from "./Live.ts"
import { problemText } from "./Problem.ts"

/** A page of a list, whatever the API calls its rows. */
export interface RowPage<Row> {
  readonly rows: ReadonlyArray<Row>
  readonly next: string | null
}

type Read<Row> = (cursor: string | undefined, signal: AbortSignal) => Promise<RowPage<Row>>

/** The request of a list, page by page. */
export const rowsOptions = <Row,>(queryKey: ReadonlyArray<unknown>, read: Read<Row>) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined
  })

/** The rows of a list that were read, and how to read more. */
export interface RowList<Row> {
  /** Undefined until the first page is read. */
  readonly rows: ReadonlyArray<Row> | undefined
  readonly error: Error | null
  readonly hasMore: boolean
  readonly onMore: () => unknown
  readonly onRetry: () => void
}

/** Reads a list page by page, after the event stream has started. */
export const useRows = <Row,>(options: ReturnType<typeof rowsOptions<Row>>): RowList<Row> => {
  const isReady = useLiveState() !== "connecting"
  const list = useInfiniteQuery({ ...options, enabled: isReady })
  return {
    rows: list.data?.pages.flatMap((page) => page.rows),
    error: list.error,
    hasMore: list.hasNextPage && !list.isFetching,
    onMore: list.fetchNextPage,
    onRetry: () => void list.refetch()
  }
}

interface ShownRowsProps<Row> {
  readonly list: RowList<Row>
  /** What the person sees instead of an empty list. */
  readonly empty: ReactNode
  readonly children: (rows: ReadonlyArray<Row>) => ReactNode
}

/** Shows the rows of a list, or the reason why there are none. */
export const ShownRows = <Row,>({ children, empty, list }: ShownRowsProps<Row>) => {
  const { error, onRetry, rows } = list
  if (rows !== undefined) return rows.length === 0 ? empty : children(rows)
  return error === null ? <Loading /> : <Problem message={problemText(error)} onRetry={onRetry} />
}
