import { Schema } from "effect"
import { Time } from "../Field.ts"
import { CommentId, TaskId, UserId } from "../Id.ts"

/** The maximum length of a comment, in characters. */
export const maxCommentLength = 5_000

/** A comment of a person on a task. */
export class TaskComment extends Schema.Opaque<TaskComment>()(
  Schema.Struct({
    commentId: CommentId.annotate({ description: "Comment id (`cmt_…`)" }),
    tenantId: Schema.String,
    taskId: TaskId.annotate({ description: "Task id (`task_…`)" }),
    authorId: Schema.NullOr(UserId).annotate({
      description: "The user who wrote the comment; null: the caller was not a user"
    }),
    author: Schema.String.annotate({
      description: "The credential that wrote the comment, in the form of the audit trail"
    }),
    body: Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(maxCommentLength)).annotate({
      description: `Plain text or Markdown, at most ${maxCommentLength} characters`
    }),
    createdAt: Time.annotate({ description: "The time at which the comment was written (ISO 8601 in UTC)" })
  })
) {}
