import { assert, describe } from "@effect/vitest"
import type { MailboxFolder } from "@leadloom/core/internal/domain/mailbox/Folder"
import { downloadMillis, maxMailboxMailBytes } from "@leadloom/core/internal/domain/mailbox/MailboxSync"
import { type ProviderFailure, unavailable } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import type { ListedMail, MailboxConnection } from "@leadloom/core/internal/port/provider/Mailboxes"
import { Arrivals } from "@leadloom/core/internal/port/repository/conversation/Arrivals"
import { Grants } from "@leadloom/core/internal/port/repository/conversation/Grants"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { MailRoom, makeMailRoom, minMailBytes } from "@leadloom/core/internal/workflow/mailbox/sync/MailRoom"
import { emptyMemory, type OpenMailbox } from "@leadloom/core/internal/workflow/mailbox/sync/OpenMailbox"
import { unknownMails } from "@leadloom/core/internal/workflow/mailbox/sync/StoreMail"
import { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { readMails } from "@leadloom/core/internal/workflow/mailbox/sync/ReadMails"
import { Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { newestConversations } from "../NewestConversations.ts"
import { inTenant, present, rawMail, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { mailboxAccountOf } from "./MailboxSyncsSuite.ts"

/** The answer to the download of a mail by its UID. */
type Answer = (uid: number) => Effect.Effect<Uint8Array | null, ProviderFailure>

const unused = Effect.die(new Error("the test needs no such command"))

/** A connection that only downloads mails. It records the UIDs of each command. */
const connectionOf = (answer: Answer, commands: Array<ReadonlyArray<number>> = []): MailboxConnection => ({
  folders: unused,
  status: () => unused,
  list: () => unused,
  append: () => unused,
  contains: () => unused,
  addFlags: () => unused,
  wait: () => unused,
  fetch: (_, uid) =>
    Effect.andThen(
      Effect.sync(() => commands.push([uid])),
      answer(uid)
    ),
  fetchSmall: (_, uids) =>
    Effect.gen(function* () {
      commands.push(uids)
      // The other downloads of the batch start and wait for the connection.
      yield* Effect.yieldNow
      const found = new Map<number, Uint8Array>()
      for (const uid of uids) {
        const raw = yield* answer(uid)
        if (raw !== null) found.set(uid, raw)
      }
      return found
    })
})

/** Opens a mailbox in a new tenant, or a further one in the same tenant. */
const openBox = Effect.fnUntraced(function* (tenantId: string, connection: MailboxConnection) {
  const world = inTenant(tenantId)
  const grants = yield* Grants
  const known = yield* grants.current(tenantId).pipe(Effect.catch(() => Effect.succeed(null)))
  if (known === null) {
    yield* world.open()
    yield* world.connectMail()
  }
  const grant = present(yield* grants.current(tenantId))
  const account = mailboxAccountOf(tenantId, 1, { grantId: grant.grantId, createdAt: 0 })
  const sync = {
    tenantId,
    grantId: grant.grantId,
    dueAt: 0,
    claim: 1,
    lastSyncAt: null,
    failingSince: null,
    failures: 0,
    error: null,
    isReported: false
  }
  const tenant = yield* (yield* Tenants).get(tenantId)
  const box: OpenMailbox = { tenant, grant, account, sync, connection, memory: emptyMemory(), reconciledAt: new Map() }
  return box
})

const folderOf = ({ sync: { grantId, tenantId } }: OpenMailbox): MailboxFolder => ({
  tenantId,
  grantId,
  path: "INBOX",
  role: "inbox",
  uidValidity: "1",
  uidNext: 1,
  backfillUid: null,
  highestModseq: null,
  messages: 0,
  syncedAt: null
})

const listed = (uid: number, bytes = 500): ListedMail => ({ uid, receivedAt: 0, bytes })
const small = (count: number) => Array.from({ length: count }, (_, index) => listed(index + 1))
const letter = (uid: number) => rawMail({ id: `m${uid}@customer.example`, body: `${uid}` })
const sends: Answer = (uid) => Effect.succeed(letter(uid))
const stalls: Answer = () => Effect.never
const large = listed(1, maxMailboxMailBytes)

const read = (box: OpenMailbox, mails: ReadonlyArray<ListedMail>) => readMails(box, folderOf(box), mails)

const countOf = (tenantId: string) => Effect.map(newestConversations(tenantId, 50), ({ length }) => length)

/** Tests the downloads of a mailbox from servers that are slow, broken or hostile. */
export const mailboxReadingSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)
  const inRoom = <A, E, R>(test: Effect.Effect<A, E, R>) => Effect.provideService(test, MailRoom, makeMailRoom())

  describe(`downloads of mailboxes on ${name}`, () => {
    scene("small mails share commands, and mails that the server leaves out are requested alone", () =>
      Effect.gen(function* () {
        const commands: Array<ReadonlyArray<number>> = []
        let isFirst = true
        const leavesOut: Answer = (uid) => {
          if (uid !== 3) return sends(uid)
          const answer = isFirst ? Effect.succeed(null) : sends(uid)
          isFirst = false
          return answer
        }
        const box = yield* openBox("acme", connectionOf(leavesOut, commands))
        yield* read(box, [...small(30), listed(31, 10 * minMailBytes)])
        assert.deepStrictEqual(
          commands.map(({ length }) => length),
          [25, 5, 1, 1]
        )
        assert.deepStrictEqual(commands.slice(2), [[31], [3]])
        assert.strictEqual((yield* (yield* Arrivals).counts("acme"))[0]?.count, 31)
      })
    )

    scene("a download has a minimum rate, and its mail counts as broken", () =>
      Effect.gen(function* () {
        const box = yield* openBox("acme", connectionOf(stalls))
        const reading = yield* Effect.forkChild(Effect.exit(read(box, [large])), { startImmediately: true })
        yield* TestClock.adjust(downloadMillis(maxMailboxMailBytes) - 1)
        assert.isUndefined(reading.pollUnsafe())
        yield* TestClock.adjust(1)
        const exit = yield* Fiber.join(reading)
        assert.isTrue(Exit.isFailure(exit))
        assert.include(JSON.stringify(exit), "did not send a mail within 28 minutes")
        assert.deepStrictEqual([...box.memory.suspects], [["1:1:INBOX", 1]])
      }).pipe(inRoom)
    )

    scene("slow downloads of large mails never stop ordinary mail, and other large mail follows them", () =>
      Effect.gen(function* () {
        const slow = yield* Effect.forEach([1, 2, 3, 4], (number) => openBox(`slow${number}`, connectionOf(stalls)))
        for (const box of slow) yield* Effect.forkChild(Effect.exit(read(box, [large])), { startImmediately: true })
        const acme = yield* openBox("acme", connectionOf(sends))
        yield* read(acme, [listed(1)])
        assert.strictEqual(yield* countOf("acme"), 1)
        const other = yield* openBox("other", connectionOf(sends))
        const waiting = yield* Effect.forkChild(read(other, [large]), { startImmediately: true })
        yield* TestClock.adjust(downloadMillis(maxMailboxMailBytes) - 1)
        assert.isUndefined(waiting.pollUnsafe())
        yield* TestClock.adjust(1)
        yield* Fiber.join(waiting)
        assert.strictEqual(yield* countOf("other"), 1)
      }).pipe(inRoom)
    )

    scene("one tenant holds at most half of the room", () =>
      Effect.gen(function* () {
        for (let number = 0; number < 4; number++) {
          const box = yield* openBox("greedy", connectionOf(stalls))
          yield* Effect.forkChild(Effect.exit(read(box, [large])), { startImmediately: true })
        }
        const acme = yield* openBox("acme", connectionOf(sends))
        yield* read(acme, [large])
        assert.strictEqual(yield* countOf("acme"), 1)
      }).pipe(inRoom)
    )

    scene("a connection that ends leaves the mails that were downloaded, and then reads the others alone", () =>
      Effect.gen(function* () {
        const commands: Array<ReadonlyArray<number>> = []
        const breaks: Answer = (uid) =>
          uid === 40 ? Effect.fail(unavailable("mail", "The connection ended.")) : sends(uid)
        const box = yield* openBox("acme", connectionOf(breaks, commands))
        const failed = yield* Effect.flip(read(box, small(100)))
        assert.strictEqual(failed._tag, "ProviderFailure")
        assert.strictEqual((yield* (yield* Arrivals).counts("acme"))[0]?.count, 25)
        assert.deepStrictEqual(
          commands.map(({ length }) => length),
          [25, 25]
        )
        assert.strictEqual(box.memory.suspects.size, 25)
        for (let times = 2; times <= 5; times++) {
          commands.length = 0
          yield* Effect.flip(read(box, [listed(40), listed(90), listed(91)]))
          assert.deepStrictEqual(commands, [[40]])
        }
        yield* read(box, [listed(40), ...small(100).slice(79)])
        const outcomes = yield* (yield* Arrivals).counts("acme")
        assert.deepInclude(outcomes, { outcome: "failed", count: 1 })
        assert.isTrue(box.memory.unreadable.has("1:40:INBOX"))
      }).pipe(inRoom)
    )

    scene("a mail that cannot be stored stops no other mail, and is recorded", () =>
      Effect.gen(function* () {
        const box = yield* openBox("acme", connectionOf(sends))
        const poison = new Set([7, 12, 41, 43, 45, 47])
        const isPoisoned = (text: string) => [...poison].some((uid) => text.trim() === String(uid))
        const readSome = Effect.fnUntraced(function* () {
          yield* read(box, small(30))
          for (let uid = 41; uid <= 48; uid++) yield* read(box, [listed(uid)])
        })
        yield* Effect.updateService(readSome(), Messages, (messages) => ({
          ...messages,
          insert: (message, ...rest) =>
            isPoisoned(message.body) ? Effect.die(new Error("poison")) : messages.insert(message, ...rest)
        }))
        const counts = yield* (yield* Arrivals).counts("acme")
        assert.deepStrictEqual(counts.map(({ count, outcome }) => [outcome, count]).toSorted(), [
          ["failed", 6],
          ["message", 32]
        ])
        assert.deepStrictEqual(
          [...box.memory.unreadable].toSorted(),
          [...poison].map((uid) => `1:${uid}:INBOX`).toSorted()
        )
        // The next comparison of the folder reads them again. Nothing else is stored twice.
        box.memory.unreadable.clear()
        const left = yield* unknownMails(box, folderOf(box), small(30))
        assert.deepStrictEqual(
          left.map(({ uid }) => uid),
          [7, 12]
        )
        yield* read(box, left)
        assert.deepInclude(yield* (yield* Arrivals).counts("acme"), { outcome: "message", count: 34 })
      })
    )

    scene("a server that can store no mail, or has no database, waits with the folder", () =>
      Effect.gen(function* () {
        const box = yield* openBox("acme", connectionOf(sends))
        const readWith = (failure: Effect.Effect<never, StoreUnavailable>) =>
          Effect.updateService(Effect.exit(read(box, small(30))), Messages, (messages) => ({
            ...messages,
            insert: () => failure
          }))
        const outage = yield* readWith(Effect.fail(new StoreUnavailable({ reason: "gone" })))
        assert.isTrue(Exit.isFailure(outage))
        assert.strictEqual(box.memory.unreadable.size, 0)
        const broken = yield* readWith(Effect.die(new Error("broken")))
        assert.isTrue(Exit.isFailure(broken))
        assert.strictEqual(box.memory.unreadable.size, 3)
        yield* readWith(Effect.die(new Error("broken")))
        assert.strictEqual(box.memory.unreadable.size, 3)
        yield* read(box, small(30))
        assert.deepInclude(yield* (yield* Arrivals).counts("acme"), { outcome: "message", count: 30 })
      })
    )

    scene("a server that requests a later attempt breaks no mail", () =>
      Effect.gen(function* () {
        const busy = unavailable("mail", "Too many requests.", { retryAfterMillis: 1_000 })
        const box = yield* openBox(
          "acme",
          connectionOf(() => Effect.fail(busy))
        )
        for (let times = 0; times < 9; times++) yield* Effect.flip(read(box, small(3)))
        assert.deepStrictEqual(
          [box.memory.suspects.size, box.memory.unreadable.size, box.memory.maxSetMails],
          [0, 0, 25]
        )
      }).pipe(inRoom)
    )
  })
}
