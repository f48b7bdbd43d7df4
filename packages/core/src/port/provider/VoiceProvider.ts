import type { Stream } from "effect"
import { Context, Data, Effect } from "effect"
import type { CallLegs } from "../../domain/call/CallLegs.ts"
import type { CallId } from "../../domain/Id.ts"
import type { Clearance } from "../../domain/consent/Clearance.ts"

/** A call that is to be placed: first the agent's phone rings, then the contact's. Numbers are E.164. */
export interface CallToPlace {
  readonly tenantId: string
  readonly callId: CallId
  /** The tenant's number that both see. */
  readonly from: string
  readonly agentPhone: string
  readonly to: string
  readonly record: boolean
}

/** A call that is up and is to be passed on to somebody else. */
export interface CallToTransfer {
  readonly tenantId: string
  readonly callId: CallId
  /** The contact's leg: the one that goes on. */
  readonly leg: string
  /** The tenant's number that whoever takes over sees. */
  readonly from: string
  readonly to: string
  readonly record: boolean
}

/** What the provider said when it took a call. */
export interface PlacedCall {
  /** Its id of the agent's leg. */
  readonly providerCallId: string
  /** False: nothing left this machine, because nothing is configured to call with. */
  readonly left: boolean
}

/** A recording as the provider lists it. */
export interface ProviderRecording {
  readonly recordingId: string
  readonly seconds: number | null
  readonly ready: boolean
}

/** The sound of a recording. */
export interface RecordingAudio {
  readonly mediaType: string
  /** Bytes; null when it is not told beforehand. */
  readonly size: number | null
  readonly bytes: Stream.Stream<Uint8Array, VoiceFailure>
}

/** Refused for good: the same request will be refused again. */
export class VoiceRefused extends Data.TaggedError("VoiceRefused")<{ readonly reason: string }> {}

/** Certainly not done, and may be tried again. */
export class VoiceUnavailable extends Data.TaggedError("VoiceUnavailable")<{ readonly reason: string }> {}

/** It may have been done: the answer was lost. */
export class VoiceOutcomeUnknown extends Data.TaggedError("VoiceOutcomeUnknown")<{ readonly reason: string }> {}

/** The provider knows no such thing, or not any more. */
export class VoiceGone extends Data.TaggedError("VoiceGone")<{ readonly reason: string }> {}

export type VoiceFailure = VoiceRefused | VoiceUnavailable | VoiceOutcomeUnknown | VoiceGone

/** A number is not one that the consent was given for: a mistake here, and never of a caller's. */
export const clearanceMissing: Effect.Effect<never> = Effect.die(new Error("There is no consent for this call."))

/** Most bytes of a recording that are passed on: four hours of speech in MP3. */
export const maxRecordingBytes = 128 * 1_048_576

/** Carries telephone calls. It does what it is asked for once, and never again by itself. */
export class VoiceProvider extends Context.Service<
  VoiceProvider,
  {
    /** How it is called in the records of calls. */
    readonly name: string
    /** Rings the agent's phone and then the contact's. Dies where the consent is for somebody else. */
    readonly place: (call: CallToPlace, clearance: Clearance) => Effect.Effect<PlacedCall, VoiceFailure>
    /** Connects the contact with somebody else; whoever spoke before is out. */
    readonly transfer: (transfer: CallToTransfer, clearance: Clearance) => Effect.Effect<void, VoiceFailure>
    /** Ends a leg, and with it the call. */
    readonly hangUp: (leg: string) => Effect.Effect<void, VoiceFailure>
    /** How a leg stands, and the legs that were dialled for it. `VoiceGone`: the provider knows no such leg. */
    readonly legs: (leg: string) => Effect.Effect<CallLegs, VoiceFailure>
    /** Recordings of the call that began with a leg, newest first. */
    readonly recordings: (leg: string) => Effect.Effect<ReadonlyArray<ProviderRecording>, VoiceFailure>
    /** The sound of a recording; `VoiceRefused` when it is longer than `maxRecordingBytes`. */
    readonly sound: (recordingId: string) => Effect.Effect<RecordingAudio, VoiceFailure>
    /** Deletes a recording; one that is gone is no failure. */
    readonly removeRecording: (recordingId: string) => Effect.Effect<void, VoiceFailure>
  }
>()("core/port/provider/VoiceProvider") {}
