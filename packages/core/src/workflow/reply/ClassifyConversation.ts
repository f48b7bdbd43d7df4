import { Effect } from "effect"
import { Classifier } from "../../port/provider/Classifier.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { mayAsk } from "../../domain/classification/Model.ts"
import { askModel } from "./AskModel.ts"
import type { PipelineInput } from "../intake/PipelineInput.ts"

/** Asks the language model what a message is about, and stores nothing but the use. */
export const classifyConversation = Effect.fn("classifyConversation")(function* (input: {
  readonly tenant: Tenant
  readonly request: PipelineInput
}) {
  const { request, tenant } = input
  const classifier = yield* Classifier
  const message = { tenantName: tenant.name, channel: request.channel, subject: null, text: request.message }
  const { classification } = yield* askModel(tenant.tenantId, mayAsk(tenant, classifier), classifier.classify(message))
  return classification
})
