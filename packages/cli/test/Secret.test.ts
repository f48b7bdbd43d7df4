import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fakeTerminal, makeFolder, removeFolder, runOn } from "./FakeTerminal.ts"
import { startStub, type StubServer } from "./StubServer.ts"

let folder = ""
let stub: StubServer | null = null
beforeAll(async () => {
  folder = await makeFolder()
  stub = await startStub(() => ({ status: 200, body: { tenants: [] } }))
  await writeFile(join(folder, "key"), "  the key of the file\n")
  await writeFile(join(folder, "empty"), "\n")
})
afterAll(async () => {
  await stub?.close()
  await removeFolder(folder)
})

const list = (args: ReadonlyArray<string>, input = "") => {
  const readInput = () => Promise.resolve(input)
  return runOn(fakeTerminal(folder, { LEADLOOM_URL: stub?.url ?? "" }, { readInput }), ["tenants", "list", ...args])
}

describe("a secret", () => {
  it("comes from a file", async () => {
    expect((await list(["--admin-key-file", join(folder, "key")])).exitCode).toBe(0)
    expect(stub?.seen.at(-1)?.credential).toBe("Bearer the key of the file")
  })

  it("comes from standard input", async () => {
    expect((await list(["--admin-key-file", "-"], "the key of the input\n")).exitCode).toBe(0)
    expect(stub?.seen.at(-1)?.credential).toBe("Bearer the key of the input")
  })

  it("comes from the command line, which is discouraged", async () => {
    expect((await list(["--admin-key", "the argument"])).exitCode).toBe(0)
    expect(stub?.seen.at(-1)?.credential).toBe("Bearer the argument")
    const { out } = await list(["--help"])
    expect(out.replaceAll(/\s+/gu, " ")).toContain("the operator's key; other users can see it")
  })

  it("comes from one source", async () => {
    const both = await list(["--admin-key", "a", "--admin-key-file", join(folder, "key")])
    expect(both).toMatchObject({ exitCode: 2, err: expect.stringContaining("cannot be used with") })
  })

  it("is not empty", async () => {
    const file = join(folder, "empty")
    expect(await list(["--admin-key-file", file])).toMatchObject({ exitCode: 2, err: `${file} is empty.\n` })
    expect(await list(["--admin-key-file", "-"])).toMatchObject({ exitCode: 2, err: "Standard input is empty.\n" })
  })
})

describe("the URL of a database", () => {
  it("comes from a file or standard input, so that no argument contains its password", async () => {
    const file = join(folder, "url")
    const url = `sqlite:${join(folder, "leadloom.db")}`
    await writeFile(file, `${url}\n`)
    const status = (given: string) =>
      runOn(fakeTerminal(folder, {}, { readInput: () => Promise.resolve(url) }), ["db", "status", "--database", given])
    const direct = await status(url)
    for (const given of [`@${file}`, "-"]) expect(await status(given)).toEqual(direct)
    const out = join(folder, "leadloom.env")
    const init = await runOn(fakeTerminal(folder), ["init", "--out", out, "--database", `@${file}`])
    expect(init.exitCode).toBe(0)
    const checked = await runOn(fakeTerminal(folder), ["config", "check", "--env-file", out])
    expect(checked.out).toContain(url)
  })
})
