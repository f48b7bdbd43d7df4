import { assert, it } from "@effect/vitest"
import type { MailboxLogin } from "@leadloom/core/internal/domain/mailbox/MailServer"
import type { ProviderFailure } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import type { MailboxConnection, MailboxLoginFailed } from "@leadloom/core/internal/port/provider/Mailboxes"
import { Effect, Fiber, type Scope } from "effect"
import { afterAll, beforeAll, describe } from "vitest"
import { type ImapWorld, worldAccounts, worldPassword } from "../../imap/ImapWorld.ts"

/** Opens a connection with the adapter under test. */
export type OpenMailbox = (
  world: ImapWorld,
  login: MailboxLogin
) => Effect.Effect<MailboxConnection, MailboxLoginFailed, Scope.Scope>

/** A time in the past, in whole seconds as IMAP has them. */
const start = Date.UTC(2026, 9, 1, 12)
const hour = 3_600_000

const mailOf = (id: string, body = "Hello\r\n"): Uint8Array =>
  Buffer.from(`Message-ID: <${id}@example.org>\r\nFrom: ann@example.org\r\nSubject: ${id}\r\n\r\n${body}`)

/** Returns the login of an account on the port of a security. */
export const loginOf = (
  { host, port, tlsPort }: ImapWorld,
  username: string,
  security: "none" | "starttls" | "tls" = "none",
  credential: MailboxLogin["credential"] = { _tag: "Password", password: worldPassword }
): MailboxLogin => {
  const server = { host, port: security === "tls" ? tlsPort : port, security }
  return { email: username, username, imap: server, smtp: server, credential }
}

/** A connected account of its own, with short forms of the control of its server. */
interface Box {
  readonly mailbox: MailboxConnection
  readonly deliver: (path: string, raw: Uint8Array, receivedAt?: number) => Effect.Effect<void>
  readonly does: (what: (world: ImapWorld, username: string) => Promise<unknown>) => Effect.Effect<void>
  readonly flags: (path: string, uid: number) => Effect.Effect<ReadonlyArray<string>>
  /** The folder with its current UIDVALIDITY. */
  readonly folder: (
    path: string
  ) => Effect.Effect<{ readonly path: string; readonly uidValidity: string }, ProviderFailure>
}

const uidsOf = (mails: ReadonlyArray<{ readonly uid: number }>): ReadonlyArray<number> => mails.map(({ uid }) => uid)

const whole = { from: 1, to: 1_000 }

/**
 * Tests an adapter of the port `Mailboxes` on a running IMAP server: the stand-in or Dovecot. `begin` starts the server.
 * `missing` is the reason why it cannot run on this machine, or null.
 */
export const imapSuite = (
  name: string,
  begin: () => Promise<ImapWorld>,
  open: OpenMailbox,
  missing: string | null = null
): void => {
  describe.skipIf(missing !== null)(`Mailboxes on ${name}${missing === null ? "" : ` (${missing})`}`, () => {
    let world: ImapWorld
    let used = 0
    beforeAll(async () => void (world = await begin()))
    afterAll(() => world?.close())
    const test = (title: string, run: (box: Box) => Effect.Effect<void, unknown, Scope.Scope>): void =>
      void it.live(title, () =>
        Effect.scoped(
          Effect.gen(function* () {
            const username = worldAccounts[used++] ?? ""
            const mailbox = yield* open(world, loginOf(world, username))
            yield* run({
              mailbox,
              deliver: (path, raw, receivedAt = start) =>
                Effect.promise(() => world.deliver(username, path, raw, receivedAt)),
              does: (what) => Effect.asVoid(Effect.promise(() => what(world, username))),
              flags: (path, uid) => Effect.promise(() => world.flagsOf(username, path, uid)),
              folder: (path) => Effect.map(mailbox.status(path), ({ uidValidity }) => ({ path, uidValidity }))
            })
          })
        )
      )
    loginTests(() => world, open)
    folderTests(test)
    listTests(test)
    contentTests(test)
    changeTests(test)
    waitTests(test)
  })
}

