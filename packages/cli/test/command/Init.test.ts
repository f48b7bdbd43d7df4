import { readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { parseEnv } from "node:util"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { fakeTerminal, makeFolder, type Ran, removeFolder, runOn } from "../FakeTerminal.ts"
import { spawnLeadloom, watch } from "../ServerProcess.ts"

let folder = ""
beforeEach(async () => {
  folder = await makeFolder()
})
afterEach(() => removeFolder(folder))

const run = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}): Promise<Ran> =>
  runOn(fakeTerminal(folder, env), args)

const file = (name = "leadloom.env"): string => join(folder, name)
const init = (...more: ReadonlyArray<string>): Promise<Ran> =>
  run(["init", "--out", file(), "--data-dir", join(folder, "data"), ...more])

describe("leadloom init", () => {
  it("writes different keys into each file, which only its owner can read", async () => {
    const ran = await init()
    expect(ran).toMatchObject({ exitCode: 0, err: "", out: expect.stringContaining("leadloom serve --env-file") })
    const { mode } = await stat(file())
    expect(mode & 0o777).toBe(0o600)
    const text = await readFile(file(), "utf8")
    const values = parseEnv(text)
    const keys = ["LEADLOOM_ADMIN_KEY", "LEADLOOM_SESSION_SECRET", "LEADLOOM_SECRET_KEY"].map((name) => values[name])
    for (const key of keys) {
      expect(key).toMatch(/^[0-9a-f]{64}$/u)
      expect(ran.out).not.toContain(key)
    }
    const other = parseEnv((await run(["init", "--out", "-"])).out)
    expect(new Set([...keys, other["LEADLOOM_ADMIN_KEY"]]).size).toBe(4)
    expect(text).toMatch(/^# Port to listen on/mu)
  })

  it("never overwrites a file", async () => {
    await writeFile(file(), "keep me")
    expect(await init()).toMatchObject({ exitCode: 6, out: "", err: expect.stringContaining("--out") })
    expect(await readFile(file(), "utf8")).toBe("keep me")
  })

  it("creates the folder, and reports a folder that it cannot create", async () => {
    expect((await run(["init", "--out", file("a/b/leadloom.env")])).exitCode).toBe(0)
    const ran = await run(["init", "--json", "--out", file("a/b/leadloom.env/c")])
    expect([ran.exitCode, JSON.parse(ran.err).error.code]).toEqual([1, "NOT_WRITTEN"])
  })

  it("rejects invalid options before it writes", async () => {
    for (const option of [
      ["--port", "many"],
      ["--database", "mysql://x"],
      ["--host", "a b"]
    ]) {
      const ran = await init(...option)
      expect(ran).toMatchObject({ exitCode: 2, err: expect.stringContaining("LEADLOOM_") })
    }
    await expect(stat(file())).rejects.toMatchObject({ code: "ENOENT" })
  })

  it("generates no secret key for a data directory that has one", async () => {
    const data = file("data")
    await run(["init", "--out", join(data, "secret.key")])
    const ran = await init()
    expect(ran.out).toContain(`The secret key stays in ${join(data, "secret.key")}`)
    expect(parseEnv(await readFile(file(), "utf8"))).not.toHaveProperty("LEADLOOM_SECRET_KEY")
  })

  it("writes a file with which the server starts, and the command line reaches it", async () => {
    await init("--port", "0")
    const child = spawnLeadloom(["serve", "--env-file", file()])
    const watched = watch(child)
    try {
      const found = await watched.says(/"message":"listening","url":"(?<url>[^"]+)","data_dir":"(?<dir>[^"]+)"/u)
      expect(found.groups?.["dir"]).toBe(join(folder, "data"))
      const ran = await run(["tenants", "list", "--env-file", file(), "--url", found.groups?.["url"] ?? ""])
      expect(ran).toMatchObject({ exitCode: 0, err: "" })
    } finally {
      child.kill("SIGTERM")
    }
    expect(await watched.ends).toBe(0)
  })
})

describe("leadloom config check", () => {
  it("accepts a valid environment and shows absolute places", async () => {
    await init()
    const ran = await run(["config", "check", "--env-file", file()])
    expect(ran).toMatchObject({ exitCode: 0, err: "" })
    expect(ran.out).toMatch(/^The configuration is valid\.\ndata directory +\/.*\/data\ndatabase +sqlite:\//u)
    const json = JSON.parse((await run(["config", "check", "--json"])).out)
    expect(json).toMatchObject({ valid: true, mistakes: [], warnings: [{ advice: expect.any(String) }, {}] })
  })

  it("reports every mistake of the environment with exit code 1, and starts nothing", async () => {
    const env = { LEADLOOM_PORTT: "1", LEADLOOM_LOG_LEVEL: "loud", LEADLOOM_DATA_DIR: file("data") }
    const ran = await run(["config", "check"], env)
    expect(ran).toMatchObject({ exitCode: 1, err: "2 mistakes found. Correct them before the start.\n" })
    expect(ran.out).toMatch(/^LEADLOOM_LOG_LEVEL must be .*\nLEADLOOM_PORTT .* Did you mean LEADLOOM_PORT\?\n$/u)
    const json = JSON.parse((await run(["config", "check", "--json"], env)).out)
    expect(json).toMatchObject({ valid: false, places: null, mistakes: [{}, {}].map(() => expect.any(String)) })
    await expect(stat(file("data"))).rejects.toMatchObject({ code: "ENOENT" })
  })

  it("fails like serve for an unknown variable", async () => {
    const child = spawnLeadloom(["serve"], { LEADLOOM_PORTT: "1", LEADLOOM_DATA_DIR: file("data") })
    const watched = watch(child)
    expect(await watched.ends).toBe(1)
    expect(watched.output().err).toBe("LEADLOOM_PORTT is not a variable of Leadloom. Did you mean LEADLOOM_PORT?\n")
  })
})

describe("--env-file", () => {
  it("yields to the environment and explains a missing file", async () => {
    await writeFile(file(), "LEADLOOM_PORT=many\n")
    expect((await run(["config", "check", "--env-file", file()])).exitCode).toBe(1)
    expect((await run(["config", "check", "--env-file", file()], { LEADLOOM_PORT: "1" })).exitCode).toBe(0)
    const missing = await run(["config", "check", "--env-file", file("none")])
    expect(missing).toMatchObject({ exitCode: 2, err: expect.stringContaining("leadloom init --out") })
  })
})
