import { Clock, Effect } from "effect"
import { acceptMessage } from "../conversation/AcceptMessage.ts"
import { Runs } from "../port/Runs.ts"
import type { Tenant } from "../tenant/Tenant.ts"
import { type PipelineInput, toInbound } from "./PipelineInput.ts"
import { runSignal } from "./RunSignal.ts"

/**
 * Takes a message in and passes it through the whole pipeline before answering. When the answer fails after the message
 * was taken in, a worker finishes the run.
 */
export const handleRequest = Effect.fn("handleRequest")(function* (input: {
  readonly tenant: Tenant
  readonly request: PipelineInput
}) {
  const { tenantId } = input.tenant
  const inbound = toInbound(input.tenant, input.request, yield* Clock.currentTimeMillis)
  const { contactId, leadId, messageId, signalId } = yield* acceptMessage(inbound)
  if (signalId === null || messageId === null || contactId === null) {
    return yield* Effect.die(new Error("a pipeline request has no copies"))
  }
  const signal = { signalId, tenantId, messageId, contactId, leadId, attempts: 1 }
  // On a server that was stuck for longer than the lease a worker has done it, and its run is the answer.
  const run = (yield* runSignal(input.tenant, signal)) ?? (yield* (yield* Runs).ofSignal(tenantId, signalId))
  if (run === null) return yield* Effect.die(new Error(`${signalId} has ended without a run`))
  return { signalId, result: run }
})
