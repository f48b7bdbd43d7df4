import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compareDecisions, maxDifferences } from "../../../src/domain/tenant/ConfigDifferences.ts"
import { mergePatch } from "../../../src/domain/text/Json.ts"
import { presets } from "../../../src/domain/tenant/preset/Preset.ts"
import { defaultConfig, type TenantConfig } from "../../../src/domain/tenant/TenantConfig.ts"

const rule = (id: string, priority: number, value = "roof"): TenantConfig["rules"][number] => ({
  id,
  name: `Rule ${id}`,
  priority,
  when: { all: [{ fact: "message.text", op: "contains", value }] },
  actions: [{ type: "tag", tag: "seen" }]
})

const base: TenantConfig = { ...defaultConfig, rules: [rule("a", 1), rule("b", 2)] }
const changes = (after: Partial<TenantConfig>, before = base) => compareDecisions(before, { ...before, ...after })
const summariesOf = (after: Partial<TenantConfig>) =>
  changes(after).differences.map(({ path, summary }) => [path, summary])

describe("the differences of two configurations", () => {
  it("are empty for equal configurations, in any order of fields", () => {
    const shuffled = Object.fromEntries(Object.entries(base).toReversed())
    expect(changes(shuffled)).toEqual({ differences: [], omitted: 0 })
  })

  it("use the field names of the API, with the old and the new value", () => {
    expect(changes({ timeZone: "Europe/Berlin", thresholds: { hot: 80, warm: 40 } }).differences).toEqual([
      {
        path: "time_zone",
        before: "UTC",
        after: "Europe/Berlin",
        summary: 'time_zone is "Europe/Berlin" instead of "UTC"'
      },
      { path: "tiers.hot", before: 70, after: 80, summary: "tiers.hot is 80 instead of 70" }
    ])
  })

  it("identify rules by their id, at any position", () => {
    expect(summariesOf({ rules: [rule("new", 0), rule("a", 1), rule("b", 5)] })).toEqual([
      ["rules.b.priority", "rules.b.priority is 5 instead of 2"],
      ["rules.new", 'rules.new "Rule new" was added']
    ])
    expect(summariesOf({ rules: [rule("b", 2)] })).toEqual([["rules.a", 'rules.a "Rule a" was removed']])
    expect(summariesOf({ rules: [rule("b", 2), rule("a", 1)] })).toEqual([["rules", "rules were reordered"]])
    expect(summariesOf({ rules: [rule("a", 1, "wall"), rule("b", 2)] })).toEqual([
      ["rules.a.when.all.0.value", 'rules.a.when.all.0.value is "wall" instead of "roof"']
    ])
  })

  it("include fields of the assistant, and added or removed weights", () => {
    expect(
      summariesOf({ assistant: { ...base.assistant, linkHosts: ["acme.com"] }, scoreWeights: { urgency: 2 } }).map(
        ([path]) => path
      )
    ).toEqual(["assistant.link_hosts", "score_weights.urgency"])
    expect(changes({ guardrails: [{ id: "l", kind: "no_links" }] }).differences).toEqual([
      {
        path: "guardrails.l",
        after: { id: "l", kind: "no_links" },
        summary: "guardrails.l (no_links) was added"
      }
    ])
  })

  it("shorten long values and count the omitted differences", () => {
    const [knowledge] = changes({ assistant: { ...base.assistant, knowledge: "x".repeat(5_000) } }).differences
    expect(knowledge).toEqual({
      path: "assistant.knowledge",
      before: "",
      after: `${"x".repeat(500)}…`,
      summary: "assistant.knowledge was changed"
    })
    const rules = Array.from({ length: maxDifferences - 1 }, (_, index) => rule(`r${index}`, index))
    const { differences, omitted } = changes({ rules })
    expect([differences.length, omitted]).toEqual([maxDifferences, 1])
  })

  it("exist exactly when two presets differ", () => {
    for (const one of presets) {
      for (const other of presets) {
        expect(compareDecisions(one.config, other.config).differences.length > 0).toBe(one !== other)
      }
    }
  })
})

describe("a merge patch", () => {
  it.each([
    // RFC 7396, appendix A.
    [{ a: "b" }, { a: "c" }, { a: "c" }],
    [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
    [{ a: "b" }, { a: null }, {}],
    [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
    [{ a: ["b"] }, { a: "c" }, { a: "c" }],
    [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
    [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
    [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
    [
      ["a", "b"],
      ["c", "d"],
      ["c", "d"]
    ],
    [{ a: "b" }, ["c"], ["c"]],
    [{ a: "foo" }, null, null],
    [{ a: "foo" }, "bar", "bar"],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: "b", c: null }, { a: "b" }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }]
  ])("turns %j with %j into %j", (target, patch, result) => expect(mergePatch(target, patch)).toEqual(result))

  it("is idempotent, and never changes a prototype", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (target, patch) => {
        const once = mergePatch(target, patch)
        expect(mergePatch(once, patch)).toEqual(once)
      })
    )
    const evil = mergePatch({}, JSON.parse('{"__proto__":{"polluted":true}}'))
    expect(Object.keys(Object(evil))).toEqual(["__proto__"])
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false)
  })
})
