/** The cause of a failed verification. A forged or replayed delivery yields `no_match`, `too_old` or `too_new`. */
export type WebhookVerificationCode =
  | "missing_header"
  | "malformed_header"
  | "no_match"
  | "too_old"
  | "too_new"
  | "body_parsed"
  | "body_empty"
  | "body_invalid"
  | "bad_secret"

/**
 * The error of a delivery that failed verification. Programs should branch on `code`. `message` tells developers the
 * next step; it contains neither the secret nor the body. Respond to the sender with 400.
 */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError"
  readonly code: WebhookVerificationCode

  constructor(code: WebhookVerificationCode, message: string) {
    super(message)
    this.code = code
  }
}
