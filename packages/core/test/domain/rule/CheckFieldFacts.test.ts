import { describe, expect, it } from "vitest"
import type { CustomField } from "../../../src/domain/field/CustomField.ts"
import { checkFieldFacts } from "../../../src/domain/rule/CheckFieldFacts.ts"
import type { Comparison } from "../../../src/domain/rule/Condition.ts"
import type { Rule } from "../../../src/domain/rule/Rule.ts"
import { rulesWithField } from "../../../src/domain/rule/UsedFacts.ts"

const field = (key: string, type: CustomField["type"], options: ReadonlyArray<string> = []): CustomField => ({
  fieldId: "fld_00000000000000000000000000",
  tenantId: "acme",
  entity: "contact",
  key,
  label: key,
  type,
  options,
  required: false,
  createdAt: 0,
  updatedAt: 0
})

const fields = [
  field("plan", "select", ["Gold", "Silver"]),
  field("needs", "multi_select", ["Roof"]),
  field("size", "number"),
  field("vip", "boolean"),
  field("due", "date")
]

const rule = (comparison: Comparison, more: Partial<Rule> = {}): Rule => ({
  id: "r",
  name: "R",
  priority: 1,
  when: { not: comparison },
  actions: [{ type: "stop" }],
  ...more
})

const of = (key: string, op: Comparison["op"], value: Comparison["value"]): Comparison => ({
  fact: `contact.custom_fields.${key}`,
  op,
  value
})

describe("checkFieldFacts", () => {
  it.each([
    of("plan", "eq", " gold"),
    of("plan", "starts_with", "go"),
    of("needs", "includes", "roof"),
    of("needs", "exists", false),
    of("size", "between", [1, 2]),
    of("vip", "neq", true),
    of("due", "starts_with", "2026-"),
    { fact: "message.text", op: "eq", value: "a" } as const
  ])("accepts %j", (comparison) => {
    expect(checkFieldFacts([rule(comparison)], fields)).toEqual([])
  })

  it.each([
    [of("plan", "in", ["Gold", "Bronze"]), "value", 'Unknown value "Bronze". Use one of Gold, Silver.'],
    [of("needs", "includes", "solar"), "value", 'Unknown value "solar". Use one of Roof.'],
    [of("needs", "contains", "Roof"), "op", '"contact.custom_fields.needs" is a list.'],
    [of("size", "eq", "4"), "value", '"eq" needs a number.'],
    [of("vip", "gt", 1), "op", '"contact.custom_fields.vip" is a boolean.'],
    [of("due", "gt", 1), "op", '"contact.custom_fields.due" is a string.'],
    [
      of("color", "eq", "red"),
      "fact",
      'The entity contact has no custom field "color". Known fields: contact.custom_fields.plan, '
    ],
    [
      { fact: "lead.custom_fields.plan", op: "eq", value: "Gold" } as const,
      "fact",
      'The entity lead has no custom field "plan". Create it first: POST …/fields'
    ]
  ])("rejects %j", (comparison, part, message) => {
    expect(checkFieldFacts([rule(comparison)], fields)).toEqual([
      { path: `0.when.not.${part}`, message: expect.stringContaining(message) }
    ])
  })
})

describe("rulesWithField", () => {
  it("returns rules that compare the field, including disabled ones", () => {
    const disabled = rule(of("plan", "eq", "Gold"), { enabled: false })
    const other = rule(of("plan_b", "eq", "Gold"))
    const reference = { entity: "contact", key: "plan" } as const
    expect(rulesWithField([disabled, other], reference)).toEqual([disabled])
    expect(rulesWithField([disabled, other], { ...reference, entity: "lead" })).toEqual([])
  })
})
