import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { fakeTerminal, makeFolder, removeFolder, runOn } from "./FakeTerminal.ts"
import { failing, startStub, type StubAnswer, type StubServer } from "./StubServer.ts"

let home = ""
let stub: StubServer | null = null

beforeAll(async () => {
  home = await makeFolder()
})
afterAll(() => removeFolder(home))
afterEach(async () => {
  await stub?.close()
  stub = null
})

const answering = async (answer: StubAnswer): Promise<StubServer> => {
  stub = await startStub(() => answer)
  return stub
}
const key = { LEADLOOM_ADMIN_KEY: "secret" }
const runWith = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = key) =>
  runOn(fakeTerminal(home, env), args)

describe("exit codes", () => {
  it.each([
    [400, "BAD_REQUEST", 1],
    [401, "UNAUTHORIZED", 4],
    [403, "FORBIDDEN", 4],
    [404, "NOT_FOUND", 5],
    [409, "CONFLICT", 6],
    [429, "RATE_LIMITED", 7],
    [500, "INTERNAL", 1],
    [503, "SERVICE_UNAVAILABLE", 1]
  ])("answer %i %s with %i", async (status, code, exitCode) => {
    const { url } = await answering(failing(status, code))
    const ran = await runWith(["tenants", "get", "acme", "--url", url])
    expect(ran.exitCode).toBe(exitCode)
    expect(ran.out).toBe("")
    expect(ran.err).toMatch(/^\S.*\n$/u)
  })

  it("is 3 when the server is unreachable, with the next step", async () => {
    const { url, close } = await answering({ status: 200, body: {} })
    await close()
    const ran = await runWith(["tenants", "list", "--url", url])
    expect(ran.exitCode).toBe(3)
    expect(ran.err).toBe(
      `${url} cannot be reached. Start the server with leadloom serve, or set another URL with --url or LEADLOOM_URL.\n`
    )
  })

  it("is 3 when another program responds", async () => {
    const { url } = await answering({ status: 404, body: { detail: "Not Found" } })
    expect((await runWith(["tenants", "list", "--url", url])).exitCode).toBe(3)
  })

  it("is 4 without a key, before any request", async () => {
    const { url, seen } = await answering({ status: 200, body: {} })
    const ran = await runWith(["tenants", "list", "--url", url], {})
    expect(ran).toMatchObject({ exitCode: 4, err: expect.stringContaining("LEADLOOM_ADMIN_KEY") })
    expect(seen).toHaveLength(0)
  })

  it.each([
    ["an unknown command", ["frobnicate"]],
    ["an unknown option", ["tenants", "list", "--colour"]],
    ["a missing option", ["tenants", "create", "acme"]],
    ["a missing argument", ["tenants", "get"]],
    ["one argument too many", ["tenants", "list", "acme"]],
    ["a command without its verb", ["tenants"]],
    ["no command", []],
    ["a choice that is none", ["pipeline", "dry-run", "--tenant", "a", "--message", "m", "--channel", "fax"]],
    ["options that exclude each other", ["sources", "list", "--tenant", "a", "--all-tenants"]],
    ["neither of two options", ["sources", "list"]],
    ["a URL that is none", ["tenants", "list", "--url", "localhost"]],
    ["an unknown profile", ["tenants", "list", "--profile", "nowhere"]],
    ["a path that is not there", ["import", "/nowhere/at/all", "--tenant", "a"]],
    ["a number out of bounds", ["import", ".", "--tenant", "a", "--batch", "101"]]
  ])("is 2 for %s", async (_, args) => {
    expect((await runWith(args)).exitCode).toBe(2)
  })

  it.each([["--help"], ["--version"], ["import --help"]])("is 0 for %s", async (line) => {
    const ran = await runWith(line.split(" "))
    expect(ran.exitCode).toBe(0)
    expect(ran.out).not.toBe("")
    expect(ran.err).toBe("")
  })
})

