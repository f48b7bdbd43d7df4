import { assert, describe, it } from "@effect/vitest"
import { makeBudget, runLimits } from "@leadloom/core/internal/domain/budget/Budget"
import { ReplyTemplates } from "@leadloom/core/internal/port/provider/ReplyTemplates"
import { watched } from "@leadloom/testkit/suite/pipeline/WatchedBudget"
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
  it.effect("has only the time of its render, in the tenant's time zone", () =>
    Effect.gen(function* () {
      const template = "{{ 'now' | date: '%A %H:%M' }}, {{ 'today' | date_to_xmlschema }}"
      assert.strictEqual(yield* render(template), "Monday 23:30, 2026-03-02T23:30:00+00:00")
      assert.strictEqual(yield* render(template, "Asia/Kolkata"), "Tuesday 05:00, 2026-03-03T05:00:00+05:30")
      assert.strictEqual(yield* render("{{ 'now' | date: '%H:%M', 0 }}", "Asia/Kolkata"), "23:30")
      assert.strictEqual(yield* render("{{ '2026-01-01T12:00:00Z' | date: '%H' }}"), "12")
    })
  )

  it.effect("has no randomness", () =>
    Effect.gen(function* () {
      const { check } = yield* ReplyTemplates
      assert.include(check("{{ 'a,b' | split: ',' | sample }}"), "undefined filter: sample")
    }).pipe(Effect.provide(Liquid.layer))
  )

  const spending = (template: string, body: string, maxCharacters?: number) =>
    Effect.gen(function* () {
      const budget = makeBudget(runLimits)
      const templates = yield* ReplyTemplates
      const settings = { now: evening, timeZone: "UTC", budget, ...(maxCharacters !== undefined && { maxCharacters }) }
      const message = { ...context.message, body }
      const result = yield* Effect.result(templates.render(template, { ...context, message }, settings))
      return { result, steps: budget.steps() }
    }).pipe(Effect.provide(Liquid.layer))

  const loop = (body: string) => `{% for i in (1..100000) %}${body}{% endfor %}`
  const long = "<a b> ".repeat(150_000)
  const hostile: Record<string, string> = {
    "an empty loop": "{% for i in (1..900000) %}{% endfor %}",
    "an empty table": "{% tablerow i in (1..900000) %}{% endtablerow %}",
    "loops in loops":
      "{% assign s = 'a,b,c,d,e,f,g,h,i,j' | split: ',' %}" + "{% for a in s %}".repeat(8) + "{% endfor %}".repeat(8),
    "a loop over a long list":
      "{% assign s = message.body | split: '' %}" + loop("{% for x in s limit: 0 %}{% endfor %}"),
    branches: loop(`{% if false %}${"{% elsif false %}".repeat(1_000)}{% endif %}`),
    unless: loop(`{% unless true %}${"{% elsif false %}".repeat(1_000)}{% endunless %}`),
    cases: loop(`{% case 1 %}{% when ${"2,".repeat(3_000)}3 %}{% endcase %}`),
    "a path": loop(`{{ contact${".a".repeat(9_000)} }}`),
    operators: loop("{% if message.body contains 'zzz' or message.body == 'x' %}{% endif %}"),
    dates: loop(`{{ 'now' | date: '${"%x".repeat(1_000)}' }}`),
    escaping: "{{ message.body | escape | escape | escape | escape | size }}",
    groups: "{{ message.body | split: '' | group_by: 'x.y' | size }}",
    "an expression for each": "{{ message.body | split: '' | where_exp: 'x', 'x == 1 or x == 2' | size }}",
    "slow filters in a loop": loop("{{ message.body | slugify | size }}"),
    arguments: loop(`{{ 1 | default: ${"1,".repeat(8_000)}1 }}`)
  }
  for (const [what, template] of Object.entries(hostile)) {
    it.effect(`runs out of budget: ${what}`, () =>
      Effect.gen(function* () {
        const { result, steps } = yield* spending(template, long)
        assert.strictEqual(result._tag === "Failure" ? result.failure._tag : "rendered", "BudgetExceeded")
        assert.isBelow(steps, 10 * runLimits.steps)
        assert.strictEqual((yield* spending(template, long)).steps, steps, "the same steps every time")
      })
    )
  }

  const pausing: Record<string, readonly [template: string, rendered: string]> = {
    "a loop without a body": ["{% for i in (1..200000) %}{% endfor %}.", "."],
    "a loop in a capture": [`{% capture x %}${loop("{{ i }}")}{% endcapture %}{{ x | size }}`, "488895"],
    "filters one after another": [`{{ message.body${" | escape_once".repeat(4)} | size }}`, "100000"],
    branches: [`{% for i in (1..500) %}{% if false %}${"{% elsif false %}".repeat(300)}{% endif %}{% endfor %}.`, "."]
  }
  for (const [what, [template, rendered]] of Object.entries(pausing)) {
    it.live(`pauses within ${what}`, () =>
      Effect.gen(function* () {
        const { budget, seen } = watched()
        const { render } = yield* ReplyTemplates
        const message = { subject: null, body: "ab cd ".repeat(20_000) }
        const text = yield* render(template, { ...context, message }, { now: evening, timeZone: "UTC", budget })
        assert.strictEqual(text, rendered)
        assert.isAbove(seen().turns, 2)
        // One million steps between pauses, plus one operation that cannot pause.
        assert.isBelow(seen().maxSteps, 1_000_000 + runLimits.stepsAtOnce)
      }).pipe(Effect.provide(Liquid.layer))
    )
  }

  it.live("keeps its own time and budget while another one is rendered", () =>
    Effect.gen(function* () {
      const { render } = yield* ReplyTemplates
      const template = `${loop("")}{{ 'now' | date: '%Y %H:%M' }}`
      const one = watched()
      const other = watched()
      const texts = yield* Effect.all(
        [
          render(template, context, { now: evening, timeZone: "UTC", budget: one.budget }),
          render(template, context, { now: 0, timeZone: "Asia/Kolkata", budget: other.budget })
        ],
        { concurrency: 2 }
      )
      assert.deepStrictEqual(texts, ["2026 23:30", "1970 05:30"])
      assert.isAbove(one.seen().turns, 5)
      assert.isAbove(other.seen().turns, 5)
    }).pipe(Effect.provide(Liquid.layer))
  )

  it.effect("limits the input of a single filter", () =>
    Effect.gen(function* () {
      const { result } = yield* spending(
        `{% capture x %}${"{{ message.body }}".repeat(2)}{% endcapture %}{{ x | escape }}`,
        long
      )
      assert.strictEqual(
        result._tag === "Failure" && result.failure._tag === "BudgetExceeded" ? result.failure.resource : "",
        "stepsAtOnce"
      )
    })
  )

  it.effect("sees only the beginning of a long message, and its output is cut at the limit", () =>
    Effect.gen(function* () {
      const { result } = yield* spending("{{ message.body | size }}", long)
      assert.strictEqual(result._tag === "Success" ? result.success : "", "100000")
      const cut = yield* spending("{{ message.body }}{{ message.body }}", long, 50)
      assert.strictEqual(cut.result._tag === "Success" ? cut.result.success : "", `${long.slice(0, 43)}… [cut]`)
      const whole = yield* spending("{{ contact.name }}", long, 50)
      assert.strictEqual(whole.result._tag === "Success" ? whole.result.success : "", "Jo Smith")
    })
  )

  it.effect("charges its output to the budget of the run", () =>
    Effect.gen(function* () {
      const { result } = yield* spending("{{ message.body }}{{ message.body }}{{ message.body }}", long)
      assert.strictEqual(
        result._tag === "Failure" && result.failure._tag === "BudgetExceeded" ? result.failure.resource : "",
        "characters"
      )
      const captured = yield* spending(
        `{% capture x %}${loop("{{ message.body }}")}{% endcapture %}{{ x | size }}`,
        long
      )
      assert.strictEqual(captured.result._tag, "Failure")
    })
  )

  it.effect("renders the same text as without metering", () =>
    Effect.gen(function* () {
      const template =
        "{% assign names = 'b,a' | split: ',' | sort %}{% for n in names %}{{ forloop.index }}{{ n | upcase }}" +
        "{% unless forloop.last %}, {% endunless %}{% endfor %}" +
        "{% capture x %}{{ tenant.name | append: '!' }}{% endcapture %}{{ x }}" +
        "{% case contact.first_name %}{% when 'Al', 'Jo' %} Hi{% else %} -{% endcase %}" +
        "{% if message.body contains 'roof' and contact.email == nil %} yes{% elsif true %} no{% endif %}" +
        "{% tablerow i in (1..2) cols: 2 %}{{ i }}{% endtablerow %}{{ names }}{{ contact.nothing.at.all }}"
      assert.strictEqual(
        yield* render(template),
        '1A, 2BAcme! Hi yes<tr class="row1"><td class="col1">1</td><td class="col2">2</td></tr>ab'
      )
    })
  )
})
