import { Clock, Effect, Ref } from "effect"
import { afterLook, afterMailboxFailure, type MailboxFailure } from "../../../domain/mailbox/AfterFailure.ts"
import type { ListedFolder } from "../../../domain/mailbox/Folder.ts"
import {
  folderPollMillis,
  mailboxLeaseMillis,
  type MailboxSync,
  suspendedMillis
} from "../../../domain/mailbox/MailboxSync.ts"
import { requestedWait } from "../../../domain/provider/ProviderBehavior.ts"
import type { ProviderFailure } from "../../../domain/provider/ProviderFailure.ts"
import type { MailboxLoginFailed } from "../../../port/provider/Mailboxes.ts"
import { MailboxSyncs } from "../../../port/repository/conversation/MailboxSyncs.ts"
import { Randomness } from "../../../port/system/Ids.ts"
import { log } from "../../LogEvents.ts"
import { activateGrant, expireGrant } from "../ExpireGrant.ts"
import { openStoredMailbox } from "../MailboxLogins.ts"
import { MailboxLost, type MailboxMemory, type OpenMailbox, readableMailbox } from "./OpenMailbox.ts"
import { lookAgain, syncMailbox } from "./SyncMailbox.ts"

/** The shortest time between two looks into the inbox, in milliseconds. It bounds the work when a server reports much. */
const minLookMillis = 100

/** The circumstances in which a server holds a mailbox. */
export interface HoldOptions {
  readonly memory: MailboxMemory
  /** Returns true while this server has no place for further mailboxes. */
  readonly isCrowded: () => boolean
}

/** Waits for mail in the inbox, and reads it, until the next look into all folders is due or mail remains to be read. */
const watchInbox = Effect.fnUntraced(function* (box: OpenMailbox, inbox: ListedFolder | null) {
  const until = (yield* Clock.currentTimeMillis) + folderPollMillis
  for (let now = until - folderPollMillis; now < until; now = yield* Clock.currentTimeMillis) {
    if (inbox === null) return yield* Effect.sleep(until - now)
    yield* box.connection.wait(inbox.path, until - now)
    if ((yield* Clock.currentTimeMillis) >= until || (yield* lookAgain(box, inbox))) return
    yield* Effect.sleep(minLookMillis)
  }
})

/**
 * Looks into all folders again and again, and waits in the inbox in between. Returns the time from which the mailbox is
 * due again when it must give up its place: its account is gone, or the server is crowded.
 */
const readAlong = Effect.fnUntraced(function* (
  box: OpenMailbox,
  state: Ref.Ref<MailboxSync>,
  { isCrowded }: HoldOptions
) {
  const syncs = yield* MailboxSyncs
  for (;;) {
    const { inbox, isBehind, problem } = yield* syncMailbox(box)
    const now = yield* Clock.currentTimeMillis
    const looked = yield* Ref.updateAndGet(state, (sync) => ({
      ...afterLook(sync, now, problem),
      dueAt: now + mailboxLeaseMillis
    }))
    if (!(yield* syncs.save(looked))) return yield* new MailboxLost()
    if (isCrowded()) return isBehind ? now : now + folderPollMillis
    if (!isBehind) yield* watchInbox(box, inbox)
    if ((yield* readableMailbox(looked)) === null) return now + suspendedMillis
  }
})

/** Connects to the mailbox and reads it. See `readAlong`. */
const connectAndRead = Effect.fnUntraced(function* (state: Ref.Ref<MailboxSync>, options: HoldOptions) {
  const sync = yield* Ref.get(state)
  const mailbox = yield* readableMailbox(sync)
  if (mailbox === null) return (yield* Clock.currentTimeMillis) + suspendedMillis
  const connection = yield* openStoredMailbox(mailbox)
  yield* activateGrant(mailbox.grant)
  const { memory } = options
  // Each connection may leave out some mails, so that a folder with many such mails makes progress.
  memory.defects = 0
  return yield* readAlong({ ...mailbox, sync, connection, memory, reconciledAt: new Map() }, state, options)
}, Effect.scoped)

/** The problems of a login that only the owner of the mailbox can correct. */
const ownersProblems: ReadonlySet<string> = new Set(["login", "app_password", "disabled"])

const ofLogin = ({ detail, problem }: MailboxLoginFailed): MailboxFailure => ({
  detail,
  isLoginRefused: ownersProblems.has(problem),
  retryAfterMillis: null
})

const ofProvider = (failure: ProviderFailure): MailboxFailure => ({
  detail: failure.message,
  isLoginRefused: failure.reason._tag === "SignedOut",
  retryAfterMillis: requestedWait(failure)
})

const ofServer = ({ reason }: { readonly reason: string }): MailboxFailure => ({
  detail: reason,
  isLoginRefused: false,
  retryAfterMillis: null
})

/** Stores a failure and the time of the next attempt. A refused login expires the account. */
const recordFailure = Effect.fnUntraced(function* (state: Ref.Ref<MailboxSync>, failure: MailboxFailure) {
  const now = yield* Clock.currentTimeMillis
  const [byte = 0] = (yield* Randomness).bytes(1)
  const failed = yield* Ref.updateAndGet(state, (sync) => afterMailboxFailure(sync, failure, now, byte / 256))
  if (!(yield* (yield* MailboxSyncs).save(failed))) return
  const { dueAt, failures, tenantId } = failed
  yield* log("mailbox.failed", {
    tenant: tenantId,
    attempts: failures,
    waits_until: new Date(dueAt).toISOString(),
    reason: failure.detail
  })
  if (failure.isLoginRefused) yield* expireGrant(failed, failure.detail)
})

/** Releases the mailbox, so that any server may claim it from this time on. Has no effect when it was claimed already. */
const release = (state: Ref.Ref<MailboxSync>, dueAt: number) =>
  Effect.flatMap(Ref.get(state), (sync) =>
    Effect.flatMap(MailboxSyncs, (syncs) => Effect.asVoid(syncs.save({ ...sync, dueAt })))
  )

/**
 * Keeps a claimed mailbox connected, and reads its mail until the connection fails, the server is crowded or another
 * server claims the mailbox. An interruption releases it at once. Its lease is extended elsewhere (`mailboxQueue`).
 */
export const holdMailbox = Effect.fnUntraced(function* (claimed: MailboxSync, options: HoldOptions) {
  const state = yield* Ref.make(claimed)
  const fail = (failure: MailboxFailure) => recordFailure(state, failure)
  yield* connectAndRead(state, options).pipe(
    Effect.flatMap((dueAt) => release(state, dueAt)),
    Effect.catchTags({
      MailboxLost: () => Effect.void,
      MailboxLoginFailed: (failure) => fail(ofLogin(failure)),
      ProviderFailure: (failure) => fail(ofProvider(failure)),
      UnsealFailed: (failure) => fail(ofServer(failure)),
      ObjectsUnavailable: (failure) => fail(ofServer(failure)),
      ParserUnavailable: (failure) => fail(ofServer(failure))
    }),
    Effect.onInterrupt(() => Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.ignore(release(state, now))))
  )
})
