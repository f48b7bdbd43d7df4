import * as ProviderFailure from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { clearanceMissing, VoiceProvider } from "@leadloom/core/internal/port/provider/VoiceProvider"
import { Effect, Layer } from "effect"
import { log, logEvents } from "../provider/LogEvents.ts"

/** The note that the log contains for every call. */
export const sandboxVoiceNote = logEvents["call.sandboxed"].sentence

const gone = ProviderFailure.gone("voice", "call", sandboxVoiceNote)

const note = (tenant: string | null, call: string | null) => log("call.sandboxed", { tenant, call })

/**
 * Accepts calls without placing them, and records this. It is used on a server without a voice provider. Simulations
 * report the course of a call through `applyCallReport`. A call without a report ends after a day.
 */
export const layer: Layer.Layer<VoiceProvider> = Layer.succeed(VoiceProvider, {
  name: "sandbox",
  place: ({ callId, tenantId, to }, clearance) =>
    clearance.covers({ tenantId, channel: "voice", recipients: [to] })
      ? Effect.as(note(tenantId, callId), { providerCallId: `sandbox:${callId}`, left: false })
      : clearanceMissing,
  transfer: ({ callId, tenantId, to }, clearance) =>
    clearance.covers({ tenantId, channel: "voice", recipients: [to] }) ? note(tenantId, callId) : clearanceMissing,
  hangUp: () => note(null, null),
  legs: () => Effect.fail(gone),
  recordings: () => Effect.succeed([]),
  sound: () => Effect.fail(gone),
  removeRecording: () => Effect.void
})
