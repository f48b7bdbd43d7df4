import { assert, describe, it } from "@effect/vitest"
import { makeBudget, runLimits } from "@leadloom/core/pipeline/budget/Budget"
import { ReplyTemplates } from "@leadloom/core/port/ReplyTemplates"
import { Effect } from "effect"
import * as Liquid from "../../src/templates/Liquid.ts"

const context = {
  contact: { name: "Jo Smith", first_name: "Jo", email: null },
  tenant: { name: "Acme" },
  message: { subject: null, body: "A roof" }
}
const evening = Date.parse("2026-03-02T23:30:00Z")

const render = (template: string, timeZone = "UTC") =>
  Effect.flatMap(ReplyTemplates, (templates) =>
    templates.render(template, context, { now: evening, timeZone, budget: makeBudget(runLimits) })
  ).pipe(Effect.provide(Liquid.layer))

describe("a Liquid template", () => {
  it.effect("knows no other time than the one it is rendered at, in the tenant's zone", () =>
    Effect.gen(function* () {
      const template = "{{ 'now' | date: '%A %H:%M' }}, {{ 'today' | date_to_xmlschema }}"
      assert.strictEqual(yield* render(template), "Monday 23:30, 2026-03-02T23:30:00+00:00")
      assert.strictEqual(yield* render(template, "Asia/Kolkata"), "Tuesday 05:00, 2026-03-03T05:00:00+05:30")
      assert.strictEqual(yield* render("{{ 'now' | date: '%H:%M', 0 }}", "Asia/Kolkata"), "23:30")
      assert.strictEqual(yield* render("{{ '2026-01-01T12:00:00Z' | date: '%H' }}"), "12")
    })
  )

  it.effect("leaves nothing to chance", () =>
    Effect.gen(function* () {
      const { check } = yield* ReplyTemplates
      assert.include(check("{{ 'a,b' | split: ',' | sample }}"), "undefined filter: sample")
    }).pipe(Effect.provide(Liquid.layer))
  )
})
