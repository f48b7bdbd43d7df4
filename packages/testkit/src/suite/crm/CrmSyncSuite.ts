/**
 * Suites of the synchronisation with a CRM and of CRM actions. The CRM is in memory; the real API is tested in
 * `packages/connectors/test/highlevel`.
 */
import { locationId, open, reportContact } from "./CrmWorld.ts"
import * as ProviderFailure from "@leadloom/core/internal/domain/provider/ProviderFailure"
import type { CrmInMemory } from "../../memory/Crm.ts"
import { assert, describe } from "@effect/vitest"
import { createContact } from "@leadloom/core/internal/workflow/contact/CreateContact"
import { mergeContacts } from "@leadloom/core/internal/workflow/contact/MergeContacts"
import { updateContact } from "@leadloom/core/internal/workflow/contact/UpdateContact"
import { type CrmContact, noFields } from "@leadloom/core/internal/domain/crm/CrmContact"
import { setSync } from "@leadloom/core/internal/workflow/crm/Install"
import { receiveCrmEvent } from "@leadloom/core/internal/workflow/crm/ReceiveCrmEvent"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Crm } from "@leadloom/core/internal/port/provider/Crm"
import { CrmLinks } from "@leadloom/core/internal/port/repository/crm/CrmLinks"
import { Jobs } from "@leadloom/core/internal/port/repository/webhook/Jobs"
import { Tasks } from "@leadloom/core/internal/port/repository/lead/Tasks"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, drainJobs, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

/** A person changes a contact in the CRM, and the CRM reports it. */
const changeThere = Effect.fnUntraced(function* (crm: CrmInMemory, id: string, changes: Partial<CrmContact>) {
  const there = crm.contacts.get(id) ?? { ...noFields, crmContactId: id, locationId, smsOptOut: false }
  crm.contacts.set(id, { ...there, ...changes })
  yield* reportContact(id)
})

/** Returns an effect without requirements: its services are provided. */
const withServices = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.context<R>(), (context) => Effect.provideContext(effect, context))

const jo = { name: "Jo Smith", email: "jo@customer.example", phone: "+14155550123", tags: ["VIP"] }
const only = (crm: CrmInMemory): CrmContact => [...crm.contacts.values()][0] ?? assert.fail("the CRM knows nobody")
const writes = ({ calls }: CrmInMemory): ReadonlyArray<string> =>
  calls.filter((name) => /upsert|update|add|remove/u.test(name))

const sending = (store: StoreLayer): void => {
  const scene = scenesOn(store, "crm")
  scene("a new or changed contact is created or changed in the CRM, once", ({ crm }) =>
    Effect.gen(function* () {
      yield* open(crm)
      const { contactId } = yield* createContact("acme", jo)
      yield* drainJobs
      assert.deepInclude(only(crm), { name: "Jo Smith", email: "jo@customer.example", tags: ["vip"] })
      assert.deepStrictEqual(writes(crm), ["upsertContact", "addTags"])
      yield* updateContact("acme", contactId, { name: "Jo van Smith", tags: ["roof"] })
      yield* drainJobs
      assert.deepInclude(only(crm), { name: "Jo van Smith", tags: ["roof"] })
      assert.deepStrictEqual(writes(crm).slice(2), ["updateContact", "addTags", "removeTags"])
      yield* reportContact(only(crm).crmContactId, only(crm))
      assert.strictEqual(yield* (yield* Jobs).backlog, 0)
      yield* reportContact(only(crm).crmContactId)
      yield* drainJobs
      assert.lengthOf(writes(crm), 5)
    })
  )

  scene("an existing contact in the CRM is linked, and neither side loses data", ({ crm }) =>
    Effect.gen(function* () {
      yield* open(crm)
      yield* changeThere(crm, "crm-a", { name: "Josephine", email: "JO@customer.example", tags: ["lead"] })
      const { contactId } = yield* createContact("acme", jo)
      yield* drainJobs
      const contact = yield* acme.contactOf(contactId)
      assert.deepInclude(contact, { name: "Josephine", phone: "+14155550123", tags: ["VIP", "lead"] })
      assert.deepInclude(only(crm), { name: "Josephine", phone: "+14155550123", tags: ["lead", "vip"] })
      assert.strictEqual(crm.contacts.size, 1)
    })
  )

  scene("nothing is sent to a location with the sync off, and nothing is received from a one-way location", ({ crm }) =>
    Effect.gen(function* () {
      yield* open(crm)
      yield* setSync("acme", locationId, "off")
      const { contactId } = yield* createContact("acme", jo)
      yield* changeThere(crm, "crm-a", { name: "Ann", email: "ann@customer.example" })
      yield* drainJobs
      assert.deepStrictEqual(crm.calls, [])
      yield* setSync("acme", locationId, "to_crm")
      yield* updateContact("acme", contactId, { name: "Jo" })
      yield* drainJobs
      assert.strictEqual(crm.contacts.size, 2)
      const made = [...crm.contacts.values()][1] ?? assert.fail("it was not made")
      yield* changeThere(crm, made.crmContactId, { name: "Another" })
      yield* drainJobs
      assert.strictEqual((yield* acme.contactOf(contactId)).name, "Jo")
    })
  )

  scene("a contact is not created in the CRM if it could not be found there again", ({ crm }) =>
    Effect.gen(function* () {
      yield* open(crm)
      yield* createContact("acme", { name: "Somebody" })
      yield* drainJobs
      assert.deepStrictEqual(crm.calls, [])
      assert.strictEqual(yield* (yield* Jobs).backlog, 0)
    })
  )
}

