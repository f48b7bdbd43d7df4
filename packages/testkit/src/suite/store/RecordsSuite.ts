import { assert, layer } from "@effect/vitest"
import type { Draft } from "@leadloom/core/internal/domain/draft/Draft"
import { nothingRecorded } from "@leadloom/core/internal/domain/run/Recordings"
import { Arrivals } from "@leadloom/core/internal/port/repository/conversation/Arrivals"
import { Drafts } from "@leadloom/core/internal/port/repository/conversation/Drafts"
import { Events } from "@leadloom/core/internal/port/repository/webhook/Events"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Runs } from "@leadloom/core/internal/port/repository/pipeline/Runs"
import { Tasks } from "@leadloom/core/internal/port/repository/lead/Tasks"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { Effect, Exit } from "effect"
import type { StoreLayer } from "../StoreLayer.ts"
import {
  arrivalRecord,
  draftRecord,
  eventRecord,
  freshTenant,
  idOf,
  messageRecord,
  noon,
  runRecord,
  taskRecord
} from "../Records.ts"

/** Tests the port `Runs` on a store. */
export const runsSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`Runs on ${name}`, (it) => {
    it.effect("returns the run of a signal as stored, one per signal", () =>
      Effect.gen(function* () {
        const runs = yield* Runs
        const [one, other] = [freshTenant(), freshTenant()]
        const empty = { classification: null, score: null, matchedRules: [], actions: [], reply: null, steps: [] }
        yield* runs.insert(runRecord(one, 1))
        yield* runs.insert(runRecord(one, 2, { ...empty, leadId: null }))
        assert.deepStrictEqual(yield* runs.ofSignal(one, idOf("sig", 1)), runRecord(one, 1))
        assert.deepStrictEqual(yield* runs.ofSignal(one, idOf("sig", 2)), runRecord(one, 2, { ...empty, leadId: null }))
        assert.isNull(yield* runs.ofSignal(other, idOf("sig", 1)))
        const again = runRecord(one, 1, { runId: idOf("run", 9) })
        assert.isTrue(Exit.hasDies(yield* Effect.exit(runs.insert(again))))
        const old = runRecord(one, 3, { inputs: null, recordings: nothingRecorded, written: null })
        yield* runs.insert(old)
        assert.deepStrictEqual(yield* runs.ofSignal(one, idOf("sig", 3)), old)
      })
    )

    it.effect("lists runs newest first in pages: all, by contact, by lead, and by both", () =>
      Effect.gen(function* () {
        const runs = yield* Runs
        const [one, other] = [freshTenant(), freshTenant()]
        const [jo, ann] = [idOf("con", 1), idOf("con", 2)]
        const [roof, gutter] = [idOf("lead", 1), idOf("lead", 2)]
        yield* runs.insert(runRecord(one, 2, { contactId: ann, leadId: null }))
        yield* runs.insert(runRecord(one, 1, { contactId: jo, leadId: roof }))
        yield* runs.insert(runRecord(one, 3, { contactId: jo, leadId: gutter }))
        yield* runs.insert(runRecord(one, 4, { contactId: ann, leadId: gutter }))
        yield* runs.insert(runRecord(other, 5))
        const list = (contactId: string | null, leadId: string | null, limit = 10, before: string | null = null) =>
          Effect.map(runs.page(one, { contactId, leadId }, limit, before), (found) =>
            found.map(({ signalId }) => signalId)
          )
        const ids = (...numbers: ReadonlyArray<number>) => numbers.map((number) => idOf("sig", number))
        assert.deepStrictEqual(yield* list(null, null), ids(4, 3, 2, 1))
        assert.deepStrictEqual(yield* list(null, null, 2), ids(4, 3))
        assert.deepStrictEqual(yield* list(null, null, 2, idOf("sig", 3)), ids(2, 1))
        assert.deepStrictEqual(yield* list(jo, null), ids(3, 1))
        assert.deepStrictEqual(yield* list(null, gutter), ids(4, 3))
        assert.deepStrictEqual(yield* list(null, gutter, 10, idOf("sig", 4)), ids(3))
        assert.deepStrictEqual(yield* list(ann, gutter), ids(4))
        assert.deepStrictEqual(yield* list(ann, roof), [])
      })
    )
  })

