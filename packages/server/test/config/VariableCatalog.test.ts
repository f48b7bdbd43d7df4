import { globSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { variableCatalog } from "../../src/config/VariableCatalog.ts"

const sources = new URL("../../src/", import.meta.url).pathname
const code = globSync("**/*.ts", { cwd: sources })
  .filter((file) => !file.endsWith("VariableCatalog.ts"))
  .map((file) => readFileSync(`${sources}${file}`, "utf8"))
  .join("\n")

describe("the catalogue of variables", () => {
  it("lists no variable that the server does not read", () => {
    expect(Object.keys(variableCatalog).filter((name) => !code.includes(`"${name}"`))).toEqual([])
  })

  it("lists every variable that the server reads", () => {
    const read = new Set([...code.matchAll(/"((?:LEADLOOM|OTEL)_[A-Z0-9_]*[A-Z0-9])"/gu)].map(([, name]) => name))
    expect([...read].filter((name) => !Object.hasOwn(variableCatalog, name ?? ""))).toEqual([])
  })
})
