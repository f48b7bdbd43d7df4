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
import { messageIdKey, storeMessage } from "../intake/AcceptMessage.ts"
import type { Inbound } from "../intake/Inbound.ts"

/** A body in every form that is needed of it, without signature. */
export interface RenderedBody {
  readonly text: string
  /** As written; null for plain text. */
  readonly html: string | null
  /** What may be shown of it. */
  readonly safeHtml: string | null
}

/** Everything a send is made of once it has been decided that it may go. */
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
  /** The email that it answers; null opens a thread. */
  readonly answers: Message | null
  /** Whose conversation it belongs to; null: that of the first correspondent written to. */
  readonly contactId: ContactId | null
  /** What it is for; null: nothing that could come twice. */
  readonly key: string | null
  readonly fingerprint: string
  readonly slotAt: number
  /** The caller hands it over at once; a worker does when the caller dies. */
  readonly claimed: boolean
  /** What a person has set aside so that it may go; absent: nothing. */
  readonly override?: SendOverride | null
  readonly now: number
}

/** Renders a body that a client wrote; plain text stays as it is. */
export const renderBody = Effect.fnUntraced(function* (body: string) {
  const { sanitize, toText } = yield* HtmlRenderer
  if (!isHtml(body)) return { text: body, html: null, safeHtml: null } satisfies RenderedBody
  const safeHtml = sanitize(body)
  return { text: toText(safeHtml), html: body, safeHtml } satisfies RenderedBody
})

/** HTML up to this many characters is rendered at once, which takes about 10 ms at most. */
const renderedAtOnce = 32_768

/** The same for a body of any length, outside of a unit of work: long HTML is rendered apart from the event loop. */
export const renderLongBody = Effect.fnUntraced(function* (tenantId: string, body: string) {
  if (body.length <= renderedAtOnce || !isHtml(body)) return yield* renderBody(body)
  const { html, text } = yield* (yield* MailParser).renderHtml(body, { flow: tenantId })
  return { text, html: body, safeHtml: html } satisfies RenderedBody
})

/** Makes HTML of any length safe to show, outside of a unit of work. */
export const sanitizeLong = Effect.fnUntraced(function* (tenantId: string, html: string) {
  if (html.length <= renderedAtOnce) return (yield* HtmlRenderer).sanitize(html)
  return (yield* (yield* MailParser).renderHtml(html, { flow: tenantId })).html
})

/** Body and signature as they leave, and as they are shown. */
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
 * References of an answer (RFC 5322 section 3.6.4): those of the mail that is answered, before them what else of the
 * thread came earlier, and itself last.
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

/** Whom it is written to in the first place: of those written to, the one who is answered, else the first outside. */
const correspondentOf = ({ answers, cc, grant, to }: SendOrder): Address | null => {
  const own = senderAddresses(grant)
  const outside = [...to, ...cc].filter(({ email }) => !own.includes(email))
  return outside.find(({ email }) => email === answers?.from) ?? outside[0] ?? to[0] ?? null
}

const asInbound = (order: SendOrder, correspondent: Address | null, mail: OutgoingMail, safeHtml: string | null) => {
  const identity = correspondent === null ? null : emailIdentity(correspondent.email)
  const inbound: Inbound = {
    tenant: order.tenant,
    channel: "email",
    source: order.grant.provider,
    actor: order.actor,
    auto: null,
    delivery: "queued",
    ...(order.contactId === null ? {} : { contactId: order.contactId }),
    identities: identity === null ? [] : [identity],
    profile: { name: correspondent?.name ?? null, email: identity?.value ?? null, phone: null, company: null },
    body: order.body.text,
    quotedText: null,
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
    flags: [],
    metadata: overrideNote(order.override),
    timestamp: order.now,
    dedupKeys: [messageIdKey + mail.internetMessageId],
    pipeline: "none",
    detail: null
  }
  return inbound
}

/**
 * Writes an outbound email and its reservation: message, thread ids, conversation, events, and the right to hand it over
 * once. Runs inside a unit of work, so that what is sent is always stored, and what is stored is always sent or said not
 * to be.
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
  const stored = yield* storeMessage(asInbound(order, correspondent, mail, safeHtml), false, now)
  const { contactId, leadId, messageId, threadId } = stored
  if (messageId === null || contactId === null || threadId === null)
    return yield* Effect.die(new Error("an outbound email is always stored in a thread"))
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

/** Notes for the audit trail which message an override let out. Runs inside the unit of work that reserves it. */
export const recordOverride = ({ reasons }: SendOverride, messageId: MessageId) =>
  recordAuditChange({ before: null, after: { override: [...reasons], message_id: messageId } })
