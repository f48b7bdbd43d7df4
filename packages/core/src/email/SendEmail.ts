import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Clock, Effect } from "effect"
import type { MessageId, ThreadId } from "../Id.ts"
import type { RateLimitResult } from "../limit/RateLimit.ts"
import { Grants } from "../port/Grants.ts"
import { Messages } from "../port/Messages.ts"
import { Sends } from "../port/Sends.ts"
import { Transactions } from "../port/Transactions.ts"
import type { Tenant } from "../tenant/Tenant.ts"
import { type Address, isEmail, normalizeEmail } from "./Address.ts"
import { EmailNotConnected, EmailRequestInvalid, type Grant, senderAddresses } from "./Grant.ts"
import { handOver } from "./HandOver.ts"
import { answerSubject, headerLine, recipientLimit, recipientsOf } from "./OutgoingMail.ts"
import {
  IdempotencyConflict,
  IdempotencyInProgress,
  MailRefused,
  MessageNotFound,
  type Reservation,
  sendKeyMillis
} from "./Reservation.ts"
import { type RenderedBody, renderBody, reserveSend } from "./ReserveSend.ts"
import { hourMillis, nextSlot, SendLimitReached, sendsPerHour, standingRate } from "./SendLimit.ts"

/** An email that a client wants sent. */
export interface SendRequest {
  readonly to: ReadonlyArray<Address>
  readonly cc: ReadonlyArray<Address>
  readonly bcc: ReadonlyArray<Address>
  /** Null: that of the mail answered, else none. */
  readonly subject: string | null
  /** Plain text or HTML. */
  readonly body: string
  /** Null: the connected account. */
  readonly from: Address | null
  /** Our id of the email that this answers. */
  readonly replyToMessageId: string | null
}

/** A request and who makes it. */
export interface SendInput {
  readonly tenant: Tenant
  readonly request: SendRequest
  /** The caller's name for this request, its own name before it; null: none. */
  readonly idempotencyKey: string | null
}

