import { Effect } from "effect"
import type { ContactId, MessageId } from "../../domain/Id.ts"
import { type Address, domainOf } from "../../domain/address/Address.ts"
import { overrideNote, type SendOverride } from "../../domain/consent/Override.ts"
import { emailIdentity } from "../../domain/contact/Identity.ts"
import type { Message } from "../../domain/conversation/Message.ts"
import type { Grant } from "../../domain/email/Grant.ts"
import { appendTextSignature, insertHtmlSignature, isHtml } from "../../domain/email/InsertSignature.ts"
import {
  cappedReferences,
  maxReferences,
  type OutgoingAttachment,
  type OutgoingMail,
  recipientsOf
} from "../../domain/email/OutgoingMail.ts"
import { type MailReservation, ownMessageId, sendLeaseMillis } from "../../domain/sending/Reservation.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { HtmlRenderer, MailParser } from "../../port/provider/MailParser.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { Ids } from "../../port/system/Ids.ts"
import { describeReason } from "../../domain/reason/Reason.ts"
import { attachmentsOf } from "./AttachUploads.ts"
import { logWait } from "./LogWait.ts"
import { recordAuditChange } from "../access/Audited.ts"
import { placeMessage, storeMessage } from "../intake/AcceptMessage.ts"
import { type Inbound, plainInbound } from "../intake/Inbound.ts"
import { messageIdKey } from "../intake/Recognise.ts"

/** A message body in all forms that a send needs, without the signature. */
export interface RenderedBody {
  readonly text: string
  /** The sanitised HTML that is sent, with formatting and remote images; null for plain text. */
  readonly html: string | null
  /** The sanitised HTML for display, without remote images; null for plain text. */
  readonly safeHtml: string | null
}

/** The content of a send that `maySend` has allowed. */
export interface SendOrder {
  readonly tenant: Tenant
  readonly grant: Grant
  /** The addresses of all accounts of the tenant. */
  readonly own: ReadonlyArray<string>
  /** `system`: the server forwards a mail. Such a message answers nobody. */
  readonly actor: "agent" | "assistant" | "system"
  /** True if no person sends the mail. Default: true for the actor `assistant`. */
  readonly automatic?: boolean
  readonly autoSubmitted?: OutgoingMail["autoSubmitted"]
  readonly from: Address
  readonly to: ReadonlyArray<Address>
  readonly cc: ReadonlyArray<Address>
  readonly bcc: ReadonlyArray<Address>
  /** The addresses for replies. Absent if replies go to the sender. */
  readonly replyTo?: ReadonlyArray<Address>
  /** The files of the mail. Absent if it has none. */
  readonly attachments?: ReadonlyArray<OutgoingAttachment>
  readonly subject: string
  readonly body: RenderedBody
  /** The answered email. If it is null, the send opens a new thread. */
  readonly answers: Message | null
  /** The contact of the conversation. If it is null, the contact of the main correspondent is used. */
  readonly contactId: ContactId | null
  /** The id of the message, if it is already known. */
  readonly messageId?: MessageId
  /** The key of the send. A second send with the same key is not possible. Null for a send without such a limit. */
  readonly key: string | null
  readonly fingerprint: string
  readonly slotAt: number
  /** True if the caller sends the message immediately. If the caller crashes, a worker takes over. */
  readonly claimed: boolean
  /** The denial reasons that a person has overridden. Absent or null if there are none. */
  readonly override?: SendOverride | null
  readonly now: number
}

/** Renders a body that a client has sent. Plain text does not change. */
export const renderBody = Effect.fnUntraced(function* (body: string) {
  const { sanitize, sanitizeOwn, toText } = yield* HtmlRenderer
  if (!isHtml(body)) return { text: body, html: null, safeHtml: null } satisfies RenderedBody
  const safeHtml = sanitize(body)
  return { text: toText(safeHtml), html: sanitizeOwn(body), safeHtml } satisfies RenderedBody
})

/**
 * The maximum length of HTML that is rendered in this process, in characters. Rendering it takes at most about 10 ms.
 */
const renderedAtOnce = 32_768

/** Renders a body of any length. Long HTML is rendered in another process. Must run outside a unit of work. */
export const renderLongBody = Effect.fnUntraced(function* (tenantId: string, body: string) {
  if (body.length <= renderedAtOnce || !isHtml(body)) return yield* renderBody(body)
  const { html, own, text } = yield* (yield* MailParser).renderHtml(body, { flow: tenantId })
  return { text, html: own, safeHtml: html } satisfies RenderedBody
})

/** Sanitises HTML of any length. Must run outside a unit of work. */
export const sanitizeLong = Effect.fnUntraced(function* (tenantId: string, html: string) {
  if (html.length <= renderedAtOnce) return (yield* HtmlRenderer).sanitize(html)
  return (yield* (yield* MailParser).renderHtml(html, { flow: tenantId })).html
})

/** Adds the signature to the body that is sent and to the body that is displayed. */
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
 * answered mail, then the answered mail.
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

/**
 * Returns the main correspondent: the sender of the answered mail if it is among the recipients, otherwise the first
 * recipient outside the tenant.
 */
export const correspondentOf = ({
  answers,
  cc,
  own,
  to
}: Pick<SendOrder, "answers" | "cc" | "own" | "to">): Address | null => {
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
      repliesTo: new Set(mail.inReplyTo === null ? [] : [mail.inReplyTo]),
      from: mail.from.email,
      to: mail.to.map(({ email }) => email),
      cc: mail.cc.map(({ email }) => email),
      replyTo: (mail.replyTo ?? []).map(({ email }) => email),
      receivedAlias: null,
      grantId: order.grant.grantId,
      authentication: null,
      provider: null,
      htmlBody: safeHtml,
      attachments: attachmentsOf(mail.attachments ?? []),
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
 * Stores an outbound email with its reservation: message, thread ids, conversation head, and outbound events. The
 * reservation ensures that the mail is sent only once. Runs inside a unit of work, so every mail is stored before it is
 * sent, and every stored mail gets an outcome.
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
    replyTo: order.replyTo ?? [],
    attachments: order.attachments ?? [],
    subject: order.subject,
    text,
    html,
    inReplyTo: answers?.internetMessageId ?? null,
    answersProviderId: answers?.providerMessageId ?? null,
    references: yield* referencesTo(answers),
    automatic: order.automatic ?? order.actor === "assistant",
    ...(order.autoSubmitted !== undefined && { autoSubmitted: order.autoSubmitted })
  }
  const correspondent = correspondentOf(order)
  const outbound = asInbound(order, correspondent, mail, safeHtml)
  const newId = order.messageId ?? (yield* (yield* Ids).next("msg"))
  const message = { messageId: newId, reusedId: false, keys: outbound.dedupKeys }
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
  if (reservation.attempts === 0 && reservation.dueAt > now) {
    const reason = describeReason({ code: "hourly_limit" })
    yield* logWait(tenant.tenantId, { messageId, until: reservation.dueAt, reason })
  }
  return reservation
})

/**
 * Records in the audit trail that a message needed an override. Runs inside the unit of work that reserves the message.
 */
export const recordOverride = ({ reasons }: SendOverride, messageId: MessageId) =>
  recordAuditChange({ before: null, after: { override: [...reasons], message_id: messageId } })
