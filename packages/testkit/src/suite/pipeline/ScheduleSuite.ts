/** The suite of rules that a schedule or a request starts, and of dates that were stored before a rule. */
import { assert, describe } from "@effect/vitest"
import { allContacts } from "@leadloom/core/internal/domain/contact/ContactFilter"
import type { Rule } from "@leadloom/core/internal/domain/rule/Rule"
import {
  atFiring,
  contactsPerPiece,
  datesPerPiece,
  maxPieces,
  maxScheduledContacts,
  type ScheduleJob
} from "@leadloom/core/internal/domain/rule/RuleJob"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { TriggerRuns } from "@leadloom/core/internal/port/repository/pipeline/TriggerRuns"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { archiveContact } from "@leadloom/core/internal/workflow/contact/ArchiveContact"
import { createContact } from "@leadloom/core/internal/workflow/contact/CreateContact"
import { updateContact } from "@leadloom/core/internal/workflow/contact/UpdateContact"
import { createField } from "@leadloom/core/internal/workflow/field/ChangeFields"
import { createSegment, removeSegment } from "@leadloom/core/internal/workflow/segment/ChangeSegments"
import { saveConfig } from "@leadloom/core/internal/workflow/tenant/SaveConfig"
import { updateTenant } from "@leadloom/core/internal/workflow/tenant/Tenants"
import { startRule } from "@leadloom/core/internal/workflow/trigger/StartRule"
import { runSchedule } from "@leadloom/core/internal/workflow/trigger/RunSchedule"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { contactRecord } from "../Records.ts"
import { acme, drainJobs, scenesOn, start } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { everyRun, everything, listed, setRules, states, titles, work } from "./TriggerWorld.ts"

const timeZone = "Europe/Berlin"
/** Noon in Berlin, which is 11:00 UTC on the day of `start`. */
const noon = "0 12 * * *"
const firstNoon = Date.parse("2026-03-02T11:00:00Z")
const dayMillis = 86_400_000

/** A rule that creates a task each noon. */
const daily = (more: Partial<Rule> = {}, segment?: string): Rule => ({
  id: "daily",
  name: "Each noon",
  priority: 1,
  trigger: { type: "schedule", cron: noon, ...(segment !== undefined && { segment }) },
  when: everything,
  actions: [{ type: "create_task", task_type: "follow_up", title: "Noon" }],
  ...more
})

const person = (name: string, tags: ReadonlyArray<string> = []) =>
  Effect.map(createContact("acme", { email: `${name}@customer.example`, tags }), ({ contactId }) => contactId)

/** Moves the clock, and does the work of the jobs and the rules. */
const pass = (duration: Parameters<typeof TestClock.adjust>[0]) =>
  TestClock.adjust(duration).pipe(Effect.andThen(drainJobs), Effect.andThen(work))

const jobOf = (more: Partial<ScheduleJob> = {}) => ({
  job: { ...atFiring({ ruleId: "daily", cron: noon, timeZone }, firstNoon), ...more },
  tenantId: "acme",
  jobId: "job",
  attempts: 1,
  dueAt: firstNoon,
  createdAt: start,
  reason: null
})

const allRuns = Effect.flatMap(TriggerRuns, ({ page }) => page("acme", everyRun, 1_000, null))

const issuesOf = (...rules: ReadonlyArray<Rule>) =>
  Effect.map(Effect.flip(setRules(...rules)), (error) => JSON.stringify(error))

