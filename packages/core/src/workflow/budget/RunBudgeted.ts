import { Clock, Effect } from "effect"
import { type Budget, BudgetExceeded, makeBudget, runLimits, unitLimits } from "../../domain/budget/Budget.ts"
import { CpuShares, stepsPerRun } from "./CpuShares.ts"

/** Work that spends a budget. */
export type BudgetedWork<A, E, R> = (budget: Budget) => Effect.Effect<A, E | BudgetExceeded, R>

/**
 * Runs work with the small budget of a unit of work. The budget has no clock, so a retry of the unit has the same
 * outcome.
 */
export const runWithUnitBudget = <A, E, R>(tenantId: string, work: BudgetedWork<A, E, R>) =>
  Effect.withFiber((fiber) => {
    const { charge } = fiber.getRef(CpuShares)
    const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
    const budget = makeBudget(unitLimits)
    return Effect.ensuring(
      work(budget),
      Effect.sync(() => charge(tenantId, stepsPerRun + budget.steps(), now))
    )
  })

/**
 * Runs work with the full budget of a run and the clock as a second limit. The server runs only one such work at a
 * time. The work yields to other fibers. Never use it inside a unit of work.
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

/** Returns whether the work exceeded the limit of steps, so that a larger budget may suffice. */
export const isOutOfSteps = (error: unknown): boolean => error instanceof BudgetExceeded && error.resource === "steps"

/**
 * Runs work with the small budget first. If its steps do not suffice, runs the work again from the start with the full
 * budget.
 */
export const runBudgeted = <A, E, R>(tenantId: string, work: BudgetedWork<A, E, R>) =>
  Effect.catchIf(
    runWithUnitBudget(tenantId, work),
    (error): error is Extract<typeof error, BudgetExceeded> => isOutOfSteps(error),
    () => costly(tenantId, work)
  )