type Test = (title: string, run: (box: Box) => Effect.Effect<void, unknown, Scope.Scope>) => void

const loginTests = (worldOf: () => ImapWorld, open: OpenMailbox): void => {
  const username = worldAccounts.at(-1) ?? ""
  for (const security of ["none", "starttls", "tls"] as const) {
    it.live(`logs in with security ${security}`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const mailbox = yield* open(worldOf(), loginOf(worldOf(), username, security))
          assert.isNotEmpty(yield* mailbox.folders)
        })
      )
    )
    it.live(`reports a wrong password with security ${security}`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const credential = { _tag: "Password", password: "wrong-secret" } as const
          const failure = yield* Effect.flip(open(worldOf(), loginOf(worldOf(), username, security, credential)))
          assert.strictEqual(failure.problem, "login")
          assert.include(failure.detail, "[AUTHENTICATIONFAILED]")
          assert.notInclude(failure.detail, "wrong-secret")
        })
      )
    )
  }
}

const folderTests = (test: Test): void => {
  test("lists the folders with their roles", ({ mailbox }) =>
    Effect.gen(function* () {
      const roles = new Map((yield* mailbox.folders).map(({ path, role }) => [path, role]))
      assert.deepStrictEqual(Object.fromEntries([...roles].toSorted()), {
        Archive: "archive",
        Drafts: "ignored",
        INBOX: "inbox",
        Junk: "ignored",
        Sent: "sent",
        Trash: "ignored"
      })
    }))
  test("reads folders with names in any script", ({ deliver, does, folder, mailbox }) =>
    Effect.gen(function* () {
      const names = ["Größe & Maß", "日本語", "a&-b", "💌 Post", 'quo"te', "50% off"]
      for (const path of names) {
        yield* does((world, username) => world.createFolder(username, path))
        yield* deliver(path, mailOf(`in-${names.indexOf(path)}`))
      }
      const listed = (yield* mailbox.folders).filter(({ role }) => role === "other").map(({ path }) => path)
      assert.sameMembers([...listed], names)
      for (const path of listed) {
        const raw = yield* mailbox.fetch(yield* folder(path), 1, 10_000)
        assert.deepStrictEqual(Buffer.from(raw ?? []), mailOf(`in-${names.indexOf(path)}`))
      }
    }))
  test("reports the status of a folder, also of the open one", ({ deliver, does, folder, mailbox }) =>
    Effect.gen(function* () {
      const empty = yield* mailbox.status("INBOX")
      assert.deepStrictEqual([empty.uidNext, empty.messages], [1, 0])
      yield* deliver("INBOX", mailOf("one"))
      yield* mailbox.list(yield* folder("INBOX"), whole, 0)
      yield* deliver("INBOX", mailOf("two"))
      const full = yield* mailbox.status("INBOX")
      assert.deepStrictEqual([full.uidNext, full.messages], [3, 2])
      assert.strictEqual(full.uidValidity, empty.uidValidity)
      yield* does((world, username) => world.addFlag(username, "INBOX", 1, "\\Seen"))
      const flagged = yield* mailbox.status("INBOX")
      if (full.highestModseq === null) assert.isNull(flagged.highestModseq)
      else assert.isAbove(Number(flagged.highestModseq), Number(full.highestModseq))
    }))
}

