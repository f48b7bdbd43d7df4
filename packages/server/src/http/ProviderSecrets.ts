import type { KeyObject } from "node:crypto"
import { Context, type Redacted } from "effect"

/** By what providers that call this server prove themselves. */
export class ProviderSecrets extends Context.Service<
  ProviderSecrets,
  {
    /** Of the webhook at Nylas; null: none is configured, and nothing that comes there is believed. */
    readonly nylasWebhook: Redacted.Redacted | null
    /** Of the app at HighLevel; none: none is configured, and nothing that comes there is believed. */
    readonly crmWebhookKeys: ReadonlyArray<KeyObject>
    /** Of workflow actions of the CRM; any of them does. */
    readonly crmActions: ReadonlyArray<Redacted.Redacted>
  }
>()("server/http/ProviderSecrets") {}
