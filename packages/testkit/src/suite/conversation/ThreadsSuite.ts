import { assert, layer } from "@effect/vitest"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import type { KnownId } from "@leadloom/core/internal/domain/email/thread/Thread"
import { Threads } from "@leadloom/core/internal/port/repository/conversation/Threads"
import { Effect, Exit } from "effect"
import type { StoreLayer } from "../StoreLayer.ts"
import { freshTenant, idOf, messageRecord, threadRecord } from "../Records.ts"

const known = (id: string, thread: number, seen: boolean, weak: boolean): KnownId => ({
  id,
  threadId: idOf("thr", thread),
  seen,
  weak
})

const sorted = (ids: ReadonlyArray<KnownId>): ReadonlyArray<KnownId> =>
  ids.toSorted((one, other) => (one.id + one.threadId < other.id + other.threadId ? -1 : 1))

/** Tests the port `Threads` on a store. */
export const threadsSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`Threads on ${name}`, (it) => {
    it.effect("finds a thread of the tenant and assigns a lead to it", () =>
      Effect.gen(function* () {
        const threads = yield* Threads
        const [one, other] = [freshTenant(), freshTenant()]
        const thread = threadRecord(one, 1, { baseSubject: "Angebot „Fenster“" })
        yield* threads.insert(thread)
        assert.deepStrictEqual(yield* threads.find(one, thread.threadId), thread)
        assert.isNull(yield* threads.find(other, thread.threadId))
        yield* threads.setLead(other, thread.threadId, idOf("lead", 9))
        yield* threads.setLead(one, thread.threadId, idOf("lead", 1))
        assert.deepStrictEqual(yield* threads.find(one, thread.threadId), { ...thread, leadId: idOf("lead", 1) })
        assert.isTrue(Exit.hasDies(yield* Effect.exit(threads.insert(thread))))
      })
    )
    it.effect("keeps an id once per thread, and keeps the marks seen and strong of earlier entries", () =>
      Effect.gen(function* () {
        const threads = yield* Threads
        const tenantId = freshTenant()
        yield* threads.register(tenantId, [known("a@x", 1, false, true), known('b"]@x', 1, true, false)])
        yield* threads.register(tenantId, [known("a@x", 1, true, true), known('b"]@x', 1, false, true)])
        const ids = ["a@x", 'b"]@x', "c@x", "a@x"]
        assert.deepStrictEqual(sorted(yield* threads.known(tenantId, ids)), [
          known("a@x", 1, true, true),
          known('b"]@x', 1, true, false)
        ])
        yield* threads.register(tenantId, [known("a@x", 1, false, false)])
        assert.deepStrictEqual(yield* threads.known(tenantId, ["a@x"]), [known("a@x", 1, true, false)])
      })
    )
    it.effect("allows a weak id in several threads of one tenant", () =>
      Effect.gen(function* () {
        const threads = yield* Threads
        const [one, other] = [freshTenant(), freshTenant()]
        yield* threads.register(one, [known("w@x", 1, false, true), known("w@x", 2, false, true)])
        yield* threads.register(other, [known("w@x", 3, false, true)])
        assert.deepStrictEqual(sorted(yield* threads.known(one, ["w@x"])), [
          known("w@x", 1, false, true),
          known("w@x", 2, false, true)
        ])
        assert.deepStrictEqual(yield* threads.known(one, []), [])
      })
    )
    it.effect("finds the addresses that took part in a thread", () =>
      Effect.gen(function* () {
        const threads = yield* Threads
        const tenantId = freshTenant()
        yield* threads.addParticipants(tenantId, idOf("thr", 1), ["a@x.example", "b@x.example"])
        yield* threads.addParticipants(tenantId, idOf("thr", 1), ["a@x.example"])
        yield* threads.addParticipants(tenantId, idOf("thr", 2), ["c@x.example"])
        const addresses = ["a@x.example", "c@x.example", "d@x.example"]
        assert.deepStrictEqual(
          yield* threads.participants(tenantId, idOf("thr", 1), addresses),
          new Set(["a@x.example"])
        )
        assert.deepStrictEqual(yield* threads.participants(freshTenant(), idOf("thr", 1), addresses), new Set())
      })
    )
    it.effect("moves all rows of merged threads of one tenant to the remaining thread", () =>
      Effect.gen(function* () {
        const threads = yield* Threads
        const messages = yield* Messages
        const [one, other] = [freshTenant(), freshTenant()]
        const build = Effect.fnUntraced(function* (tenantId: string) {
          for (const number of [1, 2, 3]) {
            yield* threads.insert(threadRecord(tenantId, number))
            yield* threads.addParticipants(tenantId, idOf("thr", number), ["all@x.example", `only.${number}@x.example`])
            yield* messages.insert(messageRecord(tenantId, number, { threadId: idOf("thr", number) }), [])
            yield* threads.register(tenantId, [
              known(`own.${number}@x`, number, true, false),
              known("w@x", number, number === 2, number !== 3)
            ])
          }
        })
        yield* build(one)
        yield* build(other)
        yield* threads.merge(one, idOf("thr", 1), [idOf("thr", 2), idOf("thr", 3), idOf("thr", 1)])
        assert.isNotNull(yield* threads.find(one, idOf("thr", 1)))
        assert.isNull(yield* threads.find(one, idOf("thr", 2)))
        assert.deepStrictEqual(sorted(yield* threads.known(one, ["own.1@x", "own.2@x", "own.3@x", "w@x"])), [
          known("own.1@x", 1, true, false),
          known("own.2@x", 1, true, false),
          known("own.3@x", 1, true, false),
          known("w@x", 1, true, false)
        ])
        const people = ["all@x.example", "only.1@x.example", "only.2@x.example", "only.3@x.example"]
        assert.deepStrictEqual(yield* threads.participants(one, idOf("thr", 1), people), new Set(people))
        const moved = yield* Effect.forEach([1, 2, 3], (number) => messages.find(one, idOf("msg", number)))
        assert.deepStrictEqual(
          moved.map((message) => message?.threadId),
          Array.from({ length: 3 }, () => idOf("thr", 1))
        )
        assert.isNotNull(yield* threads.find(other, idOf("thr", 2)))
        assert.strictEqual((yield* threads.known(other, ["w@x"])).length, 3)
        assert.strictEqual((yield* messages.find(other, idOf("msg", 2)))?.threadId, idOf("thr", 2))
      })
    )
  })
