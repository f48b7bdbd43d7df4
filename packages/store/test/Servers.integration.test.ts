import { inMemoryEmailTransport } from "@leadloom/testkit/memory/EmailTransport"
import { randomBytes } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { connectEmail } from "@leadloom/core/internal/workflow/mailbox/ConnectEmail"
import { ingestEmail } from "@leadloom/core/internal/workflow/intake/IngestEmail"
import type { OutgoingMail } from "@leadloom/core/internal/domain/email/OutgoingMail"
import { sendEmail } from "@leadloom/core/internal/workflow/sending/SendEmail"
import { Arrivals } from "@leadloom/core/internal/port/repository/conversation/Arrivals"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Events } from "@leadloom/core/internal/port/repository/webhook/Events"
import { Ids } from "@leadloom/core/internal/port/system/Ids"
import { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { createTenant } from "@leadloom/core/internal/workflow/tenant/Tenants"
import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { around } from "@leadloom/testkit/suite/Doubles"
import { type MailText, rawMail } from "@leadloom/testkit/suite/Scene"
import { Effect, Fiber, Latch, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Store from "../src/Store.ts"
import { upTo, write, written } from "./Triple.ts"
import { newestConversations } from "@leadloom/testkit/suite/NewestConversations"

/** Builds the store of a server on a database, with its own pool and ids. */
const serverOn = (url: string) =>
  Layer.build(Layer.fresh(Layer.mergeAll(around, Ids.layer(randomBytes), Store.layer({ url }))))

/** Creates two servers on one database with a tenant. Mails alternate between the servers. */
const twoServers = Effect.gen(function* () {
  const url = yield* migratedDatabase
  const servers = yield* Effect.all([serverOn(url), serverOn(url)], { concurrency: "unbounded" })
  const [first] = servers
  const acme = createTenant({ tenantId: "acme", name: "Acme", domain: "acme.com", preset: null, hipaa: false })
  const tenant = yield* Effect.provide(acme, first)
  const receive = (number: number, mail: MailText) =>
    Effect.provide(
      ingestEmail({ tenant, raw: rawMail(mail), source: "smtp", historical: false }),
      servers[number % 2] ?? first
    )
  return { servers, receive, tenant }
})

describe("two servers on one Postgres database", () => {
  it.live("store one message and one signal for two hundred copies of a mail", () =>
    Effect.gen(function* () {
      const { servers, receive } = yield* twoServers
      const all = yield* Effect.forEach(upTo(200), (number) => receive(number, {}), { concurrency: "unbounded" })
      assert.strictEqual(new Set(all.map(({ messageId }) => messageId)).size, 1)
      assert.strictEqual(all.filter(({ outcome }) => outcome === "message").length, 1)
      yield* Effect.gen(function* () {
        assert.strictEqual(yield* (yield* Signals).backlog, 1)
        assert.strictEqual((yield* (yield* Contacts).page("acme", 10, null)).length, 1)
        const counts = yield* (yield* Arrivals).counts("acme")
        assert.deepStrictEqual(
          counts.map(({ count, outcome }) => [outcome, count]),
          [
            ["duplicate_of", 199],
            ["message", 1]
          ]
        )
      }).pipe(Effect.provide(servers[1]))
    }).pipe(Effect.scoped)
  )

  it.live("create one contact, one thread and one lead for a conversation that arrives at both concurrently", () =>
    Effect.gen(function* () {
      const { servers, receive } = yield* twoServers
      const mailOf = (number: number): MailText => ({
        id: `${number}@customer.example`,
        body: `Question number ${number}?`,
        ...(number === 0 ? {} : { references: "<0@customer.example>", inReplyTo: "<0@customer.example>" })
      })
      const all = yield* Effect.forEach(upTo(100), (number) => receive(number, mailOf(number)), {
        concurrency: "unbounded"
      })
      for (const field of ["contactId", "threadId", "leadId"] as const) {
        assert.strictEqual(new Set(all.map((accepted) => accepted[field])).size, 1, field)
      }
      yield* Effect.gen(function* () {
        assert.strictEqual(yield* (yield* Signals).backlog, 100)
        const [head] = yield* newestConversations("acme", 10)
        assert.strictEqual(head?.unread, 100)
        const events = yield* (yield* Events).after("acme", 0, 1_000)
        assert.deepStrictEqual(
          events.map(({ sequence }) => sequence),
          upTo(events.length).map((index) => index + 1)
        )
      }).pipe(Effect.provide(servers[0]))
    }).pipe(Effect.scoped)
  )

  it.live("write one at a time for one tenant, and concurrently for another", () =>
    Effect.gen(function* () {
      const { servers } = yield* twoServers
      const [one, other] = servers
      const unit = (server: typeof one, tenantId: string, number: number, after: Effect.Effect<void>) =>
        Effect.flatMap(Transactions, ({ atomically }) =>
          atomically(tenantId, Effect.andThen(write(tenantId, number), after))
        ).pipe(Effect.provide(server))
      const [inside, free] = [Latch.makeUnsafe(false), Latch.makeUnsafe(false)]
      const holding = yield* Effect.forkChild(unit(one, "acme", 0, Effect.andThen(inside.open, free.await)))
      yield* inside.await
      const behind = yield* Effect.forkChild(
        Effect.all([unit(one, "acme", 1, Effect.void), unit(other, "acme", 2, Effect.void)], {
          concurrency: "unbounded"
        })
      )
      yield* Effect.all([unit(one, "beta", 1, Effect.void), unit(other, "gamma", 1, Effect.void)])
      assert.isUndefined(behind.pollUnsafe())
      yield* free.open
      yield* Effect.all([Fiber.join(holding), Fiber.join(behind)])
      assert.deepStrictEqual(yield* Effect.provide(written("acme", [0, 1, 2]), other), [3, 3, 3])
    }).pipe(Effect.scoped)
  )

  it.live("claim each signal once", () =>
    Effect.gen(function* () {
      const { servers, receive } = yield* twoServers
      yield* Effect.forEach(upTo(60), (number) =>
        receive(number, { id: `${number}@customer.example`, body: `Question ${number}` })
      )
      const claims = yield* Effect.forEach(
        upTo(12),
        (number) =>
          Effect.provide(
            Effect.flatMap(Signals, (signals) => signals.claim(5, Date.now() + 1_000, Date.now() + 60_000)),
            servers[number % 2] ?? servers[0]
          ),
        { concurrency: "unbounded" }
      )
      const ids = claims.flat().map(({ signalId }) => signalId)
      assert.strictEqual(new Set(ids).size, ids.length)
      assert.isTrue(claims.every((claimed) => claimed.length <= 5))
      assert.isAbove(ids.length, 5)
    }).pipe(Effect.scoped)
  )

  it.live("assign a mailbox and a domain to one of two tenants that claim them concurrently", () =>
    Effect.gen(function* () {
      const { servers } = yield* twoServers
      const open = (tenantId: string, domain: string | null) =>
        createTenant({ tenantId, name: tenantId, domain, preset: null, hipaa: false })
      const connect = (tenantId: string, email: string) =>
        connectEmail(tenantId, { provider: "smtp", email, name: null, providerGrantId: null, byOperator: true })
      const outcomeOf = <E extends { readonly _tag: string }, R>(claim: Effect.Effect<unknown, E, R>) =>
        Effect.match(claim, { onFailure: ({ _tag }): string | null => _tag, onSuccess: () => null })
      const serverOf = (number: number) => servers[number % 2] ?? servers[0]
      const outcomes = yield* Effect.forEach(
        upTo(10),
        (round) =>
          Effect.gen(function* () {
            const ids = upTo(4).map((number) => `round${round}-${number}`)
            yield* Effect.forEach(ids, (id) => Effect.provide(open(id, null), servers[0]))
            const domain = `round${round}.example`
            const claims = [
              ...ids.map((id, number) =>
                Effect.provide(outcomeOf(connect(id, `Sales+${number}@${domain}`)), serverOf(number))
              ),
              ...upTo(2).map((number) =>
                Effect.provide(outcomeOf(open(`round${round}-domain${number}`, domain)), serverOf(number))
              )
            ]
            return yield* Effect.all(claims, { concurrency: "unbounded" })
          }),
        { concurrency: 3 }
      )
      for (const results of outcomes) {
        const refusals = results.filter((tag) => tag !== null)
        assert.strictEqual(refusals.length, results.length - 1)
        assert.deepStrictEqual(
          refusals.filter((tag) => tag !== "AddressTaken" && tag !== "DomainTaken"),
          []
        )
      }
    }).pipe(Effect.scoped)
  )

  it.live("send exactly fifty of two hundred concurrent emails", () =>
    Effect.gen(function* () {
      const { servers, tenant } = yield* twoServers
      const account = { provider: "smtp", email: "sales@acme.com", name: null, providerGrantId: null } as const
      yield* Effect.provide(connectEmail("acme", account), servers[0])
      const outbox: Array<OutgoingMail> = []
      const request = { cc: [], bcc: [], subject: "Hi", body: "Hello", from: null, replyToMessageId: null }
      const send = (number: number) =>
        sendEmail({
          tenant,
          idempotencyKey: null,
          request: { ...request, to: [{ email: `c${number % 7}@customer.example`, name: null }] }
        }).pipe(Effect.provide(inMemoryEmailTransport(outbox)), Effect.provide(servers[number % 2] ?? servers[0]))
      const results = yield* Effect.forEach(upTo(200), (number) => Effect.result(send(number)), {
        concurrency: "unbounded"
      })
      const refused = results.flatMap((result) => (result._tag === "Failure" ? [result.failure._tag] : []))
      assert.deepStrictEqual([refused.length, ...new Set(refused)], [150, "SendLimitReached"])
      assert.strictEqual(outbox.length, 50)
      assert.strictEqual(new Set(outbox.map(({ internetMessageId }) => internetMessageId)).size, 50)
    }).pipe(Effect.scoped)
  )

  it.live("report the store as unavailable when their connections break, and continue with new ones", () =>
    Effect.gen(function* () {
      const { servers } = yield* twoServers
      const [one, other] = servers
      const unit = (number: number) =>
        Effect.flatMap(Transactions, ({ atomically }) => atomically("acme", write("acme", number))).pipe(
          Effect.provide(one)
        )
      yield* unit(0)
      const cut = Effect.flatMap(SqlClient, (sql) =>
        sql.unsafe(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
      )
      const [, exits] = yield* Effect.all(
        [
          Effect.provide(cut, other),
          Effect.forEach(upTo(300), (number) => Effect.result(unit(number + 1)), { concurrency: 60 })
        ],
        { concurrency: "unbounded" }
      )
      for (const exit of exits) if (exit._tag === "Failure") assert.strictEqual(exit.failure._tag, "StoreUnavailable")
      yield* Effect.retry(unit(1_000), Schedule.recurs(5))
      const stored = yield* Effect.provide(written("acme", [...upTo(301), 1_000]), one)
      assert.deepStrictEqual(stored, [3, ...exits.map((exit) => (exit._tag === "Success" ? 3 : 0)), 3])
    }).pipe(Effect.scoped)
  )
})
