/** The groups of variables, in the order of the reference's sections. */
export const variableGroups = [
  "Server",
  "Storage",
  "Secrets",
  "Identity provider",
  "Email over SMTP",
  "Mailboxes (IMAP)",
  "Hosted mailboxes (Nylas)",
  "Language model",
  "Texts and calls (Twilio)",
  "Texts (other providers)",
  "CRM (HighLevel)",
  "Payments (Stripe)",
  "Public forms (Turnstile)",
  "Webhooks and events",
  "Rate limits"
] as const
export type VariableGroup = (typeof variableGroups)[number]

/** A variable, as the configuration reference describes it. */
export interface VariableEntry {
  readonly group: VariableGroup
  /** The value that applies if the variable is unset; null if there is no default. */
  readonly default: string | null
  /** One or two sentences of Markdown. */
  readonly text: string
}
