import {
  maxRecordingBytes,
  clearanceMissing,
  type ProviderRecording,
  VoiceGone,
  type VoiceFailure,
  VoiceOutcomeUnknown,
  VoiceProvider,
  VoiceRefused,
  VoiceUnavailable
} from "@leadloom/core/port/provider/VoiceProvider"
import { Effect, Layer, Option, Schema, Stream } from "effect"
import { HttpClient, type HttpClientError, type HttpClientResponse } from "effect/http"
import { layerFetch } from "../http/Fetch.ts"
import { listOf, maybe } from "../http/Lenient.ts"
import { present } from "../http/Present.ts"
import { callUrl, connectTwiml } from "./CallTwiml.ts"
import { endpoint, type TwilioConfig } from "./TwilioConfig.ts"
import { readLegs } from "./TwilioLegs.ts"
import { sendRequest, jsonOf, requestOf, type TwilioCall, type TwilioFailure } from "./TwilioRequest.ts"

/** The provider name of calls through Twilio. */
export const twilio = "twilio"

/** The timeout of a request in milliseconds. */
const timeoutMillis = 15_000

/** The call is not in progress (21220), or the object does not exist (20404). */
const goneCodes: ReadonlyArray<number | null> = [21_220, 20_404]

const failureOf = (error: TwilioFailure): VoiceFailure => {
  const { reason } = error
  switch (error._tag) {
    case "TwilioUnavailable":
      return new VoiceUnavailable({ reason })
    case "TwilioOutcomeUnknown":
      return new VoiceOutcomeUnknown({ reason })
    case "TwilioRefused":
      return goneCodes.includes(error.code) || error.status === 404
        ? new VoiceGone({ reason })
        : new VoiceRefused({ reason })
  }
}

const Placed = Schema.Struct({ sid: Schema.String })
const Recordings = Schema.Struct({
  recordings: listOf(
    Schema.Struct({ sid: maybe(Schema.String), status: maybe(Schema.String), duration: maybe(Schema.String) })
  )
})

const recordingsOf = (body: Uint8Array): ReadonlyArray<ProviderRecording> => {
  const read = Option.getOrNull(Schema.decodeUnknownOption(Recordings)(jsonOf(body)))
  return present(read?.recordings).flatMap(({ duration, sid, status }) => {
    const seconds = Number.parseInt(duration ?? "", 10)
    return sid
      ? [{ recordingId: sid, seconds: Number.isNaN(seconds) ? null : seconds, ready: status === "completed" }]
      : []
  })
}

/** Returns the URL of a resource with its extension. An id that cannot be a path segment counts as a missing object. */
const urlOf = (config: TwilioConfig, ending: "json" | "mp3", ...steps: ReadonlyArray<string>) => {
  const url = endpoint(config, steps)
  return url === null
    ? Effect.fail(new VoiceGone({ reason: "the object does not exist" }))
    : Effect.succeed(`${url}.${ending}`)
}

const tooLong = new VoiceRefused({ reason: `the recording is longer than ${maxRecordingBytes / 1_048_576} MiB` })

const brokenOff = ({ message }: HttpClientError.HttpClientError) =>
  new VoiceUnavailable({ reason: message.slice(0, 200) })

/** Streams a body up to a size limit. */
const boundedStream = (response: HttpClientResponse.HttpClientResponse): Stream.Stream<Uint8Array, VoiceFailure> => {
  let length = 0
  return response.stream.pipe(
    Stream.mapError(brokenOff),
    Stream.mapEffect((chunk) => {
      length += chunk.length
      return length > maxRecordingBytes ? Effect.fail(tooLong) : Effect.succeed(chunk)
    })
  )
}

const soundOf = (http: HttpClient.HttpClient, config: TwilioConfig) =>
  Effect.fn("TwilioVoice.sound")(function* (recordingId: string) {
    const url = yield* urlOf(config, "mp3", "Recordings", recordingId)
    const response = yield* http.execute(requestOf(config, { method: "GET", url, timeoutMillis })).pipe(
      Effect.mapError(brokenOff),
      Effect.timeoutOrElse({
        duration: timeoutMillis,
        orElse: () => Effect.fail(new VoiceUnavailable({ reason: "Twilio did not respond in time" }))
      })
    )
    const { headers, status } = response
    if (status === 404) return yield* new VoiceGone({ reason: "the recording does not exist" })
    if (status !== 200) return yield* new VoiceUnavailable({ reason: `Twilio answered ${status}` })
    const size = /^\d+$/u.test(headers["content-length"] ?? "") ? Number(headers["content-length"]) : null
    if (size !== null && size > maxRecordingBytes) return yield* tooLong
    return { mediaType: headers["content-type"] ?? "audio/mpeg", size, bytes: boundedStream(response) }
  })

