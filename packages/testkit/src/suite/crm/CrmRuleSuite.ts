import { crmContact, installApp } from "./CrmWorld.ts"
import * as ProviderFailure from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { assert, describe } from "@effect/vitest"
import { crmRetryWindowMillis } from "@leadloom/core/internal/domain/crm/CrmRuleJob"
import { jobLeaseMillis } from "@leadloom/core/internal/domain/job/Job"
import { dryRun } from "@leadloom/core/internal/workflow/pipeline/DryRun"
import { replayRun } from "@leadloom/core/internal/workflow/pipeline/ReplayRun"
import type { Rule } from "@leadloom/core/internal/domain/rule/Rule"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Crm } from "@leadloom/core/internal/port/provider/Crm"
import { CrmLinks } from "@leadloom/core/internal/port/repository/crm/CrmLinks"
import { Jobs } from "@leadloom/core/internal/port/repository/webhook/Jobs"
import { saveConfig } from "@leadloom/core/internal/workflow/tenant/SaveConfig"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, drainJobs, request, scenesOn, start } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

type Action = Rule["actions"][0]

const rule = (...actions: readonly [Action, ...ReadonlyArray<Action>]): Rule => ({
  id: "rule_crm",
  name: "Tell the CRM",
  priority: 1,
  when: { fact: "message.text", op: "contains", value: "roof" },
  actions
})

const tag: Action = { type: "crm_action", action: "add_tag", tag: "Roof" }
const note: Action = { type: "crm_action", action: "add_note", body: "{{contact.name}} wrote: {{message.body}}" }
const task: Action = { type: "crm_action", action: "create_task", title: "Call back", due_in_minutes: 30 }
const workflow: Action = { type: "crm_action", action: "add_to_workflow", workflow_id: "wf-1" }
const update: Action = { type: "crm_action", action: "update_contact", fields: ["name", "phone"] }

const question = {
  message: "How much is a roof?",
  contact: { name: "Jo Smith", email: "jo@customer.example", phone: "+14155550123" }
}

const openWith = (...actions: Parameters<typeof rule>) => acme.open({ rules: [rule(...actions)] })

const tasksOf = Effect.fnUntraced(function* () {
  const [contact] = yield* (yield* Contacts).page("acme", 10, null)
  return contact === undefined ? [] : yield* acme.tasksOf(contact.contactId)
})