/** Tests the port `Drafts` on a store. */
export const draftsSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`Drafts on ${name}`, (it) => {
    it.effect("keeps at most one pending draft per contact, the newest", () =>
      Effect.gen(function* () {
        const drafts = yield* Drafts
        const [one, other] = [freshTenant(), freshTenant()]
        const pending = (tenantId: string): Effect.Effect<Draft | null, unknown> =>
          drafts.pending(tenantId, idOf("con", 1))
        yield* drafts.propose(draftRecord(one, 1))
        yield* drafts.propose(draftRecord(one, 2, { leadId: idOf("lead", 1) }))
        yield* drafts.propose(draftRecord(one, 3, { contactId: idOf("con", 2) }))
        yield* drafts.propose(draftRecord(other, 1))
        assert.deepStrictEqual(yield* pending(one), draftRecord(one, 2, { leadId: idOf("lead", 1) }))
        yield* drafts.supersede(one, idOf("con", 1))
        assert.isNull(yield* pending(one))
        yield* drafts.supersede(one, idOf("con", 1))
        assert.deepStrictEqual(
          yield* drafts.pending(one, idOf("con", 2)),
          draftRecord(one, 3, { contactId: idOf("con", 2) })
        )
        assert.deepStrictEqual(yield* pending(other), draftRecord(other, 1))
      })
    )
  })

/** Tests on a store how drafts and their tasks end in the port `Drafts`. */
export const draftEndsSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`Final states of drafts on ${name}`, (it) => {
    /** Stores a pending draft with its task. The draft answers a message with the time `noon + number`. */
    const open = Effect.fnUntraced(function* (tenantId: string, number: number) {
      const taskId = idOf("task", number)
      yield* (yield* Messages).insert(messageRecord(tenantId, number), [])
      yield* (yield* Tasks).insert(taskRecord(tenantId, number, { type: "reply_approval" }))
      yield* (yield* Drafts).propose(draftRecord(tenantId, number, { taskId }))
    })
    const standing = Effect.fnUntraced(function* (tenantId: string) {
      const tasks = yield* (yield* Tasks).ofContact(tenantId, idOf("con", 1))
      const newest = yield* (yield* Drafts).newest(tenantId, idOf("con", 1))
      return [newest?.state, ...tasks.map(({ status }) => status)]
    })

    it.effect("ends a pending draft and its task, and has no effect the second time", () =>
      Effect.gen(function* () {
        const drafts = yield* Drafts
        const [one, other] = [freshTenant(), freshTenant()]
        yield* Effect.forEach([one, other], (tenantId) => open(tenantId, 1))
        assert.deepStrictEqual(
          yield* drafts.find(one, idOf("draft", 1)),
          draftRecord(one, 1, { taskId: idOf("task", 1) })
        )
        assert.isNull(yield* drafts.find(one, idOf("draft", 2)))
        yield* drafts.end(one, idOf("draft", 1), "dismissed")
        assert.deepStrictEqual(yield* standing(one), ["dismissed", "done"])
        yield* drafts.end(one, idOf("draft", 1), "sent")
        yield* drafts.restore(one, idOf("draft", 1), "pending")
        assert.deepStrictEqual(yield* standing(one), ["dismissed", "done"])
        assert.deepStrictEqual(yield* standing(other), ["pending", "open"])
      })
    )
    it.effect("makes a sent draft and its task pending again, or supersedes both", () =>
      Effect.gen(function* () {
        const drafts = yield* Drafts
        const tenantId = freshTenant()
        yield* open(tenantId, 1)
        yield* drafts.end(tenantId, idOf("draft", 1), "sent")
        assert.deepStrictEqual(yield* standing(tenantId), ["sent", "done"])
        yield* drafts.restore(tenantId, idOf("draft", 1), "pending")
        assert.deepStrictEqual(yield* standing(tenantId), ["pending", "open"])
        yield* drafts.end(tenantId, idOf("draft", 1), "sent")
        yield* drafts.restore(tenantId, idOf("draft", 1), "superseded")
        assert.deepStrictEqual(yield* standing(tenantId), ["superseded", "done"])
      })
    )
    it.effect("closes the task of a superseded draft, even if a newer draft exists", () =>
      Effect.gen(function* () {
        const drafts = yield* Drafts
        const tenantId = freshTenant()
        yield* open(tenantId, 1)
        yield* open(tenantId, 2)
        assert.deepStrictEqual(yield* standing(tenantId), ["pending", "done", "open"])
        yield* drafts.supersedeOlder(tenantId, idOf("con", 1), noon + 1)
        assert.deepStrictEqual(yield* standing(tenantId), ["pending", "done", "open"])
        yield* drafts.supersedeOlder(tenantId, idOf("con", 1), noon + 2)
        assert.deepStrictEqual(yield* standing(tenantId), ["superseded", "done", "done"])
      })
    )
  })

