import type { UseQueryResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { Loading, Problem } from "../component/Problem.tsx"
import { problemText } from "./Problem.ts"

interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>
  readonly children: (data: Data) => ReactNode
}

/** Shows the response of a request, or the reason why there is none. */
export const Loaded = <Data,>({ children, query }: LoadedProps<Data>) => {
  if (query.data !== undefined) return children(query.data)
  if (query.error === null) return <Loading />
  return <Problem message={problemText(query.error)} onRetry={() => void query.refetch()} />
}
