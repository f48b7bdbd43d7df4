import { Effect } from "effect"
import { Classifier } from "../port/Classifier.ts"
import type { Tenant } from "../tenant/Tenant.ts"
import { askModel } from "./AskModel.ts"
import type { PipelineInput } from "./PipelineInput.ts"

/** Asks the language model what a message is about, and stores nothing but the use. */
export const classifyConversation = Effect.fn("classifyConversation")(function* (input: {
  readonly tenant: Tenant
  readonly request: PipelineInput
}) {
  const { request, tenant } = input
  const { classify, configured } = yield* Classifier
  const message = { tenantName: tenant.name, channel: request.channel, subject: null, text: request.message }
  const { classification } = yield* askModel(tenant.tenantId, configured, classify(message))
  return classification
})
