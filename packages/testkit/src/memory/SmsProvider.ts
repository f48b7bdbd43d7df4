import * as ProviderFailure from "@leadloom/core/internal/domain/provider/ProviderFailure"
import type { Context } from "effect"
import { Effect, Layer } from "effect"
import { demandClearance } from "@leadloom/core/internal/domain/consent/Clearance"
import { SmsProvider, type TextOrder, type TextReceipt } from "@leadloom/core/internal/port/provider/SmsProvider"

/** The outcome of one text message. */
export type TextFate = TextReceipt | ProviderFailure.ProviderFailure

/**
 * Provides an `SmsProvider` that appends each text to `outbox` and returns the outcome of `fate`. By default it accepts
 * every text.
 */
export const inMemorySmsProvider = (
  outbox: Array<TextOrder>,
  fate: (order: TextOrder) => TextFate = ({ messageId }) => ({
    left: true,
    response: "201 queued",
    providerMessageId: `SM${messageId}`
  }),
  more: Partial<Pick<Context.Service.Shape<typeof SmsProvider>, "configured" | "find" | "media" | "sendsMedia">> = {}
): Layer.Layer<SmsProvider> =>
  Layer.succeed(SmsProvider, {
    configured: true,
    sendsMedia: true,
    find: () => Effect.succeed([]),
    media: () => Effect.fail(ProviderFailure.refused("sms", "no such media file")),
    ...more,
    send: (order, clearance) =>
      Effect.gen(function* () {
        const { tenantId, text } = order
        yield* demandClearance(clearance, { tenantId, channel: "sms", recipients: [text.to] })
        outbox.push(order)
        const outcome = fate(order)
        return "_tag" in outcome ? yield* Effect.fail(outcome) : outcome
      })
  })
