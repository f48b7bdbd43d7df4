import { connectionFailedMillis, mailboxLeaseMillis } from "@leadloom/core/internal/domain/mailbox/MailboxSync"
import { MailboxSyncs } from "@leadloom/core/internal/port/repository/conversation/MailboxSyncs"
import { Events } from "@leadloom/core/internal/port/repository/webhook/Events"
import { reportFailedMailboxes } from "@leadloom/core/internal/workflow/mailbox/sync/ReportFailedMailboxes"
import { mailboxQueue } from "@leadloom/core/internal/workflow/mailbox/sync/WorkMailboxes"
import { startWorkers } from "@leadloom/core/internal/workflow/worker/Worker"
import { rawMail } from "@leadloom/testkit/suite/Scene"
import { Effect, Exit, Scope } from "effect"
import { afterEach, describe, expect, it, vi } from "vitest"
import {
  connectMailbox,
  lookUntilRead,
  mailboxEmail,
  mailboxEnvironment,
  mailboxPassword,
  startMailServer,
  storedMessages
} from "../world/MailboxWorld.ts"
import { startServer, type TestServer } from "../world/TestServer.ts"
import { makeWorld } from "../world/World.ts"

const open: Array<{ readonly close: () => Promise<void> }> = []

afterEach(async () => {
  for (const { close } of open.splice(0).toReversed()) await close()
})

const emails = [mailboxEmail, "office@other.com"]

const start = async () => {
  const mail = await startMailServer({ accounts: Object.fromEntries(emails.map((email) => [email, mailboxPassword])) })
  open.push(mail)
  const server = await startServer(mailboxEnvironment(mail))
  open.push(server)
  await makeWorld(server)
  return { mail, server }
}

/** Starts a worker, and returns the function that stops it. */
const work = async (server: TestServer, maxMailboxes: number) => {
  const scope = await server.run(Scope.make())
  await server.run(Effect.provideService(startWorkers(mailboxQueue(maxMailboxes)), Scope.Scope, scope))
  const stop = { close: () => server.run(Scope.close(scope, Exit.void)) }
  open.push(stop)
  return stop.close
}

const letter = (number: number) => Buffer.from(rawMail({ id: `m${number}@customer.example`, body: `${number}` }))

const syncOf = (
  server: TestServer,
  { grantId, tenantId }: { readonly grantId: `grant_${string}`; readonly tenantId: string }
) => server.run(Effect.flatMap(MailboxSyncs, (syncs) => syncs.find(tenantId, grantId)))

const wait = { timeout: 60_000, interval: 50 }

describe("the worker of mailboxes", () => {
  it("keeps a mailbox connected, stores new mail at once, and releases the mailbox at shutdown", async () => {
    const { mail, server } = await start()
    const account = await server.run(connectMailbox(mail))
    const stop = await work(server, 10)
    await mail.untilIdle()
    mail.account(mailboxEmail).folder("INBOX").add(letter(1), Date.now())
    await vi.waitFor(async () => expect(await server.run(storedMessages())).toHaveLength(1), wait)
    const held = await syncOf(server, account)
    expect(held?.lastSyncAt).not.toBeNull()
    expect(held?.dueAt).toBeGreaterThan(Date.now())
    await stop()
    expect((await syncOf(server, account))?.dueAt).toBeLessThanOrEqual(Date.now())
    await vi.waitFor(() => expect(mail.connections()).toBe(0), wait)
  })

  it("takes a mailbox over when the lease of a dead server ends", async () => {
    const { mail, server } = await start()
    const account = await server.run(connectMailbox(mail))
    // This claim stays with a server that never extends it.
    const claimedAt = Date.now() - mailboxLeaseMillis
    await server.run(
      Effect.flatMap(MailboxSyncs, (syncs) => syncs.claim(1, Date.now(), claimedAt + mailboxLeaseMillis + 1_500))
    )
    mail.account(mailboxEmail).folder("INBOX").add(letter(1), Date.now())
    await work(server, 10)
    await vi.waitFor(async () => expect(await server.run(storedMessages())).toHaveLength(1), wait)
    expect((await syncOf(server, account))?.claim).toBe(2)
  })

  it("ends the connection when the mailbox is claimed elsewhere, and never stores a result of the old claim", async () => {
    const { mail, server } = await start()
    const account = await server.run(connectMailbox(mail))
    await work(server, 2)
    await mail.untilIdle()
    const { grantId, tenantId } = account
    const syncs = await server.run(
      Effect.gen(function* () {
        const syncs = yield* MailboxSyncs
        const sync = yield* syncs.find(tenantId, grantId)
        yield* syncs.save({ ...(sync ?? expect.fail()), dueAt: 0 })
        return yield* syncs.claim(1, 1, Date.now() + 60_000)
      })
    )
    expect(syncs).toHaveLength(1)
    await vi.waitFor(() => expect(mail.connections()).toBe(0), wait)
    expect(await syncOf(server, account)).toMatchObject({ claim: 2, dueAt: syncs[0]?.dueAt })
  })

  it("reads all mailboxes in turn when there are more than places", async () => {
    const { mail, server } = await start()
    for (const [index, tenantId] of ["acme", "other"].entries()) {
      const email = emails[index] ?? ""
      await server.run(connectMailbox(mail, { email, tenantId }))
      mail.account(email).folder("INBOX").add(letter(index), Date.now())
    }
    await work(server, 1)
    await vi.waitFor(async () => expect(await server.run(storedMessages("acme"))).toHaveLength(1), wait)
    await vi.waitFor(async () => expect(await server.run(storedMessages("other"))).toHaveLength(1), wait)
  })

  it("reports a mailbox that has failed for an hour once", async () => {
    const { mail, server } = await start()
    const account = await server.run(connectMailbox(mail))
    await mail.close()
    await server.run(lookUntilRead())
    const failed = await syncOf(server, account)
    expect(failed?.failingSince).not.toBeNull()
    await server.run(
      Effect.gen(function* () {
        const syncs = yield* MailboxSyncs
        yield* reportFailedMailboxes()
        yield* syncs.save({ ...(failed ?? expect.fail()), failingSince: Date.now() - connectionFailedMillis - 1 })
        yield* reportFailedMailboxes()
        yield* reportFailedMailboxes()
      })
    )
    const events = await server.run(Effect.flatMap(Events, (all) => all.after("acme", 0, 100)))
    const reports = events.filter(({ event }) => event.type === "email.connection_failed")
    expect(reports.map(({ event }) => event.data)).toMatchObject([{ grant_id: account.grantId, email: mailboxEmail }])
  })
})
