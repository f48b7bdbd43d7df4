import type { KeyObject } from "node:crypto"
import type { SmsAccount } from "@leadloom/connectors/sms/SmsAccount"
import type { SmsProviderName } from "@leadloom/core/domain/provider/SmsProviders"
import { Context, type Redacted } from "effect"

/** The secrets that verify requests of providers. */
export class ProviderSecrets extends Context.Service<
  ProviderSecrets,
  {
    /** Secret of the Nylas webhook; null: its requests are rejected. */
    readonly nylasWebhook: Redacted.Redacted | null
    /** Secrets of the Stripe webhook, several during a rotation. Empty: its requests are rejected. */
    readonly stripeWebhook: ReadonlyArray<Redacted.Redacted>
    /** Public keys of the HighLevel app. Empty: its requests are rejected. */
    readonly crmWebhookKeys: ReadonlyArray<KeyObject>
    /** URL at which providers reach this server, without a trailing slash; null: webhooks of texts are rejected. */
    readonly publicUrl: string | null
    /** The accounts for texts, which verify their webhooks. */
    readonly sms: ReadonlyMap<SmsProviderName, SmsAccount>
    /** The Twilio account for calls; null: its requests are rejected. */
    readonly twilio: {
      /** URL at which Twilio reaches this server, without a trailing slash. */
      readonly publicUrl: string
      /** The current token, and the previous one during a rotation. */
      readonly authTokens: ReadonlyArray<Redacted.Redacted>
    } | null
    /** Accepted secrets of the CRM's workflow actions. */
    readonly crmActions: ReadonlyArray<Redacted.Redacted>
  }
>()("server/http/middleware/ProviderSecrets") {}