/** What a request for a send is told. */
export interface SentEmail {
  readonly messageId: MessageId
  readonly threadId: ThreadId
  readonly rate: RateLimitResult
  /** The answer to an earlier request under the same key. */
  readonly replayed: boolean
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

/** The request with its addresses normalised, or everything that is wrong with it. */
const checkRequest = Effect.fnUntraced(function* (request: SendRequest) {
  const [to, cc, bcc] = [addresses("to", request.to), addresses("cc", request.cc), addresses("bcc", request.bcc)]
  const issues = [...to.issues, ...cc.issues, ...bcc.issues]
  const checked: SendRequest = { ...request, to: to.clean, cc: cc.clean, bcc: bcc.clean }
  if (to.clean.length === 0) issues.push({ path: "to", message: "An email needs a recipient." })
  if (recipientsOf(checked).length > recipientLimit)
    issues.push({ path: "to", message: `An email has at most ${recipientLimit} recipients, all fields together.` })
  if (issues.length > 0) return yield* new EmailRequestInvalid({ issues })
  return checked
})

const senderOf = Effect.fnUntraced(function* (grant: Grant, from: Address | null) {
  const account: Address = { email: grant.email, name: grant.name }
  if (from === null) return account
  const email = normalizeEmail(from.email)
  if (senderAddresses(grant).includes(email)) return { email, name: headerLine(from.name ?? "") || grant.name }
  const message = `Mail of this tenant comes from ${senderAddresses(grant).join(", ")} only.`
  return yield* new EmailRequestInvalid({ issues: [{ path: "from.email", message }] })
})

const answeredOf = Effect.fnUntraced(function* (tenantId: string, messageId: string | null) {
  if (messageId === null) return null
  const id: MessageId = `msg_${messageId.replace(/^msg_/u, "")}`
  const message = id === messageId ? yield* (yield* Messages).find(tenantId, id) : null
  if (message === null || message.channel !== "email") return yield* new MessageNotFound({ messageId })
  return message
})

/** FROZEN for as long as a key lives: tells the same request from another one. */
const fingerprintOf = (request: SendRequest): string => bytesToHex(sha256(utf8ToBytes(JSON.stringify(request))))

/** Somebody is at it for the first time: what it will be told is not known yet. */
const isRunning = ({ attempts, reason, state }: Reservation): boolean =>
  state === "handed_over" || (state === "reserved" && attempts === 1 && reason === null)

/** The reservation that was made under this key before; a key that has served its time is given free. */
const earlier = Effect.fnUntraced(function* (tenantId: string, key: string | null, fingerprint: string, now: number) {
  const sends = yield* Sends
  const found = key === null ? null : yield* sends.findByKey(tenantId, key)
  if (found === null) return null
  if (found.createdAt <= now - sendKeyMillis) {
    yield* sends.retireKey(tenantId, found.messageId)
    return null
  }
  if (found.fingerprint !== fingerprint) return yield* new IdempotencyConflict()
  if (isRunning(found)) return yield* new IdempotencyInProgress()
  return found
})

/** Everything that is decided and written before anything leaves, in one unit of work. */
const admit = Effect.fnUntraced(function* (input: SendInput, request: SendRequest, body: RenderedBody) {
  const { tenant } = input
  const { tenantId } = tenant
  const now = yield* Clock.currentTimeMillis
  const key = input.idempotencyKey === null ? null : `api:${input.idempotencyKey}`
  const fingerprint = fingerprintOf(request)
  const replay = yield* earlier(tenantId, key, fingerprint, now)
  const slot = nextSlot(yield* (yield* Sends).slots(tenantId, now - hourMillis, sendsPerHour), now)
  if (replay !== null) return { reservation: replay, rate: standingRate(slot), replayed: true }
  const { rate, slotAt } = slot
  const grant = yield* (yield* Grants).current(tenantId)
  if (grant === null) return yield* new EmailNotConnected({ tenantId })
  const from = yield* senderOf(grant, request.from)
  const answers = yield* answeredOf(tenantId, request.replyToMessageId)
  if (!rate.allowed) return yield* new SendLimitReached({ rate })
  const { bcc, cc, to } = request
  const subject =
    request.subject === null && answers !== null ? answerSubject(answers.subject) : headerLine(request.subject ?? "")
  const reservation = yield* reserveSend({
    tenant,
    grant,
    actor: "agent",
    from,
    to,
    cc,
    bcc,
    subject,
    body,
    answers,
    key,
    fingerprint,
    slotAt,
    claimed: true,
    now
  })
  return { reservation, rate, replayed: false }
})

/** Hands it over and says whether it was refused; when the store is gone, whoever finds it later says what became of it. */
const carry = (reservation: Reservation) =>
  handOver(reservation, "by a caller").pipe(
    Effect.map((result) => (result._tag === "Failed" ? result.reason : null)),
    Effect.catchTag("StoreUnavailable", (error) =>
      Effect.as(Effect.logError("The outcome of a send could not be written down", { reason: error.reason }), null)
    )
  )

/**
 * Sends one email through the connected account. Once this has reserved it, it goes out once or it is said that it did
 * not: a relay that is away is asked again by workers, a crash leaves it to them. Refused for good: `MailRefused`.
 */
export const sendEmail = Effect.fn("sendEmail")(function* (input: SendInput) {
  const request = yield* checkRequest(input.request)
  const body = yield* renderBody(request.body)
  const { rate, replayed, reservation } = yield* (yield* Transactions).atomically(
    input.tenant.tenantId,
    admit(input, request, body)
  )
  const refusal = replayed
    ? reservation.state === "failed"
      ? (reservation.reason ?? "")
      : null
    : yield* carry(reservation)
  if (refusal !== null) return yield* new MailRefused({ reason: refusal, rate, replayed })
  const { messageId, threadId } = reservation
  return { messageId, threadId, rate, replayed } satisfies SentEmail
}, Effect.uninterruptible)
