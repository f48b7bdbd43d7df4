import { globSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))

const versionIn = async (file: string): Promise<string> => {
  const text = await readFile(join(root, file), "utf8")
  return (file.endsWith(".json") ? JSON.parse(text).version : /export const version = "(.+)"/u.exec(text)?.[1]) ?? ""
}

describe("the version", () => {
  it("is the same in all packages and programs", async () => {
    const manifests = globSync(["packages/*/package.json", "examples/*/package.json"], { cwd: root })
    const files = [...manifests, "packages/api/src/Api.ts", "packages/cli/src/Program.ts"]
    const versions = await Promise.all(files.map(async (file) => [file, await versionIn(file)]))
    const version = await versionIn("package.json")
    expect(versions.filter(([, found]) => found !== version)).toEqual([])
  })
})
