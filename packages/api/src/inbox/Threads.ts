import { ThreadRecord } from "@leadloom/core/internal/domain/email/thread/Thread"
import {
  maxCorrectedMessages,
  maxJoinedThreads,
  ThreadCorrection as CorrectionNoun
} from "@leadloom/core/internal/domain/email/thread/ThreadCorrection"
import { ThreadRule } from "@leadloom/core/internal/domain/email/thread/ThreadReason"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, keyErrors, NotFound } from "../errors.ts"
import { cursor, IdempotencyKey, nextCursor, pageSize, TenantPath, text } from "../schema/Field.ts"
import { contactId } from "../schema/Ids.ts"
import { wire } from "../schema/Wire.ts"
import { Message } from "./Conversations.ts"

const threadId = Schema.String.annotate({ description: "Thread id (`thr_…`)" })

/** The reason why a message belongs to its thread. */
export const ThreadReason = Schema.Struct({
  rule: Schema.Union([ThreadRule, Schema.Literal("unknown")]).annotate({
    description:
      "The rule that decided: an id in In-Reply-To or References, an earlier message that refers to this one (child), the provider's thread, a reply token, or why a new thread began; unknown: the message is older than this record"
  }),
  matched_id: Schema.NullOr(Schema.String).annotate({
    description: "The Message-ID or the provider's thread id that decided; null: none"
  }),
  matched_message_id: Schema.NullOr(Schema.String).annotate({
    description: "The stored message with this Message-ID; null: it is not stored"
  }),
  correction_id: Schema.NullOr(Schema.String).annotate({
    description: "The latest correction by a person that moved the message; null: none"
  })
}).annotate({ identifier: "ThreadReason", description: "Why a message belongs to its thread" })

export const ThreadMessage = Schema.Struct({
  contact_id: contactId,
  message: Message.pipe(Schema.annotateKey({ description: "The message" })),
  reason: ThreadReason.pipe(Schema.annotateKey({ description: "Why the message belongs to the thread" }))
}).annotate({ identifier: "ThreadMessage", description: "A message of a thread with the reason for its place" })

export const { schema: ThreadCorrection, toJson: correctionToJson } = wire(CorrectionNoun, "ThreadCorrection", {
  description: "A correction of threads by a person",
  omit: ["tenantId"]
})

const thread = wire(ThreadRecord, null, { pick: ["threadId", "leadId", "createdAt", "corrected"] })

/** Encodes the fields of a thread's record. */
export const threadToJson = thread.toJson

export const Thread = Schema.Struct({
  ...thread.schema.fields,
  subject: Schema.NullOr(Schema.String).annotate({ description: "The subject of the oldest message; null: none" }),
  participants: Schema.Array(Schema.String).annotate({
    description: "The addresses that took part in the thread, in alphabetical order; at most 100"
  }),
  corrections: Schema.Array(ThreadCorrection).annotate({
    description: "The newest corrections of the thread, latest first; at most 20"
  }),
  messages: Schema.Array(ThreadMessage).annotate({ description: "The messages, oldest first" }),
  next_cursor: nextCursor
}).annotate({ identifier: "Thread", description: "An email thread with a page of its messages" })

const threadParams = { ...TenantPath, thread_id: threadId }
const page = { cursor, limit: pageSize(200, 50) }

const limitNote = `Threads with more than ${maxCorrectedMessages} messages receive 409.`

export const ThreadsGroup = HttpApiGroup.make("threads")
  .add(
    HttpApiEndpoint.get("get", "/tenants/:tenant_id/threads/:thread_id", {
      params: threadParams,
      query: page,
      success: Thread,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "Read an email thread, and why each message belongs to it")
      .annotate(OpenApi.Description, "A thread that was joined or merged into another one receives 404.")
      .annotate(Gate, gate("threads.get", { limiter: "admin", email: true })),
    HttpApiEndpoint.post("split", "/tenants/:tenant_id/threads/:thread_id/split", {
      params: threadParams,
      headers: IdempotencyKey,
      payload: Schema.Struct({
        message_id: text(64).annotate({ description: "The first message of the new thread" })
      }).annotate({ identifier: "ThreadSplit", description: "The message at which to split the thread" }),
      success: ThreadCorrection,
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Make a message and all answers to it a new thread")
      .annotate(
        OpenApi.Description,
        `The new thread is \`thread_id\` of the response and keeps the lead. Later mail follows the message that it answers. ${limitNote}`
      )
      .annotate(Gate, gate("threads.split", { limiter: "admin", email: true, idempotency: "unit" })),
    HttpApiEndpoint.post("move", "/tenants/:tenant_id/threads/:thread_id/move", {
      params: threadParams,
      headers: IdempotencyKey,
      payload: Schema.Struct({
        message_id: text(64).annotate({ description: "The message to move" }),
        to_thread_id: text(64).annotate({ description: "The thread that receives the message" })
      }).annotate({ identifier: "ThreadMove", description: "A message and its new thread" }),
      success: ThreadCorrection,
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Move one message to another thread of its contact")
      .annotate(
        OpenApi.Description,
        `The message gets the lead of that thread, unless its own lead belongs to another contact. Earlier answers stay; later answers follow the message. ${limitNote}`
      )
      .annotate(Gate, gate("threads.move", { limiter: "admin", email: true, idempotency: "unit" })),
    HttpApiEndpoint.post("join", "/tenants/:tenant_id/threads/join", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: Schema.Struct({
        thread_ids: Schema.Array(text(64))
          .check(Schema.isMinLength(2), Schema.isMaxLength(maxJoinedThreads))
          .annotate({ description: `The threads to join; 2 to ${maxJoinedThreads}` })
      }).annotate({ identifier: "ThreadJoin", description: "The threads to join" }),
      success: ThreadCorrection,
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Join threads that have a contact in common")
      .annotate(
        OpenApi.Description,
        `All messages move to the oldest thread that has a lead, which is \`thread_id\` of the response. They keep their contacts, and get its lead unless their own lead belongs to another contact. ${limitNote}`
      )
      .annotate(Gate, gate("threads.join", { limiter: "admin", email: true, idempotency: "unit" })),
    HttpApiEndpoint.get("corrections", "/tenants/:tenant_id/threads/:thread_id/corrections", {
      params: threadParams,
      query: page,
      success: Schema.Struct({
        corrections: Schema.Array(ThreadCorrection).annotate({ description: "The corrections, latest first" }),
        next_cursor: nextCursor
      }).annotate({ identifier: "ThreadCorrectionPage", description: "A page of corrections" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List the corrections of a thread, latest first")
      .annotate(OpenApi.Description, "Corrections that were undone are included.")
      .annotate(Gate, gate("threads.corrections", { limiter: "admin", email: true })),
    HttpApiEndpoint.post("undo", "/tenants/:tenant_id/threads/:thread_id/corrections/:correction_id/undo", {
      params: {
        ...threadParams,
        correction_id: Schema.String.annotate({ description: "Correction id (`cor_…`)" })
      },
      headers: IdempotencyKey,
      success: ThreadCorrection,
      error: [NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Undo a correction. A later correction of the same threads must be undone first")
      .annotate(
        OpenApi.Description,
        "Receives 409 with the reason if a thread was merged since, or if mail has answered a moved or joined message since."
      )
      .annotate(Gate, gate("threads.undo", { limiter: "admin", email: true, idempotency: "unit" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Threads", description: "Email threads and their corrections" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
