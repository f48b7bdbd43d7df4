import { readFile } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { serverEvents } from "../src/ServerEvents.ts"
import { contract } from "../generate/Contract.ts"
import { renderOperations } from "../generate/Rendering.ts"
import { typeText } from "../generate/TypeText.ts"

describe("operations.ts", () => {
  it("is up to date with the contract (npm run generate)", async () => {
    const committed = await readFile(new URL("../src/operations.ts", import.meta.url), "utf8")
    expect(committed === renderOperations(contract())).toBe(true)
  })

  it("has a method for every operation of the contract", async () => {
    const { operations } = await import("../src/operations.ts")
    const notSent = new Error("not sent")
    const groups: Record<string, Record<string, unknown>> = operations(
      () => Promise.reject(notSent),
      () =>
        serverEvents({
          getReader: () => {
            throw notSent
          }
        })
    )
    const ids = Object.values(contract().paths).flatMap((verbs) =>
      Object.values(verbs)
        .filter((one) => one["x-outside-contract"] !== true)
        .map((one) => one.operationId)
    )
    expect(
      Object.entries(groups)
        .flatMap(([group, methods]) => Object.keys(methods).map((name) => `${group}.${name}`))
        .toSorted()
    ).toEqual(ids.toSorted())
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
  ])("writes %j", (schema, text) => {
    expect(typeText(schema)).toBe(text)
  })

  it("rejects an unknown schema", () => {
    expect(() => typeText({ type: "tuple" })).toThrow("Unsupported schema")
  })
})
