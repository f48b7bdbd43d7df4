/**
 * The worker of all background work: claims items, runs them, waits for more, survives failures and drains at shutdown.
 * A queue declares what differs, next to the workflow that it runs. How an item is stored, leased and retried does not
 * belong here; the port of each queue defines it.
 *
 * Tests: `packages/core/test/workflow/worker`, `packages/server/test/worker`.
 */
import { Cause, Clock, Effect, Fiber, FiberSet, Latch, Schedule, type Scope, Semaphore } from "effect"
import type { StoreUnavailable } from "../../port/system/Transactions.ts"

/** The maximum wait when nothing is due. New work wakes the worker immediately. */
const pollMillis = 1_000

/** The time that a stopping server waits for running items. */
export const drainSeconds = 10

/** The part of an item that runs without a slot, for example while it waits for a language model. */
export type Rest<R> = Effect.Effect<void, StoreUnavailable, R>

/** The operations of a queue for one worker. `open` may keep the state of that worker in their closures. */
export interface Source<Item, R> {
  /** Claims up to `limit` due items at `now` (epoch milliseconds). The order of the result is the order of the start. */
  readonly claim: (limit: number, now: number) => Effect.Effect<ReadonlyArray<Item>, StoreUnavailable, R>
  /** Runs an item. It returns null, or the rest of the work. `isClosing` is true while the server stops. */
  readonly run: (item: Item, isClosing: () => boolean) => Effect.Effect<Rest<R> | null, StoreUnavailable, R>
  /** Completes when work may be due, at most after a time. */
  readonly wait: (maxWaitMillis: number) => Effect.Effect<void, StoreUnavailable, R>
}

/** A kind of background work. */
export interface Queue<Item, R> {
  /** The name in spans (`worker.<name>`) and in the reports of the watchdog. */
  readonly name: string
  /** The number of workers per server. */
  readonly workers: number
  /** The number of items that one worker runs at once. */
  readonly slots: number
  /** The maximum number of items per claim. */
  readonly batch: number
  /** The number of slots that must be free before the next claim. A worker with `refill = slots` works in batches. */
  readonly refill: number
  /** The maximum number of rests that one worker runs besides its slots. */
  readonly maxRests: number
  /** The pause between a wake-up and the next claim, in milliseconds, so that one claim serves several wake-ups. */
  readonly settleMillis: number
  /** The waits between claims while the store is unavailable, and after a defect. */
  readonly backoff: Schedule.Schedule<unknown>
  /** Returns true for items that run one after another, after the other items of their claim. */
  readonly isSerial: (item: Item) => boolean
  /** The log message of a failed item. The item becomes due again when its lease expires. */
  readonly failure: string
  /** The log annotations of an item. The event-loop watchdog reads the tenant from them. */
  readonly about: (item: Item) => Readonly<Record<string, string | number>>
  readonly open: Effect.Effect<Source<Item, R>, never, R | Scope.Scope>
}

/** The values of most queues: batches of eight, run concurrently, and a second between two failed claims. */
export const defaults = {
  slots: 8,
  batch: 8,
  refill: 8,
  maxRests: 0,
  settleMillis: 0,
  backoff: Schedule.spaced("1 second"),
  isSerial: () => false
} as const

/** Logs an outage of the store. */
export const warnUnavailable = ({ reason }: StoreUnavailable) => Effect.logWarning("the store is unavailable", reason)

/** Runs a part of an item. Its failure is logged and does not affect other items. */
const guard = <Item, A, R>(
  { about, failure, name }: Pick<Queue<Item, R>, "about" | "failure" | "name">,
  item: Item,
  part: Effect.Effect<A, StoreUnavailable, R>
) =>
  part.pipe(
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.as(Effect.logError(failure, cause), null)
    ),
    Effect.annotateLogs(about(item)),
    Effect.withSpan(`worker.${name}`, {}, { captureStackTrace: false })
  )

/** Runs an item, and applies `each` to its rest. */
const runItem = <Item, R, R2>(
  queue: Queue<Item, R>,
  { run }: Source<Item, R>,
  item: Item,
  isClosing: () => boolean,
  each: (rest: Effect.Effect<unknown, never, R>) => Effect.Effect<unknown, never, R2>
) =>
  Effect.flatMap(guard(queue, item, run(item, isClosing)), (rest) =>
    rest === null ? Effect.void : each(guard(queue, item, rest))
  )

