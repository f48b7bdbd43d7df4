import { execFile } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { repository } from "../src/Sources.ts"

const run = promisify(execFile)

/** Returns the TypeScript blocks of a Markdown file. */
const examplesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gmu)].map(([, code = ""]) => code)

const packages = globSync("packages/*/package.json", { cwd: repository }).map(dirname).toSorted()

// The console is a program without a public API, so its README has no example.
const withoutApi = "packages/console"

// The README of the client is its page in the package registry. `packages/client/test/Server.test.ts` runs its examples
// against a server.
const others = packages.filter((folder) => folder !== "packages/client")

describe("the README of every other package", () => {
  for (const folder of others) {
    const file = join(repository, folder, "README.md")

    it(`${folder} states purpose, public API and tests in 10 to 30 lines`, () => {
      const lines = readFileSync(file, "utf8").trimEnd().split("\n")
      expect(lines.length).toBeGreaterThanOrEqual(10)
      expect(lines.length).toBeLessThanOrEqual(30)
      expect(lines.join("\n")).toContain("Tests:")
    })

    if (folder === withoutApi) continue
    it(`${folder} has an example that runs`, async () => {
      const examples = examplesIn(readFileSync(file, "utf8"))
      expect(examples.length).toBeGreaterThan(0)
      for (const code of examples) {
        const args = ["--conditions=leadloom:source", "--input-type=module-typescript", "-e", code]
        await run(process.execPath, args, { cwd: join(repository, folder) })
      }
    })
  }
})

describe("the root README", () => {
  it("has less than 1,000 words", () => {
    expect(readFileSync(join(repository, "README.md"), "utf8").split(/\s+/u).length).toBeLessThan(1_000)
  })
})
