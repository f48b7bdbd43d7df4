import { Effect } from "effect"
import { mayUseModel, type ModelFailed, ModelMissing, type ModelUse } from "../../domain/classification/Model.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { Classifier } from "../../port/provider/Classifier.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { refundUsage } from "../billing/PayWithCredits.ts"
import { consumeUsage, recordModelUse } from "../billing/Usage.ts"
import type { PipelineInput } from "../intake/PipelineInput.ts"
import { withSpan } from "../WithSpan.ts"

/**
 * Runs a single action that asks a model. Before the request, one action and one model call are counted, and the caps
 * are checked. This happens even on a server without a model; the unit of work then fails, so nothing is counted. After
 * the request, the tokens are counted. If the model fails, the action is refunded. If no model was reached, the call is
 * refunded too.
 */
export const callModel = Effect.fnUntraced(function* <A extends { readonly use: ModelUse }, R>(
  tenantId: string,
  configured: boolean,
  request: Effect.Effect<A, ModelMissing | ModelFailed, R>
) {
  const { atomically } = yield* Transactions
  const count = Effect.all({ action: consumeUsage(tenantId, "actions"), call: consumeUsage(tenantId, "ai_calls") })
  const counted = yield* atomically(
    tenantId,
    configured ? count : Effect.andThen(count, Effect.fail(new ModelMissing()))
  )
  const account = (use: ModelUse | null, failed: boolean) =>
    atomically(
      tenantId,
      Effect.gen(function* () {
        if (failed) yield* refundUsage(counted.action)
        if (use === null) yield* refundUsage(counted.call)
        yield* recordModelUse(tenantId, use)
      })
    ).pipe(Effect.uninterruptible)
  const answered = yield* Effect.tapError(request, (error) =>
    account(error._tag === "ModelFailed" ? error.use : null, true)
  )
  yield* account(answered.use, false)
  return answered
}, withSpan("callModel"))

/** Classifies a message with the language model. Stores only the use of the plan. */
export const classifyConversation = Effect.fnUntraced(function* (input: {
  readonly tenant: Tenant
  readonly request: PipelineInput
}) {
  const { request, tenant } = input
  const classifier = yield* Classifier
  const message = { tenantName: tenant.name, channel: request.channel, subject: null, text: request.message }
  const { classification } = yield* callModel(
    tenant.tenantId,
    mayUseModel(tenant, classifier),
    classifier.classify(message)
  )
  return classification
}, withSpan("classifyConversation"))
