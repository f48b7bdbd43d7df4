import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Effect } from "effect"
import { HostedMail } from "../../port/provider/HostedMail.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { normalizeEmail } from "../../domain/address/Address.ts"
import { rawFingerprint } from "../../domain/email/Fingerprint.ts"
import { type Grant, senderAddresses } from "../../domain/email/Grant.ts"
import type { HostedMessage } from "../../domain/email/HostedMail.ts"
import type { ProviderReason } from "../../domain/provider/ProviderFailure.ts"
import { ingestEmail } from "../intake/IngestEmail.ts"
import { maxAttachmentBytes } from "../../domain/email/MailSource.ts"
import { providerKey } from "../intake/Recognise.ts"
import { confirmReportedSend } from "./ConfirmReportedSend.ts"
import type { MailJob } from "../../domain/email/MailJob.ts"
import { recordUnreadMail } from "./RecordUnreadMail.ts"
import { withSpan } from "../WithSpan.ts"

/** A mail to download, and its account. */
export interface Fetch {
  readonly tenant: Tenant
  readonly grant: Grant
  readonly providerGrantId: string
  readonly job: Extract<MailJob, { readonly kind: "fetch" }>
}

/** Records that a mail could not be downloaded. */
export const recordUnfetchedMail = ({ grant, job }: Fetch, reason: ProviderReason) => {
  const why = reason._tag === "Gone" ? "the mail was deleted before it could be downloaded" : reason.detail
  return recordUnreadMail(grant, job.providerMessageId, why)
}

/**
 * Downloads the attachments of a mail, up to `maxAttachmentBytes`, in the order of the mail. If an attachment is
 * missing, the mail is ingested without its content.
 */
const contentsOf = Effect.fnUntraced(function* (found: HostedMessage, providerGrantId: string) {
  const { attachment } = yield* HostedMail
  const contents: Array<Uint8Array | null> = found.mail.attachments.map(() => null)
  let room = maxAttachmentBytes
  for (const { attachmentId, index } of found.attachments) {
    const size = found.mail.attachments[index]?.size ?? Number.POSITIVE_INFINITY
    if (size > room) continue
    room -= size
    contents[index] = yield* attachment(providerGrantId, found.providerMessageId, attachmentId).pipe(
      Effect.catchReasons("ProviderFailure", { Gone: () => Effect.succeed(null), Refused: () => Effect.succeed(null) })
    )
  }
  return contents
})

/** Downloads one mail of a hosted account, and ingests it. A mail that is already stored is not downloaded again. */
export const fetchMail = Effect.fnUntraced(function* ({ job, grant, providerGrantId, tenant }: Fetch) {
  const { historical, providerMessageId } = job
  const key = providerKey(providerGrantId, providerMessageId)
  const held = yield* (yield* Messages).holders(tenant.tenantId, [key])
  if (held.length > 0) return
  const found = yield* (yield* HostedMail).message(providerGrantId, providerMessageId)
  if (found.aside) return
  const { mail, providerThreadId, sent } = found
  const hosted = { grant, providerGrantId, providerMessageId, providerThreadId, sent }
  const attachments = yield* contentsOf(found, providerGrantId)
  const { messageId, outcome } = yield* ingestEmail({
    tenant,
    source: grant.provider,
    historical,
    hosted,
    parsed: mail,
    fingerprint: () => rawFingerprint(utf8ToBytes(key)),
    stored: { bytes: found.source, mediaType: found.sourceType, attachments }
  })
  const own = mail.from.some(({ email }) => senderAddresses(grant).includes(normalizeEmail(email)))
  if (outcome !== "duplicate_of" || messageId === null || !own) return
  const assigned = { internetMessageId: mail.messageId, providerMessageId, providerThreadId }
  yield* confirmReportedSend(tenant.tenantId, messageId, providerGrantId, assigned)
}, withSpan("fetchMail"))
