import type { KeyObject } from "node:crypto"
import type { SmsAccount } from "@leadloom/connectors/internal/sms/SmsAccount"
import type { SmsProviderName } from "@leadloom/core/internal/domain/provider/SmsProviders"
import { Context, type Redacted } from "effect"

/** The secrets that verify requests of providers. */
export class ProviderSecrets extends Context.Service<
  ProviderSecrets,
  {
    /** The secret of the Nylas webhook. If it is null, requests to the webhook are rejected. */
    readonly nylasWebhook: Redacted.Redacted | null
    /**
     * The secrets of the Stripe webhook, several during a rotation. If the list is empty, requests to the webhook are
     * rejected.
     */
    readonly stripeWebhook: ReadonlyArray<Redacted.Redacted>
    /** The public keys of the HighLevel app. If the list is empty, requests to its webhook are rejected. */
    readonly crmWebhookKeys: ReadonlyArray<KeyObject>
    /**
     * The URL at which providers reach this server, without a trailing slash. If it is null, webhooks of texts are
     * rejected.
     */
    readonly publicUrl: string | null
    /** The accounts for texts. Each account verifies the webhooks of its provider. */
    readonly sms: ReadonlyMap<SmsProviderName, SmsAccount>
    /** The Twilio account for calls. If it is null, its webhooks are rejected. */
    readonly twilio: {
      /** The URL at which Twilio reaches this server, without a trailing slash. */
      readonly publicUrl: string
      /** The auth tokens: the current one, and the previous one during a rotation. */
      readonly authTokens: ReadonlyArray<Redacted.Redacted>
    } | null
    /** The accepted secrets of the CRM's workflow actions. */
    readonly crmActions: ReadonlyArray<Redacted.Redacted>
  }
>()("server/http/middleware/ProviderSecrets") {}
