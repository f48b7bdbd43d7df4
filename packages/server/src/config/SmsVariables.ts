import type { SmsAccount } from "@leadloom/connectors/internal/sms/SmsAccount"
import { type SmsAdapter, smsAdapters, type SmsVariable } from "@leadloom/connectors/internal/sms/SmsAdapters"
import { twilioAccount } from "@leadloom/connectors/internal/twilio/TwilioSms"
import type { SmsProviderName } from "@leadloom/core/internal/domain/provider/SmsProviders"
import { Redacted } from "effect"
import type { TwilioAccess } from "./TwilioVariables.ts"
import type { Variables } from "./Variables.ts"

/** An account of an SMS provider that has an adapter. */
export interface SmsAccess {
  readonly name: SmsProviderName
  readonly account: SmsAccount
}

/** The tokens that verify Twilio's webhooks: the current one, and the previous one during a rotation. */
export const twilioTokens = ({ authToken, formerAuthToken }: TwilioAccess): ReadonlyArray<Redacted.Redacted> =>
  formerAuthToken === null ? [authToken] : [authToken, formerAuthToken]

/**
 * Reads the accounts of adapters. A set variable is a mistake if another required variable of the same adapter is
 * missing.
 */
export const readSms = (
  { text, wrong }: Variables,
  adapters: Readonly<Record<string, SmsAdapter>> = smsAdapters
): ReadonlyArray<SmsAccess> =>
  Object.entries(adapters).flatMap(([name, { open, variables }]) => {
    const entries = Object.entries(variables) as ReadonlyArray<[SmsVariable, { readonly default: string | null }]>
    if (entries.every(([variable]) => text(variable) === null)) return []
    const missing = [
      ...entries.filter(([variable, { default: value }]) => (text(variable) ?? value) === null).map(([each]) => each),
      ...(text("LEADLOOM_PUBLIC_URL") === null ? (["LEADLOOM_PUBLIC_URL"] as const) : [])
    ]
    for (const variable of missing) wrong(variable, `is missing. Texts through ${name} require it.`, null)
    if (missing.length > 0) return []
    const account = open((variable) => Redacted.make(text(variable) ?? variables[variable]?.default ?? ""))
    return [{ name: name as SmsProviderName, account }]
  })

/** Returns the accounts for texts. The first one sends. Twilio sends only if no adapter is configured. */
export const smsAccounts = ({
  sms,
  twilio
}: {
  readonly sms: ReadonlyArray<SmsAccess>
  readonly twilio: TwilioAccess | null
}): ReadonlyArray<readonly [SmsProviderName, SmsAccount]> => [
  ...sms.map(({ account, name }) => [name, account] as const),
  ...(twilio === null ? [] : [["twilio", twilioAccount(twilio, twilioTokens(twilio))] as const])
]