/** Tests schedules of rules on a store. */
export const scheduleSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`rules with a schedule on ${name}`, () => {
    scene("run at each firing for the contacts of a segment that meet the condition", () =>
      Effect.gen(function* () {
        yield* acme.open({ timeZone })
        const [ann, bob, eve] = [
          yield* person("ann", ["vip", "on"]),
          yield* person("bob", ["vip"]),
          yield* person("eve", ["on"])
        ]
        const old = yield* person("old", ["vip", "on"])
        yield* archiveContact("acme", old)
        const { segmentId } = yield* createSegment("acme", { name: "VIP", filters: { ...allContacts, tags: ["vip"] } })
        yield* setRules(daily({ when: { fact: "contact.tags", op: "includes", value: "on" } }, segmentId))
        yield* pass("1 hour")
        assert.deepStrictEqual(yield* states, [])
        yield* pass("1 hour")
        assert.deepStrictEqual(yield* titles(ann), ["Noon"])
        for (const contactId of [bob, eve, old]) assert.deepStrictEqual(yield* titles(contactId), [])
        const [run] = yield* listed()
        assert.deepStrictEqual(
          [run?.trigger, run?.causeAt, run?.state, run?.change, run?.messageId],
          ["schedule", firstNoon, "ran", null, null]
        )
        yield* pass("1 day")
        assert.deepStrictEqual(yield* titles(ann), ["Noon", "Noon"])
        // The condition decides again when the run takes place.
        yield* TestClock.adjust("1 day")
        yield* drainJobs
        yield* updateContact("acme", ann, { tags: ["vip"] })
        yield* work
        assert.deepStrictEqual(yield* states, ["ran", "ran", "not_matched"])
      })
    )

    scene("a late server fires once, and a repeated or outdated attempt adds no run", () =>
      Effect.gen(function* () {
        yield* acme.open({ timeZone })
        const ann = yield* person("ann")
        yield* setRules(daily())
        yield* pass("5 days")
        assert.deepStrictEqual(
          (yield* listed()).map(({ causeAt }) => causeAt),
          [firstNoon]
        )
        // A crash after the unit of work, and a worker whose lease has ended.
        yield* runSchedule(jobOf())
        yield* work
        assert.deepStrictEqual(yield* titles(ann), ["Noon"])
        yield* pass("3 hours")
        assert.deepStrictEqual(
          (yield* listed()).map(({ causeAt }) => causeAt),
          [firstNoon + 5 * dayMillis, firstNoon]
        )
        assert.deepStrictEqual(yield* titles(ann), ["Noon", "Noon"])
      })
    )

    scene("follow the rule: its schedule, its time zone, and whether it is enabled", () =>
      Effect.gen(function* () {
        yield* acme.open({ timeZone })
        const ann = yield* person("ann")
        yield* setRules(daily())
        yield* setRules(daily({ enabled: false }))
        yield* pass("1 day")
        assert.deepStrictEqual(yield* states, [])
        yield* setRules(daily({ trigger: { type: "schedule", cron: "0 18 * * *" } }))
        yield* setRules(daily())
        yield* pass("1 day")
        assert.deepStrictEqual(
          (yield* listed()).map(({ causeAt }) => causeAt),
          [firstNoon + dayMillis]
        )
        yield* updateTenant("acme", { timeZone: "America/New_York" })
        yield* pass("1 day")
        const newYork = Date.parse("2026-03-04T17:00:00Z")
        assert.deepStrictEqual(
          (yield* listed()).map(({ causeAt }) => causeAt),
          [newYork, firstNoon + dayMillis]
        )
        yield* setRules()
        yield* pass("2 days")
        assert.deepStrictEqual(yield* titles(ann), ["Noon", "Noon"])
      })
    )

    scene("examine the contacts in pieces, up to the limits", () =>
      Effect.gen(function* () {
        yield* acme.open({ timeZone })
        const count = contactsPerPiece + 1
        const records = Array.from({ length: count }, (_, index) => contactRecord("acme", index + 1))
        yield* (yield* Contacts).write(
          "acme",
          records.map((contact) => ({ contact, isNew: true, identities: [] })),
          0
        )
        yield* setRules(daily())
        yield* TestClock.setTime(firstNoon)
        const first = yield* runSchedule(jobOf())
        assert.deepInclude(first._tag === "Later" ? first.job : null, { pieces: 1, runs: contactsPerPiece })
        assert.strictEqual((yield* allRuns).length, contactsPerPiece)
        yield* drainJobs
        const contacts = (yield* allRuns).map(({ contactId }) => contactId)
        assert.deepStrictEqual([contacts.length, new Set(contacts).size], [count, count])
        const next = firstNoon + dayMillis
        const limits = [{ runs: maxScheduledContacts - 2 }, { pieces: maxPieces - 1 }]
        for (const limit of limits) {
          const ended = yield* runSchedule(jobOf({ ...limit, firingAt: firstNoon - dayMillis }))
          assert.deepInclude(ended, { _tag: "Later", dueAt: next })
          assert.deepInclude(ended._tag === "Later" ? ended.job : null, { after: null, pieces: 0, runs: 0 })
        }
        const before = (yield* allRuns).filter(({ causeAt }) => causeAt < firstNoon)
        assert.strictEqual(before.length, contactsPerPiece)
      })
    )

    scene("are refused with an invalid schedule, an unknown segment or a fact of a message", () =>
      Effect.gen(function* () {
        yield* acme.open({ timeZone })
        assert.include(yield* issuesOf(daily({ trigger: { type: "schedule", cron: "*/5 * * * *" } })), "once per hour")
        assert.include(yield* issuesOf(daily({}, "seg_unknown")), "There is no segment seg_unknown")
        const when = { fact: "message.text", op: "eq", value: "x" } as const
        assert.include(yield* issuesOf(daily({ when })), "The trigger schedule has no message")
        const { segmentId } = yield* createSegment("acme", { name: "All", filters: allContacts })
        yield* person("ann")
        yield* setRules(daily({}, segmentId))
        yield* removeSegment("acme", segmentId)
        const { config } = yield* (yield* Tenants).get("acme")
        yield* saveConfig("acme", { ...config, takeoverHours: 1 })
        yield* pass("2 hours")
        assert.deepStrictEqual(yield* states, [])
      })
    )
  })

  describe(`rules that start on request on ${name}`, () => {
    const onRequest = (more: Partial<Rule> = {}): Rule => ({
      ...daily(),
      id: "ask",
      trigger: { type: "manual" },
      ...more
    })
    const refused = (ruleId: string, contactId: string) =>
      Effect.map(Effect.flip(startRule("acme", ruleId, contactId)), (error) => error._tag)

    scene("run once for each request, with their condition and the record of other triggers", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const [ann, bob] = [yield* person("ann", ["vip"]), yield* person("bob")]
        yield* setRules(onRequest({ when: { fact: "contact.tags", op: "includes", value: "vip" } }))
        const first = yield* startRule("acme", "ask", ann)
        assert.deepInclude(first, { trigger: "manual", state: "waiting", contactId: ann, causeAt: start })
        yield* startRule("acme", "ask", ann)
        yield* startRule("acme", "ask", bob)
        yield* work
        assert.deepStrictEqual(yield* states, ["ran", "ran", "not_matched"])
        assert.deepStrictEqual([yield* titles(ann), yield* titles(bob)], [["Noon", "Noon"], []])
      })
    )

    scene("are refused if they are disabled, have another trigger, or for an archived contact", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const [ann, old] = [yield* person("ann"), yield* person("old")]
        yield* archiveContact("acme", old)
        yield* setRules(onRequest(), onRequest({ id: "off", enabled: false }), daily())
        for (const ruleId of ["off", "daily"]) assert.strictEqual(yield* refused(ruleId, ann), "RuleNotStartable")
        assert.strictEqual(yield* refused("ask", old), "RuleNotStartable")
        assert.strictEqual(yield* refused("none", ann), "RuleNotFound")
        assert.strictEqual(yield* refused("ask", "con_unknown"), "ContactNotFound")
        yield* startRule("acme", "ask", ann)
        yield* setRules(onRequest({ enabled: false }))
        yield* work
        assert.deepStrictEqual(yield* states, ["prevented"])
      })
    )
  })

  describe(`dates that were stored before a rule on ${name}`, () => {
    const onDate = (more: Partial<Rule> = {}): Rule => ({
      ...daily(),
      trigger: { type: "date_reached", field: "visit", at: "10:00" },
      ...more
    })

    scene("are reached, except those that have passed", () =>
      Effect.gen(function* () {
        yield* acme.open({ timeZone: "UTC" })
        yield* createField("acme", { key: "visit", label: "Visit", type: "date" })
        yield* createField("acme", { key: "other", label: "Other", type: "date" })
        const dated = (who: string, visit: string) =>
          Effect.tap(person(who), (contactId) => updateContact("acme", contactId, { customFields: { visit } }))
        const [past, today, soon] = [
          yield* dated("past", "2026-03-01"),
          yield* dated("today", "2026-03-02"),
          yield* dated("soon", "2026-03-04")
        ]
        const gone = yield* dated("gone", "2026-03-04")
        yield* archiveContact("acme", gone)
        yield* person("none")
        yield* setRules(onDate())
        const later = yield* dated("later", "2026-03-04")
        yield* drainJobs
        assert.deepStrictEqual(
          (yield* allRuns).map(({ contactId, runAt }) => [contactId, new Date(runAt).toISOString()]).toSorted(),
          [
            [today, "2026-03-02T10:00:00.000Z"],
            [soon, "2026-03-04T10:00:00.000Z"],
            [later, "2026-03-04T10:00:00.000Z"]
          ].toSorted()
        )
        yield* setRules(onDate({ enabled: false }))
        yield* setRules(onDate())
        yield* pass("3 days")
        for (const contactId of [today, soon, later]) assert.deepStrictEqual(yield* titles(contactId), ["Noon"])
        for (const contactId of [past, gone]) assert.deepStrictEqual(yield* titles(contactId), [])
      })
    )

    scene("are read in pieces, and not at all for a rule that was saved before", () =>
      Effect.gen(function* () {
        yield* acme.open({ timeZone: "UTC" })
        yield* createField("acme", { key: "visit", label: "Visit", type: "date" })
        const customFields = { visit: "2026-03-04" }
        const records = Array.from({ length: datesPerPiece + 1 }, (_, index) =>
          contactRecord("acme", index + 1, { customFields })
        )
        yield* setRules(onDate({ enabled: false }))
        yield* (yield* Contacts).write(
          "acme",
          records.map((contact) => ({ contact, isNew: true, identities: [] })),
          0
        )
        yield* drainJobs
        assert.deepStrictEqual(yield* allRuns, [])
        yield* setRules(onDate())
        yield* drainJobs
        assert.strictEqual((yield* allRuns).length, datesPerPiece + 1)
      })
    )
  })
}
