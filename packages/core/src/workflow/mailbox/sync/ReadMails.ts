import { Effect, Exit, Semaphore } from "effect"
import { maxScannedBytes } from "../../../domain/conversation/UnparsedMail.ts"
import { mailLocation, type MailboxFolder } from "../../../domain/mailbox/Folder.ts"
import { downloadMillis, maxMailboxMailBytes } from "../../../domain/mailbox/MailboxSync.ts"
import { requestedWait } from "../../../domain/provider/ProviderBehavior.ts"
import { type ProviderFailure, unavailable } from "../../../domain/provider/ProviderFailure.ts"
import type { ListedMail } from "../../../port/provider/Mailboxes.ts"
import { withSpan } from "../../WithSpan.ts"
import { minMailBytes, takeMailRoom } from "./MailRoom.ts"
import type { MailboxMemory, OpenMailbox } from "./OpenMailbox.ts"
import { type DownloadedMail, recordUnreadable, storeMails } from "./StoreMail.ts"

/** The number of connections that the same mail may end before it counts as unreadable. */
const maxBrokenDownloads = 5

/** The total size of the mails that one command reads, in bytes. It is as large as a part of a large mail. */
const maxSetBytes = 1_048_576

/** The number of downloads that are in progress or being stored. One of them is in progress. */
const downloadsAtOnce = 3

/** Returns the number of bytes to read first: servers may state a size that is somewhat too low. */
const expectedBytes = ({ bytes }: ListedMail): number => Math.max(2 * bytes, minMailBytes)

/** Mails that are downloaded together, or one mail alone. */
interface Download {
  readonly mails: ReadonlyArray<ListedMail>
  readonly isAlone: boolean
}

/**
 * Groups mails into downloads, in their order. Small mails share a command, because a command takes a round trip. Large
 * mails, and those whose download ended a connection, are downloaded alone.
 */
const downloadsOf = (
  { maxSetMails, suspects }: MailboxMemory,
  folder: MailboxFolder,
  mails: ReadonlyArray<ListedMail>
): ReadonlyArray<Download> => {
  const downloads: Array<Download> = []
  let set: Array<ListedMail> = []
  let bytes = 0
  for (const mail of mails) {
    if (expectedBytes(mail) > minMailBytes || suspects.has(mailLocation(folder, mail.uid))) {
      downloads.push({ mails: [mail], isAlone: true })
      continue
    }
    if (set.length === 0 || set.length >= maxSetMails || bytes + mail.bytes > maxSetBytes) {
      set = []
      bytes = 0
      downloads.push({ mails: set, isAlone: false })
    }
    set.push(mail)
    bytes += mail.bytes
  }
  return downloads
}

const minute = 60_000

/** Fails when mails do not arrive within their time. The interrupted download ends the connection. */
const withinTime =
  (bytes: number) =>
  <A, R>(download: Effect.Effect<A, ProviderFailure, R>): Effect.Effect<A, ProviderFailure, R> =>
    Effect.timeoutOrElse(download, {
      duration: downloadMillis(bytes),
      orElse: () => {
        const minutes = Math.ceil(downloadMillis(bytes) / minute)
        return Effect.fail(unavailable("mail", `The mail server did not send a mail within ${minutes} minutes.`))
      }
    })

/**
 * Counts a download for its mails until it ends. A download that ends the connection stays counted, unless the server
 * requested a later attempt.
 */
const countBroken =
  (memory: MailboxMemory, locations: ReadonlyArray<string>) =>
  <A, R>(download: Effect.Effect<A, ProviderFailure, R>): Effect.Effect<A, ProviderFailure, R> =>
    Effect.suspend(() => {
      const { maxSetMails } = memory
      const before = locations.map((location) => [location, memory.suspects.get(location) ?? 0] as const)
      for (const [location, times] of before) memory.suspects.set(location, times + 1)
      if (locations.length > 1) memory.maxSetMails = Math.max(1, Math.floor(maxSetMails / 2))
      const restore = (times: (before: number) => number) =>
        Effect.sync(() => {
          memory.maxSetMails = maxSetMails
          for (const [location, count] of before) {
            if (times(count) === 0) memory.suspects.delete(location)
            else memory.suspects.set(location, times(count))
          }
        })
      return download.pipe(
        Effect.tap(() => restore(() => 0)),
        Effect.tapError((failure) => {
          if (failure.reason._tag === "Refused" || failure.reason._tag === "Gone") return restore(() => 0)
          return requestedWait(failure) === null ? Effect.void : restore((count) => count)
        })
      )
    })

/** Downloads mails of one folder one after another, because a connection runs one command at a time. */
const makeLine = ({ grant, memory }: OpenMailbox, folder: MailboxFolder) => {
  const line = Semaphore.makeUnsafe(1)
  /** The failure that ended the connection or made the folder invalid. */
  let ended: ProviderFailure | null = null
  const noteEnd = (failure: ProviderFailure) =>
    Effect.sync(() => {
      if (failure.reason._tag !== "Refused") ended = failure
    })

  /** Takes room and downloads mails into it. The room is released with the scope, after the mails were stored. */
  return <A>(mails: ReadonlyArray<ListedMail>, room: number, fetch: Effect.Effect<A, ProviderFailure>) => {
    const locations = mails.map(({ uid }) => mailLocation(folder, uid))
    const download = Effect.suspend(() =>
      ended === null
        ? fetch.pipe(withinTime(room), countBroken(memory, locations), Effect.tapError(noteEnd))
        : Effect.fail(ended)
    )
    return line.withPermit(Effect.andThen(takeMailRoom(grant.tenantId, room), download))
  }
}

