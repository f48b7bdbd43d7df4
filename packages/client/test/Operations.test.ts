import { readFile } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { contract } from "../generate/Contract.ts"
import type { JsonSchema } from "../generate/Document.ts"
import { renderOperations } from "../generate/Rendering.ts"
import { typeText } from "../generate/TypeText.ts"
import { operationIds, operationsOf } from "./EveryOperation.ts"
import { stubFetch } from "./StubFetch.ts"

describe("operations.ts", () => {
  it("is up to date with the contract (npm run generate)", async () => {
    const committed = await readFile(new URL("../src/operations.ts", import.meta.url), "utf8")
    expect(committed === renderOperations(contract())).toBe(true)
  })

  it("has a method for every operation of the contract", () => {
    expect([...operationsOf(stubFetch([]).fetch).keys()].toSorted()).toEqual(operationIds().toSorted())
  })
})

describe("typeText", () => {
  it.each([
    [{ type: "string", enum: ["a", "b"] }, '"a" | "b"'],
    [{ anyOf: [{ type: "integer" }, { type: "null" }] }, "number | null"],
    [{ anyOf: [{ type: "integer" }, { type: "number" }] }, "number"],
    [{ type: "array", items: { $ref: "#/components/schemas/Contact" } }, "ReadonlyArray<Contact>"],
    [
      { type: "array", prefixItems: [{ type: "string" }], items: { type: "string" } },
      "readonly [string, ...ReadonlyArray<string>]"
    ],
    [{ type: "object" }, "Readonly<Record<string, unknown>>"],
    [{ type: "object", additionalProperties: { type: "number" } }, "Readonly<Record<string, number>>"],
    [
      { type: "object", properties: { "a-b": { type: "string" } }, required: ["a-b"] },
      '{\n  readonly "a-b": string\n}'
    ],
    [{ type: "object", properties: { a: { type: "string" } } }, "{\n  readonly a?: string | undefined\n}"]
  ] satisfies ReadonlyArray<readonly [JsonSchema, string]>)("writes %j", (schema, text) => {
    expect(typeText(schema)).toBe(text)
  })

  it("writes the types of ids", () => {
    const ids = { byField: new Map([["lead_id", "LeadId"]]), bySchema: new Map([["Lead", "LeadId"]]) }
    const text: JsonSchema = { type: "string" }
    const properties = { id: text, lead_id: { anyOf: [text, { type: "null" }] }, score: { type: "number" } }
    const schema = { type: "object", properties, required: ["id", "lead_id"] }
    expect(typeText(schema, "", ids, "Lead")).toBe(
      "{\n  readonly id: LeadId\n  readonly lead_id: LeadId | null\n  readonly score?: number | undefined\n}"
    )
    expect(typeText(schema, "", ids, "Task")).toContain("readonly id: string\n")
  })

  it("rejects an unknown schema", () => {
    expect(() => typeText({ type: "tuple" })).toThrow("Unsupported schema")
  })
})