const taking = (store: StoreLayer): void => {
  const scene = scenesOn(store, "crm")
  scene("a contact created in the CRM is created here, and not sent back", ({ crm }) =>
    Effect.gen(function* () {
      yield* open(crm)
      yield* changeThere(crm, "crm-a", { name: "Ann", email: "ann@customer.example", tags: ["lead"], company: "Roofs" })
      yield* drainJobs
      const link = (yield* (yield* CrmLinks).ofCrm("acme", locationId, "crm-a")) ?? assert.fail("no link")
      const contact = yield* acme.contactOf(link.contactId)
      assert.deepInclude(contact, { name: "Ann", email: "ann@customer.example", tags: ["lead"], company: "Roofs" })
      yield* changeThere(crm, "crm-a", { name: "Ann Lee", phone: "(415) 555-0123", tags: [] })
      yield* drainJobs
      const after = yield* acme.contactOf(link.contactId)
      assert.deepInclude(after, { name: "Ann Lee", phone: "+14155550123", tags: [] })
      assert.deepStrictEqual(writes(crm), [])
      assert.strictEqual(yield* (yield* Jobs).backlog, 0)
    })
  )

  scene("an address of another contact and an invalid number are ignored, and a merge is suggested", ({ crm }) =>
    Effect.gen(function* () {
      yield* open(crm)
      const one = yield* createContact("acme", jo)
      const other = yield* createContact("acme", { email: "ann@customer.example" })
      yield* drainJobs
      const id = [...crm.contacts.values()].find(({ email }) => email === jo.email)?.crmContactId ?? assert.fail()
      yield* changeThere(crm, id, { name: "Jo A.", email: "ann@customer.example", phone: "12" })
      yield* drainJobs
      const contact = yield* acme.contactOf(one.contactId)
      assert.deepInclude(contact, { name: "Jo A.", email: jo.email, phone: jo.phone })
      const suggested = yield* (yield* Contacts).suggestion("acme", one.contactId, other.contactId)
      assert.isNotNull(suggested)
      assert.strictEqual(yield* (yield* Jobs).backlog, 0)
    })
  )

  scene("a contact deleted in the CRM stays here, and is not created there again", ({ crm }) =>
    Effect.gen(function* () {
      yield* open(crm)
      const { contactId } = yield* createContact("acme", jo)
      yield* drainJobs
      const { crmContactId } = only(crm)
      crm.contacts.clear()
      yield* receiveCrmEvent("deleted", { _tag: "ContactDeleted", locationId, crmContactId })
      yield* updateContact("acme", contactId, { name: "Jo" })
      yield* drainJobs
      assert.strictEqual(crm.contacts.size, 0)
      assert.isNull((yield* acme.contactOf(contactId)).archivedAt)
    })
  )

  scene("an event about a merged contact reaches the remaining one", ({ crm }) =>
    Effect.gen(function* () {
      yield* open(crm)
      const stays = yield* createContact("acme", { email: "ann@customer.example" })
      const goes = yield* createContact("acme", jo)
      yield* drainJobs
      const link = (yield* (yield* CrmLinks).ofContact("acme", goes.contactId))[0] ?? assert.fail("no link")
      yield* mergeContacts("acme", stays.contactId, goes.contactId)
      yield* drainJobs
      yield* changeThere(crm, link.crmContactId, { company: "Smith Roofs" })
      yield* drainJobs
      assert.strictEqual((yield* acme.contactOf(stays.contactId)).company, "Smith Roofs")
      assert.strictEqual(yield* (yield* Jobs).backlog, 0)
    })
  )

  scene("a repeated provider event, or one of an unknown location, changes nothing", ({ crm }) =>
    Effect.gen(function* () {
      yield* open(crm)
      const providerEvent = { _tag: "ContactChanged", locationId, crmContactId: "crm-a", said: {} } as const
      yield* receiveCrmEvent("n1", providerEvent)
      yield* drainJobs
      const callCount = crm.calls.length
      yield* receiveCrmEvent("n1", providerEvent)
      yield* receiveCrmEvent("n2", { ...providerEvent, locationId: "probeCode" })
      yield* drainJobs
      assert.strictEqual(crm.calls.length, callCount)
      yield* receiveCrmEvent("n3", { _tag: "Uninstalled", locationId })
      yield* receiveCrmEvent("n4", providerEvent)
      yield* drainJobs
      assert.strictEqual(crm.calls.length, callCount)
    })
  )
}

