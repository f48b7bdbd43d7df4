import type { CallRecord, Task } from "@leadloom/client"
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query"
import { useAction } from "../app/Action.ts"
import { type Connection, useConnection } from "../app/Connection.ts"
import { handleEvents } from "../app/Live.ts"
import { readAgain } from "../app/RowCache.ts"
import { noticeSuccess } from "../component/Notices.tsx"
import { callText } from "../text/Call.ts"

/** A call and the name of its contact. */
export interface CallProps {
  readonly call: CallRecord
  readonly name: string
}

/** The unfinished tasks to call back. */
export type CallBackTasks = ReadonlyArray<Task>

const byAge = (one: Task, other: Task): number => one.created_at.localeCompare(other.created_at)

/** Returns the task to call back of a call: the first one after it, otherwise the newest one of the contact. */
export const callBackTaskOf = (
  tasks: CallBackTasks | undefined,
  { contact_id, started_at }: Pick<CallRecord, "contact_id" | "started_at">
): Task | undefined => {
  const own = (tasks ?? []).filter((task) => task.contact_id === contact_id).toSorted(byAge)
  return own.find(({ created_at }) => Date.parse(created_at) >= Date.parse(started_at)) ?? own.at(-1)
}

/** As many tasks as one page of the API contains. An older task beyond them does not replace the button. */
const maxTasks = 100

const missedStatuses: ReadonlySet<CallRecord["status"]> = new Set(["no_answer", "busy", "canceled", "failed"])

/** Returns whether nobody has answered a call of the contact. */
export const isMissed = ({ direction, status }: CallRecord): boolean =>
  direction === "inbound" && missedStatuses.has(status)

const tasksOptions = ({ client, tenantId }: Connection) =>
  queryOptions({
    queryKey: [tenantId, "call-back-tasks"] as const,
    queryFn: async ({ signal }): Promise<CallBackTasks> => {
      const filter = { type: "callback", limit: maxTasks, signal } as const
      const pages = await Promise.all(
        (["snoozed", "open"] as const).map((status) => client.tasks.list(tenantId, { ...filter, status }))
      )
      return pages.flatMap(({ tasks }) => tasks)
    }
  })

handleEvents((queries, connection, { event_type }) => {
  if (!event_type.startsWith("task.")) return
  const { queryKey } = tasksOptions(connection)
  void readAgain("call-back-tasks", () => queries.invalidateQueries({ queryKey }))
})

/** Returns the unfinished tasks to call back; undefined until they are known. */
export const useCallBackTasks = (): CallBackTasks | undefined => useQuery(tasksOptions(useConnection())).data

/** Returns the function that creates the task to call back. The task belongs to the person who creates it. */
export const useCallBack = () => {
  const queries = useQueryClient()
  const connection = useConnection()
  const { client, tenantId, userId } = connection
  return useAction(
    ({ call, name }: CallProps) =>
      client.tasks.create(tenantId, {
        type: "callback",
        title: callText.taskTitle(name),
        contact_id: call.contact_id,
        lead_id: call.lead_id,
        assignee_id: userId
      }),
    {
      onSuccess: (task) => {
        noticeSuccess(callText.taskCreated(task.title))
        queries.setQueryData(tasksOptions(connection).queryKey, (known) =>
          known === undefined ? undefined : [...known, task]
        )
      }
    }
  )
}
