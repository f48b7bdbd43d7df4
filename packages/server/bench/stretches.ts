/**
 * Measures the longest time for which input of one tenant blocks the event loop, without a server: template rendering,
 * and the search for links and prices in texts.
 *
 * Reports for each input the longest CPU time between two turns of the event loop, and the total CPU time. Both are the
 * minimum of several rounds, because other programs on the machine can only increase them.
 */
import { evaluatingText } from "@leadloom/core/internal/domain/guardrail/EvaluateGuardrails"
import { BudgetExceeded, runCooperatively, makeBudget, runLimits } from "@leadloom/core/internal/domain/budget/Budget"
import { ReplyTemplates } from "@leadloom/core/internal/port/provider/ReplyTemplates"
import * as Liquid from "@leadloom/connectors/internal/templates/Liquid"
import { argumentAt, type Bench, type BenchResult, numberAt } from "@leadloom/testkit/bench/Bench"
import { Effect } from "effect"

/** Returns the CPU time of the main thread in milliseconds. Other programs do not affect it. */
const worked = (): number => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1_000
}

/** Runs work. Returns its longest period without a turn of the event loop and its total time, in milliseconds. */
const stretchOf = async (work: () => Promise<unknown>): Promise<readonly [longest: number, all: number]> => {
  let last = worked()
  let longest = 0
  let ended = false
  const look = (): void => {
    const now = worked()
    longest = Math.max(longest, now - last)
    last = now
    if (!ended) setImmediate(look)
  }
  setImmediate(look)
  await new Promise((resolve) => setImmediate(resolve))
  const begun = worked()
  last = begun
  longest = 0
  await work()
  const all = worked() - begun
  ended = true
  await new Promise((resolve) => setImmediate(resolve))
  return [longest, all]
}

const templates: Readonly<Record<string, string>> = {
  "an empty loop": "{% for i in (1..240000) %}{% endfor %}",
  "a loop with text": "{% for i in (1..25000) %}a{{ i }}{% endfor %}",
  escaping: "{{ message.body | escape | escape | escape | escape | size }}",
  "escaping in a loop": "{% for i in (1..100) %}{{ message.body | slice: 0, 5000 | escape | size }}{% endfor %}",
  replace: "{{ message.body | replace: 'a', 'bb' | replace: 'b', 'cc' | size }}",
  "split and join": "{{ message.body | split: '' | join: '' | size }}",
  "split and sort": "{{ message.body | split: ' ' | sort | join: ' ' | size }}",
  "map an expression": "{{ message.body | split: ' ' | slice: 0, 15000 | where_exp: 'x', 'x == 1 or x == 2' | size }}",
  dates: `{% for i in (1..20) %}{{ 'now' | date: '${"%A".repeat(80)}' | size }}{% endfor %}`,
  strip_html:
    "{% capture x %}{{ message.body }}{{ message.body }}{{ message.body }}{% endcapture %}{{ x | strip_html | size }}",
  "a long capture":
    "{% capture x %}{{ message.body }}{{ message.body }}{{ message.body }}{{ message.body }}{{ message.body }}{% endcapture %}{{ x | escape | size }}",
  url_encode:
    "{% capture x %}{{ message.body }}{{ message.body }}{{ message.body }}{{ message.body }}{% endcapture %}{{ x | url_encode | size }}",
  slugify:
    "{% capture x %}{{ message.body }}{{ message.body }}{{ message.body }}{{ message.body }}{% endcapture %}{{ x | slugify | size }}",
  "reverse words": "{{ message.body | split: '' | reverse | uniq | size }}",
  "sort letters": "{% assign w = message.body | split: ' ' %}{{ w | sort_natural | size }}"
}

const bodies: Readonly<Record<string, string>> = {
  words: "<a b> ".repeat(16_600),
  "wide words": "ﷺ äö ".repeat(20_000)
}

const render = (template: string, body: string) =>
  Effect.runPromise(
    Effect.flatMap(ReplyTemplates, (port) =>
      Effect.result(
        port.render(
          template,
          {
            contact: { name: "Jo", first_name: "Jo", email: null },
            tenant: { name: "Acme" },
            message: { subject: null, body }
          },
          { now: 0, timeZone: "UTC", budget: makeBudget(runLimits) }
        )
      )
    ).pipe(Effect.provide(Liquid.layer))
  )

const guard = (kinds: ReadonlyArray<"no_links" | "no_prices">, text: string) => {
  const budget = makeBudget(runLimits)
  const guards = kinds.map((kind) => ({ id: kind, kind }))
  return Effect.runPromise(runCooperatively(evaluatingText(guards, text, budget), budget))
}

const inputs: Record<string, () => Promise<unknown>> = {}
for (const [name, template] of Object.entries(templates))
  for (const [kind, body] of Object.entries(bodies)) inputs[`template: ${name}, ${kind}`] = () => render(template, body)

const texts: Readonly<Record<string, string>> = {
  "ASCII, 250,000": "a word 12 and another. ".repeat(10_870),
  "ä, 140,000": "ä word 12 änd. Another ".repeat(6_087),
  "ä, 250,000": "ä word 12 änd. Another ".repeat(10_870),
  "ligatures, 8,000": "ﷺ".repeat(8_000),
  "digits, 140,000": "ä 1 2 3 4 5 6 7 8 ".repeat(7_777),
  "dots, 140,000": "ä.b.c.d.e.f.g.h.i.j.k.l".repeat(6_087),
  "no spaces, 140,000": "ä".repeat(140_000),
  "brackets, 140,000": "ä<a ](".repeat(23_333)
}
for (const [name, text] of Object.entries(texts)) {
  inputs[`links: ${name}`] = () => guard(["no_links"], text)
  inputs[`prices: ${name}`] = () => guard(["no_prices"], text)
}

const measure = async (name: string, work: () => Promise<unknown>, rounds: number) => {
  let best: readonly [number, number] = [Infinity, Infinity]
  const results = new Set<string>()
  for (let round = 0; round < rounds; round++) {
    let result: unknown
    const measured = await stretchOf(async () => void (result = await work()))
    best = [Math.min(best[0], measured[0]), Math.min(best[1], measured[1])]
    results.add(result instanceof BudgetExceeded ? result.reason : (JSON.stringify(result) ?? "").slice(0, 70))
  }
  const [longest, all] = best
  return { input: name, longestMillis: Number(longest.toFixed(1)), cpuMillis: Number(all.toFixed(1)), results }
}

const run = async (wanted: string, rounds: number): Promise<BenchResult> => {
  const measured = []
  for (const [name, work] of Object.entries(inputs)) {
    if (name.includes(wanted)) measured.push(await measure(name, work, rounds))
  }
  return {
    figures: {
      rounds,
      inputs: measured.map(({ results, ...row }) => ({ ...row, result: [...results].join(" or ") }))
    },
    checks: { "every round of an input has the same result": measured.every(({ results }) => results.size === 1) }
  }
}

export const bench: Bench = {
  name: "stretches",
  purpose: "The longest time for which input of one tenant blocks the event loop, without a server.",
  usage: "[part of a name] [rounds]",
  sizes: { smallest: ["dots", 1], small: ["", 1], full: ["", 5] },
  run: (args) => run(argumentAt(args, 0), numberAt(args, 1))
}
