import { scenesOn } from "../Scene.ts"
import { assert, describe } from "@effect/vitest"
import { audited, auditedPart, recordAuditChange } from "@leadloom/core/internal/workflow/access/Audited"
import { listAudit } from "@leadloom/core/internal/workflow/access/ListAudit"
import { AuditTrail } from "@leadloom/core/internal/port/repository/tenant/AuditTrail"
import { ProviderEvents } from "@leadloom/core/internal/port/repository/webhook/ProviderEvents"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { Effect } from "effect"
import type { StoreLayer } from "../StoreLayer.ts"

const acting = { actor: "user:jo", action: "things.change", target: { id: "1" }, address: "192.0.2.1", requestId: "r" }

const entriesOf = (tenantId: string) =>
  Effect.flatMap(AuditTrail, (trail) => trail.page(tenantId, { actor: null, action: null }, 10, null))

/** Runs a unit that stores a row and records an audit change. */
const leave = Effect.fnUntraced(function* (tenantId: string, mark: string) {
  const taken = (yield* ProviderEvents).receive(tenantId, "test", mark, 1)
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.tap(taken, () => recordAuditChange({ before: null, after: mark }))
  )
})

/** Tests the audit trail of privileged actions on a store. `undoes`: whether the store rolls back failed units. */
export const auditSuite = (name: string, store: StoreLayer): void => {
  describe(`the audit trail on ${name}`, () => {
    const scene = scenesOn(store)

    scene("records one entry per action, with the change of its unit", () =>
      Effect.gen(function* () {
        assert.isTrue(yield* audited(acting, "one", leave("one", "a")))
        const [entry, ...others] = yield* entriesOf("one")
        assert.deepInclude(entry, { ...acting, tenantId: "one", change: { before: null, after: "a" } })
        assert.deepStrictEqual(others, [])
      })
    )

    scene("records one entry for an action with several or nested units, and none for units outside an action", () =>
      Effect.gen(function* () {
        const { atomically } = yield* Transactions
        const nested = Effect.gen(function* () {
          yield* atomically("many", leave("many", "a"))
          yield* (yield* Transactions).atomically("many", leave("many", "b"))
          yield* leave("many", "c")
        })
        yield* audited(acting, "many", nested)
        yield* leave("many", "d")
        assert.deepStrictEqual(
          (yield* entriesOf("many")).map(({ change }) => change?.after),
          ["a"]
        )
      })
    )

    scene("records one entry for an action with concurrent units or a failed first unit", () =>
      Effect.gen(function* () {
        const units = Array.from({ length: 20 }, (_, number) => leave("beside", String(number)))
        yield* audited(acting, "beside", Effect.all(units, { concurrency: "unbounded" }))
        assert.strictEqual((yield* entriesOf("beside")).length, 1)
        const first = Effect.flatMap(Transactions, ({ atomically }) => atomically("second", Effect.fail("no")))
        yield* audited(acting, "second", Effect.andThen(Effect.ignore(first), leave("second", "b")))
        assert.deepStrictEqual(
          (yield* entriesOf("second")).map(({ change }) => change?.after),
          ["b"]
        )
      })
    )

    scene("records nothing for a failed action, and all changes made outside units", () =>
      Effect.gen(function* () {
        const failing = Effect.gen(function* () {
          yield* (yield* Transactions).atomically(
            "failed",
            Effect.andThen((yield* ProviderEvents).receive("failed", "test", "a", 1), Effect.fail("no"))
          )
        })
        assert.strictEqual(yield* Effect.flip(audited(acting, "failed", failing)), "no")
        assert.deepStrictEqual(yield* entriesOf("failed"), [])
        yield* audited(acting, "bare", Effect.void)
        yield* audited(acting, null, Effect.void)
        assert.deepStrictEqual(
          [...(yield* entriesOf("bare")), ...(yield* entriesOf(""))].map(({ change, tenantId }) => [tenantId, change]),
          [
            ["bare", null],
            ["", null]
          ]
        )
      })
    )

    scene("records one entry per tenant for an action with separate parts", () =>
      Effect.gen(function* () {
        const parts = Effect.gen(function* () {
          yield* auditedPart("first part", leave("first part", "a"))
          yield* auditedPart("second part", Effect.andThen(leave("second part", "b"), leave("second part", "c")))
          yield* auditedPart("third part", recordAuditChange({ before: null, after: "d" }))
        })
        yield* audited(acting, "of parts", parts)
        yield* auditedPart("fourth part", leave("fourth part", "e"))
        const entriesByTenant = yield* Effect.forEach(
          ["first part", "second part", "third part", "fourth part", "of parts"],
          entriesOf
        )
        assert.deepStrictEqual(
          entriesByTenant.map((entries) => entries.map(({ action, change }) => [action, change?.after])),
          [[[acting.action, "a"]], [[acting.action, "b"]], [[acting.action, "d"]], [], []]
        )
      })
    )

    scene("keeps nothing of an action if its entry cannot be written", () =>
      Effect.gen(function* () {
        const trail = yield* AuditTrail
        const broken = AuditTrail.of({ ...trail, append: () => Effect.die("the trail is full") })
        const exit = yield* Effect.exit(
          audited(acting, "whole", leave("whole", "a")).pipe(Effect.provideService(AuditTrail, broken))
        )
        assert.strictEqual(exit._tag, "Failure")
        assert.isTrue(yield* (yield* ProviderEvents).receive("whole", "test", "a", 2))
      })
    )

    scene("returns pages", () =>
      Effect.gen(function* () {
        for (const mark of ["a", "b", "c"]) yield* audited({ ...acting, action: mark }, "read", leave("read", mark))
        const filter = { actor: null, action: null }
        const first = yield* listAudit("read", filter, { limit: 2, cursor: null })
        const second = yield* listAudit("read", filter, { limit: 2, cursor: first.nextCursor })
        assert.deepStrictEqual(
          [...first.items, ...second.items].map(({ action }) => action),
          ["c", "b", "a"]
        )
        assert.isNull(second.nextCursor)
        const foreign = listAudit("other", filter, { limit: 2, cursor: first.nextCursor })
        assert.strictEqual((yield* Effect.flip(foreign))._tag, "CursorInvalid")
      })
    )
  })
}
