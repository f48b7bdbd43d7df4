import { Cause, Clock, Effect } from "effect"
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
import { prepareEmail } from "../../intake/IngestEmail.ts"
import { providerKey } from "../../intake/Recognise.ts"
import { confirmReportedSend } from "../ConfirmReportedSend.ts"
import { log } from "../../LogEvents.ts"
import { recordUnreadMail } from "../RecordUnreadMail.ts"
import type { OpenMailbox } from "./OpenMailbox.ts"

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
export const recordUnreadable = ({ grant, memory }: OpenMailbox, location: string, reason: string) => {
  memory.unreadable.add(location)
  memory.suspects.delete(location)
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

/** The bytes of a mail in a list. */
export interface DownloadedMail {
  readonly mail: ListedMail
  readonly raw: Uint8Array
}

/** Parses a mail and stores its source. Returns the effect that accepts it, which must run in the same scope. */
const prepare = Effect.fnUntraced(function* (box: OpenMailbox, folder: MailboxFolder, { mail, raw }: DownloadedMail) {
  const { account, grant, tenant } = box
  const location = mailLocation(folder, mail.uid)
  const { parse } = yield* MailParser
  const isTooLarge = mail.bytes > maxMailboxMailBytes || raw.length >= maxMailboxMailBytes
  const read = isTooLarge ? headerOnly(raw) : yield* parse(raw, { flow: tenant.tenantId, mediaType: mimeSource })
  const parsed = dated(read, mail.receivedAt)
  const now = yield* Clock.currentTimeMillis
  const sent = isSentMail(folder.role)
  const accept = yield* prepareEmail({
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
  return Effect.flatMap(accept, ({ messageId, outcome }) =>
    outcome === "duplicate_of" && messageId !== null
      ? recordCopy(box, messageId, location, parsed, sent === true)
      : Effect.void
  )
})

/**
 * The number of mails in a row that may fail with a defect. If more fail, the server is at fault and not a mail, so that
 * the folder waits.
 */
const maxDefects = 3

const isDefect = (cause: Cause.Cause<unknown>): boolean => cause.reasons.every(Cause.isDieReason)

/**
 * Records a mail whose storage fails with a defect as unreadable, and returns null, so that it does not stop the mails
 * after it. An unavailable database and an interruption still stop the folder, which is then read again.
 */
const contained = <A, E, R>(box: OpenMailbox, location: string, storing: Effect.Effect<A, E, R>) =>
  Effect.catchCauseIf(
    storing,
    (cause) => isDefect(cause) && box.memory.defects < maxDefects,
    (cause) => {
      const { grant, memory } = box
      memory.defects += 1
      const about = { tenant: grant.tenantId, provider_grant: grant.grantId, provider_message: location }
      const reason = "The server failed to store it. See the log of the server."
      return log("mailbox.mail_failed", about, cause).pipe(
        Effect.andThen(recordUnreadable(box, location, reason)),
        Effect.as(null)
      )
    }
  )

/** Stores mails. They are processed concurrently, so that they share the commits of the store. */
export const storeMails = Effect.fnUntraced(function* (
  box: OpenMailbox,
  folder: MailboxFolder,
  mails: ReadonlyArray<DownloadedMail>
) {
  const atOnce = { concurrency: "unbounded" } as const
  const prepared = yield* Effect.forEach(
    mails,
    Effect.fnUntraced(function* (downloaded: DownloadedMail) {
      const location = mailLocation(folder, downloaded.mail.uid)
      const accept = yield* contained(box, location, prepare(box, folder, downloaded))
      return { location, accept }
    }),
    atOnce
  )
  const accepting = prepared.flatMap(({ accept, location }) => {
    if (accept === null) return []
    const noteSuccess = Effect.sync(() => {
      box.memory.defects = 0
    })
    return [contained(box, location, Effect.andThen(accept, noteSuccess))]
  })
  yield* Effect.all(accepting, { ...atOnce, discard: true })
}, Effect.scoped)