/** Tests all CRM actions of rules on a store. */
export const crmRuleSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store, "crm")

  describe(`a CRM action of a rule on ${name}`, () => {
    scene("is stored with the run and carried out by workers, for a new CRM contact", ({ crm }) =>
      Effect.gen(function* () {
        const tenant = yield* openWith(tag, note, task, workflow, update)
        yield* installApp(crm, "acme", "loc-1")
        const { result, signalId } = yield* acme.handleRequest(question)
        assert.deepStrictEqual(
          result.actions.map(({ outcome, reason, type }) => `${type} ${outcome}: ${reason}`),
          ["add_tag", "add_note", "create_task", "add_to_workflow", "update_contact"].map(
            (action) => `crm_action done: queued for the CRM: ${action}`
          )
        )
        assert.deepStrictEqual(crm.calls, [])
        assert.isTrue((yield* replayRun(tenant, signalId)).replay.identical)
        yield* drainJobs
        const [there] = crm.contacts.values()
        assert.deepInclude(there, { name: "Jo Smith", email: "jo@customer.example", tags: ["roof"] })
        assert.strictEqual(crm.contacts.size, 1)
        const crmContactId = there?.crmContactId ?? ""
        assert.deepStrictEqual(crm.notes, [{ crmContactId, body: "Jo Smith wrote: How much is a roof?" }])
        assert.deepStrictEqual(crm.tasks, [
          { crmContactId, title: "Call back", body: null, dueAt: start + 30 * 60_000 }
        ])
        assert.isTrue(crm.workflows.get("wf-1")?.has(crmContactId))
        assert.isNotNull(yield* (yield* CrmLinks).ofCrm("acme", "loc-1", crmContactId))
        assert.strictEqual(yield* (yield* Jobs).backlog, 0)
        assert.isTrue((yield* replayRun(tenant, signalId)).replay.identical)
        assert.deepStrictEqual(yield* tasksOf(), [])
      })
    )

    scene("is carried out for the existing CRM contact", ({ crm }) =>
      Effect.gen(function* () {
        yield* openWith(tag, { type: "crm_action", action: "remove_tag", tag: "cold" })
        yield* installApp(crm, "acme", "loc-1")
        yield* installApp(crm, "acme", "loc-2")
        crmContact(crm, "loc-1", "crm-jo", { name: "Joanna", email: "jo@customer.example", tags: ["cold"] })
        yield* acme.handleRequest(question)
        yield* drainJobs
        assert.deepInclude(crm.contacts.get("crm-jo"), { name: "Joanna", tags: ["roof"] })
        assert.notInclude(crm.calls, "upsertContact")
        crm.calls.length = 0
        yield* acme.handleRequest(question)
        yield* drainJobs
        assert.notInclude(crm.calls, "findContact")
        assert.strictEqual(crm.contacts.size, 1)
      })
    )

    scene("is skipped if it cannot be carried out, with the reason in the run", () =>
      Effect.gen(function* () {
        yield* openWith(tag, { ...tag, location_id: "loc-9" })
        const { result } = yield* acme.handleRequest(question)
        assert.deepStrictEqual(
          result.actions.map(({ outcome, reason }) => `${outcome}: ${reason}`),
          ["skipped: no CRM connected", "skipped: no CRM connected"]
        )
        assert.strictEqual(yield* (yield* Jobs).backlog, 0)
      })
    )

    scene("uses only the location that the rule names", ({ crm }) =>
      Effect.gen(function* () {
        const empty: Action = { type: "crm_action", action: "add_note", body: "{{contact.nothing}}" }
        yield* openWith({ ...tag, location_id: "loc-2" }, { ...tag, location_id: "loc-9" }, empty)
        yield* installApp(crm, "acme", "loc-1")
        yield* installApp(crm, "acme", "loc-2")
        const { result } = yield* acme.handleRequest(question)
        assert.deepStrictEqual(
          result.actions.map(({ reason }) => reason),
          ["queued for the CRM: add_tag", "the location loc-9 is not connected", "its template rendered an empty text"]
        )
        yield* drainJobs
        assert.deepStrictEqual(
          [...crm.contacts.values()].map(({ locationId }) => locationId),
          ["loc-2"]
        )
      })
    )

    scene("is not carried out by a dry run", ({ crm }) =>
      Effect.gen(function* () {
        const tenant = yield* openWith(tag)
        yield* installApp(crm, "acme", "loc-1")
        const { result } = yield* dryRun({ tenant, request: { ...request, ...question } })
        assert.deepStrictEqual(
          result.actions.map(({ outcome, reason }) => `${outcome}: ${reason}`),
          ["skipped: a dry run has no effects"]
        )
        assert.strictEqual(yield* (yield* Jobs).backlog, 0)
      })
    )

    scene("creates a task if the CRM rejects it", ({ crm }) =>
      Effect.gen(function* () {
        yield* openWith(note)
        yield* installApp(crm, "acme", "loc-1")
        yield* acme.handleRequest(question)
        crm.failure = ProviderFailure.refused("crm", "no such field")
        yield* drainJobs
        const [task] = yield* tasksOf()
        assert.deepInclude(task, { type: "review", status: "open" })
        assert.include(task?.title, "add a note")
        crm.failure = null
        yield* TestClock.adjust(crmRetryWindowMillis)
        yield* drainJobs
        assert.deepStrictEqual(crm.notes, [])
        assert.strictEqual((yield* tasksOf()).length, 1)
        assert.strictEqual(yield* (yield* Jobs).backlog, 0)
      })
    )

    scene("waits while the CRM does not answer", ({ crm }) =>
      Effect.gen(function* () {
        yield* openWith(note)
        yield* installApp(crm, "acme", "loc-1")
        yield* acme.handleRequest(question)
        for (const waitMillis of [10_000, null, 60_000]) {
          crm.failure = ProviderFailure.unavailable("crm", "a pause", { retryAfterMillis: waitMillis })
          yield* drainJobs
          assert.deepStrictEqual(crm.notes, [])
          yield* TestClock.adjust("1 minute")
        }
        crm.failure = null
        yield* drainJobs
        assert.strictEqual(crm.notes.length, 1)
        assert.deepStrictEqual(yield* tasksOf(), [])
      })
    )

    scene("creates a task after a day without a response of the CRM", ({ crm }) =>
      Effect.gen(function* () {
        yield* openWith(tag)
        yield* installApp(crm, "acme", "loc-1")
        yield* acme.handleRequest(question)
        crm.failure = ProviderFailure.unavailable("crm", "a long pause")
        yield* drainJobs
        assert.deepStrictEqual(yield* tasksOf(), [])
        yield* TestClock.adjust(crmRetryWindowMillis)
        yield* drainJobs
        const [task] = yield* tasksOf()
        assert.include(task?.title, "add the tag Roof")
        assert.include(task?.title, "a long pause")
        assert.strictEqual(yield* (yield* Jobs).backlog, 0)
      })
    )

    scene("is not repeated if it may have been carried out, unless it is idempotent", ({ crm }) =>
      Effect.gen(function* () {
        yield* openWith(note, tag)
        yield* installApp(crm, "acme", "loc-1")
        yield* acme.handleRequest(question)
        const real = yield* Crm
        const cut = Effect.fail(ProviderFailure.outcomeUnknown("crm", "the connection was cut"))
        let tagged = 0
        const work = Effect.provideService(drainJobs, Crm, {
          ...real,
          addNote: (...written) => Effect.andThen(real.addNote(...written), cut),
          addTags: (...tags) =>
            Effect.flatMap(real.addTags(...tags), (now) => (tagged++ === 0 ? cut : Effect.succeed(now)))
        })
        yield* work
        const [task, ...others] = yield* tasksOf()
        assert.include(task?.title, "add a note")
        assert.deepStrictEqual(others, [])
        yield* TestClock.adjust("1 hour")
        yield* work
        assert.strictEqual(crm.notes.length, 1)
        assert.isAtLeast(crm.calls.filter((call) => call === "addTags").length, 2)
        assert.strictEqual(yield* (yield* Jobs).backlog, 0)
      })
    )

    scene("creates a task if the server crashed during it", ({ crm }) =>
      Effect.gen(function* () {
        yield* openWith(note)
        yield* installApp(crm, "acme", "loc-1")
        yield* acme.handleRequest(question)
        const real = yield* Crm
        const addNote: typeof real.addNote = (...written) =>
          Effect.andThen(real.addNote(...written), Effect.die(new Error("the power is off")))
        const work = Effect.provideService(drainJobs, Crm, { ...real, addNote })
        yield* work
        assert.deepStrictEqual(yield* tasksOf(), [])
        yield* TestClock.adjust(jobLeaseMillis)
        yield* work
        assert.strictEqual(crm.notes.length, 1)
        const [task] = yield* tasksOf()
        assert.include(task?.title, "the outcome is unknown")
        assert.strictEqual(yield* (yield* Jobs).backlog, 0)
      })
    )

    scene("creates a task for a contact that cannot be looked up in the CRM", ({ crm }) =>
      Effect.gen(function* () {
        yield* openWith(tag)
        yield* installApp(crm, "acme", "loc-1")
        const nameless = { ...question, contact: { name: "Somebody", email: null, phone: null } }
        yield* acme.handleRequest(nameless)
        yield* drainJobs
        assert.include((yield* tasksOf())[0]?.title, "no email or phone")
        assert.strictEqual(crm.contacts.size, 0)
      })
    )

    scene("is validated when the rules are saved", () =>
      Effect.gen(function* () {
        const { config } = yield* openWith(tag)
        const wrong: Action = { type: "crm_action", action: "add_note", body: "{% if %}" }
        const refused = yield* Effect.flip(saveConfig("acme", { ...config, rules: [rule(tag, wrong)] }))
        assert.deepInclude(refused, {
          issues: [{ path: "rules.0.actions.1.body", message: "Tags are not known here." }]
        })
      })
    )
  })
}
