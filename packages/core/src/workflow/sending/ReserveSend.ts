import { Effect } from "effect"
import type { ContactId, MessageId } from "../../domain/Id.ts"
import { type Address, domainOf } from "../../domain/address/Address.ts"
import { overrideNote, type SendOverride } from "../../domain/consent/Override.ts"
import { emailIdentity } from "../../domain/contact/Identity.ts"
import type { Message } from "../../domain/conversation/Message.ts"
import { type Grant, senderAddresses } from "../../domain/email/Grant.ts"
import { appendTextSignature, insertHtmlSignature, isHtml } from "../../domain/email/InsertSignature.ts"
import { cappedReferences, type OutgoingMail, recipientsOf, maxReferences } from "../../domain/email/OutgoingMail.ts"
import { type MailReservation, ownMessageId, sendLeaseMillis } from "../../domain/sending/Reservation.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { HtmlRenderer, MailParser } from "../../port/provider/MailParser.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { Ids } from "../../port/system/Ids.ts"
import { recordAuditChange } from "../access/Audited.ts"
import { placeMessage, storeMessage } from "../intake/AcceptMessage.ts"
import { type Inbound, plainInbound } from "../intake/Inbound.ts"
import { messageIdKey } from "../intake/Recognise.ts"

/** A message body in all needed forms, without signature. */
export interface RenderedBody {
  readonly text: string
  /** The original HTML; null for plain text. */
  readonly html: string | null
  /** The sanitised HTML for display; null for plain text. */
  readonly safeHtml: string | null
}

/** The content of a send that is allowed. */
export interface SendOrder {
  readonly tenant: Tenant
  readonly grant: Grant
  readonly actor: "agent" | "assistant"
  readonly from: Address
  readonly to: ReadonlyArray<Address>
  readonly cc: ReadonlyArray<Address>
  readonly bcc: ReadonlyArray<Address>
  readonly subject: string
  readonly body: RenderedBody
  /** The answered email; null opens a new thread. */
  readonly answers: Message | null
  /** The contact of the conversation; null selects that of the first correspondent. */
  readonly contactId: ContactId | null
  /** Identifies the purpose of the send, so that it is sent once; null when it cannot be repeated. */
  readonly key: string | null
  readonly fingerprint: string
  readonly slotAt: number
  /** True when the caller sends it immediately. A worker takes over after a crash. */
  readonly claimed: boolean
  /** The denial reasons that a person has overridden; absent means none. */
  readonly override?: SendOverride | null
  readonly now: number
}

/** Renders the body from a client. Plain text stays unchanged. */
export const renderBody = Effect.fnUntraced(function* (body: string) {
  const { sanitize, toText } = yield* HtmlRenderer
  if (!isHtml(body)) return { text: body, html: null, safeHtml: null } satisfies RenderedBody
  const safeHtml = sanitize(body)
  return { text: toText(safeHtml), html: body, safeHtml } satisfies RenderedBody
})

/** HTML up to this many characters is rendered in this process, in at most about 10 ms. */
const renderedAtOnce = 32_768

/** Renders a body of any length outside a unit of work. Long HTML is rendered in another process. */
export const renderLongBody = Effect.fnUntraced(function* (tenantId: string, body: string) {
  if (body.length <= renderedAtOnce || !isHtml(body)) return yield* renderBody(body)
  const { html, text } = yield* (yield* MailParser).renderHtml(body, { flow: tenantId })
  return { text, html: body, safeHtml: html } satisfies RenderedBody
})

/** Sanitises HTML of any length, outside a unit of work. */
export const sanitizeLong = Effect.fnUntraced(function* (tenantId: string, html: string) {
  if (html.length <= renderedAtOnce) return (yield* HtmlRenderer).sanitize(html)
  return (yield* (yield* MailParser).renderHtml(html, { flow: tenantId })).html
})

/** Adds the signature to the sent and the displayed body. */
const signed = Effect.fnUntraced(function* ({ html, safeHtml, text }: RenderedBody, signature: string | null) {
  if (signature === null || signature.trim() === "") return { text, html, safeHtml }
  const { sanitize, toText } = yield* HtmlRenderer
  return {
    text: appendTextSignature(text, isHtml(signature) ? toText(signature) : signature),
    html: html === null ? null : insertHtmlSignature(html, signature),
    safeHtml:
      safeHtml === null ? null : insertHtmlSignature(safeHtml, isHtml(signature) ? sanitize(signature) : signature)
  }
})

/**
 * Returns the References of an answer (RFC 5322 section 3.6.4): earlier mails of the thread, then the references of the
 * answered mail, then that mail itself.
 */
