import type { Stream } from "effect"
import { Context, Effect } from "effect"
import type { CallLegs } from "../../domain/call/CallLegs.ts"
import type { CallId } from "../../domain/Id.ts"
import type { ProviderFailure } from "../../domain/provider/ProviderFailure.ts"
import type { Clearance } from "../../domain/consent/Clearance.ts"

/** An outbound call. The provider first rings the agent's phone, then the contact's. Numbers are in E.164. */
export interface CallToPlace {
  readonly tenantId: string
  readonly callId: CallId
  /** The tenant's number, which agent and contact see. */
  readonly from: string
  readonly agentPhone: string
  readonly to: string
  readonly record: boolean
}

/** A transfer of a running call to another number. */
export interface CallToTransfer {
  readonly tenantId: string
  readonly callId: CallId
  /** The provider's id of the contact's leg, which continues after the transfer. */
  readonly leg: string
  /** The tenant's number, which the new participant sees. */
  readonly from: string
  readonly to: string
  readonly record: boolean
}

/** The provider's response when it accepts a call. */
export interface PlacedCall {
  /** The provider's id of the agent's leg. */
  readonly providerCallId: string
  /** False when no call was placed, because no provider is configured. */
  readonly left: boolean
}

/** An entry in the provider's list of recordings. */
export interface ProviderRecording {
  readonly recordingId: string
  readonly seconds: number | null
  readonly ready: boolean
}

/** The audio of a recording, as a stream. */
export interface RecordingAudio {
  readonly mediaType: string
  /** The size in bytes. Null when the provider does not announce it. */
  readonly size: number | null
  readonly bytes: Stream.Stream<Uint8Array, ProviderFailure>
}

/**
 * Dies, because the clearance does not cover the called number. This is a defect of this server, never an error of a
 * client.
 */
export const clearanceMissing: Effect.Effect<never> = Effect.die(new Error("There is no consent for this call."))

/** The maximum size of a recording in bytes. It suffices for four hours of speech in MP3. */
export const maxRecordingBytes = 128 * 1_048_576

/** Places, transfers and ends telephone calls. An adapter sends each request only once and never retries. */
export class VoiceProvider extends Context.Service<
  VoiceProvider,
  {
    /** The provider's name in call records. */
    readonly name: string
    /** Rings the agent's phone, then the contact's. Dies when the clearance does not cover the contact's number. */
    readonly place: (call: CallToPlace, clearance: Clearance) => Effect.Effect<PlacedCall, ProviderFailure>
    /** Connects the contact with another number and disconnects the previous agent. */
    readonly transfer: (transfer: CallToTransfer, clearance: Clearance) => Effect.Effect<void, ProviderFailure>
    /** Ends a leg, and thereby the call. */
    readonly hangUp: (leg: string) => Effect.Effect<void, ProviderFailure>
    /** Returns the state of a leg, and of the legs that were dialled from it. Fails with `Gone` for an unknown leg. */
    readonly legs: (leg: string) => Effect.Effect<CallLegs, ProviderFailure>
    /** Lists the recordings of the call that started with this leg, newest first. */
    readonly recordings: (leg: string) => Effect.Effect<ReadonlyArray<ProviderRecording>, ProviderFailure>
    /** Returns the audio of a recording. Fails with `Refused` when it is larger than `maxRecordingBytes`. */
    readonly sound: (recordingId: string) => Effect.Effect<RecordingAudio, ProviderFailure>
    /** Deletes a recording. Succeeds when it no longer exists. */
    readonly removeRecording: (recordingId: string) => Effect.Effect<void, ProviderFailure>
  }
>()("core/port/provider/VoiceProvider") {}
