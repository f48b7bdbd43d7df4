import { assert, layer } from "@effect/vitest"
import type { MailboxFolder } from "@leadloom/core/internal/domain/mailbox/Folder"
import type { MailboxAccount } from "@leadloom/core/internal/domain/mailbox/MailboxAccount"
import type { MailboxSync } from "@leadloom/core/internal/domain/mailbox/MailboxSync"
import { MailboxAccounts } from "@leadloom/core/internal/port/repository/conversation/MailboxAccounts"
import { MailboxSyncs } from "@leadloom/core/internal/port/repository/conversation/MailboxSyncs"
import { Effect, Layer } from "effect"
import { fairQueueSuite } from "../pipeline/FairQueueSuite.ts"
import { freshTenant, idOf, noon } from "../Records.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const server = { host: "imap.example.com", port: 993, security: "tls" } as const

/** Returns a mailbox account of a tenant. */
export const mailboxAccountOf = (
  tenantId: string,
  number: number,
  changes: Partial<MailboxAccount> = {}
): MailboxAccount => ({
  tenantId,
  grantId: idOf("grant", number),
  username: `jö ${number}`,
  imap: server,
  smtp: { ...server, port: 465 },
  secret: "v1.sealed",
  sinceAt: noon - 1_000,
  setsFlags: true,
  createdAt: noon,
  ...changes
})

const folderOf = ({ grantId, tenantId }: MailboxAccount, changes: Partial<MailboxFolder> = {}): MailboxFolder => ({
  tenantId,
  grantId,
  path: "INBOX/Größe",
  role: "inbox",
  uidValidity: "4294967295",
  uidNext: 4_294_967_295,
  backfillUid: 12,
  highestModseq: "9223372036854775807",
  messages: 3,
  syncedAt: null,
  ...changes
})

const claimOne = Effect.fnUntraced(function* (now: number) {
  const [sync] = yield* (yield* MailboxSyncs).claim(1, now, now + 20)
  return sync ?? assert.fail("no mailbox is due")
})

const storeAccount = Effect.fnUntraced(function* (changes: Partial<MailboxAccount> = {}) {
  const account = mailboxAccountOf(freshTenant(), 1, changes)
  yield* (yield* MailboxAccounts).insert(account)
  return account
})

const failed = (sync: MailboxSync, failingSince: number): MailboxSync => ({
  ...sync,
  failingSince,
  failures: 2,
  error: "the server is away"
})

