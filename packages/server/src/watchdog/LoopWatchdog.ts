/**
 * Detection of operations that block the main thread. Limits on the work of a run belong in
 * `packages/core/src/domain/budget`. Tests: `packages/server/test/watchdog`.
 */

import { Effect } from "effect"
import type { FindOperation } from "../http/middleware/Methods.ts"
import type { RunningOperation, TickScheduler } from "./RunningOperation.ts"
import { log } from "../LogEvents.ts"

/** The minimum duration of a main-thread block that is logged, in milliseconds. A block delays all requests. */
export const blockMillis = 250

/**
 * The interval between checks of the main thread in milliseconds. A reported duration may be too short by up to this
 * value.
 */
const tickMillis = 50

/** A period in which the main thread was blocked. */
export interface LoopBlock {
  /** The name of the operation that ran longest: `group.endpoint`, a worker, or `unknown`. */
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

/** The dependencies of a watchdog. */
export interface WatchdogOptions {
  readonly scheduler: TickScheduler
  readonly find: FindOperation
  /** Returns milliseconds of a monotonic clock. */
  readonly now: () => number
  readonly onBlock: (block: LoopBlock) => void
}

/**
 * Returns a check for a timer with the interval `tickMillis`. If the check runs at least `blockMillis` late, it reports
 * a block.
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

export const logBlock = ({ millis, operation, requestId, tenant }: LoopBlock): Effect.Effect<void> =>
  log("loop.blocked", { operation, tenant, request_id: requestId, blocked_ms: Math.round(millis) })

/** Checks the main thread until the scope ends. The timer does not keep the process alive. */
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
