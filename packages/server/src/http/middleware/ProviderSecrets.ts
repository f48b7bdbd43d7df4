import type { KeyObject } from "node:crypto"
import { Context, type Redacted } from "effect"

/** By what providers that call this server prove themselves. */
export class ProviderSecrets extends Context.Service<
  ProviderSecrets,
  {
    /** Of the webhook at Nylas; null: none is configured, and nothing that comes there is believed. */
    readonly nylasWebhook: Redacted.Redacted | null
    /** Of the webhook at Stripe, several while one is being changed; none: nothing that comes there is believed. */
    readonly stripeWebhook: ReadonlyArray<Redacted.Redacted>
    /** Of the app at HighLevel; none: none is configured, and nothing that comes there is believed. */
    readonly crmWebhookKeys: ReadonlyArray<KeyObject>
    /** Of the account at Twilio; null: there is none, and nothing that comes from there is believed. */
    readonly twilio: {
      /** Where it calls this server, without a slash at the end. */
      readonly publicUrl: string
      /** The present token, and the one before it while it is changed. */
      readonly authTokens: ReadonlyArray<Redacted.Redacted>
    } | null
    /** Of workflow actions of the CRM; any of them does. */
    readonly crmActions: ReadonlyArray<Redacted.Redacted>
  }
>()("server/http/middleware/ProviderSecrets") {}
