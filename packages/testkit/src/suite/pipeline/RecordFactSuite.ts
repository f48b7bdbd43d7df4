/** The suite of rules that compare custom fields and the company. Their checks are tested in `packages/core/test`. */
import { assert, describe } from "@effect/vitest"
import type { Condition } from "@leadloom/core/internal/domain/rule/Condition"
import type { Rule } from "@leadloom/core/internal/domain/rule/Rule"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Leads } from "@leadloom/core/internal/port/repository/lead/Leads"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { createCompany } from "@leadloom/core/internal/workflow/company/ChangeCompanies"
import { createField, removeField } from "@leadloom/core/internal/workflow/field/ChangeFields"
import { dryRun } from "@leadloom/core/internal/workflow/pipeline/DryRun"
import { explainRun } from "@leadloom/core/internal/workflow/pipeline/ExplainRun"
import { replayRun } from "@leadloom/core/internal/workflow/pipeline/ReplayRun"
import { runBacktest } from "@leadloom/core/internal/workflow/pipeline/RunBacktest"
import { ConfigInvalid, saveConfig } from "@leadloom/core/internal/workflow/tenant/SaveConfig"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, request, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const ruleOf = (id: string, when: Condition): Rule => ({
  id,
  name: `Rule ${id}`,
  priority: 1,
  when,
  actions: [{ type: "tag", tag: id }]
})

const rules: ReadonlyArray<Rule> = [
  ruleOf("plan", { fact: "contact.custom_fields.plan", op: "eq", value: "Gold" }),
  ruleOf("needs", { fact: "contact.custom_fields.needs", op: "includes", value: "roof" }),
  ruleOf("needs-any", { fact: "contact.custom_fields.needs", op: "exists", value: true }),
  ruleOf("budget", { fact: "lead.custom_fields.budget", op: "gte", value: 5_000 }),
  ruleOf("company", { fact: "company.domain", op: "eq", value: "customer.example" }),
  ruleOf("size", { fact: "company.custom_fields.size", op: "between", value: [10, 50] })
]

/** Creates the fields that `rules` compare, and saves the rules. */
const configure = Effect.gen(function* () {
  const { config } = yield* acme.open()
  const label = "A field"
  yield* createField("acme", { key: "plan", label, type: "select", options: ["Gold", "Silver"] })
  yield* createField("acme", { key: "needs", label, type: "multi_select", options: ["roof", "solar"] })
  yield* createField("acme", { key: "size", label, type: "number", entity: "company" })
  const budget = yield* createField("acme", { key: "budget", label, type: "number", entity: "lead" })
  yield* createCompany("acme", { name: "Customer", domain: "customer.example", customFields: { size: 12 } })
  yield* saveConfig("acme", { ...config, rules })
  return budget
})

const currentTenant = Effect.flatMap(Tenants, (tenants) => tenants.get("acme"))

/** Sets the custom fields of the contact and of the lead of a message. */
const setFields = Effect.fnUntraced(function* (signalId: string) {
  const run = yield* acme.runOf(signalId)
  const contact = yield* acme.contactOf(run.contactId)
  yield* (yield* Contacts).update({ ...contact, customFields: { plan: "Gold", needs: ["solar", "roof"] } })
  yield* (yield* Leads).update({ ...(yield* acme.leadOf(run.leadId)), customFields: { budget: 7_500 } })
})

/** Tests facts of stored records on a store. */
export const recordFactSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`record facts on ${name}`, () => {
    scene("rules match the company of a first message, and the custom fields of later ones", () =>
      Effect.gen(function* () {
        yield* configure
        const first = yield* acme.handleRequest()
        assert.deepStrictEqual(
          first.result.matchedRules.map(({ ruleId }) => ruleId),
          ["company", "size"]
        )
        yield* setFields(first.signalId)
        yield* TestClock.adjust("1 minute")
        const second = yield* acme.handleRequest({ message: "Is there any news?" })
        assert.deepStrictEqual(
          second.result.matchedRules.map(({ ruleId }) => ruleId),
          rules.map(({ id }) => id)
        )
        const tenant = yield* currentTenant
        const { facts } = yield* explainRun(tenant, second.signalId)
        assert.deepInclude(facts, {
          "contact.custom_fields.needs": ["solar", "roof"],
          "lead.custom_fields.budget": 7_500,
          "company.domain": "customer.example",
          "company.custom_fields.size": 12
        })
        assert.deepStrictEqual((yield* replayRun(tenant, second.signalId)).replay.differences, [])
        const dry = yield* dryRun({ tenant, request })
        assert.deepInclude(dry.facts, { "contact.custom_fields.plan": "Gold", "lead.custom_fields.budget": null })
      })
    )

    scene("a rule with an unknown field is refused with the known fields, and a used field cannot be removed", () =>
      Effect.gen(function* () {
        const budget = yield* configure
        const { config } = yield* currentTenant
        const unknown = ruleOf("x", { any: [{ fact: "contact.custom_fields.plans", op: "eq", value: "Gold" }] })
        const refused = yield* Effect.flip(saveConfig("acme", { ...config, rules: [...rules, unknown] }))
        assert.deepStrictEqual(
          refused,
          new ConfigInvalid({
            issues: [
              {
                path: "rules.6.when.any.0.fact",
                message:
                  'The entity contact has no custom field "plans". Known fields: contact.custom_fields.plan, contact.custom_fields.needs.'
              }
            ]
          })
        )
        const inUse = yield* Effect.flip(removeField("acme", budget.fieldId))
        assert.deepInclude(inUse, { _tag: "CustomFieldInUse", key: "budget", rules: ["Rule budget"] })
        yield* saveConfig("acme", { ...config, rules: [] })
        yield* removeField("acme", budget.fieldId)
      })
    )

    scene("a back-test skips runs that did not read a fact that the changed rules compare", () =>
      Effect.gen(function* () {
        yield* configure
        const { config } = yield* currentTenant
        yield* saveConfig("acme", { ...config, rules: rules.slice(0, 1) })
        yield* acme.handleRequest()
        const test = { config: null, guardrails: null, since: 0, limit: 10, examples: 1 }
        const unread = yield* runBacktest("acme", { ...test, rules })
        assert.deepStrictEqual([unread.examined, unread.skipped.withoutInputs], [0, 1])
        const read = yield* runBacktest("acme", { ...test, rules: [] })
        assert.deepStrictEqual([read.examined, read.skipped.withoutInputs], [1, 0])
      })
    )
  })
}
