import { Clock, Effect } from "effect"
import { acceptRequest } from "../intake/AcceptMessage.ts"
import { IdempotencyInProgress } from "../../domain/sending/Reservation.ts"
import { Runs } from "../../port/repository/pipeline/Runs.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { type PipelineInput, toInbound } from "../intake/PipelineInput.ts"
import { RunNotFound } from "./Runs.ts"
import { runSignal } from "./RunSignal.ts"
import { signalIdOf } from "../../domain/classification/Signal.ts"
import { withSpan } from "../WithSpan.ts"

/**
 * Ingests a message, and runs the whole pipeline before it returns. If the run fails after the message is stored, a
 * worker finishes it. A repeated request returns the run of the first one. While that run does not exist yet, it fails
 * with `IdempotencyInProgress`. Fails with `IdempotencyConflict` for a different request with the same key.
 */
export const handleRequest = Effect.fnUntraced(function* (input: {
  readonly tenant: Tenant
  readonly request: PipelineInput
}) {
  const { tenantId } = input.tenant
  const inbound = toInbound(input.tenant, input.request, yield* Clock.currentTimeMillis)
  const { contactId, leadId, messageId, outcome } = yield* acceptRequest(inbound)
  const replayed = outcome === "duplicate_of"
  // The request is a copy of a message that was erased with its contact and its run.
  if (messageId === null || contactId === null)
    return yield* new RunNotFound({ signalId: "an erased message", wait: null })
  const signalId = signalIdOf(messageId)
  const signal = { signalId, tenantId, messageId, contactId, leadId, attempts: 1, unfinished: 1, suspect: false }
  const ran = replayed ? null : yield* runSignal(input.tenant, signal)
  // The run may already exist: the first request has made it, or a worker has taken over after this server exceeded its
  // lease.
  const run = ran ?? (yield* (yield* Runs).ofSignal(tenantId, signalId))
  if (run === null && replayed) return yield* new IdempotencyInProgress()
  if (run === null) return yield* new RunNotFound({ signalId, wait: null })
  return { signalId, result: run, replayed }
}, withSpan("handleRequest"))
