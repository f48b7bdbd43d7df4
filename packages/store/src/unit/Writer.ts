import { StoreUnavailable } from "@leadloom/core/port/system/Transactions"
import { Context, Deferred, Effect, Exit, Latch, type Scope } from "effect"
import * as Batch from "./Batch.ts"
import type { Connections } from "./Connections.ts"
import type { WriteConnections } from "./WriteConnections.ts"
import * as Unit from "./Unit.ts"

/**
 * The maximum number of units per commit. A higher number would make the first unit wait longer for the last one, and
 * would hardly increase the throughput.
 */
export const unitsPerCommit = 128

/** Runs the units of one tenant in order and commits waiting units together. */
export interface Writer {
  /**
   * Runs a unit in the next shared transaction with the caller's services. Returns the outcome of the unit after the
   * commit. If the caller is interrupted, a waiting unit does not start, and a running unit is rolled back.
   */
  readonly submit: <A, E, R>(
    tenantId: string,
    unit: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | StoreUnavailable, R>
}

const closing = new StoreUnavailable({ reason: "The server is closing the database. Try again after the restart." })

const waitingFor = <A, E, R>(
  { currentUnit, sql }: Connections,
  tenantId: string,
  unit: Effect.Effect<A, E, R>,
  context: Context.Context<R>,
  done: Deferred.Deferred<A, E | StoreUnavailable>
): Batch.Waiting => {
  let outcome: Exit.Exit<A, E | StoreUnavailable> = Exit.fail(closing)
  return {
    tenantId,
    state: "waiting",
    running: null,
    start: (running) => {
      const inTransaction = Context.add(context, sql.transactionService, running.transaction)
      const fiber = Effect.runForkWith(Context.add(inTransaction, currentUnit, running))(unit)
      fiber.addObserver((exit) => {
        outcome = Unit.outcomeOf(exit, running)
      })
      return fiber
    },
    settle: (failure) => void Deferred.doneUnsafe(done, failure === null ? outcome : Exit.fail(failure))
  }
}

const cancel = <A, E>(waiting: Batch.Waiting, done: Deferred.Deferred<A, E>): Effect.Effect<void> =>
  Effect.suspend(() => {
    const { state } = waiting
    waiting.state = "cancelled"
    if (state !== "started") return Effect.void
    waiting.running?.interruptUnsafe()
    return Effect.asVoid(Effect.exit(Deferred.await(done)))
  })

/**
 * Distributes the places of a batch among queues. In each round, each tenant gets one place, until the batch is full.
 * Returns the number of units for each queue.
 */
const shares = (queues: ReadonlyArray<ReadonlyArray<Batch.Waiting>>): ReadonlyArray<number> => {
  const share = queues.map(() => 0)
  const longest = queues.reduce((max, units) => Math.max(max, units.length), 0)
  let left = unitsPerCommit
  for (let round = 0; round < Math.min(longest, unitsPerCommit); round++) {
    for (const [index, units] of queues.entries()) {
      if (left === 0) return share
      if (units.length <= round) continue
      share[index] = round + 1
      left -= 1
    }
  }
  return share
}

/**
 * Queues of waiting units, one per tenant, so that a tenant with thousands of units does not delay the others. The
 * first queue belongs to the tenant that has waited longest.
 */
const makeQueues = ({ count }: WriteConnections) => {
  const queues = new Map<string, Array<Batch.Waiting>>()
  const busy = new Set<string>()
  let idle = count
  return {
    /**
     * Removes a batch of units from the queues of tenants without a running batch. If other connections are idle too,
     * leaves a share of the tenants for them.
     */
    take: (): ReadonlyArray<Batch.Waiting> => {
      const ready = [...queues].filter(([tenantId]) => !busy.has(tenantId))
      if (ready.length === 0) return []
      const mine = ready.slice(0, Math.ceil(ready.length / idle))
      const share = shares(mine.map(([, units]) => units))
      idle -= 1
      return mine.flatMap(([tenantId, units], index) => {
        const taken = units.splice(0, share[index])
        if (taken.length === 0) return []
        busy.add(tenantId)
        // A tenant with remaining units moves to the end, so that the other tenants are served first.
        queues.delete(tenantId)
        if (units.length > 0) queues.set(tenantId, units)
        return taken
      })
    },
    add: (unit: Batch.Waiting): void => {
      const units = queues.get(unit.tenantId)
      if (units === undefined) queues.set(unit.tenantId, [unit])
      else units.push(unit)
    },
    /** Returns units to the front of their queues if their tenants could not be locked. */
    requeue: (units: ReadonlyArray<Batch.Waiting>): void => {
      for (const unit of units.toReversed()) {
        const others = queues.get(unit.tenantId)
        if (others === undefined) queues.set(unit.tenantId, [unit])
        else others.unshift(unit)
      }
    },
    release: (batch: ReadonlyArray<Batch.Waiting>): void => {
      idle += 1
      for (const { tenantId } of batch) busy.delete(tenantId)
    },
    clear: (): ReadonlyArray<Batch.Waiting> => {
      const units = [...queues.values()].flat()
      queues.clear()
      return units
    },
    isEmpty: (): boolean => queues.size === 0
  }
}

/**
 * Creates the writer of a database. Each write connection runs up to `unitsPerCommit` waiting units in one transaction,
 * which needs only one disk sync. The writer continues after every failure. When its scope ends, it first finishes the
 * running batches.
 */
export const make = Effect.fnUntraced(function* (
  connections: Connections
): Effect.fn.Return<Writer, never, Scope.Scope> {
  const { writeConnections } = connections
  const queues = makeQueues(writeConnections)
  const work = Latch.makeUnsafe(false)
  let closed = false
  const drain = Effect.fnUntraced(function* (batch: ReadonlyArray<Batch.Waiting>) {
    const { failure, ran } = yield* Batch.run(writeConnections, batch)
    for (const waiting of ran) waiting.settle(failure)
    const done = new Set(ran)
    const rest = batch.filter((waiting) => !done.has(waiting))
    if (closed) for (const waiting of rest) waiting.settle(closing)
    else queues.requeue(rest)
    queues.release(batch)
    if (!queues.isEmpty()) work.openUnsafe()
  })
  const writeLoop = Effect.gen(function* () {
    yield* work.await
    // Yielding once lets fibers that are about to submit a unit join this batch.
    yield* Effect.yieldNow
    const batch = queues.take()
    if (batch.length > 0) yield* Effect.uninterruptible(drain(batch))
    else work.closeUnsafe()
  })
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      closed = true
      for (const waiting of queues.clear()) waiting.settle(closing)
    })
  )
  yield* Effect.replicateEffect(Effect.forkScoped(Effect.forever(writeLoop)), writeConnections.count)
  return {
    submit: <A, E, R>(tenantId: string, unit: Effect.Effect<A, E, R>) =>
      Effect.contextWith((context: Context.Context<R>) => {
        if (closed) return Effect.fail(closing)
        const done = Deferred.makeUnsafe<A, E | StoreUnavailable>()
        const waiting = waitingFor(connections, tenantId, unit, context, done)
        queues.add(waiting)
        work.openUnsafe()
        return Effect.onInterrupt(Deferred.await(done), () => cancel(waiting, done))
      })
  }
})
