import { outcomeUnknown, unavailable } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import {
  maxRecordingBytes,
  clearanceMissing,
  type ProviderRecording,
  VoiceProvider
} from "@leadloom/core/internal/port/provider/VoiceProvider"
import { Effect, Layer, Schema } from "effect"
import { HttpClient } from "effect/http"
import { jsonOf } from "../provider/Exchange.ts"
import { layerFetch } from "../provider/Fetch.ts"
import { listOf, maybe } from "../provider/Lenient.ts"
import { present } from "../provider/Present.ts"
import type { Provider, ProviderRequest } from "../provider/Provider.ts"
import { request, send, stream } from "../provider/ProviderClient.ts"
import { callUrl, connectTwiml } from "./CallTwiml.ts"
import { type TwilioConfig, twilioProvider } from "./TwilioConfig.ts"
import { readLegs } from "./TwilioLegs.ts"

/** The provider name of calls through Twilio. */
export const twilio = "twilio"

const Placed = Schema.Struct({ sid: Schema.String })
const Recordings = Schema.Struct({
  recordings: listOf(
    Schema.Struct({ sid: maybe(Schema.String), status: maybe(Schema.String), duration: maybe(Schema.String) })
  )
})

type RecordingsJson = typeof Recordings.Type

const recordingsOf = ({ recordings }: RecordingsJson): ReadonlyArray<ProviderRecording> =>
  present(recordings).flatMap(({ duration, sid, status }) => {
    const seconds = Number.parseInt(duration ?? "", 10)
    return sid
      ? [{ recordingId: sid, seconds: Number.isNaN(seconds) ? null : seconds, ready: status === "completed" }]
      : []
  })

/** Creates a request about a resource of the account. */
const about = (
  method: ProviderRequest["method"],
  path: ReadonlyArray<string>,
  more: Pick<ProviderRequest, "form" | "query"> = {}
): ProviderRequest => ({
  method,
  path,
  extension: ".json",
  what: path[0] === "Recordings" ? "recording" : "call",
  ...more
})

const soundOf = (provider: Provider) =>
  Effect.fn("TwilioVoice.sound")(function* (recordingId: string) {
    const call = { ...about("GET", ["Recordings", recordingId]), extension: ".mp3", maxBytes: maxRecordingBytes }
    const { bytes, headers } = yield* stream(provider, call).pipe(
      // A refusal with a status becomes `Unavailable`: Twilio does not document such a status, so it may be temporary.
      // A refusal without a status means that the recording is too large.
      Effect.catchReason("ProviderFailure", "Refused", ({ detail, status }, failure) =>
        Effect.fail(status === null ? failure : unavailable("voice", detail))
      )
    )
    const size = /^\d+$/u.test(headers["content-length"] ?? "") ? Number(headers["content-length"]) : null
    return { mediaType: headers["content-type"] ?? "audio/mpeg", size, bytes }
  })

const events = ["initiated", "ringing", "answered", "completed"].map((event): [string, string] => [
  "StatusCallbackEvent",
  event
])

/** Provides calls through Twilio, over the given `HttpClient`. `publicUrl`: the base URL of Twilio's callbacks. */
export const layerNoDeps = (
  config: TwilioConfig,
  publicUrl: string
): Layer.Layer<VoiceProvider, never, HttpClient.HttpClient> =>
  Layer.effect(
    VoiceProvider,
    Effect.map(HttpClient.HttpClient, (http) => {
      const provider: Provider = {
        ...twilioProvider(config),
        service: "voice",
        http,
        timeoutMillis: 15_000,
        maxBytes: 1_048_576
      }
      const change = (leg: string, fields: Readonly<Record<string, string>>) =>
        Effect.asVoid(send(provider, about("POST", ["Calls", leg], { form: new URLSearchParams(fields) })))
      return VoiceProvider.of({
        name: twilio,
        place: Effect.fn("TwilioVoice.place")(function* (call, clearance) {
          const { agentPhone, callId, from, record, tenantId, to } = call
          if (!clearance.covers({ tenantId, channel: "voice", recipients: [to] })) return yield* clearanceMissing
          const place = { publicUrl, tenantId, callId }
          const connection = { place, to, callerId: from, record, leg: "contact", end: "dial" } as const
          const form = new URLSearchParams([
            ["To", agentPhone],
            ["From", from],
            ["Twiml", connectTwiml(connection)],
            ["Timeout", "30"],
            ["StatusCallback", callUrl(place, "call-status", "agent")],
            ...events
          ])
          const { sid } = yield* request(provider, about("POST", ["Calls"], { form }), Placed)
          return { providerCallId: sid, left: true }
        }),
        transfer: Effect.fn("TwilioVoice.transfer")(function* (transfer, clearance) {
          const { callId, from, leg, record, tenantId, to } = transfer
          if (!clearance.covers({ tenantId, channel: "voice", recipients: [to] })) return yield* clearanceMissing
          const place = { publicUrl, tenantId, callId }
          const connection = { place, to, callerId: from, record, leg: null, end: "transfer" } as const
          yield* change(leg, { Twiml: connectTwiml(connection) })
        }),
        hangUp: (leg) => change(leg, { Status: "completed" }),
        legs: Effect.fn("TwilioVoice.legs")(function* (leg) {
          const found = yield* send(provider, about("GET", ["Calls", leg]))
          const query = { ParentCallSid: leg, PageSize: "50" }
          const dialed = yield* send(provider, about("GET", ["Calls"], { query }))
          const legs = readLegs(jsonOf(found), jsonOf(dialed))
          return legs ?? (yield* outcomeUnknown("voice", "the response did not come from Twilio"))
        }),
        recordings: (leg) =>
          Effect.map(request(provider, about("GET", ["Calls", leg, "Recordings"]), Recordings), recordingsOf),
        sound: soundOf(provider),
        removeRecording: (recordingId) =>
          send(provider, about("DELETE", ["Recordings", recordingId])).pipe(
            Effect.asVoid,
            Effect.catchReason("ProviderFailure", "Gone", () => Effect.void)
          )
      })
    })
  )

/** Provides calls through Twilio. */
export const layer = (config: TwilioConfig, publicUrl: string): Layer.Layer<VoiceProvider> =>
  Layer.provide(layerNoDeps(config, publicUrl), layerFetch)