/** Tests the port `Events` on a store. */
export const eventsSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`Events on ${name}`, (it) => {
    it.effect("numbers the events of each tenant from 1 and returns them in order", () =>
      Effect.gen(function* () {
        const events = yield* Events
        const [one, other] = [freshTenant(), freshTenant()]
        yield* events.append(one, [eventRecord(one, 1), eventRecord(one, 2, { type: "contact.created", data: {} })])
        yield* events.append(other, [eventRecord(other, 1)])
        yield* events.append(one, [])
        yield* events.append(one, [eventRecord(one, 3)])
        assert.deepStrictEqual(yield* events.after(one, 0, 10), [
          { sequence: 1, event: eventRecord(one, 1) },
          { sequence: 2, event: eventRecord(one, 2, { type: "contact.created", data: {} }) },
          { sequence: 3, event: eventRecord(one, 3) }
        ])
        assert.deepStrictEqual(yield* events.after(one, 1, 1), [
          { sequence: 2, event: eventRecord(one, 2, { type: "contact.created", data: {} }) }
        ])
        assert.deepStrictEqual(yield* events.after(one, 3, 10), [])
        assert.deepStrictEqual(yield* events.after(other, 0, 10), [{ sequence: 1, event: eventRecord(other, 1) }])
      })
    )
    it.effect("leaves no gap after concurrent appends", () =>
      Effect.gen(function* () {
        const events = yield* Events
        const { atomically } = yield* Transactions
        const tenantId = freshTenant()
        yield* Effect.forEach(
          Array.from({ length: 60 }),
          (_, number) => {
            const append = events.append(tenantId, [
              eventRecord(tenantId, 2 * number),
              eventRecord(tenantId, 2 * number + 1)
            ])
            return number % 2 === 0 ? atomically(tenantId, append) : append
          },
          { concurrency: "unbounded", discard: true }
        )
        const appended = yield* events.after(tenantId, 0, 1_000)
        assert.deepStrictEqual(
          appended.map(({ sequence }) => sequence),
          Array.from({ length: 120 }, (_, index) => index + 1)
        )
        assert.strictEqual(new Set(appended.map(({ event }) => event.eventId)).size, 120)
      })
    )
  })

/** Tests the port `Arrivals` on a store. */
export const arrivalsSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`Arrivals on ${name}`, (it) => {
    it.effect("counts the results of a tenant's arrivals", () =>
      Effect.gen(function* () {
        const arrivals = yield* Arrivals
        const [one, other] = [freshTenant(), freshTenant()]
        yield* arrivals.record(arrivalRecord(one, 1))
        yield* arrivals.record(arrivalRecord(one, 2, { outcome: "quarantined", messageId: null, detail: "too long" }))
        yield* arrivals.record(arrivalRecord(one, 3))
        yield* arrivals.record(arrivalRecord(other, 1, { outcome: "own" }))
        assert.deepStrictEqual(yield* arrivals.counts(one), [
          { outcome: "message", count: 2 },
          { outcome: "quarantined", count: 1 }
        ])
        assert.deepStrictEqual(yield* arrivals.counts(freshTenant()), [])
        assert.isTrue(Exit.hasDies(yield* Effect.exit(arrivals.record(arrivalRecord(one, 1)))))
        assert.strictEqual((yield* arrivals.counts(one))[0]?.count, 2)
      })
    )
  })
