import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Effect } from "effect"
import type { MessageId } from "../../domain/Id.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import type { SendOverride } from "../../domain/consent/Override.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { type Address, isEmail, normalizeEmail } from "../../domain/address/Address.ts"
import { EmailRequestInvalid, type Grant, senderAddresses } from "../../domain/email/Grant.ts"
import { replySubject, headerLine, maxRecipients, recipientsOf } from "../../domain/email/OutgoingMail.ts"
import { MessageNotFound } from "../../domain/sending/Reservation.ts"
import { sendOnce, type SendPlan } from "./SendOnce.ts"
import { withSpan } from "../WithSpan.ts"

/** A client's request to send an email. */
export interface SendRequest {
  readonly to: ReadonlyArray<Address>
  readonly cc: ReadonlyArray<Address>
  readonly bcc: ReadonlyArray<Address>
  /** Null selects the subject of the answered mail. Without an answered mail, the subject is empty. */
  readonly subject: string | null
  /** Plain text or HTML. */
  readonly body: string
  /** The sender. Null selects the connected account. */
  readonly from: Address | null
  /** The message id of the answered email. */
  readonly replyToMessageId: string | null
}

/** A request to send an email, with its tenant and idempotency key. */
export interface SendInput {
  readonly tenant: Tenant
  readonly request: SendRequest
  /** The client's idempotency key with the principal as prefix. Null when the request has none. */
  readonly idempotencyKey: string | null
  /** The denial reasons that the person overrides for this mail. Absent or null if there are none. */
  readonly override?: SendOverride | null
}

type Issue = EmailRequestInvalid["issues"][number]

const addresses = (field: string, given: ReadonlyArray<Address>) => {
  const clean = given.map(({ email, name }): Address => ({
    email: normalizeEmail(email),
    name: name === null ? null : headerLine(name) || null
  }))
  const issues = clean.flatMap(({ email }, index): ReadonlyArray<Issue> =>
    isEmail(email) ? [] : [{ path: `${field}.${index}.email`, message: "This is not an email address." }]
  )
  return { clean, issues }
}

/** Validates a request, and normalises its addresses. Fails with all issues of an invalid request. */
const checkRequest = Effect.fnUntraced(function* (request: SendRequest) {
  const [to, cc, bcc] = [addresses("to", request.to), addresses("cc", request.cc), addresses("bcc", request.bcc)]
  const issues = [...to.issues, ...cc.issues, ...bcc.issues]
  const checked: SendRequest = { ...request, to: to.clean, cc: cc.clean, bcc: bcc.clean }
  if (to.clean.length === 0)
    issues.push({ path: "to", message: "An email needs at least one recipient. Send at least one address in `to`." })
  if (recipientsOf(checked).length > maxRecipients)
    issues.push({ path: "to", message: `Too many recipients. Send at most ${maxRecipients} in all fields together.` })
  if (issues.length > 0) return yield* new EmailRequestInvalid({ issues })
  return checked
})

const senderOf = Effect.fnUntraced(function* (grant: Grant, from: Address | null) {
  const account: Address = { email: grant.email, name: grant.name }
  if (from === null) return account
  const email = normalizeEmail(from.email)
  if (senderAddresses(grant).includes(email)) return { email, name: headerLine(from.name ?? "") || grant.name }
  const message = `This address cannot send mail for the tenant. Use one of: ${senderAddresses(grant).join(", ")}.`
  return yield* new EmailRequestInvalid({ issues: [{ path: "from.email", message }] })
})

const answeredOf = Effect.fnUntraced(function* (tenantId: string, messageId: string | null) {
  if (messageId === null) return null
  const id: MessageId = `msg_${messageId.replace(/^msg_/u, "")}`
  const message = id === messageId ? yield* (yield* Messages).find(tenantId, id) : null
  if (message === null || message.channel !== "email") return yield* new MessageNotFound({ messageId })
  return message
})

/** FROZEN as long as idempotency keys with such fingerprints are valid. Returns the fingerprint of a request. */
const fingerprintOf = (request: SendRequest, override: SendOverride | null): string =>
  bytesToHex(sha256(utf8ToBytes(JSON.stringify(override === null ? request : [request, override.reasons]))))

const planOf = Effect.fnUntraced(function* (tenantId: string, request: SendRequest, grant: Grant) {
  const from = yield* senderOf(grant, request.from)
  const answers = yield* answeredOf(tenantId, request.replyToMessageId)
  const { bcc, cc, to } = request
  const subject =
    request.subject === null && answers !== null ? replySubject(answers.subject) : headerLine(request.subject ?? "")
  return { from, to, cc, bcc, subject, answers, contactId: null } satisfies SendPlan
})

/** Sends one email through the connected account to the given recipients, with the guarantees of `sendOnce`. */
export const sendEmail = Effect.fnUntraced(function* (input: SendInput) {
  const { idempotencyKey, override = null, request: given, tenant } = input
  const request = yield* checkRequest(given)
  return yield* sendOnce({
    tenant,
    idempotencyKey,
    fingerprint: fingerprintOf(request, override),
    body: request.body,
    override,
    plan: (grant) => planOf(tenant.tenantId, request, grant)
  })
}, withSpan("sendEmail"))
