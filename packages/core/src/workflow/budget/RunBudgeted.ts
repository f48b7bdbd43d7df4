import { Clock, Effect } from "effect"
import { type Budget, BudgetExceeded, makeBudget, runLimits, unitLimits } from "../../domain/budget/Budget.ts"
import { CpuShares, stepsPerRun } from "./CpuShares.ts"

/** Work that spends a budget. */
export type BudgetedWork<A, E, R> = (budget: Budget) => Effect.Effect<A, E | BudgetExceeded, R>

/** Does work with the small budget of a unit of work. No clock is read, so the same work has the same outcome. */
export const runWithUnitBudget = <A, E, R>(tenantId: string, work: BudgetedWork<A, E, R>) =>
  Effect.gen(function* () {
    const { charge } = yield* CpuShares
    const now = yield* Clock.currentTimeMillis
    const budget = makeBudget(unitLimits)
    return yield* Effect.ensuring(
      work(budget),
      Effect.sync(() => charge(tenantId, stepsPerRun + budget.steps(), now))
    )
  })

/**
 * Does work with the whole budget of a run and the clock as the second net: one such work at a time on this server, and
 * with turns for everything else. Never inside a unit of work.
 */
export const costly = <A, E, R>(tenantId: string, work: BudgetedWork<A, E, R>) =>
  Effect.gen(function* () {
    const { alone, charge, outside } = yield* CpuShares
    const clock = yield* Clock.Clock
    const now = () => clock.currentTimeMillisUnsafe()
    const begin = Effect.suspend(() => {
      const budget = makeBudget(runLimits, now)
      return Effect.ensuring(
        work(budget),
        Effect.sync(() => charge(tenantId, budget.steps(), now()))
      )
    })
    return yield* outside(tenantId, "costly", alone(tenantId, begin))
  })

/** Whether more of the same budget may be enough. */
export const isOutOfSteps = (error: unknown): boolean => error instanceof BudgetExceeded && error.resource === "steps"

/** Does work quickly where the small budget is enough, and else costly, from its beginning. */
export const runBudgeted = <A, E, R>(tenantId: string, work: BudgetedWork<A, E, R>) =>
  Effect.catchIf(
    runWithUnitBudget(tenantId, work),
    (error): error is Extract<typeof error, BudgetExceeded> => isOutOfSteps(error),
    () => costly(tenantId, work)
  )
