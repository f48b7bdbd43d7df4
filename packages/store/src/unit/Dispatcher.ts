import { Effect, Latch, type Scope } from "effect"

/**
 * The maximum number of units per commit. A higher number would make the first unit wait longer for the last one, and
 * would hardly increase the throughput.
 */
export const unitsPerCommit = 128

/** An element of the queue of its tenant. */
export interface Queued {
  readonly tenantId: string
}

/**
 * Distributes the places of a batch among queues. In each round, each tenant gets one place, until the batch is full.
 * Returns the number of units for each queue.
 */
const shares = (queues: ReadonlyArray<ReadonlyArray<Queued>>): ReadonlyArray<number> => {
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
const makeQueues = <W extends Queued>(count: number) => {
  const queues = new Map<string, Array<W>>()
  const busy = new Set<string>()
  let idle = count
  return {
    /**
     * Removes a batch of units from the queues of tenants without a running batch. If other connections are idle too,
     * leaves a share of the tenants for them.
     */
    take: (): ReadonlyArray<W> => {
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
    add: (unit: W): void => {
      const units = queues.get(unit.tenantId)
      if (units === undefined) queues.set(unit.tenantId, [unit])
      else units.push(unit)
    },
    /** Returns units to the front of their queues if their tenants could not be locked. */
    requeue: (units: ReadonlyArray<W>): void => {
      for (const unit of units.toReversed()) {
        const others = queues.get(unit.tenantId)
        if (others === undefined) queues.set(unit.tenantId, [unit])
        else others.unshift(unit)
      }
    },
    release: (batch: ReadonlyArray<W>): void => {
      idle += 1
      for (const { tenantId } of batch) busy.delete(tenantId)
    },
    clear: (): ReadonlyArray<W> => {
      const units = [...queues.values()].flat()
      queues.clear()
      return units
    },
    isEmpty: (): boolean => queues.size === 0
  }
}

/** Distributes waiting units among concurrent batches. The units of a tenant are in at most one batch at a time. */
export interface Dispatcher<W extends Queued> {
  readonly add: (unit: W) => void
  /** Whether the scope has ended. No unit must be added afterwards. */
  readonly isClosed: () => boolean
}

/**
 * Creates a dispatcher with `count` concurrent batches. `handle` runs a batch and returns the units that are done; the
 * others wait for a later batch. When the scope ends, the running batches are finished first. `drop` then receives the
 * units that did not run.
 */
export const make = Effect.fnUntraced(function* <W extends Queued>(
  count: number,
  handle: (batch: ReadonlyArray<W>) => Effect.Effect<ReadonlyArray<W>>,
  drop: (unit: W) => void
): Effect.fn.Return<Dispatcher<W>, never, Scope.Scope> {
  const queues = makeQueues<W>(count)
  const work = Latch.makeUnsafe(false)
  let closed = false
  const drain = Effect.fnUntraced(function* (batch: ReadonlyArray<W>) {
    const done = new Set(yield* handle(batch))
    const rest = batch.filter((unit) => !done.has(unit))
    if (closed) for (const unit of rest) drop(unit)
    else queues.requeue(rest)
    queues.release(batch)
    if (!queues.isEmpty()) work.openUnsafe()
  })
  const loop = Effect.gen(function* () {
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
      for (const unit of queues.clear()) drop(unit)
    })
  )
  yield* Effect.replicateEffect(Effect.forkScoped(Effect.forever(loop)), count)
  return {
    add: (unit) => {
      queues.add(unit)
      work.openUnsafe()
    },
    isClosed: () => closed
  }
})
