import { type Budget, makeBudget, runLimits } from "@leadloom/core/internal/domain/budget/Budget"
import { Effect } from "effect"

/** The measurements of a watched budget. */
export interface Seen {
  readonly turns: number
  /** The maximum number of steps between two turns of the event loop. */
  readonly maxSteps: number
}

/**
 * Creates a budget without a step limit. It records the maximum number of steps between two turns of the event loop.
 */
export const watched = (): { readonly budget: Budget; readonly seen: () => Seen } => {
  const inner = makeBudget({ ...runLimits, steps: Infinity })
  let turns = 0
  let last = 0
  let maxSteps = 0
  const budget: Budget = {
    spend: (steps) => inner.spend(steps),
    spendAtOnce: (steps) => inner.spendAtOnce(steps),
    write: (characters) => inner.write(characters),
    act: (actions) => inner.act(actions),
    turnIsDue: () => inner.turnIsDue(),
    pause: Effect.suspend(() => {
      if (!inner.turnIsDue()) return Effect.void
      turns++
      maxSteps = Math.max(maxSteps, inner.steps() - last)
      last = inner.steps()
      return inner.pause
    }),
    steps: () => inner.steps(),
    exceeded: () => inner.exceeded()
  }
  return { budget, seen: () => ({ turns, maxSteps: Math.max(maxSteps, inner.steps() - last) }) }
}
