import { Effect } from "effect"
import type { Message } from "../../domain/conversation/Message.ts"
import type { AttachmentClaim } from "../../domain/email/AttachmentLink.ts"
import {
  AttachmentNotFound,
  attachmentKey,
  type MailSource,
  maxAttachmentBytes,
  mimeSource,
  RawNotFound,
  type StoredSource
} from "../../domain/email/MailSource.ts"
import type { MailAttachment } from "../../domain/email/MailAttachment.ts"
import { isId } from "../../domain/Id.ts"
import { MailParser } from "../../port/provider/MailParser.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Objects } from "../../port/system/Objects.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { InboundMail } from "./MailArrival.ts"
import { recognise, type Recognised } from "./Recognise.ts"
import { withSpan } from "../WithSpan.ts"
import { log } from "../LogEvents.ts"

/** A mail whose source is stored. */
export interface SourcedMail {
  readonly inbound: InboundMail
  /**
   * True when a stored message refers to the source; the caller sets it. Otherwise the source is removed when the scope
   * closes.
   */
  referred: boolean
}

interface Kept extends SourcedMail {
  readonly source: StoredSource
  /** The keys of all written objects. */
  readonly keys: ReadonlyArray<string>
}

/**
 * Selects the attachments to store separately: in their order, each one that still fits within `maxAttachmentBytes`.
 */
const chosen = (attachments: ReadonlyArray<Uint8Array | null>): ReadonlyArray<readonly [number, Uint8Array]> => {
  let room = maxAttachmentBytes
  return [...attachments.entries()].flatMap(([index, bytes]) => {
    if (bytes === null || bytes.length > room) return []
    room -= bytes.length
    return [[index, bytes] as const]
  })
}

const discard = Effect.fnUntraced(function* (tenantId: string, keys: ReadonlyArray<string>) {
  const { remove } = yield* Objects
  yield* Effect.forEach(keys, (key) => remove(tenantId, key), { discard: true })
})

/** Stores the source and its attachments under new keys. If one write fails, removes all of them. */
const keep = Effect.fnUntraced(function* (inbound: InboundMail, given: MailSource) {
  const { tenantId } = inbound.tenant
  const { put } = yield* Objects
  const source: StoredSource = {
    key: yield* (yield* Ids).next("raw"),
    size: given.bytes.length,
    mediaType: given.mediaType
  }
  const beside = given.mediaType === mimeSource ? [] : chosen(given.attachments ?? [])
  const parts = [
    [source.key, given.bytes] as const,
    ...beside.map(([n, bytes]) => [attachmentKey(source.key, n), bytes] as const)
  ]
  const keys = parts.map(([key]) => key)
  yield* Effect.onError(
    Effect.forEach(parts, ([key, bytes]) => put(tenantId, key, bytes), { discard: true }),
    () => Effect.ignore(discard(tenantId, keys))
  )
  const stored = new Set(beside.map(([index]) => index))
  const attachments = inbound.mail.attachments.map((attachment, index) =>
    stored.has(index) ? { ...attachment, stored: true as const } : attachment
  )
  const kept: Kept = {
    source,
    keys,
    referred: false,
    inbound: { ...inbound, mail: { ...inbound.mail, raw: source, attachments } }
  }
  return kept
})

/**
 * Removes the objects of a mail, unless a stored message refers to them. Only the message of this mail can do so,
 * because the keys are new. The units of a tenant run one after another, so this unit sees whether that message was
 * stored, even if the response of the earlier unit was lost. If the check fails, the objects stay, because a
 * superfluous object is better than a missing one.
 */
const discardUnreferred = ({ inbound, keys, source }: Kept) =>
  Effect.gen(function* () {
    const { tenantId } = inbound.tenant
    const recognised = yield* (yield* Transactions).atomically(tenantId, recognise(inbound))
    if (recognised._tag === "Copy" && recognised.of.raw?.key === source.key) return
    yield* discard(tenantId, keys)
  }).pipe(Effect.catch(({ _tag, reason }) => log("objects.remove_failed", { detail: _tag, reason, keys })))

/**
 * Stores the source of a new mail before a message refers to it. If this fails, the message is not stored either. For a
 * recognised duplicate, nothing is stored. If the mail turns out to be a duplicate later, or is not accepted, its
 * source is removed when the scope closes.
 */
export const storeSource = Effect.fnUntraced(function* (
  inbound: InboundMail,
  source: MailSource,
  { _tag }: Pick<Recognised, "_tag">
) {
  // A duplicate stays a duplicate, because dedup keys are never released.
  if (_tag !== "New") return { inbound, referred: true } satisfies SourcedMail as SourcedMail
  const kept: SourcedMail = yield* Effect.acquireRelease(keep(inbound, source), (held) =>
    held.referred ? Effect.void : discardUnreferred(held)
  )
  return kept
})

/** Returns the source of a message as it arrived. */
export const readSource = Effect.fnUntraced(function* (tenantId: string, messageId: string) {
  const message = isId("msg", messageId) ? yield* (yield* Messages).find(tenantId, messageId) : null
  if (message === null || message.raw === null) return yield* new RawNotFound({ messageId })
  const { key, mediaType } = message.raw
  const bytes = yield* (yield* Objects).get(tenantId, key)
  if (bytes !== null) return { bytes, mediaType }
  yield* log("source.missing", { tenant: tenantId, message_id: messageId, key })
  return yield* new RawNotFound({ messageId })
}, withSpan("readSource"))

/** Returns whether the content of an attachment is stored. */
export const hasContent = ({ raw }: Pick<Message, "raw">, attachment: MailAttachment): boolean =>
  attachment.objectKey !== undefined || (raw !== null && (raw.mediaType === mimeSource || attachment.stored === true))

/** Returns the bytes of an attachment that has content; null if its object is missing. */
const contentOf = Effect.fnUntraced(function* (
  { raw, tenantId }: Message,
  { objectKey, stored }: MailAttachment,
  index: number
) {
  const { get } = yield* Objects
  if (objectKey !== undefined) return yield* get(tenantId, objectKey)
  if (raw === null) return null
  if (stored === true) return yield* get(tenantId, attachmentKey(raw.key, index))
  const source = yield* get(tenantId, raw.key)
  return source === null ? null : yield* (yield* MailParser).attachment(source, index, { flow: tenantId })
})

/**
 * Returns an attachment with its content, from an object of its own or from the source. HIPAA tenants have no
 * attachments.
 */
export const readAttachment = Effect.fnUntraced(function* ({ index, messageId, tenantId }: AttachmentClaim) {
  const tenant = yield* (yield* Tenants).get(tenantId)
  const message = tenant.hipaa ? null : yield* (yield* Messages).find(tenantId, messageId)
  const attachment = message?.attachments[index]
  if (message === null || attachment === undefined || !hasContent(message, attachment)) {
    return yield* new AttachmentNotFound()
  }
  const bytes = yield* contentOf(message, attachment, index)
  if (bytes !== null) return { attachment, bytes }
  const key = attachment.objectKey ?? message.raw?.key ?? ""
  yield* log("attachment.missing", { tenant: tenantId, message_id: messageId, index, key })
  return yield* new AttachmentNotFound()
}, withSpan("readAttachment"))