const listTests = (test: Test): void => {
  test("lists the mails of a range that arrived in time", ({ deliver, folder, mailbox }) =>
    Effect.gen(function* () {
      for (let n = 1; n <= 6; n++) yield* deliver("INBOX", mailOf(`m${n}`), start + n * hour)
      const inbox = yield* folder("INBOX")
      const all = yield* mailbox.list(inbox, whole, 0)
      assert.deepStrictEqual(uidsOf(all), [1, 2, 3, 4, 5, 6])
      assert.deepStrictEqual(all[2], { uid: 3, receivedAt: start + 3 * hour, bytes: mailOf("m3").length })
      assert.deepStrictEqual(uidsOf(yield* mailbox.list(inbox, { from: 2, to: 5 }, start + 4 * hour)), [4, 5])
      // A long range is searched first.
      assert.deepStrictEqual(
        uidsOf(yield* mailbox.list(inbox, { from: 2, to: 4_000_000_000 }, start + 4 * hour)),
        [4, 5, 6]
      )
      assert.deepStrictEqual(yield* mailbox.list(inbox, { from: 7, to: 20 }, 0), [])
    }))
  test("lists mails that arrive while the folder is open", ({ deliver, folder, mailbox }) =>
    Effect.gen(function* () {
      const inbox = yield* folder("INBOX")
      for (let n = 1; n <= 5; n++) {
        yield* deliver("INBOX", mailOf(`m${n}`))
        assert.lengthOf(yield* mailbox.list(inbox, whole, 0), n)
      }
    }))
  test("reports a folder that is missing or has another UIDVALIDITY", ({ deliver, does, folder, mailbox }) =>
    Effect.gen(function* () {
      yield* deliver("Archive", mailOf("one"))
      const before = yield* folder("Archive")
      yield* mailbox.list(yield* folder("INBOX"), whole, 0)
      yield* does((world, username) => world.renumber(username, "Archive"))
      const lists = yield* Effect.flip(mailbox.list(before, whole, 0))
      const fetches = yield* Effect.flip(mailbox.fetch(before, 1, 1_000))
      const missing = yield* Effect.flip(mailbox.list({ path: "Nowhere", uidValidity: "1" }, whole, 0))
      const unknown = yield* Effect.flip(mailbox.status("Nowhere"))
      const tags = [lists, fetches, missing, unknown].map(({ reason }) => reason._tag)
      assert.deepStrictEqual(tags, ["Gone", "Gone", "Gone", "Gone"])
      assert.lengthOf(yield* mailbox.list(yield* folder("Archive"), whole, 0), 1)
    }))
}

const contentTests = (test: Test): void => {
  test("reads the exact bytes of a mail and leaves its flags unchanged", ({ deliver, flags, folder, mailbox }) =>
    Effect.gen(function* () {
      const body = 'Gr\u00fc\u00dfe {3}\r\n) OK "x" \\\r\n'.repeat(200)
      const large = mailOf("large", "0123456789abcd\r\n".repeat(200_000))
      const exact = mailOf("exact", "x".repeat(2 * 1_048_576 - mailOf("exact", "").length))
      const mails = [mailOf("plain", body), large, exact, mailOf("empty", "")]
      for (const raw of mails) yield* deliver("INBOX", raw)
      const inbox = yield* folder("INBOX")
      for (const [index, raw] of mails.entries()) {
        const read = yield* mailbox.fetch(inbox, index + 1, 10_000_000)
        assert.isTrue(Buffer.from(raw).equals(read ?? new Uint8Array()), `mail ${index + 1}`)
      }
      assert.isTrue(
        Buffer.from(large)
          .subarray(0, 1_500_000)
          .equals((yield* mailbox.fetch(inbox, 2, 1_500_000)) ?? large)
      )
      assert.isNull(yield* mailbox.fetch(inbox, 99, 1_000))
      assert.deepStrictEqual(yield* flags("INBOX", 1), [])
    }))
  test("appends a mail as seen, and finds it", ({ deliver, flags, folder, mailbox }) =>
    Effect.gen(function* () {
      yield* deliver("INBOX", mailOf("in"))
      // An open folder without permanent flags must not remove the flags of the stored mail.
      yield* mailbox.list(yield* folder("INBOX"), whole, 0)
      assert.isFalse(yield* mailbox.contains("Sent", "out@example.org"))
      yield* mailbox.append("Sent", mailOf("out"))
      assert.isTrue(yield* mailbox.contains("Sent", "out@example.org"))
      assert.isFalse(yield* mailbox.contains("Sent", "in@example.org"))
      assert.deepStrictEqual(yield* flags("Sent", 1), ["\\Seen"])
      const raw = yield* mailbox.fetch(yield* folder("Sent"), 1, 1_000)
      assert.deepStrictEqual(Buffer.from(raw ?? []), mailOf("out"))
      assert.strictEqual((yield* Effect.flip(mailbox.append("Nowhere", mailOf("x")))).reason._tag, "Gone")
    }))
  test("adds flags to a mail by its Message-ID", ({ deliver, flags, folder, mailbox }) =>
    Effect.gen(function* () {
      yield* deliver("INBOX", mailOf("one"))
      yield* deliver("INBOX", mailOf("two"))
      yield* mailbox.list(yield* folder("INBOX"), whole, 0)
      yield* mailbox.addFlags("INBOX", "two@example.org", ["\\Seen", "\\Answered"])
      yield* mailbox.addFlags("INBOX", "unknown@example.org", ["\\Seen"])
      assert.sameMembers([...(yield* flags("INBOX", 2))], ["\\Seen", "\\Answered"])
      assert.deepStrictEqual(yield* flags("INBOX", 1), [])
    }))
}

