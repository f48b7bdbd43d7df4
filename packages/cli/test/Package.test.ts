import { execFile } from "node:child_process"
import { copyFile, mkdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { version } from "../src/Program.ts"
import { makeFolder, removeFolder } from "./FakeTerminal.ts"

const run = promisify(execFile)
const bin = new URL("../bin/leadloom.mjs", import.meta.url)

let folder = ""
beforeEach(async () => {
  folder = await makeFolder()
})
afterEach(() => removeFolder(folder))

describe("bin/leadloom.mjs", () => {
  it("explains the next step when nothing is built", async () => {
    await mkdir(join(folder, "bin"))
    const file = join(folder, "bin", "leadloom.mjs")
    await copyFile(bin, file)
    const failure = await run(process.execPath, [file]).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 1, stderr: "Leadloom is not built yet. Run npm run setup first.\n" })
  })

  it("contains only syntax that an old Node.js parses, because it checks the version", async () => {
    const text = await readFile(bin, "utf8")
    expect(text).not.toMatch(/\?\.|\?\?|\bawait\b|^import\s/mu)
  })

  it("has the version of the package", async () => {
    const manifest = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"))
    expect(version).toBe(manifest.version)
  })
})
