import { clearanceMissing, VoiceGone, VoiceProvider } from "@leadloom/core/port/provider/VoiceProvider"
import { Effect, Layer } from "effect"

/** What the log says of every call. */
export const sandboxVoiceNote = "no telephone rang: no voice provider is configured (LEADLOOM_TWILIO_ACCOUNT_SID)"

const gone = new VoiceGone({ reason: sandboxVoiceNote })

const note = (about: Readonly<Record<string, string>>) =>
  Effect.annotateLogs(Effect.logWarning(sandboxVoiceNote), about)

/**
 * Takes every call and places none, and says so: for a server without a provider. What would become of its calls, whoever
 * plays provider tells as a provider does (`applyCallReport`); one of which nobody tells is over after a day.
 */
export const layer: Layer.Layer<VoiceProvider> = Layer.succeed(VoiceProvider, {
  name: "sandbox",
  place: ({ callId, tenantId, to }, clearance) =>
    clearance.covers({ tenantId, channel: "voice", recipients: [to] })
      ? Effect.as(note({ tenant: tenantId, call: callId }), { providerCallId: `sandbox:${callId}`, left: false })
      : clearanceMissing,
  transfer: ({ callId, tenantId, to }, clearance) =>
    clearance.covers({ tenantId, channel: "voice", recipients: [to] })
      ? note({ tenant: tenantId, call: callId })
      : clearanceMissing,
  hangUp: () => note({}),
  legs: () => Effect.fail(gone),
  recordings: () => Effect.succeed([]),
  sound: () => Effect.fail(gone),
  removeRecording: () => Effect.void
})
