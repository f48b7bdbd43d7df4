import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { openApiText } from "../src/OpenApiText.ts"

const examples = JSON.parse(readFileSync(new URL("../examples.json", import.meta.url), "utf8"))

describe("openapi.json", () => {
  it("equals the output of the contract (after a change, run: npm run generate)", () => {
    expect(readFileSync(new URL("../openapi.json", import.meta.url), "utf8") === openApiText(examples)).toBe(true)
  })

  it("is deterministic", () => {
    expect(openApiText(examples)).toBe(openApiText(examples))
  })

  it("describes numbers and booleans in paths and queries by their own types", () => {
    expect(openApiText(examples)).not.toContain("[Ee][+-]")
  })
})
