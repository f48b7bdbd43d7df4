import { Clock, Effect } from "effect"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { consumeUsage } from "../billing/ConsumeUsage.ts"
import { assess } from "./DecideRun.ts"
import { type PipelineInput, subjectOfInput } from "../intake/PipelineInput.ts"

/** Scores a message and its contact, and stores nothing but the use. */
export const scoreContact = Effect.fn("scoreContact")(function* (input: {
  readonly tenant: Tenant
  readonly request: PipelineInput
}) {
  yield* consumeUsage(input.tenant.tenantId, "actions")
  return assess(yield* subjectOfInput(input.tenant, input.request, yield* Clock.currentTimeMillis)).score
})
