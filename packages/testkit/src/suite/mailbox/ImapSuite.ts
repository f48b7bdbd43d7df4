import { assert, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { afterAll, beforeAll, describe } from "vitest"
import { type ImapWorld, worldAccounts } from "../../imap/ImapWorld.ts"
import { type Box, hour, loginOf, mailOf, type OpenMailbox, start, type Test, uidsOf, whole } from "./ImapBox.ts"
import { changeTests, contentTests, waitTests } from "./ImapMailTests.ts"

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
