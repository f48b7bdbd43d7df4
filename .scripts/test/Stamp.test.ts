import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { contentKey, installKey, isStamped, stamp } from "../stamp.mjs"

let root = ""
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "leadloom-stamp-"))
  await put("package.json", "{}")
  await put("pnpm-lock.yaml", "lock")
  await put("packages/core/package.json", "{}")
})
afterEach(() => rm(root, { recursive: true, force: true }))

const put = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}

describe("installKey", () => {
  it.each([
    ["the lockfile", "pnpm-lock.yaml"],
    ["the root manifest", "package.json"],
    ["a package's manifest", "packages/core/package.json"],
    ["a new package", "packages/new/package.json"],
    ["a new example", "examples/new/package.json"],
    ["the workspace", "pnpm-workspace.yaml"]
  ])("changes with %s", async (_, path) => {
    const before = installKey(root)
    expect(installKey(root)).toBe(before)
    await put(path, "changed")
    expect(installKey(root)).not.toBe(before)
  })

  it("does not depend on source files", async () => {
    const before = installKey(root)
    await put("packages/core/src/domain/Id.ts", "changed")
    expect(installKey(root)).toBe(before)
  })
})

describe("contentKey", () => {
  it("changes only with the content, names and number of files below the folder", async () => {
    const key = () => contentKey(root, ["packages/core/src", "pnpm-lock.yaml", "not/there"])
    await put("packages/core/src/a/One.ts", "1")
    const first = key()
    await put("packages/core/test/One.test.ts", "test")
    expect(key()).toBe(first)
    await put("packages/core/src/a/Two.ts", "1")
    const second = key()
    expect(second).not.toBe(first)
    await rm(join(root, "packages/core/src/a/Two.ts"))
    expect(key()).toBe(first)
    await put("packages/core/src/a/Six.ts", "1")
    expect(key()).not.toBe(second)
  })
})

describe("stamps", () => {
  it("are valid for one key", () => {
    const file = join(root, "stamp")
    expect(isStamped(file, "a")).toBe(false)
    stamp(file, "a")
    expect(isStamped(file, "a")).toBe(true)
    expect(isStamped(file, "b")).toBe(false)
  })
})
