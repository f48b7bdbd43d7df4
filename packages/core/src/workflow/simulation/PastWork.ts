import { Effect } from "effect"
import type { Conversation } from "../../domain/conversation/Conversation.ts"
import { conversationOf } from "../../domain/conversation/PastMessage.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { Tasks } from "../../port/repository/lead/Tasks.ts"
import type { SimulatedTime } from "./SimulatedTime.ts"
import type { PastReads } from "./PastReads.ts"

const stateOf = ({ state }: Conversation, isClosed: boolean): Conversation["state"] => {
  if (isClosed) return "closed"
  return state === "closed" ? "open" : state
}

/** Provides conversations as of the simulated time: their waits, leads and closings. Other fields are the present ones. */
export const pastConversations = Effect.fnUntraced(function* (
  { tenantId }: SimulatedTime,
  { closingsOf, messagesOf }: PastReads
) {
  const conversations = yield* Conversations
  const asOf = Effect.fnUntraced(function* (present: Conversation) {
    const { contactId } = present
    const messages = yield* messagesOf(contactId)
    if (messages.length === 0) return null
    const { isClosed, ...was } = conversationOf(messages, yield* closingsOf(contactId))
    return { ...present, ...was, state: stateOf(present, isClosed) } satisfies Conversation as Conversation
  })
  return Conversations.of({
    ...conversations,
    get: (_, contactId, userId) =>
      Effect.flatMap(conversations.get(tenantId, contactId, userId), (found) =>
        Effect.map(asOf(found), (was) => was ?? found)
      ),
    among: Effect.fnUntraced(function* (_, contactIds, userId) {
      const found = yield* conversations.among(tenantId, contactIds, userId)
      return (yield* Effect.forEach(found, asOf)).filter((was) => was !== null)
    })
  })
})

/** Provides tasks as of the simulated time: those that were completed later are open. */
export const pastTasks = Effect.fnUntraced(function* (time: SimulatedTime) {
  const tasks = yield* Tasks
  return Tasks.of({
    ...tasks,
    get: (_, taskId) =>
      Effect.map(tasks.get(time.tenantId, taskId), (task) =>
        task.status === "done" && task.updatedAt > time.now ? { ...task, status: "open" as const } : task
      )
  })
})
