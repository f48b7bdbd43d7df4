import { Clock, Effect } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"
import { signalIdMeant } from "../../domain/classification/Signal.ts"
import type { CursorKey } from "../../domain/conversation/Cursor.ts"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import type { Wait } from "../../domain/conversation/Wait.ts"
import type { RunQuery } from "../../domain/run/Run.ts"
import { Runs } from "../../port/repository/pipeline/Runs.ts"
import { Signals } from "../../port/repository/pipeline/Signals.ts"
import { withSpan } from "../WithSpan.ts"

const readKey = ([signalId]: CursorKey): string | null => (typeof signalId === "string" ? signalId : null)

/** Returns a page of runs, those of the newest messages first. */
export const listRuns = Effect.fnUntraced(function* (tenantId: string, query: RunQuery, page: PageRequest) {
  const runs = yield* Runs
  return yield* readPage(
    {
      scope: { tenantId, list: "runs", filters: { ...query } },
      fetch: (limit, before: string | null) => runs.page(tenantId, query, limit, before),
      keyOf: ({ signalId }) => [signalId],
      readKey
    },
    page
  )
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
