import { globSync } from "node:fs"
import { expect, it } from "vitest"
import { repository } from "@leadloom/testkit/Sources"
import { longest } from "../longest.ts"

it("every listed file exists and is listed once", () => {
  const files = globSync(["packages/*/test/**/*.test.ts", ".scripts/test/*.test.ts"], { cwd: repository })
  expect(longest.filter((name) => files.filter((file) => `/${file}`.endsWith(`/${name}`)).length !== 1)).toEqual([])
  expect(new Set(longest).size).toBe(longest.length)
})
