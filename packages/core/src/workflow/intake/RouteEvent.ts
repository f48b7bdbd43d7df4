import { Clock, Effect } from "effect"
import { Ids } from "../../port/system/Ids.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { CompiledConfigs } from "../../domain/tenant/CompiledConfigs.ts"
import { evaluateRulesInSlices } from "../../domain/rule/EvaluateRulesInSlices.ts"
import { factsOf } from "../../domain/rule/Fact.ts"
import type { CustomEvent } from "./IngestEvent.ts"
import { subjectOfInput } from "./PipelineInput.ts"
import { runBudgeted } from "../budget/RunBudgeted.ts"

/**
 * Evaluates only the routing rules for a custom event (`mode=sync`). It does not classify, score, store or act. For the
 * rules, classification and score are missing. Fails with `BudgetExceeded` where a run would end for review.
 */
export const routeEvent = Effect.fn("routeEvent")(function* (input: {
  readonly tenant: Tenant
  readonly sourceId: string
  readonly event: CustomEvent
}) {
  const { event, sourceId, tenant } = input
  const now = yield* Clock.currentTimeMillis
  const { rules, timeAt } = yield* (yield* CompiledConfigs).of(tenant)
  const request = {
    message: event.body,
    contact: event.entity,
    channel: event.channel,
    source: sourceId,
    metadata: event.metadata,
    idempotencyKey: null
  }
  const subject = yield* subjectOfInput(tenant, request, now)
  const message = { ...subject.message, subject: event.subject }
  const facts = factsOf({ ...subject, message, classification: null, score: null, time: timeAt(now) })
  const { matched } = yield* runBudgeted(tenant.tenantId, (budget) => evaluateRulesInSlices(rules, facts, budget))
  return {
    eventId: yield* (yield* Ids).next("evt"),
    matchedRules: matched.length,
    actions: matched.flatMap(({ actions }) => actions.map((action) => action.type))
  }
})
