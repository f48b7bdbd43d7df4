/**
 * The worker for all background work. It claims items, runs them, waits for more, continues after failures, and
 * finishes its items at shutdown. Each queue declares its own values, next to the workflow that it runs. Storing,
 * leasing and retrying items do not belong here: the port of each queue defines them. Tests:
 * `packages/core/test/workflow/worker`, `packages/server/test/worker`.
 */
import { Cause, Clock, Effect, Fiber, FiberSet, Latch, Schedule, type Scope, Semaphore } from "effect"
import type { StoreUnavailable } from "../../port/system/Transactions.ts"
import { withSpan } from "../WithSpan.ts"
import type { LogField } from "../../port/system/Log.ts"
import { log } from "../LogEvents.ts"

/** The maximum time that a worker waits when nothing is due. New work wakes the worker immediately. */
const pollMillis = 1_000

/** The time for which a stopping server waits for its running items. */
export const drainSeconds = 10

/** The part of an item that needs no slot, for example waiting for a language model. */
export type Rest<R> = Effect.Effect<void, StoreUnavailable, R>

/** The operations of a queue for one worker. The functions may share state that belongs to this worker. */
export interface Source<Item, R> {
  /** Claims up to `limit` due items at `now` (epoch milliseconds). The items start in the order of the result. */
  readonly claim: (limit: number, now: number) => Effect.Effect<ReadonlyArray<Item>, StoreUnavailable, R>
  /**
   * Runs an item. Returns the rest of its work, or null if none is left. `isClosing` returns true while the server
   * stops.
   */
  readonly run: (item: Item, isClosing: () => boolean) => Effect.Effect<Rest<R> | null, StoreUnavailable, R>
  /** Completes when work may be due, or after the given time. */
  readonly wait: (maxWaitMillis: number) => Effect.Effect<void, StoreUnavailable, R>
}

/** A kind of background work. */
export interface Queue<Item, R> {
  /** The name of the queue in spans (`worker.<name>`) and in reports of the event-loop watchdog. */
  readonly name: string
  /** The number of workers per server. */
  readonly workers: number
  /** The number of items that one worker runs concurrently. */
  readonly slots: number
  /** The maximum number of items per claim. */
  readonly batch: number
  /**
   * The number of slots that must be free before the next claim. If it equals `slots`, the worker finishes all items of
   * a claim before the next one.
   */
  readonly refill: number
  /** The maximum number of rests that one worker runs in addition to its slots. */
  readonly maxRests: number
  /** The pause between a wake-up and the next claim, in milliseconds. One claim can thus serve several wake-ups. */
  readonly settleMillis: number
  /** The delays between claims while the store is unavailable, and after a defect. */
  readonly backoff: Schedule.Schedule<unknown>
  /**
   * Returns true for an item that must run alone. Such items run one after another, after the other items of their
   * claim.
   */
  readonly isSerial: (item: Item) => boolean
  /** The log message for a failed item. The item becomes due again when its lease expires. */
  readonly failure: string
  /** The log annotations of an item. The event-loop watchdog reads the tenant from them. */
  readonly about: (item: Item) => { readonly [Field in LogField]?: string | number }
  readonly open: Effect.Effect<Source<Item, R>, never, R | Scope.Scope>
}

/**
 * The values that most queues use: up to eight items per claim, run concurrently, and one second between two failed
 * claims.
 */
export const defaults = {
  slots: 8,
  batch: 8,
  refill: 8,
  maxRests: 0,
  settleMillis: 0,
  backoff: Schedule.spaced("1 second"),
  isSerial: () => false
} as const

/** Logs that a worker cannot use the database. */
export const warnUnavailable = ({ reason }: StoreUnavailable) => log("work.unavailable", { reason })

/** Runs a part of an item. If the part fails, the failure is logged and does not affect other items. */
const guard = <Item, A, R>(
  { about, failure, name }: Pick<Queue<Item, R>, "about" | "failure" | "name">,
  item: Item,
  part: Effect.Effect<A, StoreUnavailable, R>
) =>
  part.pipe(
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.interrupt
        : Effect.as(log("work.failed", { queue: name, detail: failure }, cause), null)
    ),
    Effect.annotateLogs(about(item)),
    withSpan(`worker.${name}`)
  )

/** Runs an item. If work remains, passes it to `each`. */
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

/** Runs the items of a claim: first concurrently those that are not serial, then the serial ones. */
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

/** Claims due items once, and runs them to their end. Returns the number of these items. */
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
  return Cause.hasInterruptsOnly(cause) ? Effect.void : log("worker.restarted", {}, cause)
}

/**
 * Works until `closing` opens, then finishes the running items. Rests are interrupted at that time. The effect may be
 * interrupted at any time: unfinished items become due again, at the latest when their lease expires.
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

/** Starts the workers of a queue. When the scope closes, they claim nothing more and finish their current items. */
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
