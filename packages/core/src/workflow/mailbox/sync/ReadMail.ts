import { Clock, Effect } from "effect"
import { Secrets } from "../../../domain/access/Secrets.ts"
import { maxScannedBytes, scanMail } from "../../../domain/conversation/UnparsedMail.ts"
import { rawFingerprint } from "../../../domain/email/Fingerprint.ts"
import { oldMailMillis } from "../../../domain/email/MailJob.ts"
import { mimeSource } from "../../../domain/email/MailSource.ts"
import { fingerprintOf, type ReadMail, splitMail } from "../../../domain/email/ReadMail.ts"
import { isSentMail, mailLocation, type MailboxFolder } from "../../../domain/mailbox/Folder.ts"
import { maxMailboxMailBytes } from "../../../domain/mailbox/MailboxSync.ts"
import { tombstone } from "../../../domain/privacy/Erasure.ts"
import { MailParser } from "../../../port/provider/MailParser.ts"
import type { ListedMail } from "../../../port/provider/Mailboxes.ts"
import { Messages } from "../../../port/repository/conversation/Messages.ts"
import { Transactions } from "../../../port/system/Transactions.ts"
import { ingestEmail } from "../../intake/IngestEmail.ts"
import { providerKey } from "../../intake/Recognise.ts"
import { withSpan } from "../../WithSpan.ts"
import { confirmReportedSend } from "../ConfirmReportedSend.ts"
import { recordUnreadMail } from "../RecordUnreadMail.ts"
import { minMailBytes, withMailRoom } from "./MailRoom.ts"
import type { OpenMailbox } from "./OpenMailbox.ts"

/** The number of connections that the same mail may end before it counts as unreadable. */
const maxBrokenDownloads = 5

const mebibytes = maxMailboxMailBytes / 1_048_576

/** The body of a mail that is too large to be read. */
const tooLargeBody = `(This email is larger than ${mebibytes} MB. Only its header was read. Open it in the mailbox.)`

/** Returns the header of a mail that is too large, with a fixed text as its body. */
const headerOnly = (start: Uint8Array): ReadMail => {
  const latin1 = Array.from(start.subarray(0, maxScannedBytes), (byte) => String.fromCharCode(byte)).join("")
  const scanned = scanMail(latin1, "memory")
  const defects = [`The mail is larger than ${mebibytes} MB. Only its header was read.`]
  return splitMail({ ...scanned, text: tooLargeBody, defects })
}

/**
 * Adds the time of arrival to a mail without a date. Two notifications of a form with equal text and without Message-ID
 * thus stay two mails, and a copy of either keeps its fingerprint.
 */
const dated = (mail: ReadMail, receivedAt: number): ReadMail => {
  if (mail.date !== null) return mail
  const withDate = { ...mail, date: receivedAt }
  return { ...withDate, contentFingerprint: fingerprintOf(withDate) }
}

/** Returns the mails of a list whose locations are not stored yet. Erased mail counts as stored. */
export const unknownMails = Effect.fnUntraced(function* (
  { grant: { grantId, tenantId }, memory }: OpenMailbox,
  folder: MailboxFolder,
  listed: ReadonlyArray<ListedMail>
) {
  const { pepper } = yield* Secrets
  const locations = listed.map(({ uid }) => mailLocation(folder, uid))
  const keys = locations.map((location) => providerKey(grantId, location))
  const erased = keys.map((key) => tombstone(key, pepper))
  const holders = yield* (yield* Messages).holders(tenantId, [...keys, ...erased])
  const held = new Set(holders.map(({ key }) => key))
  const isKnown = (index: number): boolean =>
    held.has(keys[index] ?? "") || held.has(erased[index] ?? "") || memory.unreadable.has(locations[index] ?? "")
  return listed.filter((_, index) => !isKnown(index))
})

/** Records that a mail cannot be read. It is tried again at the next comparison of the folder. */
const recordUnreadable = ({ grant, memory }: OpenMailbox, location: string, reason: string) => {
  memory.unreadable.add(location)
  memory.suspect = null
  return recordUnreadMail(grant, location, reason)
}

