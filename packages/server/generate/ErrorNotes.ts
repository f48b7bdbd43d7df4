import type * as errors from "@leadloom/api/internal/errors"

/** The instances of all error classes of the contract. */
type ApiError = {
  [Name in keyof typeof errors]: (typeof errors)[Name] extends { readonly of: (...args: never) => infer Failure }
    ? Failure
    : never
}[keyof typeof errors]

/** A code of the error envelope. A new error class does not compile without its advice below. */
export type ErrorCode =
  | (typeof errors.transportCodes)[keyof typeof errors.transportCodes]
  | Extract<ApiError, { readonly error: { readonly code: string } }>["error"]["code"]

/** The next step after each error, for `docs/reference/errors.md`. */
export const errorAdvice: Readonly<Record<ErrorCode, string>> = {
  BAD_REQUEST: "Correct the fields in `details`. A retry without a change fails again.",
  UNAUTHORIZED: "Send a valid credential in `Authorization: Bearer <credential>`.",
  FORBIDDEN: "Use a credential with the permission. See [permissions](../permissions.md).",
  HIPAA_RESTRICTED: "Use another channel.",
  PLAN_RESTRICTED: "Change the plan of the tenant.",
  NOT_FOUND:
    "Check the id and the tenant. If `details` names another object, continue with that object. A foreign object looks like a missing one.",
  METHOD_NOT_ALLOWED: "Use a method from the header `Allow`.",
  CONFLICT: "Read the object again and decide whether the request is still correct.",
  IDEMPOTENCY_CONFLICT: "Use a new key for a new request, and the same body for a repeated one.",
  IDEMPOTENCY_IN_PROGRESS: "Wait a moment and send the same request again. The response is that of the first request.",
  CONNECTION_EXISTS: "Disconnect the account in `details` first.",
  MAILBOX_LOGIN_FAILED: "Correct the login as the message says. `details` names the server and the problem.",
  KEY_LIMIT_REACHED: "Revoke an API key that is no longer in use.",
  PRECONDITION_FAILED: "Read the current version, apply your change to it, and send it with the new version.",
  PAYLOAD_TOO_LARGE: "Send less at once. [Limits](limits.md) lists the maximum size for each operation.",
  UNSUPPORTED_MEDIA_TYPE: "Send JSON with `Content-Type: application/json`.",
  GUARDRAIL_BLOCKED: "Change the text, or the guardrail in `details`.",
  FILE_INFECTED: "Do not send the file. Clean the machine that it comes from.",
  CALL_NOT_ALLOWED: "Read the reasons in `details`. Do not repeat the call until they no longer apply.",
  RATE_LIMITED: "Wait for the number of seconds in `Retry-After`, then send the request again.",
  USAGE_LIMIT_REACHED: "Wait for the next month, buy credits, or change the plan.",
  AI_LIMIT_REACHED: "Wait for the next month, buy credits, or change the plan.",
  PROVIDER_ERROR: "Correct the cause that the message names. A retry without a change fails again.",
  INTERNAL: "Search the log of the server for the `request_id` in `details`, and report the failure.",
  SERVICE_UNAVAILABLE: "If the message names a missing setting, set it. Otherwise send the request again after a pause."
}