/** Reads mails of one folder over one connection. */
const makeReader = (box: OpenMailbox, folder: MailboxFolder) => {
  const { connection, memory } = box
  const intoRoom = makeLine(box, folder)

  /** Downloads and stores small mails. Returns those that must be downloaded alone. */
  const readSet = Effect.fnUntraced(function* (mails: ReadonlyArray<ListedMail>) {
    const uids = mails.map(({ uid }) => uid)
    const found = yield* intoRoom(
      mails,
      mails.length * minMailBytes,
      connection.fetchSmall(folder, uids, minMailBytes)
    ).pipe(
      Effect.catchReason("ProviderFailure", "Refused", () => Effect.succeed<ReadonlyMap<number, Uint8Array>>(new Map()))
    )
    const whole = mails.flatMap((mail): ReadonlyArray<DownloadedMail> => {
      const raw = found.get(mail.uid)
      return raw === undefined || raw.length >= minMailBytes ? [] : [{ mail, raw }]
    })
    yield* storeMails(box, folder, whole)
    const read = new Set(whole.map(({ mail }) => mail.uid))
    return mails.filter(({ uid }) => !read.has(uid))
  }, Effect.scoped)

  /** Downloads and stores one mail. Returns false when the mail is larger than the limit. */
  const readUpTo = Effect.fnUntraced(function* (mail: ListedMail, limit: number, isLast: boolean) {
    const room = Math.min(Math.max(limit, minMailBytes), maxMailboxMailBytes)
    const raw = yield* intoRoom([mail], room, connection.fetch(folder, mail.uid, limit))
    if (raw !== null && raw.length >= limit && !isLast) return false
    if (raw !== null) yield* storeMails(box, folder, [{ mail, raw }])
    return true
  }, Effect.scoped)

  const readAlone = Effect.fnUntraced(
    function* (mail: ListedMail) {
      const location = mailLocation(folder, mail.uid)
      const times = memory.suspects.get(location) ?? 0
      if (times >= maxBrokenDownloads) {
        return yield* recordUnreadable(box, location, `its download ended ${times} connections`)
      }
      const maxBytes = mail.bytes > maxMailboxMailBytes ? maxScannedBytes : maxMailboxMailBytes
      const expected = Math.min(expectedBytes(mail), maxBytes)
      if (!(yield* readUpTo(mail, expected, expected === maxBytes))) yield* readUpTo(mail, maxBytes, true)
    },
    (read, mail) =>
      Effect.catchReason(read, "ProviderFailure", "Refused", ({ detail }) =>
        recordUnreadable(box, mailLocation(folder, mail.uid), detail)
      )
  )

  const readOne = ({ isAlone, mails }: Download) =>
    isAlone ? Effect.as(Effect.forEach(mails, readAlone), []) : readSet(mails)

  return { readOne, readAlone }
}

/**
 * Runs downloads in their order, and returns the mails that must be downloaded alone. After a failure, the mails that
 * were downloaded are still stored, so that each connection makes progress.
 */
const runDownloads = Effect.fnUntraced(function* (
  { readOne }: Pick<ReturnType<typeof makeReader>, "readOne">,
  downloads: ReadonlyArray<Download>
) {
  let hasFailed = false
  const noteFailure = Effect.sync(() => {
    hasFailed = true
  })
  const attempt = (download: Download) =>
    Effect.suspend(() => (hasFailed ? Effect.succeed([]) : Effect.tapCause(readOne(download), () => noteFailure)))
  const exits = yield* Effect.forEach(downloads, (download) => Effect.exit(attempt(download)), {
    concurrency: downloadsAtOnce
  })
  const failed = exits.find(Exit.isFailure)
  if (failed !== undefined) return yield* failed
  return exits.flatMap((exit): ReadonlyArray<ListedMail> => (Exit.isSuccess(exit) ? exit.value : []))
})

/**
 * Downloads and stores mails. While mails are stored, the next ones are downloaded.
 *
 * A mail that the server refuses to deliver is recorded, and so is a mail whose download ended several connections. A
 * mail that was moved or deleted meanwhile is ignored, because its new folder is read too. A server may state a wrong
 * size, so a mail that is much larger is downloaded again with room for the largest mail.
 */
export const readMails = Effect.fnUntraced(function* (
  box: OpenMailbox,
  folder: MailboxFolder,
  mails: ReadonlyArray<ListedMail>
) {
  const reader = makeReader(box, folder)
  const left = yield* runDownloads(reader, downloadsOf(box.memory, folder, mails))
  yield* Effect.forEach(left, reader.readAlone, { discard: true })
}, withSpan("readMailboxMails"))
