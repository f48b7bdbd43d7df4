import { assert, describe } from "@effect/vitest"
import { connectionFailedMillis } from "@leadloom/core/internal/domain/mailbox/MailboxSync"
import { Grants } from "@leadloom/core/internal/port/repository/conversation/Grants"
import { MailboxAccounts } from "@leadloom/core/internal/port/repository/conversation/MailboxAccounts"
import { MailboxSyncs } from "@leadloom/core/internal/port/repository/conversation/MailboxSyncs"
import { reportFailedMailboxes } from "@leadloom/core/internal/workflow/mailbox/sync/ReportFailedMailboxes"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, present, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { mailboxAccountOf } from "./MailboxSyncsSuite.ts"

/** Tests the reports of mailboxes that cannot be read. */
export const mailboxReportSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)
  describe(`reports of mailboxes on ${name}`, () => {
    scene("name a mailbox that has failed for an hour, once per failure", () =>
      Effect.gen(function* () {
        yield* acme.open()
        yield* acme.connectMail()
        const { grantId } = present(yield* (yield* Grants).current("acme"))
        yield* (yield* MailboxAccounts).insert(mailboxAccountOf("acme", 1, { grantId, createdAt: 0 }))
        const syncs = yield* MailboxSyncs
        const now = yield* Clock.currentTimeMillis
        const [sync] = yield* syncs.claim(1, now, now + 1)
        yield* syncs.save({ ...present(sync), failingSince: now, failures: 1, error: "away" })
        yield* TestClock.adjust(connectionFailedMillis - 1)
        yield* reportFailedMailboxes()
        assert.notInclude(yield* acme.eventTypes(), "email.connection_failed")
        yield* TestClock.adjust(1)
        yield* reportFailedMailboxes()
        yield* reportFailedMailboxes()
        const reports = (yield* acme.events()).filter(({ type }) => type === "email.connection_failed")
        assert.deepStrictEqual(
          reports.map(({ data }) => [data["grant_id"], data["error"], data["last_sync_at"]]),
          [[grantId, "away", null]]
        )
      })
    )
  })
}
