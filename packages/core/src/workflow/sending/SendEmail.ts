import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Effect } from "effect"
import type { SendOverride } from "../../domain/consent/Override.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { EmailRequestInvalid } from "../../domain/email/Grant.ts"
import {
  changedOptions,
  checkComposition,
  type Composition,
  type CompositionOptions,
  plainComposition
} from "../../domain/sending/Composition.ts"
import { expandForward } from "../forward/ForwardMail.ts"
import { planAddressed } from "./PlanComposition.ts"
import { sendOnce } from "./SendOnce.ts"
import { withSpan } from "../WithSpan.ts"

/** The fields that every request to send an email states. */
type StatedFields = "bcc" | "cc" | "from" | "replyToMessageId" | "subject" | "to"

/** A client's request to send an email to stated recipients. */
export interface SendRequest
  extends Pick<Composition, "body" | StatedFields>, Partial<Omit<CompositionOptions, StatedFields>> {}

/** A request to send an email, with its tenant and idempotency key. */
export interface SendInput {
  readonly tenant: Tenant
  readonly request: SendRequest
  /** The client's idempotency key with the principal as prefix. Null when the request has none. */
  readonly idempotencyKey: string | null
  /** The denial reasons that the person overrides for this mail. Absent or null if there are none. */
  readonly override?: SendOverride | null
}

/** Validates a request to send an email, and normalises its addresses. Fails with all issues of an invalid request. */
export const checkAddressed = Effect.fnUntraced(function* (request: SendRequest) {
  const checked = checkComposition({ ...plainComposition, ...request, channel: "email" })
  const missing =
    request.to.length > 0
      ? []
      : [{ path: "to", message: "An email needs at least one recipient. Send at least one address in `to`." }]
  const issues = [...(checked.ok ? [] : checked.error.issues), ...missing]
  if (!checked.ok || issues.length > 0) return yield* new EmailRequestInvalid({ issues })
  return checked.composition
})

/** FROZEN as long as idempotency keys with such fingerprints are valid. Returns the fingerprint of a request. */
export const fingerprintOfEmail = (composition: Composition, override: SendOverride | null): string => {
  const { bcc, body, cc, from, replyToMessageId, subject, to } = composition
  const later = changedOptions(composition, ["replyTo", "forwardMessageId", "attachments"])
  const request = { to, cc, bcc, subject, body, from, replyToMessageId, ...later }
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify(override === null ? request : [request, override.reasons]))))
}

/** Sends one email through an account of the tenant to the given recipients, with the guarantees of `sendOnce`. */
export const sendEmail = Effect.fnUntraced(function* (input: SendInput) {
  const { idempotencyKey, override = null, request, tenant } = input
  const { tenantId } = tenant
  const checked = yield* checkAddressed(request)
  const composition = yield* expandForward(tenantId, checked)
  return yield* sendOnce({
    tenant,
    idempotencyKey,
    fingerprint: fingerprintOfEmail(checked, override),
    composition,
    override,
    plan: (accounts) => planAddressed(tenantId, composition, accounts)
  })
}, withSpan("sendEmail"))
