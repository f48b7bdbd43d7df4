import { Clock, Effect } from "effect"
import { acceptRequest } from "../intake/AcceptMessage.ts"
import { IdempotencyInProgress } from "../../domain/sending/Reservation.ts"
import { Runs } from "../../port/repository/pipeline/Runs.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { type PipelineInput, toInbound } from "../intake/PipelineInput.ts"
import { RunNotFound } from "./Runs.ts"
import { runSignal } from "./RunSignal.ts"
import { signalIdOf } from "../../domain/classification/Signal.ts"

/**
 * Takes a message in and passes it through the whole pipeline before answering. When the answer fails after the message
 * was taken in, a worker finishes the run. A repeated request answers with the first one's run, and fails with
 * `IdempotencyInProgress` until there is one; another request under the same key fails with `IdempotencyConflict`.
 */
export const handleRequest = Effect.fn("handleRequest")(function* (input: {
  readonly tenant: Tenant
  readonly request: PipelineInput
}) {
  const { tenantId } = input.tenant
  const inbound = toInbound(input.tenant, input.request, yield* Clock.currentTimeMillis)
  const { contactId, leadId, messageId, outcome } = yield* acceptRequest(inbound)
  const replayed = outcome === "duplicate_of"
  // What this is a copy of was erased with its contact, and so was its run.
  if (messageId === null || contactId === null) return yield* new RunNotFound({ signalId: "an erased message" })
  const signalId = signalIdOf(messageId)
  const signal = { signalId, tenantId, messageId, contactId, leadId, attempts: 1, unfinished: 1, suspect: false }
  const ran = replayed ? null : yield* runSignal(input.tenant, signal)
  // The run may be there already: of the first request, or of a worker when this server was stuck beyond the lease.
  const run = ran ?? (yield* (yield* Runs).ofSignal(tenantId, signalId))
  if (run === null && replayed) return yield* new IdempotencyInProgress()
  if (run === null) return yield* new RunNotFound({ signalId })
  return { signalId, result: run, replayed }
})
