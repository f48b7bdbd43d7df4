import { acme, drainJobs, scenesOn } from "../Scene.ts"
import { installed, locationId, open, reportContact } from "./CrmWorld.ts"
import { kindOf } from "../../FailureKind.ts"
import * as ProviderFailure from "@leadloom/core/internal/domain/provider/ProviderFailure"
import type { CrmInMemory } from "../../memory/Crm.ts"
import { assert, describe } from "@effect/vitest"
import { archiveContact } from "@leadloom/core/internal/workflow/contact/ArchiveContact"
import type { Contact } from "@leadloom/core/internal/domain/contact/Contact"
import { createContact } from "@leadloom/core/internal/workflow/contact/CreateContact"
import { updateContact } from "@leadloom/core/internal/workflow/contact/UpdateContact"
import { type CrmContact, noFields } from "@leadloom/core/internal/domain/crm/CrmContact"
import { firstSyncId, syncIds } from "@leadloom/core/internal/domain/crm/CrmJob"
import type { SyncMode } from "@leadloom/core/internal/domain/crm/Location"
import {
  type FirstSync,
  recheckMillis,
  pageSize,
  minReservedRequests,
  tomorrowMillis
} from "@leadloom/core/internal/domain/crm/FirstSync"
import { setSync, uninstall } from "@leadloom/core/internal/workflow/crm/Install"
import { markSignedOut } from "@leadloom/core/internal/workflow/crm/MarkSignedOut"
import { resyncLocation } from "@leadloom/core/internal/workflow/crm/StartFirstSync"
import { jobLeaseMillis } from "@leadloom/core/internal/domain/job/Job"
import { runJob } from "@leadloom/core/internal/workflow/job/RunJob"
import { workDueJobs } from "@leadloom/core/internal/workflow/job/WorkJobs"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Crm } from "@leadloom/core/internal/port/provider/Crm"
import { CrmFirstSyncs } from "@leadloom/core/internal/port/repository/crm/CrmLocations"
import { CrmLinks } from "@leadloom/core/internal/port/repository/crm/CrmLinks"
import { Jobs } from "@leadloom/core/internal/port/repository/webhook/Jobs"
import { Leads } from "@leadloom/core/internal/port/repository/lead/Leads"
import { Sends } from "@leadloom/core/internal/port/repository/conversation/Sends"
import { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import { Effect, type Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import { contactsThere, makeHere, peopleOf, said, writesFor } from "./CrmPeople.ts"
import { crashing } from "./CrashingCrm.ts"
import type { StoreLayer } from "../StoreLayer.ts"

/** Returns the progress of the first sync. */
const progress = Effect.gen(function* () {
  return (yield* (yield* CrmFirstSyncs).get("acme", locationId)) ?? assert.fail("none was begun")
})

/** Advances the clock until the sync ends. */
const workOn = Effect.gen(function* () {
  for (let round = 0; round < 1_000; round++) {
    yield* drainJobs
    const { state } = yield* progress
    if (state !== "running") return state
    yield* TestClock.adjust(recheckMillis)
  }
  return assert.fail("it goes on for ever")
})

const allHere = Effect.gen(function* () {
  const contacts = yield* Contacts
  const all: Array<Contact> = []
  for (;;) {
    const last = all.at(-1) ?? null
    const page = yield* contacts.page("acme", 500, last)
    all.push(...page)
    if (page.length < 500) return all
  }
})

const writeNames = ["upsertContact", "updateContact", "addTags", "removeTags"]
const writesOf = ({ calls }: CrmInMemory): Readonly<Record<string, number>> =>
  Object.fromEntries(writeNames.map((name) => [name, calls.filter((call) => call === name).length]))

const there = (crm: CrmInMemory, id: string, changes: Partial<CrmContact>): void =>
  void crm.contacts.set(id, { ...noFields, crmContactId: id, locationId, smsOptOut: false, ...changes })

/** Creates a location with the sync switched off, so that no contact is exchanged yet. */
const openQuietly = Effect.fnUntraced(function* (crm: CrmInMemory) {
  yield* open(crm)
  yield* setSync("acme", locationId, "off")
})

/** Advances the clock until the sync ends, and restarts the process after each crash. */
const workThrough = Effect.fnUntraced(function* (process: ReturnType<typeof crashing>) {
  const died: Array<FirstSync["step"]> = []
  for (let round = 0; round < 1_000; round++) {
    yield* drainJobs
    const { state, step } = yield* progress
    if (state !== "running") return died
    if (process.isDead()) {
      died.push(step)
      process.restart()
      yield* TestClock.adjust(jobLeaseMillis)
    } else yield* TestClock.adjust(recheckMillis)
  }
  return assert.fail("it goes on for ever")
})

/** Tests that all contacts are linked and equal on both sides, with the minimum number of writes. */
const bringsAllTogether = (store: StoreLayer, each: number): void => {
  const scene = scenesOn(store, "crm")
  scene(`${each} contacts on each side, half of them the same, become one list, even with crashes`, ({ crm }) =>
    Effect.gen(function* () {
      yield* openQuietly(crm)
      const people = peopleOf(each)
      yield* makeHere(people)
      for (const contact of contactsThere(people, locationId)) crm.contacts.set(contact.crmContactId, contact)
      yield* drainJobs
      assert.deepStrictEqual(crm.calls, [])
      const dying = crashing(yield* Crm, [Math.round(each * 0.3), Math.round(each * 2.2)])
      yield* setSync("acme", locationId, "both")
      const died = yield* Effect.provideService(workThrough(dying), Crm, dying.crm)
      assert.deepStrictEqual(died, ["theirs", "ours"])
      const here = yield* allHere
      assert.deepStrictEqual(said(here), said([...crm.contacts.values()]))
      assert.lengthOf(here, people.length)
      // Writes that were carried out before a crash are not repeated.
      assert.deepStrictEqual(writesOf(crm), writesFor(people))
      const { counts, finishedAt, total } = yield* progress
      const half = each / 2
      assert.deepStrictEqual([total, finishedAt === null], [each, false])
      assert.deepStrictEqual(counts, {
        theirs: each,
        ours: each + half,
        created: half,
        found: half,
        sent: half,
        left: 0
      })
      yield* isSilent(crm)
    })
  )
}

/** Reports all contacts again and starts a second sync. Neither may cause a write. */
const isSilent = Effect.fnUntraced(function* (crm: CrmInMemory) {
  const callCount = crm.calls.length
  for (const contact of crm.contacts.values()) yield* reportContact(contact.crmContactId, contact)
  yield* drainJobs
  assert.strictEqual(crm.calls.length, callCount)
  yield* resyncLocation("acme", locationId)
  assert.strictEqual(yield* workOn, "done")
  assert.deepStrictEqual(new Set(crm.calls.slice(callCount)), new Set(["contacts"]))
  assert.strictEqual(yield* (yield* Jobs).backlog, 0)
  const leads = yield* Leads
  for (const { contactId } of yield* allHere) assert.deepStrictEqual(yield* leads.ofContact("acme", contactId, 1), [])
  assert.strictEqual(yield* (yield* Signals).backlog, 0)
  assert.strictEqual(yield* (yield* Sends).backlog, 0)
})

const choosing = (store: StoreLayer): void => {
  const scene = scenesOn(store, "crm")
  scene("ambiguous contacts, archived ones and those deleted in the CRM are left out", ({ crm }) =>
    Effect.gen(function* () {
      yield* open(crm)
      const deleted = yield* createContact("acme", { email: "gone@customer.example" })
      yield* drainJobs
      const [link] = yield* (yield* CrmLinks).ofContact("acme", deleted.contactId)
      const gone = link ?? assert.fail("no link")
      yield* (yield* CrmLinks).replace({ ...gone, goneAt: 1 }, gone.version)
      yield* setSync("acme", locationId, "off")
      const archived = yield* createContact("acme", { email: "old@customer.example" })
      yield* archiveContact("acme", archived.contactId)
      yield* createContact("acme", { name: "Somebody" })
      there(crm, "crm-old", { email: "old@customer.example", name: "Old" })
      there(crm, "crm-nobody", { name: "Nobody" })
      there(crm, "crm-ann", { email: "ann@customer.example", name: "Ann" })
      yield* setSync("acme", locationId, "both")
      yield* workOn
      const { counts } = yield* progress
      assert.deepStrictEqual(counts, { theirs: 4, ours: 3, created: 1, found: 0, sent: 0, left: 5 })
      assert.isNotNull((yield* acme.contactOf(archived.contactId)).archivedAt)
      assert.strictEqual(crm.contacts.size, 4)
    })
  )

  scene("a one-way location only receives our values", ({ crm }) =>
    Effect.gen(function* () {
      yield* openQuietly(crm)
      const { contactId } = yield* createContact("acme", { email: "jo@customer.example", name: "Jo" })
      there(crm, "crm-jo", { email: "jo@customer.example", name: "Josephine" })
      there(crm, "crm-ann", { email: "ann@customer.example", name: "Ann" })
      yield* setSync("acme", locationId, "to_crm")
      yield* workOn
      assert.lengthOf(yield* allHere, 1)
      assert.strictEqual((yield* acme.contactOf(contactId)).name, "Jo")
      assert.strictEqual(crm.contacts.get("crm-jo")?.name, "Jo")
      assert.notInclude(crm.calls, "contacts")
      yield* setSync("acme", locationId, "both")
      yield* workOn
      assert.lengthOf(yield* allHere, 2)
    })
  )

  scene("changes without events are found by a new sync", ({ crm }) =>
    Effect.gen(function* () {
      yield* openQuietly(crm)
      const { contactId } = yield* createContact("acme", { email: "jo@customer.example", name: "Jo" })
      there(crm, "crm-ann", { email: "ann@customer.example", name: "Ann" })
      yield* setSync("acme", locationId, "both")
      yield* workOn
      there(crm, "crm-ann", { email: "ann@customer.example", name: "Ann Lee" })
      yield* setSync("acme", locationId, "off")
      yield* updateContact("acme", contactId, { name: "Jo Smith" })
      yield* setSync("acme", locationId, "both")
      const before = crm.calls.length
      yield* workOn
      const names = (yield* allHere).map(({ name }) => name)
      assert.deepStrictEqual(new Set(names), new Set(["Jo Smith", "Ann Lee"]))
      assert.deepStrictEqual(new Set([...crm.contacts.values()].map(({ name }) => name)), new Set(names))
      assert.deepStrictEqual(
        crm.calls.slice(before).filter((call) => writeNames.includes(call)),
        ["updateContact"]
      )
    })
  )
}

const failureOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.result(effect), (result) => (Result.isFailure(result) ? result.failure : assert.fail("it worked")))

/** Creates contacts, some of them in the CRM, and switches the sync on. */
const begin = Effect.fnUntraced(function* (crm: CrmInMemory, count: number, sync: SyncMode = "both") {
  yield* openQuietly(crm)
  for (let number = 0; number < count; number++) there(crm, `crm-${number}`, { email: `p${number}@customer.example` })
  yield* setSync("acme", locationId, sync)
})

const pages = ({ calls }: CrmInMemory): number => calls.filter((call) => call === "contacts").length

const pausing = (store: StoreLayer): void => {
  const scene = scenesOn(store, "crm")
  scene("no further contacts are read while many jobs wait, or with the last requests of the day", ({ crm }) =>
    Effect.gen(function* () {
      yield* begin(crm, 2 * pageSize)
      yield* workDueJobs(runJob)
      const jobs = yield* Jobs
      assert.strictEqual(yield* jobs.waiting("acme", syncIds(locationId)), pageSize)
      yield* jobs.hurry("acme", firstSyncId(locationId), 0)
      yield* workDueJobs(runJob)
      assert.strictEqual(pages(crm), 1)
      crm.allowance = minReservedRequests - 1
      yield* drainJobs
      yield* TestClock.adjust(recheckMillis)
      yield* drainJobs
      assert.deepStrictEqual([pages(crm), (yield* progress).counts.theirs], [1, pageSize])
      crm.allowance = null
      yield* TestClock.adjust(tomorrowMillis)
      yield* drainJobs
      assert.strictEqual(pages(crm), 2)
      assert.strictEqual(yield* workOn, "done")
      assert.lengthOf(yield* allHere, 2 * pageSize)
    })
  )

  scene("a CRM outage delays the sync, and a rejection stops it until it is started again", ({ crm }) =>
    Effect.gen(function* () {
      yield* begin(crm, 3)
      crm.failure = ProviderFailure.unavailable("crm", "503")
      for (let hour = 0; hour < 3; hour++) {
        yield* drainJobs
        yield* TestClock.adjust(3_600_000)
      }
      assert.strictEqual((yield* progress).state, "running")
      crm.failure = ProviderFailure.refused("crm", "403 no such scope")
      for (let attempt = 0; attempt < 9; attempt++) {
        yield* drainJobs
        yield* TestClock.adjust(900_000)
      }
      const { finishedAt, reason, state } = yield* progress
      assert.deepStrictEqual([state, reason, finishedAt], ["stopped", "403 no such scope", null])
      assert.strictEqual(yield* (yield* Jobs).backlog, 0)
      crm.failure = null
      yield* resyncLocation("acme", locationId)
      assert.strictEqual(yield* workOn, "done")
      assert.lengthOf(yield* allHere, 3)
    })
  )

  scene("it stops without access or with the sync off, and cannot be started then", ({ crm }) =>
    Effect.gen(function* () {
      yield* begin(crm, 3)
      yield* setSync("acme", locationId, "off")
      assert.strictEqual(yield* workOn, "stopped")
      assert.strictEqual((yield* failureOf(resyncLocation("acme", locationId)))._tag, "CrmSyncDisabled")
      yield* setSync("acme", locationId, "both")
      yield* markSignedOut((yield* installed) ?? assert.fail("no install"), "taken away")
      assert.strictEqual(yield* workOn, "stopped")
      assert.strictEqual((yield* progress).reason, "taken away")
      assert.strictEqual(kindOf(yield* failureOf(resyncLocation("acme", locationId))), "SignedOut")
      yield* uninstall("acme", locationId)
      assert.strictEqual((yield* failureOf(resyncLocation("acme", locationId)))._tag, "CrmInstallNotFound")
      assert.deepStrictEqual(crm.calls, [])
    })
  )

  scene("a restart during a page begins at the first page, and a repeated request changes nothing", ({ crm }) =>
    Effect.gen(function* () {
      yield* begin(crm, 3, "to_crm")
      const real = yield* Crm
      const context = yield* Effect.context<Layer.Success<StoreLayer>>()
      let meanwhile = true
      const slow = Crm.of({
        ...real,
        contacts: (...requested) =>
          Effect.gen(function* () {
            const page = yield* real.contacts(...requested)
            if (!meanwhile) return page
            meanwhile = false
            const anew = Effect.andThen(setSync("acme", locationId, "off"), setSync("acme", locationId, "both"))
            yield* Effect.orDie(Effect.provideContext(anew, context))
            return page
          })
      })
      yield* setSync("acme", locationId, "both")
      yield* Effect.provideService(workDueJobs(runJob), Crm, slow)
      assert.strictEqual((yield* progress).counts.theirs, 0)
      const begunAgain = yield* progress
      yield* resyncLocation("acme", locationId)
      assert.deepStrictEqual(yield* progress, begunAgain)
      assert.strictEqual(yield* workOn, "done")
      assert.strictEqual((yield* progress).counts.created, 3)
    })
  )
}

/** Tests the first sync on a store, with `each` contacts on either side. */
export const crmFirstSyncSuite = (name: string, store: StoreLayer, each: number): void => {
  describe(`The first sync with a CRM on ${name}`, () => {
    bringsAllTogether(store, each)
    choosing(store)
    pausing(store)
  })
}