/** Tests the ports `MailboxAccounts` and `MailboxSyncs` on a store. Each test has its own queue. */
export const mailboxSyncsSuite = (name: string, store: StoreLayer): void => {
  const scene = (title: string, test: () => Effect.Effect<void, unknown, MailboxAccounts | MailboxSyncs>) =>
    layer(Layer.fresh(store))(`mailboxes on ${name}`, (it) => it.effect(title, test))

  fairQueueSuite(`mailboxes on ${name}`, store, {
    queue: (tenantId, number, dueAt) =>
      Effect.flatMap(MailboxAccounts, (accounts) =>
        accounts.insert(mailboxAccountOf(tenantId, number, { createdAt: noon + dueAt, username: String(number) }))
      ),
    claim: Effect.fnUntraced(function* (limit, now, leaseUntil) {
      const taken = yield* (yield* MailboxSyncs).claim(limit, noon + now, noon + leaseUntil)
      const accounts = yield* MailboxAccounts
      return yield* Effect.forEach(taken, ({ grantId, tenantId }) =>
        Effect.map(accounts.find(tenantId, grantId), (account) => ({ tenantId, number: Number(account?.username) }))
      )
    })
  })

  scene("stores an account, replaces it and keeps tenants apart", () =>
    Effect.gen(function* () {
      const accounts = yield* MailboxAccounts
      const account = yield* storeAccount()
      const { grantId, tenantId } = account
      assert.deepStrictEqual(yield* accounts.find(tenantId, grantId), account)
      assert.isNull(yield* accounts.find(freshTenant(), grantId))
      const changed = { ...account, setsFlags: false, smtp: server, secret: "v1.other" }
      yield* accounts.update({ ...changed, tenantId: freshTenant() })
      assert.deepStrictEqual(yield* accounts.find(tenantId, grantId), account)
      yield* accounts.update(changed)
      assert.deepStrictEqual(yield* accounts.find(tenantId, grantId), changed)
    })
  )

  scene("a new mailbox is due at once, and its lease keeps other servers away until it ends", () =>
    Effect.gen(function* () {
      const syncs = yield* MailboxSyncs
      const { grantId, tenantId } = yield* storeAccount()
      const sync = yield* claimOne(noon)
      const fresh = { lastSyncAt: null, failingSince: null, failures: 0, error: null, isReported: false }
      assert.deepStrictEqual(sync, { tenantId, grantId, dueAt: noon + 20, claim: 1, ...fresh })
      assert.deepStrictEqual(yield* syncs.claim(9, noon + 19, noon + 40), [])
      const stranger = { tenantId: freshTenant(), grantId, claim: 1 }
      assert.deepStrictEqual(yield* syncs.renew([sync, stranger], noon + 60), [{ tenantId, grantId, claim: 1 }])
      assert.deepStrictEqual(yield* syncs.claim(9, noon + 59, noon + 80), [])
      assert.strictEqual((yield* claimOne(noon + 60)).claim, 2)
      assert.deepStrictEqual(yield* syncs.renew([sync], noon + 90), [])
    })
  )

  scene("rejects the progress of a server whose claim has ended", () =>
    Effect.gen(function* () {
      const syncs = yield* MailboxSyncs
      const account = yield* storeAccount()
      const [old, held] = [yield* claimOne(noon), yield* claimOne(noon + 20)]
      const folder = folderOf(account)
      assert.isFalse(yield* syncs.saveFolder(old, folder))
      assert.isFalse(yield* syncs.save({ ...old, lastSyncAt: noon }))
      assert.deepStrictEqual(yield* syncs.folders(account.tenantId, account.grantId), [])
      assert.isTrue(yield* syncs.saveFolder(held, folder))
      const later: MailboxFolder = { ...folder, path: "Sent", backfillUid: null, highestModseq: null, syncedAt: noon }
      assert.isTrue(yield* syncs.saveFolder(held, later))
      assert.isTrue(yield* syncs.saveFolder(held, { ...folder, uidNext: 7, role: "other" }))
      const expected: ReadonlyArray<MailboxFolder> = [{ ...folder, uidNext: 7, role: "other" }, later]
      assert.deepStrictEqual(yield* syncs.folders(account.tenantId, account.grantId), expected)
      yield* syncs.removeFolder(old, "Sent")
      assert.deepStrictEqual(yield* syncs.folders(account.tenantId, account.grantId), expected)
      yield* syncs.removeFolder(held, "Sent")
      assert.deepStrictEqual(yield* syncs.folders(account.tenantId, account.grantId), expected.slice(0, 1))
      assert.isTrue(yield* syncs.save({ ...held, lastSyncAt: noon + 5, dueAt: noon + 50 }))
      const found = yield* syncs.find(account.tenantId, account.grantId)
      assert.deepStrictEqual(found, { ...held, lastSyncAt: noon + 5, dueAt: noon + 50 })
    })
  )

  scene("a changed account ends the claim, and a removed one leaves nothing", () =>
    Effect.gen(function* () {
      const [syncs, accounts] = [yield* MailboxSyncs, yield* MailboxAccounts]
      const account = yield* storeAccount()
      const { grantId, tenantId } = account
      const first = yield* claimOne(noon)
      yield* syncs.saveFolder(first, folderOf(account))
      yield* accounts.update({ ...account, secret: "v1.new" })
      assert.deepStrictEqual(yield* syncs.renew([first], noon + 90), [])
      const second = yield* claimOne(noon + 1)
      assert.strictEqual((yield* syncs.folders(tenantId, grantId)).length, 1)
      yield* accounts.remove(tenantId, grantId)
      assert.isNull(yield* accounts.find(tenantId, grantId))
      assert.isNull(yield* syncs.find(tenantId, grantId))
      assert.deepStrictEqual(yield* syncs.folders(tenantId, grantId), [])
      assert.isFalse(yield* syncs.saveFolder(second, folderOf(account)))
      assert.deepStrictEqual(yield* syncs.claim(9, noon + 999, noon + 1_000), [])
    })
  )

  scene("lists failures, oldest first, and reports each one once", () =>
    Effect.gen(function* () {
      const syncs = yield* MailboxSyncs
      const marks: Array<string> = []
      for (const since of [noon + 30, noon + 10, noon + 50]) {
        yield* storeAccount()
        const sync = failed(yield* claimOne(noon + 60), since)
        assert.isTrue(yield* syncs.save({ ...sync, dueAt: noon + 1_000 }))
        marks.push(sync.tenantId)
      }
      yield* storeAccount()
      const seen = (list: ReadonlyArray<MailboxSync>) => list.map(({ tenantId }) => marks.indexOf(tenantId))
      assert.deepStrictEqual(seen(yield* syncs.failing(noon + 40, 9)), [1, 0])
      assert.deepStrictEqual(seen(yield* syncs.failing(noon + 90, 2)), [1, 0])
      const [oldest] = yield* syncs.unreported(noon + 40, 9)
      const report = oldest ?? assert.fail()
      assert.isFalse(yield* syncs.markReported({ ...report, failingSince: noon + 11 }))
      assert.isTrue(yield* syncs.markReported(report))
      assert.isFalse(yield* syncs.markReported(report))
      assert.deepStrictEqual(seen(yield* syncs.unreported(noon + 90, 9)), [0, 2])
      assert.deepStrictEqual(seen(yield* syncs.failing(noon + 40, 9)), [1, 0])
      const totals = { mailboxes: 4, failing: 3, oldestSyncAt: noon + 10 }
      assert.deepStrictEqual(yield* syncs.totals, totals)
      // A further failure keeps the mark, and the next sync removes it.
      yield* syncs.save({ ...report, isReported: false, failures: 3 })
      assert.strictEqual((yield* syncs.find(report.tenantId, report.grantId))?.isReported, true)
      yield* syncs.save({ ...report, failingSince: null, failures: 0, error: null, lastSyncAt: noon + 70 })
      assert.strictEqual((yield* syncs.find(report.tenantId, report.grantId))?.isReported, false)
      assert.deepStrictEqual(seen(yield* syncs.failing(noon + 90, 9)), [0, 2])
    })
  )
}
