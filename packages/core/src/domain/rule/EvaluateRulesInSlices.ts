import { Effect } from "effect"
import { type Budget, spending, within } from "../budget/Budget.ts"
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

/** Steps that reading the facts of a message costs a character: its words are counted, questions and links are looked for. */
const factSteps = 4

/** Asks every rule in order, as `evaluateRules`, with turns for the event loop between two comparisons. */
export const evaluateRulesInSlices = Effect.fnUntraced(function* (
  compiled: CompiledRules,
  facts: Facts,
  budget: Budget
) {
  yield* spending(budget, factSteps * (facts["message.text"]?.length ?? 0))
  const slots = readSlots(compiled, facts)
  if (yield* within(() => payAtOnce(compiled, slots, budget))) return evaluatePaidRules(compiled, slots)
  const progress = newProgress()
  const until = () => budget.turnIsDue()
  while (!(yield* within(() => continueRules(compiled, slots, progress, budget, until)))) yield* budget.pause
  return evaluationOf(progress)
})
