import { Clock, Effect } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"
import { signalIdMeant } from "../../domain/classification/Signal.ts"
import type { CursorKey } from "../../domain/conversation/Cursor.ts"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import type { Wait } from "../../domain/conversation/Wait.ts"
import type { Message } from "../../domain/conversation/Message.ts"
import type { Run, RunQuery } from "../../domain/run/Run.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Runs } from "../../port/repository/pipeline/Runs.ts"
import { Signals } from "../../port/repository/pipeline/Signals.ts"
import { withSpan } from "../WithSpan.ts"

const readKey = ([signalId]: CursorKey): string | null => (typeof signalId === "string" ? signalId : null)

/** A run with its message; null: the message was erased. */
export interface ListedRun {
  readonly run: Run
  readonly message: Message | null
}

/** Returns a page of runs with their messages, those of the newest messages first. */
export const listRuns = Effect.fnUntraced(function* (tenantId: string, query: RunQuery, page: PageRequest) {
  const runs = yield* Runs
  const { items, nextCursor } = yield* readPage(
    {
      scope: { tenantId, list: "runs", filters: { ...query } },
      fetch: (limit, before: string | null) => runs.page(tenantId, query, limit, before),
      keyOf: ({ signalId }) => [signalId],
      readKey
    },
    page
  )
  const messages = yield* (yield* Messages).findAll(
    tenantId,
    items.map(({ messageId }) => messageId)
  )
  const byId = new Map(messages.map((message) => [message.messageId, message]))
  const listed = items.map((run): ListedRun => ({ run, message: byId.get(run.messageId) ?? null }))
  return { items: listed, nextCursor }
}, withSpan("listRuns"))

/** The signal has no run yet, was never queued, or belongs to another tenant. */
export class RunNotFound extends TaggedError("RunNotFound")<{
  readonly signalId: string
  /** The wait of the signal's message. Null if it does not wait. */
  readonly wait: Wait | null
}> {}

/** Returns the run of a signal. `id` is the id of the signal, of its message or of its custom event. */
export const readRun = Effect.fnUntraced(function* (tenantId: string, id: string) {
  const signalId = signalIdMeant(id)
  const run = yield* (yield* Runs).ofSignal(tenantId, signalId)
  if (run !== null) return run
  const [wait = null] = yield* (yield* Signals).waits(tenantId, [signalId], yield* Clock.currentTimeMillis)
  return yield* new RunNotFound({ signalId: id, wait })
}, withSpan("readRun"))