/** Runs the items of a claim: concurrently, then the serial ones. */
const runClaim = <Item, R, R2>(
  { isSerial }: Queue<Item, R>,
  claimed: ReadonlyArray<Item>,
  one: (item: Item) => Effect.Effect<void, never, R2>
) =>
  Effect.andThen(
    Effect.forEach(
      claimed.filter((item) => !isSerial(item)),
      one,
      { concurrency: "unbounded", discard: true }
    ),
    Effect.forEach(claimed.filter(isSerial), one, { discard: true })
  )

/** Claims due items once and runs them to their end. Returns their number. */
export const workOnce = Effect.fnUntraced(function* <Item, R>(queue: Queue<Item, R>) {
  const source = yield* queue.open
  const claimed = yield* source.claim(queue.slots, yield* Clock.currentTimeMillis)
  yield* runClaim(queue, claimed, (item) =>
    Effect.asVoid(
      runItem(
        queue,
        source,
        item,
        () => false,
        (rest) => rest
      )
    )
  )
  return claimed.length
}, Effect.scoped)

/** Logs the reason why a worker cannot claim work. */
const report = (cause: Cause.Cause<StoreUnavailable>) => {
  const outage = cause.reasons.find((reason) => Cause.isFailReason(reason))?.error
  if (outage !== undefined) return warnUnavailable(outage)
  return Cause.hasInterruptsOnly(cause) ? Effect.void : Effect.logError("a worker failed and restarts", cause)
}

/**
 * Works until `closing` opens, then completes after the running items. Rests are interrupted then. It may be interrupted
 * at any time: unfinished items become due again, at the latest when their lease expires.
 */
export const work = Effect.fnUntraced(function* <Item, R>(queue: Queue<Item, R>, closing: Latch.Latch) {
  const { backoff, batch, maxRests, refill, settleMillis, slots } = queue
  const source = yield* queue.open
  const rests = yield* FiberSet.make<unknown>()
  const places = yield* Semaphore.make(maxRests)
  const running = yield* FiberSet.make<void>()
  const freed = Latch.makeUnsafe(false)
  let busy = 0
  const isClosing = (): boolean => closing.isOpen()
  const detach = (rest: Effect.Effect<unknown, never, R>) =>
    Effect.andThen(places.take(1), FiberSet.run(rests, Effect.ensuring(rest, places.release(1))))
  const free = Effect.sync(() => {
    busy -= 1
    freed.openUnsafe()
  })
  const one = (item: Item) => Effect.ensuring(Effect.asVoid(runItem(queue, source, item, isClosing, detach)), free)
  const look = Effect.gen(function* () {
    if (isClosing()) return
    freed.closeUnsafe()
    if (slots - busy < refill) return yield* Effect.raceFirst(freed.await, closing.await)
    const claimed = yield* source.claim(Math.min(batch, slots - busy), yield* Clock.currentTimeMillis)
    busy += claimed.length
    if (claimed.length > 0) return yield* Effect.asVoid(FiberSet.run(running, runClaim(queue, claimed, one)))
    yield* Effect.raceAllFirst([source.wait(pollMillis), freed.await, closing.await])
    if (settleMillis > 0) yield* Effect.sleep(settleMillis)
  })
  const survive = Effect.sandbox(Effect.tapCause(look, report)).pipe(
    Effect.retry({ schedule: backoff, while: (cause) => !Cause.hasInterruptsOnly(cause) }),
    Effect.catch(() => Effect.interrupt)
  )
  yield* Effect.repeat(survive, { while: () => !isClosing() })
  yield* FiberSet.awaitEmpty(running)
}, Effect.scoped)

/** Starts the workers of a queue. At the end of the scope they claim nothing more, and finish their current items. */
export const startWorkers = Effect.fnUntraced(function* <Item, R>(queue: Queue<Item, R>) {
  const closing = Latch.makeUnsafe(false)
  const workers = yield* Effect.replicateEffect(Effect.forkDetach(work(queue, closing)), queue.workers)
  yield* Effect.addFinalizer(() =>
    closing.open.pipe(
      Effect.andThen(Effect.timeoutOption(Fiber.awaitAll(workers), `${drainSeconds} seconds`)),
      Effect.andThen(Fiber.interruptAll(workers))
    )
  )
})
