import { Clock, Effect } from "effect"
import { GuardEvaluations } from "../../port/repository/pipeline/GuardEvaluations.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { type GuardCount, guardDay } from "../../domain/guardrail/GuardRecord.ts"
import type { GuardOutcome } from "../../domain/guardrail/Guardrail.ts"
import { withSpan } from "../WithSpan.ts"

type Outcomes = Readonly<Record<GuardOutcome, number>>

/** The numbers of guardrail outcomes in several days. */
export interface GuardStats {
  /** The first and the last day, as `YYYY-MM-DD` in UTC. */
  readonly from: string
  readonly to: string
  readonly outcomes: Outcomes
  readonly guardrails: ReadonlyArray<Pick<GuardCount, "guardrailId" | "kind"> & { readonly outcomes: Outcomes }>
}

const dayMillis = 86_400_000

const outcomesOf = (counts: ReadonlyArray<GuardCount>): Outcomes => {
  const sum = (outcome: GuardOutcome): number =>
    counts.filter((one) => one.outcome === outcome).reduce((total, { count }) => total + count, 0)
  return { allow: sum("allow"), require_approval: sum("require_approval"), block: sum("block") }
}

/**
 * Returns the counts of the last `days` days, including today. It reads daily counts, so its cost depends only on the
 * number of days.
 */
export const guardStats = Effect.fnUntraced(function* (tenantId: string, days: number) {
  yield* (yield* Tenants).get(tenantId)
  const now = yield* Clock.currentTimeMillis
  const [from, to] = [guardDay(now - (days - 1) * dayMillis), guardDay(now)]
  const counts = yield* (yield* GuardEvaluations).counts(tenantId, from, to)
  const groups = Map.groupBy(counts, ({ guardrailId, kind }) => JSON.stringify([guardrailId, kind]))
  const guardrails = [...groups.values()].flatMap((group) => {
    const [first] = group
    return first === undefined
      ? []
      : [{ guardrailId: first.guardrailId, kind: first.kind, outcomes: outcomesOf(group) }]
  })
  const stats: GuardStats = { from, to, outcomes: outcomesOf(counts), guardrails }
  return stats
}, withSpan("guardStats"))
