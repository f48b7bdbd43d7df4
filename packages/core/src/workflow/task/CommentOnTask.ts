import { Clock, Effect } from "effect"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import { maxCommentLength, type TaskComment } from "../../domain/task/TaskComment.ts"
import { TaskComments } from "../../port/repository/lead/TaskComments.ts"
import { Tasks } from "../../port/repository/lead/Tasks.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { ActingUser } from "../ActingUser.ts"
import { withSpan } from "../WithSpan.ts"
import { invalidField } from "./TaskFields.ts"

/** Writes a comment on a task. `author` names the credential. */
export const commentOnTask = Effect.fnUntraced(function* (
  tenantId: string,
  taskId: string,
  text: string,
  author: string
) {
  const now = yield* Clock.currentTimeMillis
  const commentId = yield* (yield* Ids).next("cmt")
  const authorId = (yield* ActingUser)?.userId ?? null
  const [comments, tasks] = [yield* TaskComments, yield* Tasks]
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const task = yield* tasks.get(tenantId, taskId)
      const body = text.trim()
      if (body === "" || body.length > maxCommentLength)
        return yield* invalidField("body", `Expected 1 to ${maxCommentLength} characters.`)
      const of = { tenantId, taskId: task.taskId, commentId }
      const comment: TaskComment = { ...of, authorId, author, body, createdAt: now }
      yield* comments.insert(comment)
      return comment
    })
  )
}, withSpan("commentOnTask"))

/** Returns a page of the comments on a task, oldest first. */
export const listTaskComments = Effect.fnUntraced(function* (tenantId: string, taskId: string, page: PageRequest) {
  const task = yield* (yield* Tasks).get(tenantId, taskId)
  const comments = yield* TaskComments
  return yield* readPage(
    {
      scope: { tenantId, list: "task_comments", filters: { taskId: task.taskId } },
      fetch: (limit, after: string | null) => comments.page(tenantId, task.taskId, limit, after),
      keyOf: ({ commentId }) => [commentId],
      readKey: ([commentId]) => (typeof commentId === "string" ? commentId : null)
    },
    page
  )
}, withSpan("listTaskComments"))
