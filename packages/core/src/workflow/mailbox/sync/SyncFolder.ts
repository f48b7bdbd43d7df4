import { Clock, Effect } from "effect"
import {
  type FolderStatus,
  type ListedFolder,
  type MailboxFolder,
  startFolder
} from "../../../domain/mailbox/Folder.ts"
import { maxMailsPerLook, reconcileMillis, reconcileWindowMillis } from "../../../domain/mailbox/MailboxSync.ts"
import type { ListedMail, UidRange } from "../../../port/provider/Mailboxes.ts"
import { MailboxSyncs } from "../../../port/repository/conversation/MailboxSyncs.ts"
import { withSpan } from "../../WithSpan.ts"
import { MailboxLost, type OpenMailbox } from "./OpenMailbox.ts"
import { readMails } from "./ReadMails.ts"
import { unknownMails } from "./StoreMail.ts"

/**
 * The number of mails after which progress is stored. A server that stops looks at most these mails up again, and
 * downloads those that it had not stored.
 */
const batchMails = 100

/**
 * The number of UIDs in one list. The UIDs of a folder may have large gaps, so the number doubles with each list without
 * a mail, up to a number whose list still needs little memory.
 */
const minUidSpan = 500
const maxUidSpan = 64_000

const widened = (span: number, listed: ReadonlyArray<ListedMail>): number =>
  listed.length === 0 ? Math.min(span * 2, maxUidSpan) : minUidSpan

/** Splits a list into batches. */
const batchesOf = (listed: ReadonlyArray<ListedMail>): ReadonlyArray<ReadonlyArray<ListedMail>> =>
  Array.from({ length: Math.ceil(listed.length / batchMails) }, (_, index) =>
    listed.slice(index * batchMails, (index + 1) * batchMails)
  )

/** Stores the progress of a folder. Its mails must be stored already. */
const save = Effect.fnUntraced(function* ({ sync }: OpenMailbox, folder: MailboxFolder) {
  if (!(yield* (yield* MailboxSyncs).saveFolder(sync, folder))) return yield* new MailboxLost()
  return folder
})

/** Reads the mails of a batch that are not stored yet, and counts them in the folder. */
const readBatch = Effect.fnUntraced(function* (
  box: OpenMailbox,
  folder: MailboxFolder,
  batch: ReadonlyArray<ListedMail>
) {
  const unknown = yield* unknownMails(box, folder, batch)
  yield* readMails(box, folder, unknown)
  return { ...folder, messages: folder.messages + unknown.length }
})

/** Reads the mail that arrived since the last look, oldest first, up to `maxMailsPerLook`. */
const readNew = Effect.fnUntraced(function* (box: OpenMailbox, start: MailboxFolder, { uidNext }: FolderStatus) {
  let folder = start
  let span = minUidSpan
  for (let count = 0; folder.uidNext < uidNext && count < maxMailsPerLook;) {
    const range: UidRange = { from: folder.uidNext, to: Math.min(folder.uidNext + span, uidNext) - 1 }
    const listed = yield* box.connection.list(folder, range, 0)
    span = widened(span, listed)
    for (const batch of batchesOf(listed)) {
      const read = yield* readBatch(box, folder, batch)
      folder = yield* save(box, { ...read, uidNext: Math.max(read.uidNext, (batch.at(-1)?.uid ?? 0) + 1) })
      count += batch.length
      if (count >= maxMailsPerLook) return folder
    }
    folder = yield* save(box, { ...folder, uidNext: range.to + 1 })
  }
  return folder
})

/** Continues the first sync: reads older mail, newest first, up to `maxMailsPerLook`. */
const readOld = Effect.fnUntraced(function* (box: OpenMailbox, start: MailboxFolder) {
  let folder = start
  let span = minUidSpan
  for (let count = 0; folder.backfillUid !== null && count < maxMailsPerLook;) {
    const range: UidRange = { from: Math.max(1, folder.backfillUid - span), to: folder.backfillUid - 1 }
    const listed = range.to < 1 ? [] : yield* box.connection.list(folder, range, box.account.sinceAt)
    span = widened(span, listed)
    for (const batch of batchesOf(listed.toReversed())) {
      const read = yield* readBatch(box, folder, batch)
      folder = yield* save(box, { ...read, backfillUid: batch.at(-1)?.uid ?? read.backfillUid })
      count += batch.length
      if (count >= maxMailsPerLook) return folder
    }
    folder = yield* save(box, { ...folder, backfillUid: range.from <= 1 ? null : range.from })
  }
  return folder
})

/**
 * Compares the recent mail of a folder, within its newest `maxUidSpan` UIDs, with the stored mail, and reads what is
 * missing: mail that the server showed late. A folder without changes since the last comparison is skipped (HIGHESTMODSEQ, RFC 7162 section 3.1.2.1).
 */
const reconcile = Effect.fnUntraced(function* (box: OpenMailbox, folder: MailboxFolder, status: FolderStatus) {
  const now = yield* Clock.currentTimeMillis
  const last = box.reconciledAt.get(folder.path)
  if (last !== undefined && now - last < reconcileMillis) return folder
  box.reconciledAt.set(folder.path, now)
  const { unreadable } = box.memory
  const isUnchanged = status.highestModseq !== null && status.highestModseq === folder.highestModseq
  if ((isUnchanged && unreadable.size === 0) || folder.uidNext <= 1) return folder
  // Recent mail that could not be read is tried again after an hour.
  if (last !== undefined) unreadable.clear()
  const since = Math.max(box.account.sinceAt, now - reconcileWindowMillis)
  // A longer range would let a server fill the memory with the list.
  const range: UidRange = { from: Math.max(1, folder.uidNext - maxUidSpan), to: folder.uidNext - 1 }
  const listed = yield* box.connection.list(folder, range, since)
  let read = folder
  for (const batch of batchesOf(listed)) read = yield* readBatch(box, read, batch)
  return { ...read, highestModseq: status.highestModseq }
})

/**
 * Reads what is new in one folder, then continues its first sync. A changed UIDVALIDITY starts the first sync again;
 * mail that is already stored is then recognised. Returns whether mail remains to be read.
 */
export const syncFolder = Effect.fnUntraced(function* (
  box: OpenMailbox,
  listed: ListedFolder,
  stored: MailboxFolder | null
) {
  const status = yield* box.connection.status(listed.path)
  const isKnown = stored !== null && stored.uidValidity === status.uidValidity
  const start = isKnown
    ? { ...stored, role: listed.role }
    : yield* save(box, startFolder(box.sync, listed, status, stored?.messages ?? 0))
  const fresh = yield* readNew(box, start, status)
  const read = yield* readOld(box, fresh)
  const isBehind = read.uidNext < status.uidNext || read.backfillUid !== null
  const checked = isBehind ? read : yield* reconcile(box, read, status)
  const folder = yield* save(box, { ...checked, syncedAt: yield* Clock.currentTimeMillis })
  return { folder, isBehind }
}, withSpan("syncFolder"))
