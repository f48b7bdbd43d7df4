import { describe, expect, it } from "vitest"
import type { Comparison, RuleValue } from "../../../src/domain/rule/Condition.ts"
import type { Operator } from "../../../src/domain/rule/Operator.ts"
import { checkComparison } from "../../../src/domain/rule/CheckComparison.ts"

const check = (fact: string, op: Operator, value: RuleValue) =>
  checkComparison({ fact, op, value } satisfies Comparison)

const good: ReadonlyArray<readonly [string, Operator, RuleValue]> = [
  ["message.text", "contains", "quote"],
  ["message.text", "matches", "*roof*leak*"],
  ["message.text", "has_word", "free quote"],
  ["message.channel", "eq", "Email"],
  ["message.channel", "in", ["sms", "voice"]],
  ["message.channel", "starts_with", "anything"],
  ["message.subject", "exists", false],
  ["score.value", "between", [10, 20]],
  ["score.value", "in", [1, 2]],
  ["contact.is_new", "eq", true],
  ["contact.tags", "includes_any", ["vip"]],
  ["metadata.budget", "gte", 500],
  ["metadata.budget", "between", [1, 1]],
  ["metadata.plan", "eq", "pro"],
  ["metadata.plan", "neq", 5],
  ["metadata.trial", "eq", true],
  ["metadata.tags", "includes", "a"],
  ["metadata.plan", "exists", true]
]

const bad: ReadonlyArray<readonly [string, Operator, RuleValue, "fact" | "op" | "value"]> = [
  ["message.body", "eq", "x", "fact"],
  ["metadata.", "eq", "x", "fact"],
  ["message.text", "gt", 5, "op"],
  ["message.text", "includes", "x", "op"],
  ["score.value", "contains", "7", "op"],
  ["contact.is_new", "in", ["true"], "op"],
  ["contact.tags", "eq", "vip", "op"],
  ["metadata.trial", "contains", true, "op"],
  ["message.text", "eq", 5, "value"],
  ["message.text", "contains", "", "value"],
  ["message.text", "has_word", "!?", "value"],
  ["message.text", "in", [], "value"],
  ["message.text", "in", ["a", 1], "value"],
  ["message.text", "exists", "yes", "value"],
  ["message.channel", "eq", "emial", "value"],
  ["message.channel", "not_in", ["sms", "fax"], "value"],
  ["score.value", "eq", "70", "value"],
  ["score.value", "between", [1], "value"],
  ["score.value", "between", [2, 1], "value"],
  ["score.value", "between", [1, 2, 3], "value"],
  ["contact.is_new", "eq", "true", "value"],
  ["contact.tags", "includes", ["vip"], "value"],
  ["metadata.budget", "gt", "500", "value"]
]

describe("checkComparison", () => {
  it.each(good)("accepts %s %s %j", (fact, op, value) => {
    expect(check(fact, op, value)).toBeNull()
  })

  it.each(bad)("rejects %s %s %j because of its %s", (fact, op, value, part) => {
    expect(check(fact, op, value)?.part).toBe(part)
  })

  it("describes a valid value", () => {
    expect(check("score.value", "contains", "7")?.message).toBe(
      '"score.value" is a number. Its operators are eq, neq, gt, gte, lt, lte, between, in, not_in, exists.'
    )
    expect(check("score.value", "between", [2, 1])?.message).toBe(
      '"between" needs a list of two numbers, the smaller one first.'
    )
    expect(check("message.channel", "in", ["fax"])?.message).toBe(
      'Unknown value "fax". Use one of email, sms, voice, chat, webhook.'
    )
    expect(check("contact.tags", "includes_any", "vip")?.message).toBe(
      '"includes_any" needs a list of at least one text.'
    )
    expect(check("contact.is_new", "eq", 1)?.message).toBe('"eq" needs true or false.')
  })
})
