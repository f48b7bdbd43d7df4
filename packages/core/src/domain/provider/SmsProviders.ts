/** How the webhooks of a provider of texts are described. */
export interface SmsWebhookDescription {
  /**
   * The header with the signature of a webhook. A request without it is rejected before its body is read. Null: the
   * signature is in the body.
   */
  readonly signatureHeader: string | null
  readonly body: "form" | "json"
  /** The response body that the provider requires. */
  readonly response: "empty" | "twiml"
}

/**
 * The providers of text messages, as named in URLs and operations, with the properties of their webhooks. Each provider
 * has an adapter in `connectors` (`docs/how-to/write-an-sms-provider.md`).
 */
export const smsProviders = {
  twilio: { signatureHeader: "X-Twilio-Signature", body: "form", response: "twiml" }
} as const satisfies Readonly<Record<string, SmsWebhookDescription>>

export type SmsProviderName = keyof typeof smsProviders

/** The name of a provider's operation that receives texts (`text`) or status reports (`textStatus`). */
export type SmsOperation = `${SmsProviderName}.${"text" | "textStatus"}`

/** Builds a table with a row for each operation of each provider. */
export const perSmsOperation = <A>(
  row: (name: SmsProviderName, kind: "text" | "textStatus") => A
): Readonly<Record<SmsOperation, A>> => {
  const names = Object.keys(smsProviders) as ReadonlyArray<SmsProviderName>
  const rows = names.flatMap((name) =>
    (["text", "textStatus"] as const).map((kind) => [`${name}.${kind}`, row(name, kind)] as const)
  )
  // The keys are exactly the operations. The type of `fromEntries` does not express this, so the cast is necessary.
  return Object.fromEntries(rows) as Readonly<Record<SmsOperation, A>>
}
