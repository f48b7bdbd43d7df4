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
 * Ingests a message and runs the whole pipeline before it returns. If the run fails after ingestion, a worker finishes
 * it. A repeated request returns the run of the first one, or fails with `IdempotencyInProgress` until that exists.
 * Fails with `IdempotencyConflict` for a different request under the same key.
 */
export const handleRequest = Effect.fn("handleRequest")(function* (input: {
  readonly tenant: Tenant
  readonly request: PipelineInput
}) {
  const { tenantId } = input.tenant
  const inbound = toInbound(input.tenant, input.request, yield* Clock.currentTimeMillis)
  const { contactId, leadId, messageId, outcome } = yield* acceptRequest(inbound)
  const replayed = outcome === "duplicate_of"
  // The original message was erased with its contact, and so was its run.
  if (messageId === null || contactId === null) return yield* new RunNotFound({ signalId: "an erased message" })
  const signalId = signalIdOf(messageId)
  const signal = { signalId, tenantId, messageId, contactId, leadId, attempts: 1, unfinished: 1, suspect: false }
  const ran = replayed ? null : yield* runSignal(input.tenant, signal)
  // The run may already exist: from the first request, or from a worker after this server exceeded its lease.
  const run = ran ?? (yield* (yield* Runs).ofSignal(tenantId, signalId))
  if (run === null && replayed) return yield* new IdempotencyInProgress()
  if (run === null) return yield* new RunNotFound({ signalId })
  return { signalId, result: run, replayed }
})
