import { Effect } from "effect"
import { type Budget, within } from "../budget/Budget.ts"
import {
  evaluatePaidRules,
  type CompiledRules,
  continueRules,
  evaluationOf,
  newProgress,
  payAtOnce,
  readSlots
} from "./CompileRules.ts"
import type { Facts } from "./Fact.ts"

/**
 * The steps of computing the facts of a message, for each character: counting words, and finding questions and links.
 */
const factSteps = 4

/** Evaluates all rules like `evaluateRules`, but yields to the event loop between comparisons. */
export const evaluateRulesInSlices = Effect.fnUntraced(function* (
  compiled: CompiledRules,
  facts: Facts,
  budget: Budget
) {
  const { isPaid, slots } = yield* within(() => {
    budget.spend(factSteps * (facts["message.text"]?.length ?? 0))
    const read = readSlots(compiled, facts)
    return { isPaid: payAtOnce(compiled, read, budget), slots: read }
  })
  if (isPaid) return evaluatePaidRules(compiled, slots)
  const progress = newProgress()
  const until = () => budget.turnIsDue()
  while (!(yield* within(() => continueRules(compiled, slots, progress, budget, until)))) yield* budget.pause
  return evaluationOf(progress)
})
