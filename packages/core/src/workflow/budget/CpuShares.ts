/**
 * Shares the processor of this server among tenants: tracks recent use, selects the tenants that may claim work, and
 * runs costly work one at a time. State is in memory and per server; use from half a minute ago has little weight. This
 * folder deals with tenants and steps, not with signals.
 *
 * Tests: `packages/core/test/workflow/budget`, `packages/core/test/domain/budget`.
 */
import { Clock, Context, Deferred, Effect } from "effect"
import { makeWakeUp, type WakeUp } from "../../port/system/WakeUp.ts"

/** The weight of past use halves in this time. */
const halfLifeMillis = 10_000

/** A tenant may claim work while its use exceeds the lowest use by at most this many steps, about 100 ms. */
export const slackSteps = 20_000_000

/** The fixed cost of a run for reading, writing and committing, about 0.5 ms. */
export const stepsPerRun = 100_000

/**
 * The maximum number of costly runs per tenant, waiting or running. A tenant at this limit claims no further signals.
 */
export const maxCostlyPerTenant = 2

/**
 * The maximum number of signals per tenant that run outside the workers. A tenant at this limit claims no further
 * signals.
 */
export const maxDetachedPerTenant = 16

/** The maximum number of tenants with a recorded use. Beyond it, the tenant with the oldest use is dropped. */
const maxRemembered = 10_000

interface Use {
  readonly steps: number
  readonly at: number
}

/**
 * Work outside the workers. `outside` is all of it, for example a model request; `costly` is the part that is costly.
 */
export type DetachedKind = "outside" | "costly"

const kinds: ReadonlyArray<DetachedKind> = ["outside", "costly"]

const limits: Readonly<Record<DetachedKind, number>> = { outside: maxDetachedPerTenant, costly: maxCostlyPerTenant }

/** The processor shares of one server. */
export interface CpuSharesShape {
  /** Records the steps that a tenant used at `now`, in epoch milliseconds. */
  readonly charge: (tenantId: string, steps: number, now: number) => void
  /**
   * Selects the tenants that may claim work, among those with due work. Excludes tenants that reached a limit of
   * running work. Of the rest it selects those whose use is close to the lowest. A tenant with costly runs therefore
   * waits while others have work.
   */
  readonly admit: (due: ReadonlyArray<string>, now: number) => ReadonlyArray<string>
  /** Runs work outside the workers and counts it as running. */
  readonly outside: <A, E, R>(
    tenantId: string,
    kind: DetachedKind,
    work: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
  /** Runs costly work, one at a time. The waiting tenant with the lowest use runs next. */
  readonly alone: <A, E, R>(tenantId: string, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Completes when a tenant may claim work again, at the latest after the timeout. */
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

/** A lock for costly work that orders its waiters by use. */
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
        // No longer waiting: the lock was already granted, so it passes to the next waiter.
        return index < 0 ? release : Effect.sync(() => void waiting.splice(index, 1))
      })
    })
  return (tenantId, work) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(restore(come(tenantId)), () => Effect.ensuring(restore(work), release))
    )
}

/** Creates shares without any recorded use. */
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

/** The shares of this process. */
export const CpuShares: Context.Reference<CpuSharesShape> = Context.Reference("core/workflow/budget/CpuShares", {
  defaultValue: makeCpuShares
})
