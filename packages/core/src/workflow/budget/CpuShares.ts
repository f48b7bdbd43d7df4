/**
 * Shares the processor of this server among tenants. It records the recent use of each tenant, selects the tenants that
 * may claim work, and runs costly work one at a time. The state is in memory and each server has its own. Use from more
 * than half a minute ago has little weight. This folder does not know signals, only tenants and steps. Tests:
 * `packages/core/test/workflow/budget`, `packages/core/test/domain/budget`.
 */
import { Clock, Context, Deferred, Effect } from "effect"
import { makeWakeUp, type WakeUp } from "../../port/system/WakeUp.ts"

/** The time after which a recorded use has half its weight. */
const halfLifeMillis = 10_000

/**
 * The number of steps, about 100 ms, by which a tenant's use may exceed the lowest use. Above it, the tenant may not
 * claim work.
 */
export const slackSteps = 20_000_000

/** The cost of a run in addition to its steps, for reading, writing and committing: about 0.5 ms. */
export const stepsPerRun = 100_000

/**
 * The maximum number of costly runs per tenant, waiting or running. A tenant that has reached it claims no further
 * signals.
 */
export const maxCostlyPerTenant = 2

/**
 * The maximum number of signals per tenant that run outside the workers. A tenant that has reached it claims no further
 * signals.
 */
export const maxDetachedPerTenant = 16

/**
 * The maximum number of tenants whose use is recorded. When it is exceeded, the tenant with the oldest use is dropped.
 */
const maxRemembered = 10_000

interface Use {
  readonly steps: number
  readonly at: number
}

/**
 * The kinds of work outside the workers. `outside` counts all such work, for example a model request. `costly` counts
 * only the costly part.
 */
export type DetachedKind = "outside" | "costly"

const kinds: ReadonlyArray<DetachedKind> = ["outside", "costly"]

const limits: Readonly<Record<DetachedKind, number>> = { outside: maxDetachedPerTenant, costly: maxCostlyPerTenant }

/** The processor shares of one server. */
export interface CpuSharesShape {
  /** Records the steps that a tenant used at `now`, in epoch milliseconds. */
  readonly charge: (tenantId: string, steps: number, now: number) => void
  /**
   * Selects the tenants that may claim work, from the tenants with due work. A tenant that has reached a limit of
   * running work is not selected. Of the others, those are selected whose use is close to the lowest. A tenant with
   * costly runs therefore waits as long as other tenants have work.
   */
  readonly admit: (due: ReadonlyArray<string>, now: number) => ReadonlyArray<string>
  /** Runs work outside the workers, and counts it as running until it ends. */
  readonly outside: <A, E, R>(
    tenantId: string,
    kind: DetachedKind,
    work: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
  /** Runs costly work, one at a time. Of the waiting tenants, the one with the lowest use runs next. */
  readonly alone: <A, E, R>(tenantId: string, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Completes when a tenant may claim work again, or after the timeout. */
  readonly wait: WakeUp["wait"]
}

interface Waiting {
  readonly tenantId: string
  readonly turn: Deferred.Deferred<void>
}

/** The recent use of each tenant. */
interface Uses {
  readonly usedBy: (tenantId: string, now: number) => number
  readonly charge: CpuSharesShape["charge"]
}

const makeUses = (): Uses => {
  const uses = new Map<string, Use>()
  const usedBy = (tenantId: string, now: number): number => {
    const use = uses.get(tenantId)
    return use === undefined ? 0 : use.steps * 2 ** (-Math.max(0, now - use.at) / halfLifeMillis)
  }
  return {
    usedBy,
    charge: (tenantId, steps, now) => {
      const used = usedBy(tenantId, now) + steps
      uses.delete(tenantId)
      uses.set(tenantId, { steps: used, at: now })
      const oldest = uses.size > maxRemembered ? uses.keys().next().value : undefined
      if (oldest !== undefined) uses.delete(oldest)
    }
  }
}

/** Counts the running work of each tenant outside the workers, by kind. */
const makeUnderWay = (onFree: () => void) => {
  const counts: Readonly<Record<DetachedKind, Map<string, number>>> = { outside: new Map(), costly: new Map() }
  const of = (tenantId: string, kind: DetachedKind): number => counts[kind].get(tenantId) ?? 0
  const change = (tenantId: string, kind: DetachedKind, by: number): void => {
    const now = of(tenantId, kind) + by
    if (now > 0) counts[kind].set(tenantId, now)
    else counts[kind].delete(tenantId)
    if (by < 0 && now < limits[kind]) onFree()
  }
  const outside: CpuSharesShape["outside"] = (tenantId, kind, work) =>
    Effect.suspend(() => {
      change(tenantId, kind, 1)
      return Effect.ensuring(
        work,
        Effect.sync(() => change(tenantId, kind, -1))
      )
    })
  return {
    outside,
    isFree: (tenantId: string): boolean => kinds.every((kind) => of(tenantId, kind) < limits[kind])
  }
}

/** Creates a lock for costly work. When it is released, the waiting tenant with the lowest use gets it. */
const makePlace = ({ usedBy }: Uses): CpuSharesShape["alone"] => {
  const waiting: Array<Waiting> = []
  let isTaken = false
  const pass = (now: number): void => {
    let next = 0
    for (const [index, { tenantId }] of waiting.entries()) {
      if (usedBy(tenantId, now) < usedBy(waiting[next]?.tenantId ?? "", now)) next = index
    }
    const [first] = waiting.splice(next, 1)
    isTaken = first !== undefined
    if (first !== undefined) Deferred.doneUnsafe(first.turn, Effect.void)
  }
  const release = Effect.map(Clock.currentTimeMillis, pass)
  const come = (tenantId: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (!isTaken) {
        isTaken = true
        return Effect.void
      }
      const mine: Waiting = { tenantId, turn: Deferred.makeUnsafe<void>() }
      waiting.push(mine)
      return Effect.onInterrupt(Deferred.await(mine.turn), () => {
        const index = waiting.indexOf(mine)
        // The waiter is no longer in the list, so the lock was already granted to it. The lock must pass to the next
        // waiter.
        return index < 0 ? release : Effect.sync(() => void waiting.splice(index, 1))
      })
    })
  return (tenantId, work) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(restore(come(tenantId)), () => Effect.ensuring(restore(work), release))
    )
}

/** Creates the shares of a server. No use is recorded yet. */
export const makeCpuShares = (): CpuSharesShape => {
  const { wait, wake } = makeWakeUp()
  const uses = makeUses()
  const { isFree, outside } = makeUnderWay(wake)
  const admit = (due: ReadonlyArray<string>, now: number): ReadonlyArray<string> => {
    const free = due.filter(isFree)
    if (free.length < 2) return free
    const used = free.map((tenantId) => uses.usedBy(tenantId, now))
    const max = Math.min(...used) + slackSteps
    return free.filter((_, index) => (used[index] ?? 0) <= max)
  }
  return { charge: uses.charge, admit, outside, alone: makePlace(uses), wait }
}

/** The instance that all tenants of this process share. */
export const CpuShares: Context.Reference<CpuSharesShape> = Context.Reference("core/workflow/budget/CpuShares", {
  defaultValue: makeCpuShares
})
