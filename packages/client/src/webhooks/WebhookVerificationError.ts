/** Which mistake was made. `no_match`, `too_old` and `too_new` are what a forger or a replay gets as well. */
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
 * Why a delivery is not believed. Branch on `code`; `message` says for developers what to do, and holds neither secret
 * nor body. Answer the sender with 400.
 */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError"
  readonly code: WebhookVerificationCode

  constructor(code: WebhookVerificationCode, message: string) {
    super(message)
    this.code = code
  }
}
