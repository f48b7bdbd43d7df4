import { useQueryClient } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useCallback, useEffect, useRef } from "react"
import { useConnection } from "../app/Connection.ts"
import { listOptions } from "../inbox/Cache.ts"
import { rowBeside } from "../inbox/Neighbour.ts"
import { rowsOf } from "../inbox/PatchList.ts"

/**
 * Returns the function that opens the conversation after the open one, or the list at its end. Before the list is read,
 * the open one stays until the list arrives, or until the person opens another page.
 */
export const useOpenNext = (contactId: string): (() => void) => {
  const queries = useQueryClient()
  const connection = useConnection()
  const filter = useSearch({ from: "/signed-in/inbox" })
  const navigate = useNavigate()
  const stopWaiting = useRef<() => void>(() => undefined)
  useEffect(() => () => stopWaiting.current(), [])
  return useCallback(() => {
    const { queryKey } = listOptions(connection, filter)
    const open = (): void => {
      const next = rowBeside(filter, rowsOf(queries.getQueryData(queryKey)), contactId, 1)
      if (next === null) void navigate({ to: "/inbox", search: true })
      else void navigate({ to: "/inbox/$contactId", params: { contactId: next }, search: true })
    }
    const isAwaited = (): boolean => queries.getQueryState(queryKey)?.status === "pending"
    if (!isAwaited()) return open()
    stopWaiting.current = queries.getQueryCache().subscribe(() => {
      if (isAwaited()) return
      stopWaiting.current()
      open()
    })
  }, [queries, connection, filter, navigate, contactId])
}
