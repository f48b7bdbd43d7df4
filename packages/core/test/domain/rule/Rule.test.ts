import { Result, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { type Condition, maxConditionDepth, maxConditionNodes } from "../../../src/domain/rule/Condition.ts"
import { type Action, checkRules, maxRules, Rule } from "../../../src/domain/rule/Rule.ts"

const leaf: Condition = { fact: "message.text", op: "contains", value: "x" }
const other: Condition = { fact: "message.text", op: "contains", value: "y" }
const third: Condition = { fact: "contact.is_new", op: "eq", value: true }
const always: Condition = { all: [] }
const tag: Action = { type: "tag", tag: "seen" }
const stop: Action = { type: "stop" }
const rule = (over: Partial<Rule>): Rule => ({
  id: "r",
  name: "Rule",
  priority: 0,
  when: leaf,
  actions: [tag],
  ...over
})

const nested = (levels: number): Condition => (levels === 1 ? leaf : { not: nested(levels - 1) })
const accepts = (input: unknown): boolean => Result.isSuccess(Schema.decodeUnknownResult(Rule)(input))

describe("Rule", () => {
  it("parses every kind of condition and action", () => {
    const input = {
      id: "r1",
      name: "All there is",
      priority: 10,
      enabled: false,
      when: { all: [{ any: [leaf, { not: leaf }] }, { fact: "score.value", op: "between", value: [1, 2] }] },
      actions: [
        { type: "assign", to: "ann" },
        { type: "tag", tag: "vip" },
        { type: "create_task", task_type: "callback", title: "Call", due_in_minutes: 30 },
        { type: "create_task", task_type: "review" },
        { type: "transition", state: "engaged" },
        { type: "reply", template: "Hello", mode: "draft" },
        { type: "reply" },
        { type: "suppress_reply" },
        { type: "stop" }
      ]
    }
    expect(Schema.decodeUnknownSync(Rule)(input)).toEqual(input)
  })

  it.each<[string, object]>([
    ["no actions", { actions: [] }],
    ["an unknown action", { actions: [{ type: "crm_dance" }] }],
    ["a CRM action of no kind", { actions: [{ type: "crm_action" }] }],
    ["a CRM action of an unknown kind", { actions: [{ type: "crm_action", action: "dance" }] }],
    ["a tag for the CRM without a tag", { actions: [{ type: "crm_action", action: "add_tag" }] }],
    ["a change in the CRM of nothing", { actions: [{ type: "crm_action", action: "update_contact", fields: [] }] }],
    ["a notice without words", { actions: [{ type: "notify" }] }],
    ["an action without its field", { actions: [{ type: "tag" }] }],
    ["an unknown state", { actions: [{ type: "transition", state: "closed" }] }],
    ["a task due in the past", { actions: [{ type: "create_task", task_type: "review", due_in_minutes: -1 }] }],
    ["a priority between whole numbers", { priority: 1.5 }],
    ["an empty id", { id: "" }],
    ["an unknown operator", { when: { fact: "message.text", op: "regex", value: "a+" } }],
    ["a value that is an object", { when: { fact: "message.text", op: "eq", value: {} } }],
    ["a value that is too long", { when: { fact: "message.text", op: "eq", value: "x".repeat(501) } }],
    ["a list that is too long", { when: { fact: "message.text", op: "in", value: Array(201).fill("x") } }],
    ["two kinds of condition in one place", { when: { all: [], ...leaf } }],
    ["no kind of condition", { when: {} }]
  ])("rejects %s", (_, over) => {
    expect(accepts(rule({}))).toBe(true)
    expect(accepts({ ...rule({}), ...over })).toBe(false)
  })

  it("parses conditions eight levels deep and rejects deeper ones without a stack overflow", () => {
    expect(accepts(rule({ when: nested(8) }))).toBe(true)
    expect(accepts(rule({ when: nested(9) }))).toBe(false)
    let deep: unknown = leaf
    for (let level = 0; level < 100_000; level++) deep = level % 2 === 0 ? { not: deep } : { all: [deep] }
    expect(accepts({ ...rule({}), when: deep })).toBe(false)
  })
})

describe("checkRules", () => {
  it("accepts valid rules", () => {
    expect(checkRules([])).toEqual([])
    expect(checkRules([rule({ id: "a" }), rule({ id: "b", when: { all: [leaf, { any: [leaf] }] } })])).toEqual([])
  })

  it("returns the path of each invalid comparison", () => {
    const when: Condition = {
      all: [leaf, { any: [{ not: { fact: "message.mood", op: "eq", value: "x" } }] }, { ...leaf, op: "gt" }]
    }
    const paths = checkRules([rule({}), rule({ when })]).map((issue) => issue.path)
    expect(paths).toEqual(["1.when.all.1.any.0.not.fact", "1.when.all.2.op"])
  })

  it("suggests the most similar fact for an unknown one", () => {
    const unknown = (fact: string) => rule({ when: { fact, op: "eq", value: "x" } })
    const messages = checkRules([unknown("scor.tier"), unknown("qqq")]).map((issue) => issue.message)
    expect(messages).toEqual([
      'Unknown fact "scor.tier". Use a documented fact or metadata.<key>. Did you mean score.tier?',
      'Unknown fact "qqq". Use a documented fact or metadata.<key>.'
    ])
  })

  it("rejects an empty any, duplicate ids and too many rules", () => {
    expect(checkRules([rule({ when: { any: [] } })])).toEqual([
      { path: "0.when.any", message: 'An empty "any" never holds. Add a condition.' }
    ])
    const twice = [rule({}), rule({ id: "b" }), rule({ enabled: false })]
    expect(checkRules(twice)).toEqual([{ path: "2.id", message: 'The id "r" is used twice. Choose another id.' }])
    const many = Array.from({ length: maxRules + 1 }, (_, index) => rule({ id: `r${index}` }))
    expect(checkRules(many.slice(1))).toEqual([])
    expect(checkRules(many).map((issue) => issue.path)).toEqual([""])
  })

  it("has the documented limits", () => {
    expect([maxConditionDepth, maxConditionNodes, maxRules]).toEqual([8, 500, 200])
  })

  it("rejects too many or too deep conditions", () => {
    const wide = (parts: number): Rule => rule({ when: { all: Array.from({ length: parts }, () => leaf) } })
    expect(checkRules([wide(maxConditionNodes - 1)])).toEqual([])
    expect(checkRules([wide(maxConditionNodes)]).map((issue) => issue.path)).toEqual(["0.when"])
    expect(checkRules([rule({ when: nested(8) })])).toEqual([])
    expect(checkRules([rule({ when: nested(9) })])).toHaveLength(1)
    let deep: Condition = leaf
    for (let level = 0; level < 400; level++) deep = { not: deep }
    expect(checkRules([rule({ when: deep })])).toHaveLength(1)
  })

  it("finds rules that an earlier, always stopping rule makes unreachable", () => {
    const first = rule({ id: "first", priority: 1, when: always, actions: [tag, stop] })
    const late = rule({ id: "late", priority: 2 })
    const early = rule({ id: "early", priority: 0 })
    const off = rule({ id: "off", priority: 3, enabled: false })
    expect(checkRules([late, first, early, off])).toEqual([
      { path: "0", message: 'This rule never runs, because the earlier rule "first" always ends the evaluation.' }
    ])
    expect(checkRules([late, { ...first, enabled: false }])).toEqual([])
    expect(checkRules([late, { ...first, actions: [tag] }])).toEqual([])
  })

  it.each<[boolean, string, Condition]>([
    [true, "all of nothing", always],
    [true, "a not of what never holds", { not: { not: always } }],
    [true, "an any with a part that always holds", { any: [leaf, always] }],
    [true, "an all of parts that always hold", { all: [always, { any: [always] }] }],
    [false, "a comparison", leaf],
    [false, "an all with a comparison", { all: [always, leaf] }],
    [false, "a not of a comparison", { not: leaf }],
    [false, "a not of what always holds", { not: always }]
  ])("detects an unconditional rule (%s): %s", (unconditional, _, when) => {
    const rules = [rule({ id: "a", when, actions: [stop] }), rule({ id: "b", when: other })]
    expect(checkRules(rules)).toHaveLength(unconditional ? 1 : 0)
  })

  it.each<[boolean, string, Condition, Condition]>([
    [true, "the same again", leaf, leaf],
    [true, "the same tree again", { not: { any: [leaf, other] } }, { not: { any: [leaf, other] } }],
    [true, "the same and more", leaf, { all: [other, { all: [leaf] }] }],
    [true, "both, in another order", { all: [leaf, other] }, { all: [other, third, leaf] }],
    [true, "one of several", { any: [other, { all: [leaf] }] }, leaf],
    [false, "less", { all: [leaf, other] }, leaf],
    [false, "one or another", leaf, { any: [leaf, other] }],
    [false, "the opposite", leaf, { not: leaf }],
    [false, "something else", leaf, other]
  ])("finds an unreachable rule after a stopping one (%s): %s", (found, _, before, after) => {
    const rules = [rule({ id: "a", when: before, actions: [stop] }), rule({ id: "b", when: after })]
    const issue = {
      path: "1",
      message: 'This rule never runs, because the earlier rule "a" ends the evaluation for the same messages.'
    }
    expect(checkRules(rules)).toEqual(found ? [issue] : [])
    expect(checkRules(rules.map((one) => ({ ...one, actions: [tag] })))).toEqual([])
  })
})