const referencesTo = Effect.fnUntraced(function* (answers: Message | null) {
  const parent = answers?.internetMessageId ?? null
  if (answers === null || parent === null) return []
  const { references } = answers
  if (answers.threadId === null) return cappedReferences([...references, parent])
  const known = yield* (yield* Messages).idsOfThread(answers.tenantId, answers.threadId, maxReferences * 5)
  const at = known.indexOf(parent)
  const named = new Set(references)
  const others = known.slice(0, Math.max(0, at)).filter((id) => !named.has(id))
  return cappedReferences([...[...others, ...references].filter((id) => id !== parent), parent])
})

/** Returns the main correspondent: the answered sender if among the recipients, else the first external recipient. */
const correspondentOf = ({ answers, cc, grant, to }: SendOrder): Address | null => {
  const own = senderAddresses(grant)
  const outside = [...to, ...cc].filter(({ email }) => !own.includes(email))
  return outside.find(({ email }) => email === answers?.from) ?? outside[0] ?? to[0] ?? null
}

const asInbound = (order: SendOrder, correspondent: Address | null, mail: OutgoingMail, safeHtml: string | null) => {
  const identity = correspondent === null ? null : emailIdentity(correspondent.email)
  const inbound: Inbound = {
    ...plainInbound,
    tenant: order.tenant,
    channel: "email",
    source: order.grant.provider,
    actor: order.actor,
    delivery: "queued",
    ...(order.contactId === null ? {} : { contactId: order.contactId }),
    identities: identity === null ? [] : [identity],
    profile: { name: correspondent?.name ?? null, email: identity?.value ?? null, phone: null, company: null },
    body: order.body.text,
    subject: order.subject === "" ? null : order.subject,
    mail: {
      internetMessageId: mail.internetMessageId,
      references: [...new Set([...mail.references].toReversed())].map((id) => ({ id, weak: false })),
      from: mail.from.email,
      to: mail.to.map(({ email }) => email),
      cc: mail.cc.map(({ email }) => email),
      replyTo: [],
      receivedAlias: null,
      provider: null,
      htmlBody: safeHtml,
      attachments: [],
      raw: null
    },
    metadata: overrideNote(order.override),
    timestamp: order.now,
    dedupKeys: [messageIdKey + mail.internetMessageId],
    pipeline: "none"
  }
  return inbound
}

/**
 * Stores an outbound email with its reservation: message, thread ids, conversation head, events, and the single right
 * to send it. Runs inside a unit of work. A sent mail is therefore always stored, and a stored mail always gets an
 * outcome.
 */
export const reserveSend = Effect.fnUntraced(function* (order: SendOrder) {
  const { answers, from, grant, now, tenant } = order
  const sendId = yield* (yield* Ids).next("snd")
  const { html, safeHtml, text } = yield* signed(order.body, grant.signature)
  const mail: OutgoingMail = {
    internetMessageId: ownMessageId(sendId, domainOf(from.email)),
    date: now,
    from,
    to: order.to,
    cc: order.cc,
    bcc: order.bcc,
    subject: order.subject,
    text,
    html,
    inReplyTo: answers?.internetMessageId ?? null,
    answersProviderId: answers?.providerMessageId ?? null,
    references: yield* referencesTo(answers),
    automatic: order.actor === "assistant"
  }
  const correspondent = correspondentOf(order)
  const outbound = asInbound(order, correspondent, mail, safeHtml)
  const message = { messageId: yield* (yield* Ids).next("msg"), reusedId: false, keys: outbound.dedupKeys }
  const place = yield* placeMessage(outbound, now)
  const { contactId, leadId, messageId, threadId } = yield* storeMessage(outbound, message, place, now)
  if (threadId === null) return yield* Effect.die(new Error("an outbound email is always stored in a thread"))
  const reservation: MailReservation = {
    channel: "email",
    tenantId: tenant.tenantId,
    messageId,
    key: order.key ?? `message:${messageId}`,
    fingerprint: order.fingerprint,
    grantId: grant.grantId,
    contactId,
    leadId,
    threadId,
    correspondent: correspondent?.email ?? recipientsOf(mail)[0] ?? "",
    mail,
    state: "reserved",
    attempts: order.claimed ? 1 : 0,
    slotAt: order.slotAt,
    dueAt: order.claimed ? now + sendLeaseMillis : order.slotAt,
    createdAt: now,
    reason: null,
    override: order.override ?? null
  }
  yield* (yield* Sends).reserve(reservation)
  return reservation
})

/**
 * Records in the audit trail which message used an override. Runs inside the unit of work that reserves the message.
 */
export const recordOverride = ({ reasons }: SendOverride, messageId: MessageId) =>
  recordAuditChange({ before: null, after: { override: [...reasons], message_id: messageId } })
