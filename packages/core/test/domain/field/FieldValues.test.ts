import { describe, expect, it } from "@effect/vitest"
import { type CustomField, type FieldType, fieldTypes, optionsError } from "../../../src/domain/field/CustomField.ts"
import { FieldValueInvalid, setFieldValues } from "../../../src/domain/field/FieldValues.ts"

const options = ["gold", "silver"]

const field = (type: FieldType, more: Partial<CustomField> = {}): CustomField => ({
  fieldId: "fld_1",
  tenantId: "acme",
  entity: "contact",
  key: type,
  label: type,
  type,
  options: type === "select" || type === "multi_select" ? options : [],
  required: false,
  createdAt: 0,
  updatedAt: 0,
  ...more
})

const fields = fieldTypes.map((type) => field(type))
const user = `usr_${"0".repeat(26)}`

describe("setFieldValues", () => {
  it.each([
    ["text", "Hello"],
    ["number", -1.5],
    ["boolean", false],
    ["date", "2024-02-29"],
    ["url", "https://example.com/a?b=c"],
    ["user", user],
    ["select", "gold"],
    ["multi_select", ["silver", "gold"]]
  ])("stores a valid %s", (key, value) => {
    expect(setFieldValues(fields, {}, { [key]: value })).toEqual({ [key]: value })
  })

  it.each([
    ["text", 1],
    ["text", "x".repeat(1_001)],
    ["number", "1"],
    ["boolean", "true"],
    ["date", "2023-02-29"],
    ["date", "2024-02-29T00:00:00Z"],
    ["url", "javascript:alert(1)"],
    ["url", "example.com"],
    ["user", "usr_"],
    ["select", "bronze"],
    ["multi_select", "gold"],
    ["multi_select", ["gold", "gold"]],
    ["multi_select", ["gold", "bronze"]],
    ["unknown", "x"],
    ["__proto__", "x"]
  ])("rejects an invalid %s: %j", (key, value) => {
    const result = setFieldValues(fields, {}, Object.fromEntries([[key, value]]))
    expect(result).toBeInstanceOf(FieldValueInvalid)
    expect(result).toMatchObject({ key })
  })

  it.each([null, "", "  ", []])("removes a value with %j", (value) => {
    expect(setFieldValues(fields, { text: "a", number: 1 }, { text: value })).toEqual({ number: 1 })
  })

  it("requires a value of a required field after every write", () => {
    const required = [field("text", { required: true }), field("number")]
    expect(setFieldValues(required, {}, { number: 1 })).toMatchObject({ key: "text" })
    expect(setFieldValues(required, { text: "a" }, { text: null })).toMatchObject({ key: "text" })
    expect(setFieldValues(required, { text: "a" }, { number: 1 })).toEqual({ text: "a", number: 1 })
  })

  it("keeps a value of a deleted field, and only removes it", () => {
    expect(setFieldValues([], { old: "a" }, {})).toEqual({ old: "a" })
    expect(setFieldValues([], { old: "a" }, { old: "b" })).toMatchObject({ key: "old" })
    expect(setFieldValues([], { old: "a" }, { old: null })).toEqual({})
  })

  it("replaces characters that databases do not store", () => {
    expect(setFieldValues(fields, {}, { text: "a\0b\uD800" })).toEqual({ text: "a\uFFFDb\uFFFD" })
  })
})

describe("optionsError", () => {
  it("requires unique options for select fields only", () => {
    expect(optionsError(field("select"))).toBeNull()
    expect(optionsError(field("select", { options: [] }))).toMatch("at least one")
    expect(optionsError(field("select", { options: ["a", "a"] }))).toMatch("unique")
    expect(optionsError(field("text", { options: ["a"] }))).toMatch("no options")
    expect(optionsError(field("select", { options: Array.from({ length: 101 }, String) }))).toMatch("at most")
  })
})
