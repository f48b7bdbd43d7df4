import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { openApiText } from "../src/OpenApiText.ts"

describe("openapi.json", () => {
  it("is what the contract says today; when it is not, run: npm run generate", () => {
    expect(readFileSync(new URL("../openapi.json", import.meta.url), "utf8") === openApiText()).toBe(true)
  })

  it("is the same text every time", () => {
    expect(openApiText()).toBe(openApiText())
  })

  it("describes numbers and booleans in paths and queries as what they are", () => {
    expect(openApiText()).not.toContain("[Ee][+-]")
  })
})