describe("failures", () => {
  it("name every invalid field", async () => {
    const details = [
      { path: "rules.0.when", message: "Missing key" },
      { path: "", message: "Not an object" }
    ]
    const { url } = await answering(failing(400, "BAD_REQUEST", details))
    const ran = await runWith(["tenants", "list", "--url", url])
    expect(ran.err).toBe("BAD_REQUEST happened.\n  rules.0.when: Missing key\n  (all): Not an object\n")
  })

  it("are JSON on standard error with --json", async () => {
    const { url } = await answering(failing(404, "NOT_FOUND"))
    const ran = await runWith(["--json", "tenants", "get", "acme", "--url", url])
    expect(ran.out).toBe("")
    expect(JSON.parse(ran.err)).toMatchObject({ error: { code: "NOT_FOUND", request_id: "req_stub" } })
    const usage = await runWith(["tenants", "create", "acme", "--json"])
    expect(JSON.parse(usage.err)).toMatchObject({ error: { code: "USAGE" } })
  })

  it("include the request id of an internal error", async () => {
    const { url } = await answering(failing(500, "INTERNAL"))
    expect((await runWith(["tenants", "list", "--url", url])).err).toContain("(req_stub)")
  })
})

describe("the connection", () => {
  const ok: StubAnswer = { status: 200, body: { tenants: [] } }
  const bearer = (server: StubServer): string | undefined => server.seen.at(-1)?.credential

  it("prefers an option to the environment", async () => {
    const server = await answering(ok)
    await runWith(["tenants", "list", "--url", server.url, "--admin-key", "mine"], {
      LEADLOOM_URL: "http://127.0.0.1:1"
    })
    expect(bearer(server)).toBe("Bearer mine")
  })

  it("uses a named profile without keys of the environment", async () => {
    const server = await answering(ok)
    const folder = join(home, "config", "leadloom")
    await mkdir(folder, { recursive: true })
    const profiles = { prod: { url: server.url, admin_key: "of prod" }, bare: { url: server.url } }
    await writeFile(join(folder, "profiles.json"), JSON.stringify(profiles))
    const env = {
      XDG_CONFIG_HOME: join(home, "config"),
      LEADLOOM_URL: "http://127.0.0.1:1",
      LEADLOOM_ADMIN_KEY: "of env"
    }
    expect((await runWith(["tenants", "list", "--profile", "prod"], env)).exitCode).toBe(0)
    expect(bearer(server)).toBe("Bearer of prod")
    expect((await runWith(["tenants", "list", "--profile", "bare"], env)).exitCode).toBe(4)
    const unknown = await runWith(["tenants", "list", "--profile", "staging"], env)
    expect(unknown.err).toContain("Available profiles: prod, bare")
  })

  it("falls back to the profile default, over which the environment takes precedence", async () => {
    const server = await answering(ok)
    const folder = join(home, ".config", "leadloom")
    await mkdir(folder, { recursive: true })
    const file = join(folder, "profiles.json")
    await writeFile(file, JSON.stringify({ default: { url: server.url, admin_key: "of default" } }))
    await runWith(["tenants", "list"], {})
    expect(bearer(server)).toBe("Bearer of default")
    await runWith(["tenants", "list"], { LEADLOOM_ADMIN_KEY: "of env" })
    expect(bearer(server)).toBe("Bearer of env")
    await writeFile(file, "not json")
    expect(await runWith(["tenants", "list"], {})).toMatchObject({ exitCode: 2, err: expect.stringContaining(file) })
    await writeFile(file, "{}")
  })

  it("prefers the API key to the admin key for a tenant's own routes", async () => {
    const result = {
      signal_id: "s",
      classification: null,
      score: null,
      matched_rules: 0,
      actions_triggered: [],
      reply: null
    }
    const server = await answering({ status: 200, body: result })
    const args = ["pipeline", "dry-run", "--tenant", "a", "--message", "m", "--url", server.url]
    await runWith(args, { ...key, LEADLOOM_API_KEY: "llk_1" })
    expect(bearer(server)).toBe("Bearer llk_1")
    await runWith(args)
    expect(bearer(server)).toBe("Bearer secret")
  })
})