type Form = NonNullable<TwilioCall["form"]>

const events: Form = ["initiated", "ringing", "answered", "completed"].map(
  (event) => ["StatusCallbackEvent", event] as const
)

/** Provides calls through Twilio, over the given `HttpClient`. `publicUrl`: the base URL of Twilio's callbacks. */
export const layerNoDeps = (
  config: TwilioConfig,
  publicUrl: string
): Layer.Layer<VoiceProvider, never, HttpClient.HttpClient> =>
  Layer.effect(
    VoiceProvider,
    Effect.map(HttpClient.HttpClient, (http) => {
      const request = (call: Omit<TwilioCall, "timeoutMillis">) =>
        Effect.mapError(sendRequest(http, config, { ...call, timeoutMillis }), failureOf)
      const change = Effect.fnUntraced(function* (leg: string, form: Form) {
        yield* request({ method: "POST", url: yield* urlOf(config, "json", "Calls", leg), form })
      })
      return VoiceProvider.of({
        name: twilio,
        place: Effect.fn("TwilioVoice.place")(function* (call, clearance) {
          const { agentPhone, callId, from, record, tenantId, to } = call
          if (!clearance.covers({ tenantId, channel: "voice", recipients: [to] })) return yield* clearanceMissing
          const place = { publicUrl, tenantId, callId }
          const connection = { place, to, callerId: from, record, leg: "contact", end: "dial" } as const
          const form: Form = [
            ["To", agentPhone],
            ["From", from],
            ["Twiml", connectTwiml(connection)],
            ["Timeout", "30"],
            ["StatusCallback", callUrl(place, "call-status", "agent")],
            ...events
          ]
          const { body } = yield* request({ method: "POST", url: yield* urlOf(config, "json", "Calls"), form })
          const placed = Option.getOrNull(Schema.decodeUnknownOption(Placed)(jsonOf(body)))
          // A proxy may answer 200 to any request.
          if (placed === null)
            return yield* new VoiceOutcomeUnknown({ reason: "the response did not come from Twilio" })
          return { providerCallId: placed.sid, left: true }
        }),
        transfer: Effect.fn("TwilioVoice.transfer")(function* (transfer, clearance) {
          const { callId, from, leg, record, tenantId, to } = transfer
          if (!clearance.covers({ tenantId, channel: "voice", recipients: [to] })) return yield* clearanceMissing
          const place = { publicUrl, tenantId, callId }
          const connection = { place, to, callerId: from, record, leg: null, end: "transfer" } as const
          yield* change(leg, [["Twiml", connectTwiml(connection)]])
        }),
        hangUp: (leg) => change(leg, [["Status", "completed"]]),
        legs: Effect.fn("TwilioVoice.legs")(function* (leg) {
          const found = yield* request({ method: "GET", url: yield* urlOf(config, "json", "Calls", leg) })
          const query = { ParentCallSid: leg, PageSize: "50" }
          const dialed = yield* request({ method: "GET", url: yield* urlOf(config, "json", "Calls"), query })
          const legs = readLegs(jsonOf(found.body), jsonOf(dialed.body))
          return legs ?? (yield* new VoiceOutcomeUnknown({ reason: "the response did not come from Twilio" }))
        }),
        recordings: Effect.fn("TwilioVoice.recordings")(function* (leg) {
          const url = yield* urlOf(config, "json", "Calls", leg, "Recordings")
          return recordingsOf((yield* request({ method: "GET", url })).body)
        }),
        sound: soundOf(http, config),
        removeRecording: Effect.fn("TwilioVoice.removeRecording")(function* (recordingId) {
          const url = yield* urlOf(config, "json", "Recordings", recordingId)
          yield* Effect.catchTag(request({ method: "DELETE", url }), "VoiceGone", () => Effect.void)
        })
      })
    })
  )

/** Provides calls through Twilio. */
export const layer = (config: TwilioConfig, publicUrl: string): Layer.Layer<VoiceProvider> =>
  Layer.provide(layerNoDeps(config, publicUrl), layerFetch)
