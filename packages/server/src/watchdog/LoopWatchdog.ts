import { Effect } from "effect"
import type { FindOperation } from "../http/middleware/Methods.ts"
import type { RunningOperation, TickScheduler } from "./RunningOperation.ts"

/** A block of the main thread that is worth a log event: everybody waits for it, whatever they ask. */
export const blockMillis = 250

/** How often the main thread is looked at. A block is told as up to this much shorter than it was. */
const tickMillis = 50

/** A time in which the main thread did nothing but one thing. */
export interface LoopBlock {
  /** The operation that ran longest in it: `group.endpoint`, a worker, or `unknown`. */
  readonly operation: string
  readonly tenant: string | null
  readonly requestId: string | null
  readonly millis: number
}

const text = (value: unknown): string | null => (typeof value === "string" ? value.slice(0, 128) : null)

const describe = ({ annotations, request, worker }: RunningOperation, find: FindOperation) => {
  const found = request === null ? null : find(request.method, request.url)
  return {
    operation: found?.name ?? (request === null ? (worker ?? "unknown") : "none"),
    tenant: text(annotations["tenant"]) ?? found?.tenantId ?? null,
    requestId: text(annotations["request_id"])
  }
}

/** What a watchdog works with. */
export interface WatchdogOptions {
  readonly scheduler: TickScheduler
  readonly find: FindOperation
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number
  readonly onBlock: (block: LoopBlock) => void
}

/**
 * Looks at the main thread once: whether it comes `tickMillis` after the last look, or much later because something ran
 * that let nothing else run.
 */
export const makeLoopCheck = ({ find, now, onBlock, scheduler }: WatchdogOptions): (() => void) => {
  let last = now()
  return () => {
    const time = now()
    const late = time - last - tickMillis
    last = time
    const { operation } = scheduler.resetLongest()
    if (late >= blockMillis) onBlock({ ...describe(operation, find), millis: late })
  }
}

/** One log event for each block. */
export const logBlock = ({ millis, operation, requestId, tenant }: LoopBlock): Effect.Effect<void> =>
  Effect.logWarning("event loop blocked").pipe(
    Effect.annotateLogs({ operation, tenant, request_id: requestId, blocked_ms: Math.round(millis) })
  )

/** Watches the main thread until the scope ends. The timer does not keep the process alive. */
export const watchLoop = (watched: Omit<WatchdogOptions, "onBlock">, count: (block: LoopBlock) => void) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<never>()
    const look = makeLoopCheck({
      ...watched,
      onBlock: (block) => {
        count(block)
        Effect.runForkWith(context)(logBlock(block))
      }
    })
    yield* Effect.acquireRelease(
      Effect.sync(() => setInterval(look, tickMillis).unref()),
      (timer) => Effect.sync(() => clearInterval(timer))
    )
  })