/**
 * Stores the location of a copy, so that it is not downloaded again, and confirms a send whose outcome was unknown: a
 * mail in the folder of sent mail was sent.
 */
const recordCopy = Effect.fnUntraced(function* (
  { grant: { grantId, tenantId } }: OpenMailbox,
  messageId: Parameters<typeof Messages.Service.find>[1],
  location: string,
  mail: ReadMail,
  isSent: boolean
) {
  const keys = [providerKey(grantId, location)]
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const messages = yield* Messages
      if ((yield* messages.find(tenantId, messageId)) === null) return
      yield* messages.claimKeys(tenantId, messageId, { keys, absent: [], fingerprint: null })
    })
  )
  const assigned = { internetMessageId: mail.messageId, providerMessageId: location, providerThreadId: null }
  if (isSent) yield* confirmReportedSend(tenantId, messageId, grantId, assigned)
})

/** Ingests the bytes of one mail. */
const ingest = Effect.fnUntraced(function* (
  box: OpenMailbox,
  folder: MailboxFolder,
  mail: ListedMail,
  raw: Uint8Array
) {
  const { account, grant, tenant } = box
  const location = mailLocation(folder, mail.uid)
  const { parse } = yield* MailParser
  const isTooLarge = mail.bytes > maxMailboxMailBytes || raw.length >= maxMailboxMailBytes
  const read = isTooLarge ? headerOnly(raw) : yield* parse(raw, { flow: tenant.tenantId, mediaType: mimeSource })
  const parsed = dated(read, mail.receivedAt)
  const now = yield* Clock.currentTimeMillis
  const sent = isSentMail(folder.role)
  const { messageId, outcome } = yield* ingestEmail({
    tenant,
    source: grant.provider,
    historical: mail.receivedAt < account.createdAt || now - mail.receivedAt > oldMailMillis,
    hosted: {
      grant,
      providerGrantId: grant.grantId,
      providerMessageId: location,
      providerThreadId: null,
      sent
    },
    parsed,
    fingerprint: () => parsed.rawFingerprint ?? rawFingerprint(raw),
    stored: { bytes: isTooLarge ? raw.subarray(0, maxScannedBytes) : raw, mediaType: mimeSource }
  })
  if (outcome === "duplicate_of" && messageId !== null)
    yield* recordCopy(box, messageId, location, parsed, sent === true)
})

/**
 * Downloads and ingests one mail. A mail that the server refuses to deliver is recorded, and so is a mail whose download
 * ended several connections. A mail that was moved or deleted meanwhile is ignored, because its new folder is read too.
 * A server may state a wrong size, so a mail that is much larger is downloaded again with room for the largest mail.
 */
export const readMail = Effect.fnUntraced(function* (box: OpenMailbox, folder: MailboxFolder, mail: ListedMail) {
  const { connection, grant, memory } = box
  const location = mailLocation(folder, mail.uid)
  const times = memory.suspect?.location === location ? memory.suspect.times : 0
  if (times >= maxBrokenDownloads) {
    return yield* recordUnreadable(box, location, `its download ended ${times} connections`)
  }
  /** Returns whether the limit was sufficient. */
  const download = Effect.fnUntraced(function* (limit: number, isLast: boolean) {
    memory.suspect = { location, times: times + 1 }
    const raw = yield* connection.fetch(folder, mail.uid, limit)
    memory.suspect = null
    if (raw !== null && raw.length >= limit && !isLast) return false
    if (raw !== null) yield* ingest(box, folder, mail, raw)
    return true
  })
  const read = (limit: number, isLast: boolean) => withMailRoom(grant.tenantId, limit)(download(limit, isLast))
  const maxBytes = mail.bytes > maxMailboxMailBytes ? maxScannedBytes : maxMailboxMailBytes
  const expected = Math.min(Math.max(2 * mail.bytes, minMailBytes), maxBytes)
  yield* read(expected, expected === maxBytes).pipe(
    Effect.flatMap((isRead) => (isRead ? Effect.succeed(true) : read(maxBytes, true))),
    Effect.asVoid,
    Effect.catchReason("ProviderFailure", "Refused", ({ detail }) => recordUnreadable(box, location, detail))
  )
}, withSpan("readMailboxMail"))
