import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { ensureDataDir, secretFile, secretOfDataDir } from "../../src/startup/DataDir.ts"
import { pepperOf } from "../../src/startup/Pepper.ts"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "leadloom-data-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

const actionLine = (effect: Effect.Effect<unknown, { readonly line: string }>) =>
  Effect.runPromise(Effect.flip(effect)).then(({ line }) => line)

describe("the data directory", () => {
  it("is created if it is missing, for its owner only", async () => {
    const dir = join(folder, "a", "b")
    await Effect.runPromise(ensureDataDir(dir))
    await Effect.runPromise(ensureDataDir(dir))
    expect(statSync(dir).mode & 0o777).toBe(0o700)
  })

  it("that cannot be created fails with one line", async () => {
    writeFileSync(join(folder, "file"), "")
    const line = await actionLine(ensureDataDir(join(folder, "file", "dir")))
    expect(line).toMatch(/^The data directory .* is not writable \(ENOTDIR\).*LEADLOOM_DATA_DIR/u)
  })
})

describe("the secret key of a data directory", () => {
  it("is generated once, for its owner only", async () => {
    const first = await Effect.runPromise(secretOfDataDir(folder))
    expect(first).toMatch(/^[0-9a-f]{64}$/u)
    expect(await Effect.runPromise(secretOfDataDir(folder))).toBe(first)
    expect(statSync(join(folder, secretFile)).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(folder, secretFile), "utf8")).toBe(`${first}\n`)
  })

  it("is not replaced if the file is damaged, because all stored credentials would become invalid", async () => {
    writeFileSync(join(folder, secretFile), "")
    expect(await actionLine(secretOfDataDir(folder))).toMatch(/secret\.key is not usable/u)
    expect(readFileSync(join(folder, secretFile), "utf8")).toBe("")
  })
})

describe("the pepper", () => {
  it("is frozen: stored hashes depend on it", () => {
    expect(Buffer.from(pepperOf("0123456789abcdef")).toString("hex")).toBe(
      "3fad27873a87aa9076ab653d0e3bd4177b23a425c8dc44dcf15613a516f1a0fc"
    )
  })
})
