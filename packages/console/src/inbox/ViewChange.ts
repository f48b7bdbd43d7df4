import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useConnection } from "../app/Connection.ts"
import { problemText } from "../app/Problem.ts"
import { noticeFailure } from "../component/Notices.tsx"
import { inboxText } from "../text/Inbox.ts"

/** The key of the saved views in the cache. */
export const viewsKey = (tenantId: string) => [tenantId, "views"] as const

/** Returns the function that changes the saved views, and then reads them again. */
export const useViewChange = () => {
  const queries = useQueryClient()
  const { tenantId } = useConnection()
  const { mutate } = useMutation({
    mutationFn: (change: () => PromiseLike<unknown>) => Promise.resolve(change()),
    onError: (error) => noticeFailure(inboxText.views.failed(problemText(error))),
    onSettled: () => queries.invalidateQueries({ queryKey: viewsKey(tenantId) })
  })
  return mutate
}
