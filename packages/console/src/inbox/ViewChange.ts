import { useQueryClient } from "@tanstack/react-query"
import { useAction } from "../app/Action.ts"
import { useConnection } from "../app/Connection.ts"

/** The key of the saved views in the cache. */
export const viewsKey = (tenantId: string) => [tenantId, "views"] as const

/** Returns the function that changes the saved views, and then reads them again. */
export const useViewChange = () => {
  const queries = useQueryClient()
  const { tenantId } = useConnection()
  const [change] = useAction((send: () => PromiseLike<unknown>) => Promise.resolve(send()), {
    onSuccess: () => queries.invalidateQueries({ queryKey: viewsKey(tenantId) })
  })
  return change
}
