import * as ProviderFailure from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { Effect, Layer, Stream } from "effect"
import type { CallLegs } from "@leadloom/core/internal/domain/call/CallLegs"
import {
  VoiceProvider,
  type CallToPlace,
  type CallToTransfer,
  type PlacedCall,
  clearanceMissing
} from "@leadloom/core/internal/port/provider/VoiceProvider"

/** A recorded request. */
export type VoiceRequest =
  | { readonly act: "place"; readonly call: CallToPlace }
  | { readonly act: "transfer"; readonly transfer: CallToTransfer }
  | { readonly act: "hang_up"; readonly leg: string }
  | { readonly act: "remove_recording"; readonly recordingId: string }

/**
 * Provides a `VoiceProvider` that records its requests in `acts`. `fate` decides the outcome of a call, which is placed
 * by default. `legs` returns the state of a leg, which is unknown by default.
 */
export const inMemoryVoiceProvider = (
  acts: Array<VoiceRequest>,
  fate: (call: CallToPlace) => PlacedCall | ProviderFailure.ProviderFailure = ({ callId }) => ({
    providerCallId: `leg ${callId}`,
    left: true
  }),
  legs: (leg: string) => CallLegs | ProviderFailure.ProviderFailure = () =>
    ProviderFailure.gone("voice", "object", "no such leg")
): Layer.Layer<VoiceProvider> =>
  Layer.succeed(VoiceProvider, {
    name: "memory",
    place: (call, clearance) =>
      clearance.covers({ tenantId: call.tenantId, channel: "voice", recipients: [call.to] })
        ? Effect.suspend((): Effect.Effect<PlacedCall, ProviderFailure.ProviderFailure> => {
            acts.push({ act: "place", call })
            const outcome = fate(call)
            return "_tag" in outcome ? Effect.fail(outcome) : Effect.succeed(outcome)
          })
        : clearanceMissing,
    transfer: (transfer, clearance) =>
      clearance.covers({ tenantId: transfer.tenantId, channel: "voice", recipients: [transfer.to] })
        ? Effect.sync(() => void acts.push({ act: "transfer", transfer }))
        : clearanceMissing,
    hangUp: (leg) => Effect.sync(() => void acts.push({ act: "hang_up", leg })),
    legs: (leg) =>
      Effect.suspend((): Effect.Effect<CallLegs, ProviderFailure.ProviderFailure> => {
        const found = legs(leg)
        return "_tag" in found ? Effect.fail(found) : Effect.succeed(found)
      }),
    recordings: (leg) => Effect.succeed([{ recordingId: `recording of ${leg}`, seconds: 60, ready: true }]),
    sound: (recordingId) =>
      Effect.succeed({
        mediaType: "audio/mpeg",
        size: null,
        bytes: Stream.succeed(new TextEncoder().encode(recordingId))
      }),
    removeRecording: (recordingId) => Effect.sync(() => void acts.push({ act: "remove_recording", recordingId }))
  })
