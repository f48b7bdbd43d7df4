import type { SmsProviderName } from "@leadloom/core/internal/domain/provider/SmsProviders"
import type { Redacted } from "effect"
import type { SmsAccount } from "./SmsAccount.ts"

/** An environment variable of an adapter. */
export type SmsVariable = `LEADLOOM_SMS_${string}`

/** An SMS provider that has configuration variables of its own. */
export interface SmsAdapter {
  /**
   * The variables, with texts for the configuration reference, which are sentences. A variable without a default is
   * required.
   */
  readonly variables: Readonly<Record<SmsVariable, { readonly default: string | null; readonly text: string }>>
  /** Opens the account with the values of the variables. */
  readonly open: (settings: (name: SmsVariable) => Redacted.Redacted<string>) => SmsAccount
}

/** The adapters of all providers in `SmsProviders` except Twilio, whose account also places calls. */
export const smsAdapters: Readonly<Record<Exclude<SmsProviderName, "twilio">, SmsAdapter>> = {}