const failing = (store: StoreLayer): void => {
  const scene = scenesOn(store, "crm")
  scene("a request is repeated after an outage or a rate limit of the CRM", ({ crm }) =>
    Effect.gen(function* () {
      yield* open(crm)
      crm.failure = ProviderFailure.unavailable("crm", "429", { retryAfterMillis: 10_000 })
      yield* createContact("acme", jo)
      yield* drainJobs
      crm.failure = ProviderFailure.outcomeUnknown("crm", "lost")
      yield* TestClock.adjust(10_000)
      yield* drainJobs
      crm.failure = null
      yield* TestClock.adjust(900_000)
      yield* drainJobs
      assert.deepInclude(only(crm), { name: "Jo Smith" })
      assert.strictEqual(crm.contacts.size, 1)
    })
  )

  scene("a change that the CRM rejects for a day creates one task", ({ crm }) =>
    Effect.gen(function* () {
      yield* open(crm)
      const { contactId } = yield* createContact("acme", jo)
      crm.failure = ProviderFailure.refused("crm", "422 no such phone")
      for (let attempt = 0; attempt < 10; attempt++) {
        yield* drainJobs
        yield* TestClock.adjust(900_000)
      }
      crm.failure = null
      const query = { status: "open", type: "review", priority: null, contactId, leadId: null } as const
      const tasks = yield* (yield* Tasks).page("acme", query, 9, null)
      assert.deepStrictEqual(
        tasks.map(({ title }) => title),
        ["The CRM rejects this contact: 422 no such phone"]
      )
      assert.strictEqual(yield* (yield* Jobs).backlog, 0)
    })
  )

  scene("a change during another one is not lost, and its echo does not overwrite it", ({ crm }) =>
    Effect.gen(function* () {
      yield* open(crm)
      const { contactId } = yield* createContact("acme", jo)
      yield* drainJobs
      const real = yield* Crm
      let meanwhile = true
      const later = yield* withServices(
        Effect.gen(function* () {
          yield* updateContact("acme", contactId, { name: "Third" })
          yield* reportContact(only(crm).crmContactId)
        })
      )
      const slow = Crm.of({
        ...real,
        updateContact: (access, id, changes) =>
          Effect.gen(function* () {
            const answered = yield* real.updateContact(access, id, changes)
            if (meanwhile) {
              meanwhile = false
              yield* Effect.orDie(later)
            }
            return answered
          })
      })
      yield* updateContact("acme", contactId, { name: "Second" })
      yield* Effect.provideService(drainJobs, Crm, slow)
      assert.strictEqual((yield* acme.contactOf(contactId)).name, "Third")
      assert.strictEqual(only(crm).name, "Third")
      assert.strictEqual(yield* (yield* Jobs).backlog, 0)
    })
  )

  scene("a crash after a request leaves what was sent, and the next process sends the later changes", ({ crm }) =>
    Effect.gen(function* () {
      yield* open(crm)
      const { contactId } = yield* createContact("acme", jo)
      yield* drainJobs
      const real = yield* Crm
      const dying = Crm.of({
        ...real,
        updateContact: (access, id, changes) =>
          Effect.andThen(real.updateContact(access, id, changes), Effect.die("the process dies"))
      })
      yield* updateContact("acme", contactId, { name: "Second" })
      yield* Effect.provideService(drainJobs, Crm, dying)
      assert.strictEqual(only(crm).name, "Second")
      yield* updateContact("acme", contactId, { name: "Third" })
      yield* TestClock.adjust(900_000)
      yield* drainJobs
      assert.strictEqual((yield* acme.contactOf(contactId)).name, "Third")
      assert.strictEqual(only(crm).name, "Third")
    })
  )
}

/** Without a CRM in the deployment, its locations may still be stored. */
const disconnected = (store: StoreLayer): void => {
  scenesOn(store, "crm")("no contact is queued in a deployment without a CRM", ({ crm }) =>
    Effect.gen(function* () {
      yield* open(crm)
      const create = createContact("acme", { email: "jo@customer.example", name: "Jo" })
      const { contactId } = yield* Effect.provide(create, Crm.closed("a setting"))
      assert.strictEqual(yield* (yield* Jobs).backlog, 0)
      yield* updateContact("acme", contactId, { name: "Jo Smith" })
      assert.strictEqual(yield* (yield* Jobs).backlog, 1)
    })
  )
}

/** Tests the synchronisation of contacts with a CRM on a store. */
export const crmSyncSuite = (name: string, store: StoreLayer): void => {
  describe(`The sync of contacts with a CRM on ${name}`, () => {
    sending(store)
    taking(store)
    failing(store)
    disconnected(store)
  })
}
