import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { openApiText } from "../src/OpenApiText.ts"

describe("openapi.json", () => {
  it("equals the output of the contract (after a change, run: npm run generate)", () => {
    expect(readFileSync(new URL("../openapi.json", import.meta.url), "utf8") === openApiText()).toBe(true)
  })

  it("is deterministic", () => {
    expect(openApiText()).toBe(openApiText())
  })

  it("describes numbers and booleans in paths and queries by their own types", () => {
    expect(openApiText()).not.toContain("[Ee][+-]")
  })
})
