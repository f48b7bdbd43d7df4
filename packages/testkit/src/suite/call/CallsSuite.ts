import { assert, layer } from "@effect/vitest"
import type { CallKey, CallQuery } from "@leadloom/core/internal/domain/call/Call"
import { Assistants } from "@leadloom/core/internal/port/repository/tenant/Assistants"
import { Calls } from "@leadloom/core/internal/port/repository/conversation/Calls"
import { Effect } from "effect"
import type { StoreLayer } from "../StoreLayer.ts"
import { callRecord, freshTenant, idOf, noon } from "../Records.ts"

const all: CallQuery = { contactId: null, status: null, direction: null }

/** Tests the port `Calls` on a store. */
export const callsSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`Calls on ${name}`, (it) => {
    it.effect("returns a call by its id, the provider's id and the key, and keeps tenants apart", () =>
      Effect.gen(function* () {
        const calls = yield* Calls
        const [one, other] = [freshTenant(), freshTenant()]
        const first = callRecord(one, 1, { requestKey: "k", fingerprint: "f", requestedBy: "kim", reason: "x" })
        yield* calls.insert(first)
        yield* calls.insert(callRecord(other, 1))
        assert.deepStrictEqual(yield* calls.get(one, first.callId), first)
        assert.deepStrictEqual(yield* calls.ofProvider(one, "twilio", "CA1"), first)
        assert.deepStrictEqual(yield* calls.ofKey(one, "k"), first)
        assert.isNull(yield* calls.ofProvider(one, "vapi", "CA1"))
        assert.isNull(yield* calls.ofKey(other, "k"))
        assert.strictEqual((yield* Effect.flip(calls.get(one, idOf("call", 2))))._tag, "CallNotFound")
        const over = { ...first, status: "completed" as const, endedAt: noon + 9, durationSeconds: 4, requestKey: null }
        yield* calls.update(over)
        assert.deepStrictEqual(yield* calls.get(one, first.callId), over)
        assert.isNull(yield* calls.ofKey(one, "k"))
      })
    )

    it.effect("lists calls newest first, in pages, by contact, direction and status", () =>
      Effect.gen(function* () {
        const calls = yield* Calls
        const tenantId = freshTenant()
        for (const number of [1, 2, 3, 4]) {
          const startedAt = noon + Math.ceil(number / 2)
          const status = number < 3 ? ("completed" as const) : ("no_answer" as const)
          const direction = number % 2 === 0 ? ("inbound" as const) : ("outbound" as const)
          const contactId = idOf("con", number === 4 ? 2 : 1)
          yield* calls.insert(callRecord(tenantId, number, { startedAt, status, direction, contactId }))
        }
        const list = (query: Partial<CallQuery>, limit = 9, after: CallKey | null = null) =>
          Effect.map(calls.page(tenantId, { ...all, ...query }, limit, after), (found) =>
            found.map(({ providerCallId }) => providerCallId)
          )
        assert.deepStrictEqual(yield* list({}), ["CA4", "CA3", "CA2", "CA1"])
        const [, second] = yield* calls.page(tenantId, all, 2, null)
        assert.deepStrictEqual(yield* list({}, 1, second ?? null), ["CA2"])
        assert.deepStrictEqual(yield* list({ contactId: idOf("con", 1) }), ["CA3", "CA2", "CA1"])
        assert.deepStrictEqual(yield* list({ status: "completed" }), ["CA2", "CA1"])
        assert.deepStrictEqual(yield* list({ status: "completed", direction: "inbound" }), ["CA2"])
        assert.deepStrictEqual(yield* list({ contactId: idOf("con", 1), status: "no_answer" }), ["CA3"])
        assert.deepStrictEqual(yield* list({ direction: "outbound" }), ["CA3", "CA1"])
      })
    )

    it.effect("finds the recorded calls of a contact, newest first", () =>
      Effect.gen(function* () {
        const calls = yield* Calls
        const tenantId = freshTenant()
        const states = ["ready", "none", "wanted", "gone", "ready"] as const
        for (const [number, recording] of states.entries()) {
          const contactId = idOf("con", number === 4 ? 2 : 1)
          yield* calls.insert(callRecord(tenantId, number, { recording, contactId }))
        }
        const found = yield* calls.recorded(tenantId, idOf("con", 1), 9)
        assert.deepStrictEqual(
          found.map(({ providerCallId }) => providerCallId),
          ["CA2", "CA0"]
        )
        assert.strictEqual((yield* calls.recorded(tenantId, idOf("con", 1), 1)).length, 1)
      })
    )
  })

/** Tests the port `Assistants` on a store. */
export const assistantsSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`Assistants on ${name}`, (it) => {
    it.effect("keeps one record per tenant until it is removed", () =>
      Effect.gen(function* () {
        const assistants = yield* Assistants
        const [tenantId, other] = [freshTenant(), freshTenant()]
        const access = { tenantId, prefix: "lla_1", hash: "h", retellKey: null, createdAt: 1, updatedAt: 1 }
        assert.isNull(yield* assistants.find(tenantId))
        yield* assistants.save(access)
        yield* assistants.save({ ...access, retellKey: "sealed", updatedAt: 2 })
        assert.deepStrictEqual(yield* assistants.find(tenantId), { ...access, retellKey: "sealed", updatedAt: 2 })
        assert.isNull(yield* assistants.find(other))
        assert.deepStrictEqual([yield* assistants.remove(other), yield* assistants.remove(tenantId)], [false, true])
        assert.isNull(yield* assistants.find(tenantId))
      })
    )

    it.effect("keeps the first answer, and deletes a given number of the oldest answers", () =>
      Effect.gen(function* () {
        const { answer, forget, keepAnswer } = yield* Assistants
        const [tenantId, other] = [freshTenant(), freshTenant()]
        const said = (text: string) => ({ text, facts: { a: 1, b: null, c: true } })
        for (const at of [10, 20, 30]) yield* keepAnswer(tenantId, `t${at}`, said(`${at}`), at)
        yield* keepAnswer(other, "t10", said("other"), 10)
        assert.deepStrictEqual(yield* answer(tenantId, "t20"), said("20"))
        assert.isNull(yield* answer(tenantId, "t40"))
        yield* forget(tenantId, 30, 1)
        assert.deepStrictEqual([yield* answer(tenantId, "t10"), yield* answer(tenantId, "t20")], [null, said("20")])
        yield* forget(tenantId, 30, 9)
        assert.deepStrictEqual([yield* answer(tenantId, "t20"), yield* answer(tenantId, "t30")], [null, said("30")])
        assert.deepStrictEqual(yield* answer(other, "t10"), said("other"))
      })
    )
  })
