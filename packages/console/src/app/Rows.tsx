import { infiniteQueryOptions, useInfiniteQuery, type UseInfiniteQueryResult } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { Loading, MoreProblem, Problem } from "../component/Problem.tsx"
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

/** How to read more of a list. */
interface NextPage {
  /** Whether the next page can be read. False after it could not be read, so that nothing reads it again and again. */
  readonly hasMore: boolean
  /** Why the next page could not be read. */
  readonly moreError: Error | null
  readonly onMore: () => void
}

/** The rows of a list that were read, and how to read more. */
export interface RowList<Row> extends NextPage {
  /** Undefined until the first page is read. */
  readonly rows: ReadonlyArray<Row> | undefined
  readonly error: Error | null
  readonly onRetry: () => void
}

/** The parts of a list that decide about its next page. */
type ReadList = Pick<
  UseInfiniteQueryResult<unknown>,
  "error" | "fetchNextPage" | "hasNextPage" | "isFetching" | "isFetchNextPageError"
>

/**
 * Reads the next page of a list. After a failure, it waits for the person or for the end of the outage, also if an event
 * has changed the rows, which clears the error of the list itself.
 */
export const useNextPage = (list: ReadList, queryKey: ReadonlyArray<unknown>): NextPage => {
  const { fetchNextPage, hasNextPage, isFetchNextPageError, isFetching } = list
  const live = useLiveState()
  const [known, setKnown] = useState(live)
  const name = JSON.stringify(queryKey)
  const [failed, setFailed] = useState<{ readonly name: string; readonly error: Error } | null>(null)
  const read = async (): Promise<void> => {
    setFailed(null)
    // Two readers of the list may ask at once. The second one does not replace the request of the first one.
    const { error, isFetchNextPageError: isFailed } = await fetchNextPage({ cancelRefetch: false })
    if (isFailed && error !== null) setFailed({ name, error })
  }
  if (live !== known) {
    setKnown(live)
    if (live === "live") setFailed(null)
  }
  const moreError = failed?.name === name ? failed.error : isFetchNextPageError ? list.error : null
  return {
    hasMore: hasNextPage && !isFetching && moreError === null,
    moreError,
    onMore: () => void read()
  }
}

/** Reads a list page by page, after the event stream has started. */
export const useRows = <Row,>(options: ReturnType<typeof rowsOptions<Row>>): RowList<Row> => {
  const isReady = useLiveState() !== "connecting"
  const list = useInfiniteQuery({ ...options, enabled: isReady })
  const next = useNextPage(list, options.queryKey)
  return {
    rows: list.data?.pages.flatMap((page) => page.rows),
    error: list.error,
    ...next,
    onRetry: () => void list.refetch()
  }
}

/** Says that the next page of a list could not be read, and reads it again when the person wants it. */
export const MoreFailure = ({
  list: { moreError, onMore }
}: {
  readonly list: Pick<RowList<never>, "moreError" | "onMore">
}) => (moreError === null ? null : <MoreProblem message={problemText(moreError)} onRetry={onMore} />)

interface ShownRowsProps<Row> {
  readonly list: RowList<Row>
  /** What the person sees instead of an empty list. */
  readonly empty: ReactNode
  readonly children: (rows: ReadonlyArray<Row>) => ReactNode
}

/** Shows the rows of a list, or the reason why there are none. */
export const ShownRows = <Row,>({ children, empty, list }: ShownRowsProps<Row>) => {
  const { error, onRetry, rows } = list
  if (rows !== undefined)
    return (
      <>
        {rows.length === 0 ? empty : children(rows)}
        <MoreFailure list={list} />
      </>
    )
  return error === null ? <Loading /> : <Problem message={problemText(error)} onRetry={onRetry} />
}
