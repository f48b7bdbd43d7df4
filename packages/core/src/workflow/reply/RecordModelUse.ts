import { Clock, Effect } from "effect"
import { usageMonth } from "../../domain/billing/Usage.ts"
import { Usages } from "../../port/repository/tenant/Usages.ts"
import type { ModelUse } from "../../domain/classification/Model.ts"

/**
 * Counts what asking a model has cost, after the fact: tokens, and the calls beyond the first, which `consumeUsage` has
 * counted before it was made.
 */
export const recordModelUse = Effect.fnUntraced(function* (tenantId: string, use: ModelUse | null) {
  if (use === null) return
  const month = usageMonth(yield* Clock.currentTimeMillis)
  const usages = yield* Usages
  yield* usages.add(tenantId, "ai_calls", month, use.calls - 1)
  yield* usages.add(tenantId, "ai_input_tokens", month, use.inputTokens)
  yield* usages.add(tenantId, "ai_output_tokens", month, use.outputTokens)
})
