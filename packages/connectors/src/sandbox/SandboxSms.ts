import { demandClearance } from "@leadloom/core/internal/domain/consent/Clearance"
import { refused } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { SmsProvider } from "@leadloom/core/internal/port/provider/SmsProvider"
import type { TextArrived } from "@leadloom/core/internal/domain/conversation/TextEvent"
import { Effect, Layer } from "effect"
import { log, logEvents } from "../provider/LogEvents.ts"

/** The note that the log and each stored send contain. */
export const sandboxNote = logEvents["text.sandboxed"].sentence

/** Accepts texts without sending them, and records this. It is used on a server without an SMS account. */
export const layer: Layer.Layer<SmsProvider> = Layer.succeed(SmsProvider, {
  configured: false,
  sendsMedia: true,
  send: ({ tenantId, text }, clearance) =>
    demandClearance(clearance, { tenantId, channel: "sms", recipients: [text.to] }).pipe(
      Effect.andThen(log("text.sandboxed", { tenant: tenantId, from: text.from, segments: text.segments })),
      Effect.as({ left: false, response: sandboxNote, providerMessageId: null })
    ),
  find: () => Effect.succeed([]),
  media: () => Effect.fail(refused("sms", sandboxNote))
})

/** Returns a simulated inbound text to one of our numbers, for `ingestText`. `id` must be unique. */
export const playText = (id: string, from: string, to: string, body: string): TextArrived => ({
  _tag: "TextArrived",
  providerMessageId: `sandbox-${id}`,
  from,
  to,
  body,
  media: [],
  requested: null,
  details: {}
})
