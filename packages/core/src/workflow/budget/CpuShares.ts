/**
 * How the processor of this server is shared among tenants: who has used how much of it lately, whose turn it is when work
 * is claimed, and one place for runs that take long. Kept in memory and per server; what a tenant did half a minute ago
 * hardly counts. It knows tenants and steps, not signals.
 */
import { Clock, Context, Deferred, Effect } from "effect"
import { makeWakeUp, type WakeUp } from "../../port/system/WakeUp.ts"

/** Use counts half after this time. */
const halfLifeMillis = 10_000

/** How much more than the tenant with the least use a tenant may have used and still get a turn: about 100 ms. */
export const slackSteps = 20_000_000

/** What a run costs apart from its budget: reading, writing and committing, about 0.5 ms. */
export const stepsPerRun = 100_000

/** Costly runs of one tenant that may wait or work at once; with more under way it gets no further signals. */
export const maxCostlyPerTenant = 2

/** Signals of one tenant that may go on outside of the workers at once, before it gets no further ones. */
export const maxDetachedPerTenant = 16

/** Tenants whose use is remembered; beyond it the ones that used nothing for longest are forgotten. */
const maxRemembered = 10_000

interface Use {
  readonly steps: number
  readonly at: number
}

/** Work that goes on outside of the workers: all of it, because a model is asked or a run is costly, and what is costly. */
export type DetachedKind = "outside" | "costly"

const kinds: ReadonlyArray<DetachedKind> = ["outside", "costly"]

const limits: Readonly<Record<DetachedKind, number>> = { outside: maxDetachedPerTenant, costly: maxCostlyPerTenant }

/** The shares of one server. */
export interface CpuSharesShape {
  /** Notes what a tenant has used at a time in epoch milliseconds. */
  readonly charge: (tenantId: string, steps: number, now: number) => void
  /**
   * Which of the tenants that have something due get a turn. None that has too much under way. Of the others those whose
   * use is close to the least: a tenant with costly runs waits while others have work, and is served whenever they have none.
   */
  readonly admit: (due: ReadonlyArray<string>, now: number) => ReadonlyArray<string>
  /** Does work that goes on outside of the workers, counted as under way. */
  readonly outside: <A, E, R>(
    tenantId: string,
    kind: DetachedKind,
    work: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
  /** Does costly work, one at a time. Of those that wait the tenant with the least use comes first. */
  readonly alone: <A, E, R>(tenantId: string, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Completes when a tenant may get turns again, else in time. */
  readonly wait: WakeUp["wait"]
}

interface Waiting {
  readonly tenantId: string
  readonly turn: Deferred.Deferred<void>
}

/** How much tenants have used lately. */
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

/** How much of each kind of a tenant is under way outside of the workers. */
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

/** One place for costly work. */
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
        // Not there any more: the turn has been given already, and goes on to the next.
        return index < 0 ? release : Effect.sync(() => void waiting.splice(index, 1))
      })
    })
  return (tenantId, work) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(restore(come(tenantId)), () => Effect.ensuring(restore(work), release))
    )
}

/** New shares: nobody has used anything. */
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
