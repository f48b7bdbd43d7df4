import { reasonGroups } from "@leadloom/core/internal/domain/reason/Reason"
import { GuardrailKind } from "@leadloom/core/internal/domain/guardrail/Guardrail"
import { factTable } from "@leadloom/core/internal/domain/rule/Fact"
import { Operator } from "@leadloom/core/internal/domain/rule/Operator"
import { describe, expect, it } from "vitest"
import { actionText } from "../src/text/Actions.ts"
import { comparisonText, conditionText, factNames, guardrailNames, operatorNames } from "../src/text/Conditions.ts"
import { reasonTexts } from "../src/text/Reasons.ts"

const reasonCodes = Object.values(reasonGroups).flatMap((group) => Object.keys(group))

describe("the texts of the console", () => {
  it.each<readonly [string, ReadonlyArray<string>, object]>([
    ["reason", reasonCodes, reasonTexts],
    ["fact", Object.keys(factTable), factNames],
    ["operator", Operator.literals, operatorNames],
    ["kind of guardrail", GuardrailKind.members.map(({ literal }) => literal), guardrailNames]
  ])("contain every %s of the server, and no other", (_, codes, texts) => {
    expect(Object.keys(texts).toSorted()).toEqual(codes.toSorted())
  })

  it("explain each reason in a sentence", () => {
    const wrong = Object.values(reasonTexts).filter(({ meaning }) => !/^[A-Z].+[.]$/u.test(meaning))
    expect(wrong).toEqual([])
  })

  it.each<readonly [Parameters<typeof comparisonText>[0], string]>([
    [{ fact: "message.channel", op: "in", value: ["email", "sms"] }, "the channel is one of “email” or “sms”"],
    [{ fact: "score.value", op: "between", value: [40, 69] }, "the score is between 40 and 69"],
    [{ fact: "contact.is_new", op: "eq", value: true }, "the contact is new"],
    [{ fact: "contact.is_new", op: "neq", value: true }, "it is not the case that the contact is new"],
    [{ fact: "contact.phone", op: "exists", value: false }, "the phone number of the contact is missing"],
    [{ fact: "metadata.plan", op: "eq", value: "pro" }, "the metadata “plan” is “pro”"],
    [{ fact: "lead.custom_fields.budget", op: "gte", value: 5 }, "the field “budget” of the lead is at least 5"]
  ])("turn the comparison %j into words", (comparison, words) => {
    expect(comparisonText(comparison)).toBe(words)
  })

  it("turn groups and actions into words", () => {
    const hot = { fact: "score.tier", op: "eq", value: "hot" }
    const mail = { fact: "message.channel", op: "eq", value: "email" }
    expect(conditionText({ all: [hot, { any: [mail, { not: hot }] }] })).toBe(
      "(the tier is “hot” and (the channel is “email” or it is not the case that the tier is “hot”))"
    )
    expect(conditionText({ all: [] })).toBe("")
    expect(actionText({ type: "suppress_reply" })).toBe("do not reply")
    expect(actionText({ type: "of_a_newer_server" })).toBe("of_a_newer_server")
  })
})