const changeTests = (test: Test): void => {
  test("sees moved and expunged mails", ({ deliver, does, folder, mailbox }) =>
    Effect.gen(function* () {
      for (let n = 1; n <= 4; n++) yield* deliver("INBOX", mailOf(`m${n}`), start + n * hour)
      const inbox = yield* folder("INBOX")
      assert.lengthOf(yield* mailbox.list(inbox, whole, 0), 4)
      yield* does((world, username) => world.move(username, "INBOX", 2, "Archive"))
      yield* does((world, username) => world.expunge(username, "INBOX", 3))
      assert.deepStrictEqual(uidsOf(yield* mailbox.list(inbox, whole, 0)), [1, 4])
      assert.isNull(yield* mailbox.fetch(inbox, 3, 1_000))
      const [moved] = yield* mailbox.list(yield* folder("Archive"), whole, 0)
      assert.deepStrictEqual(moved, { uid: 1, receivedAt: start + 2 * hour, bytes: mailOf("m2").length })
    }))
}

const waitTests = (test: Test): void => {
  const day = 24 * hour
  test("waits until a mail arrives", ({ deliver, mailbox }) =>
    Effect.gen(function* () {
      yield* mailbox.status("INBOX")
      for (let n = 1; n <= 3; n++) {
        const waiting = yield* Effect.forkChild(mailbox.wait("INBOX", day))
        yield* deliver("INBOX", mailOf(`m${n}`))
        yield* Fiber.join(waiting)
        assert.strictEqual((yield* mailbox.status("INBOX")).uidNext, n + 1)
      }
    }))
  test("does not wait when a mail arrived since the last status", ({ deliver, mailbox }) =>
    Effect.gen(function* () {
      yield* mailbox.status("INBOX")
      yield* deliver("INBOX", mailOf("one"))
      yield* mailbox.status("Sent")
      yield* mailbox.wait("INBOX", day)
    }))
  test("ends an interrupted wait, and continues on the connection", ({ deliver, folder, mailbox }) =>
    Effect.gen(function* () {
      const inbox = yield* folder("INBOX")
      for (let n = 1; n <= 3; n++) {
        const waiting = yield* Effect.forkChild(mailbox.wait("INBOX", day))
        yield* Effect.sleep(n * 20)
        yield* Fiber.interrupt(waiting)
        yield* deliver("INBOX", mailOf(`m${n}`))
        assert.lengthOf(yield* mailbox.list(inbox, whole, 0), n)
      }
    }))
  test("ends a wait after its time", ({ mailbox }) =>
    Effect.gen(function* () {
      yield* mailbox.wait("INBOX", 100)
      assert.strictEqual((yield* mailbox.status("INBOX")).messages, 0)
    }))
}
