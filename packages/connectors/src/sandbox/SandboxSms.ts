import { demandClearance } from "@leadloom/core/domain/consent/Clearance"
import { SmsProvider, TextRefused } from "@leadloom/core/port/provider/SmsProvider"
import type { TextArrived } from "@leadloom/core/domain/conversation/TextEvent"
import { Effect, Layer } from "effect"

/** What the log and the stored send say of every text. */
export const sandboxNote = "nothing left this machine: no account for texts is configured (LEADLOOM_TWILIO_ACCOUNT_SID)"

/** Takes every text and sends none, and says so: for a server without an account. */
export const layer: Layer.Layer<SmsProvider> = Layer.succeed(SmsProvider, {
  configured: false,
  send: ({ tenantId, text }, clearance) =>
    demandClearance(clearance, { tenantId, channel: "sms", recipients: [text.to] }).pipe(
      Effect.andThen(Effect.logWarning(sandboxNote)),
      Effect.annotateLogs({ tenant: tenantId, from: text.from, segments: text.segments }),
      Effect.as({ left: false, response: sandboxNote, providerMessageId: null })
    ),
  find: () => Effect.succeed([]),
  media: () => Effect.fail(new TextRefused({ reason: sandboxNote, about: null }))
})

/** A text as it would come in, for `ingestText`: somebody writes to a number of ours. `id` tells it from all others. */
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
