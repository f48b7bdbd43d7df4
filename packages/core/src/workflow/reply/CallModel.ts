import { Effect } from "effect"
import { mayUseModel, type ModelFailed, ModelMissing, type ModelUse } from "../../domain/classification/Model.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { Classifier } from "../../port/provider/Classifier.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { refundUsage } from "../billing/PayWithCredits.ts"
import { consumeUsage, recordModelUse } from "../billing/Usage.ts"
import type { PipelineInput } from "../intake/PipelineInput.ts"

/**
 * Runs a standalone action that asks a model. The caps are checked first, even on a server without a model; there the
 * unit of work fails, so nothing is counted. One action and one call are counted before the request, the tokens after
 * it. A failing model refunds the action, and also the call when no model was reached.
 */
export const callModel = Effect.fn("callModel")(function* <A extends { readonly use: ModelUse }, R>(
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
})

/** Classifies a message with the language model. Stores only the usage. */
export const classifyConversation = Effect.fn("classifyConversation")(function* (input: {
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
})
