import { appendFile, readdir, readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type ImportPlace, openResume, stateFolder } from "../../src/import/Resume.ts"
import { fakeTerminal, makeFolder, removeFolder } from "../FakeTerminal.ts"

let folder = ""
beforeEach(async () => {
  folder = await makeFolder()
})
afterEach(() => removeFolder(folder))

const place: ImportPlace = { url: "http://127.0.0.1:4800", tenant: "acme", paths: ["/mail/a"] }
const open = (at: ImportPlace = place, restart = false) => openResume(fakeTerminal(folder), at, restart)

describe("openResume", () => {
  it("remembers finished mails in the next run", async () => {
    const first = await open()
    await first.finish(["/mail/a/1", '/mail/a/2 with "quotes"\nand lines'])
    const second = await open()
    expect(second.isFinished("/mail/a/1")).toBe(true)
    expect(second.isFinished('/mail/a/2 with "quotes"\nand lines')).toBe(true)
    expect(second.isFinished("/mail/a/3")).toBe(false)
  })

  it("explains a folder that is not writable", async () => {
    const file = join(folder, "file")
    await writeFile(file, "")
    const terminal = fakeTerminal(folder, { XDG_STATE_HOME: file })
    await expect(openResume(terminal, place, false)).rejects.toThrow(/\(ENOTDIR\)\. Set XDG_STATE_HOME/u)
  })

  it("separates servers, tenants and sets of paths", async () => {
    await (await open()).finish(["one"])
    for (const other of [{ url: "http://other" }, { tenant: "beta" }, { paths: ["/mail/b"] }]) {
      expect((await open({ ...place, ...other })).isFinished("one")).toBe(false)
    }
    expect((await open({ ...place, paths: ["/mail/x/../a"] })).isFinished("one")).toBe(true)
  })

  it("discards the state on request", async () => {
    await (await open()).finish(["one"])
    expect((await open(place, true)).isFinished("one")).toBe(false)
    expect((await open()).isFinished("one")).toBe(false)
  })

  it("ignores a line that a crash truncated", async () => {
    const first = await open()
    await first.finish(["one"])
    await appendFile(first.file, '"tw')
    const second = await open()
    await second.finish(["three"])
    const third = await open()
    expect(["one", "tw", "two", "three"].map(third.isFinished)).toEqual([true, false, false, true])
  })

  it("starts over when the file has another format", async () => {
    const { file } = await open()
    await writeFile(file, "what is this?")
    expect((await open()).isFinished("what is this?")).toBe(false)
  })

  it("is readable by its owner only and records the identity of the import", async () => {
    const { file } = await open()
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(JSON.parse((await readFile(file, "utf8")).split("\n")[0] ?? "")).toEqual({ version: 1, ...place })
  })

  it("is stored in the user's state folder", async () => {
    expect(stateFolder({ home: "/home/ada", env: { XDG_STATE_HOME: "/state" } })).toBe("/state/leadloom")
    expect(stateFolder({ home: "/home/ada", env: {} })).toBe("/home/ada/.leadloom")
    await open()
    expect(await readdir(stateFolder({ home: folder, env: {} }))).toHaveLength(1)
  })
})
