import { assert, layer } from "@effect/vitest"
import { Arrivals } from "@leadloom/core/internal/port/repository/conversation/Arrivals"
import { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { Drafts } from "@leadloom/core/internal/port/repository/conversation/Drafts"
import { Events } from "@leadloom/core/internal/port/repository/webhook/Events"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import {
  arrivalRecord,
  draftRecord,
  eventRecord,
  freshTenant,
  idOf,
  messageRecord,
  tenantRecord
} from "@leadloom/testkit/suite/Records"
import { Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Store } from "../../src/Store.ts"
import { driverError, intercept } from "../Interception.ts"
import { temporaryStore } from "../TemporaryStore.ts"
import { write, written } from "../Triple.ts"

const scene = (title: string, test: () => Effect.Effect<void, unknown, Store>) =>
  layer(Layer.fresh(temporaryStore))("Outages of SQLite", (it) => it.effect(title, test))

scene("after a failed commit every caller fails, nothing is stored, and later units succeed", () =>
  Effect.gen(function* () {
    const { atomically } = yield* Transactions
    const tenantId = freshTenant()
    let failures = 1
    yield* intercept((text) =>
      text === "COMMIT" && failures-- > 0 ? Effect.fail(driverError("SQLITE_IOERR_FSYNC")) : null
    )
    const own = atomically(tenantId, Effect.andThen(write(tenantId, 0), Effect.fail("own failure")))
    const exits = yield* Effect.forEach(
      [...[1, 2, 3].map((number) => atomically(tenantId, write(tenantId, number))), own],
      (unit) => Effect.flip(unit),
      { concurrency: "unbounded" }
    )
    // The failure of the last unit may depend on writes of another one, so both fail with the same error.
    assert.deepStrictEqual(
      exits.map((error) => (typeof error === "string" ? error : error._tag)),
      Array.from({ length: 4 }, () => "StoreUnavailable")
    )
    yield* atomically(tenantId, write(tenantId, 4))
    assert.deepStrictEqual(yield* written(tenantId, [0, 1, 2, 3, 4]), [0, 0, 0, 0, 3])
  })
)

scene("if no transaction can begin, every waiting unit fails", () =>
  Effect.gen(function* () {
    const { atomically } = yield* Transactions
    const tenantId = freshTenant()
    let closed = true
    yield* intercept((text) => (closed && text.startsWith("BEGIN") ? Effect.fail(driverError("SQLITE_BUSY")) : null))
    const errors = yield* Effect.forEach(
      [1, 2],
      (number) => Effect.flip(atomically(tenantId, write(tenantId, number))),
      {
        concurrency: "unbounded"
      }
    )
    assert.deepStrictEqual(
      errors.map(({ _tag }) => _tag),
      ["StoreUnavailable", "StoreUnavailable"]
    )
    closed = false
    yield* atomically(tenantId, write(tenantId, 3))
    assert.deepStrictEqual(yield* written(tenantId, [1, 2, 3]), [0, 0, 3])
  })
)

scene("if the database aborts a transaction, its units fail and waiting units are stored", () =>
  Effect.gen(function* () {
    const { atomically } = yield* Transactions
    const sql = yield* SqlClient
    const tenantId = freshTenant()
    const lose = Effect.andThen(sql.unsafe("ROLLBACK"), Effect.fail(driverError("SQLITE_FULL")))
    let messages = 0
    yield* intercept((text) => (text.startsWith("INSERT INTO messages") && ++messages === 3 ? lose : null))
    // The third unit recovers from the failure. Without a rollback, its remaining writes would be stored separately.
    const stubborn = Effect.andThen(Effect.exit(write(tenantId, 3)), Effect.ignore(write(tenantId, 30)))
    const plain = (number: number) => Effect.asVoid(write(tenantId, number))
    const exits = yield* Effect.forEach(
      [plain(1), plain(2), stubborn, plain(4)],
      (unit) => Effect.exit(atomically(tenantId, unit)),
      { concurrency: "unbounded" }
    )
    assert.deepStrictEqual(exits.map(Exit.isSuccess), [false, false, false, true])
    assert.deepStrictEqual(yield* written(tenantId, [1, 2, 3, 30, 4]), [0, 0, 0, 0, 3])
  })
)

scene("a full disk is an outage without partial writes", () =>
  Effect.gen(function* () {
    const { atomically } = yield* Transactions
    const sql = yield* SqlClient
    const tenantId = freshTenant()
    yield* write(tenantId, 1)
    const [pages] = yield* sql.unsafe<{ readonly page_count: number }>("PRAGMA page_count")
    yield* sql.unsafe(`PRAGMA max_page_count = ${(pages?.page_count ?? 0) + 4}`)
    const big = messageRecord(tenantId, 2, { body: "x".repeat(200_000) })
    const unit = Effect.andThen(
      write(tenantId, 3),
      Effect.flatMap(Messages, (messages) => messages.insert(big, []))
    )
    assert.strictEqual((yield* Effect.flip(atomically(tenantId, unit)))._tag, "StoreUnavailable")
    assert.deepStrictEqual(yield* written(tenantId, [1, 3]), [3, 0])
    yield* sql.unsafe("PRAGMA max_page_count = 1000000")
    yield* atomically(tenantId, unit)
    assert.deepStrictEqual(yield* written(tenantId, [1, 3]), [3, 3])
  })
)

scene("several statements of a port are atomic, even without a unit of work", () =>
  Effect.gen(function* () {
    const tenantId = freshTenant()
    const messages = yield* Messages
    const [arrivals, events, drafts, tenants] = [yield* Arrivals, yield* Events, yield* Drafts, yield* Tenants]
    yield* drafts.propose(draftRecord(tenantId, 1))
    const second = /^INSERT INTO (?:dedup_keys|arrival_counts|events|drafts|tenant_configs|conversation_aliases) /u
    let broken = true
    yield* intercept((text) => (broken && second.test(text) ? Effect.fail(driverError("SQLITE_IOERR_WRITE")) : null))
    const message = messageRecord(tenantId, 1, { receivedAlias: "sales@x.example" })
    const writes = [
      messages.insert(message, ["mid:1"]),
      Effect.flatMap(Conversations, (conversations) => conversations.advance(message)),
      arrivals.record(arrivalRecord(tenantId, 1)),
      events.append(tenantId, [eventRecord(tenantId, 1)]),
      drafts.propose(draftRecord(tenantId, 2)),
      Effect.catchTag(tenants.insert(tenantRecord(tenantId)), "TenantExists", Effect.die)
    ]
    for (const write of writes) assert.strictEqual((yield* Effect.flip(write))._tag, "StoreUnavailable")
    broken = false
    assert.strictEqual((yield* drafts.pending(tenantId, idOf("con", 1)))?.draftId, idOf("draft", 1))
    // A retry succeeds.
    yield* Effect.all(writes)
    assert.strictEqual((yield* events.after(tenantId, 0, 9))[0]?.sequence, 1)
    assert.deepStrictEqual(yield* arrivals.counts(tenantId), [{ outcome: "message", count: 1 }])
    assert.strictEqual((yield* (yield* Conversations).get(tenantId, idOf("con", 1))).unread, 1)
  })
)
