import { existsSync } from "node:fs"
import { readFile, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { fakeTerminal, makeFolder, type Ran, removeFolder, runOn } from "../FakeTerminal.ts"
import { adminKey, type RunningServer, spawnLeadloom, startServer, watch } from "../ServerProcess.ts"

let folder = ""
beforeEach(async () => {
  folder = await makeFolder()
})
afterEach(() => removeFolder(folder))

const run = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}): Promise<Ran> =>
  runOn(fakeTerminal(folder, { LEADLOOM_DATA_DIR: folder, ...env }), args)

const file = (name = "leadloom.db"): string => join(folder, name)

describe("leadloom db", () => {
  it("migrates the configured database or the named one", async () => {
    expect((await run(["db", "migrate"])).out).toMatch(
      /^sqlite:.*leadloom\.db is now up to date\. Applied: 0001_first/u
    )
    expect((await run(["db", "migrate"])).out).toMatch(/is up to date\.\n$/u)
    expect((await run(["db", "migrate", "--database", `sqlite:${file("other.db")}`])).exitCode).toBe(0)
    expect(existsSync(file("other.db"))).toBe(true)
  })

  it("shows the status of a database as text and as JSON", async () => {
    expect(await run(["db", "status"])).toMatchObject({
      exitCode: 1,
      out: "",
      err: expect.stringContaining("no database")
    })
    await run(["db", "migrate"])
    expect((await run(["db", "status"])).out).toMatch(/^database {4}sqlite:[\s\S]*missing {5}none[\s\S]*messages +0/u)
    const status = JSON.parse((await run(["db", "status", "--json"])).out)
    expect(status).toMatchObject({ reachable: true, unfinished_copy: false, migrations: { missing: [], unknown: [] } })
    expect(status.tables).toContainEqual({ table: "messages", rows: 0, exact: true })
  })

  it("records a recount of the reports of an existing tenant", async () => {
    const server = await startServer(folder)
    const env = { LEADLOOM_URL: server.url, LEADLOOM_ADMIN_KEY: adminKey }
    await run(["tenants", "create", "acme", "--name", "Acme"], env)
    const ran = await run(["db", "recount-reports", "--tenant", "acme"])
    const unknown = await run(["db", "recount-reports", "--tenant", "other"])
    await server.stop()
    expect(ran).toMatchObject({ exitCode: 0, out: expect.stringContaining("counts the reports of acme again") })
    expect(unknown.exitCode).toBe(1)
    expect(unknown.err).toContain("There is no tenant other")
  })

  it("copies a database, shows both sides of every table, and rejects a target with data", async () => {
    const server = await startServer(folder)
    const env = { LEADLOOM_URL: server.url, LEADLOOM_ADMIN_KEY: adminKey }
    await run(["tenants", "create", "acme", "--name", "Acme"], env)
    // The server stays running during the copy.
    const copy = ["db", "copy", "--from", `sqlite:${file()}`, "--to", `sqlite:${file("copy.db")}`]
    const ran = await run(copy)
    await server.stop()
    // A copy that takes longer than 5 s on a busy machine reports its progress.
    expect(ran).toMatchObject({ exitCode: 0, err: expect.stringMatching(/^(?:(?:copying|comparing) .*\n)*$/u) })
    expect(ran.out).toMatch(/^TABLE +SOURCE +TARGET +HASH\n[\s\S]*tenants +1 +1 +[0-9a-f]{16} +same\n/u)
    expect(ran.out).toMatch(/rows of sqlite:.*leadloom\.db to sqlite:.*copy\.db in \d+\.\d s\.\n$/u)
    expect(await run(copy)).toMatchObject({
      exitCode: 1,
      out: "",
      err: expect.stringContaining("already contains data")
    })
    const json = JSON.parse((await run(["--json", ...copy.slice(0, -1), `sqlite:${file("third.db")}`])).out)
    expect(json).toMatchObject({ same: true })
    expect(json.tables).toContainEqual(expect.objectContaining({ table: "tenants", source_rows: 1, same: true }))
  })

  it("backs up, and overwrites an existing file only with --force", async () => {
    await run(["db", "migrate"])
    const backup = ["db", "backup", "--to", file("backup.db")]
    expect(await run(backup)).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/^Backed up .* to .*backup\.db/u)
    })
    expect(await run(backup)).toMatchObject({ exitCode: 1, err: expect.stringContaining("--force") })
    expect((await run([...backup, "--force"])).exitCode).toBe(0)
    const postgres = await run([...backup, "--database", "postgres://me:very-secret@db.example/x"])
    expect(postgres).toMatchObject({ exitCode: 1, err: expect.stringContaining("pg_dump --format=custom") })
    expect(postgres.err).not.toContain("very-secret")
  })

  it("restores a backup of a lost database, which the next start serves with the same keys", async () => {
    const first = await startServer(folder)
    const create = (server: RunningServer, tenant: string) =>
      run(["tenants", "create", tenant, "--name", tenant], { LEADLOOM_URL: server.url, LEADLOOM_ADMIN_KEY: adminKey })
    await create(first, "acme")
    const backup = file("backups/daily/leadloom.db")
    expect((await run(["db", "backup", "--to", backup])).exitCode).toBe(0)
    expect((await stat(file("backups"))).mode & 0o777).toBe(0o700)
    const restore = ["db", "restore", "--from", backup]
    expect(await run(restore)).toMatchObject({ exitCode: 1, err: expect.stringContaining("Stop that server") })
    await create(first, "later")
    await first.stop()
    expect(await run(restore)).toMatchObject({ exitCode: 1, err: expect.stringContaining("--force") })
    await rm(file())
    const refused = spawnLeadloom(["serve", "--port", "0", "--data-dir", folder])
    const watched = watch(refused)
    expect(await watched.ends).toBe(1)
    expect(watched.output().err).toContain("leadloom db restore --from")
    // The refused start has left an empty database, which the command replaces.
    const restored = await run(restore)
    expect(restored).toMatchObject({ exitCode: 0, out: expect.stringContaining("and verified it") })
    const second = await startServer(folder)
    const listed = await run(["tenants", "list"], { LEADLOOM_URL: second.url, LEADLOOM_ADMIN_KEY: adminKey })
    await second.stop()
    expect(listed.out).toContain("acme")
    expect(listed.out).not.toContain("later")
    const forced = JSON.parse((await run([...restore, "--force", "--json"])).out)
    expect(forced).toMatchObject({ missing_migrations: [], secret_key_missing_in: null })
    expect(existsSync(forced.replaced)).toBe(true)
  })

  it("rejects a backup of another secret key and files that are no backup", async () => {
    await (await startServer(folder)).stop()
    const backup = file("backup.db")
    await run(["db", "backup", "--to", backup])
    const elsewhere = (data: string, env: Readonly<Record<string, string>> = {}) =>
      run(["db", "restore", "--from", backup], { LEADLOOM_DATA_DIR: file(data), ...env })
    const key = { LEADLOOM_SECRET_KEY: "another-secret-key-than-the-servers" }
    expect(await elsewhere("a", key)).toMatchObject({ exitCode: 1, err: expect.stringContaining("another secret key") })
    expect(existsSync(file("a/leadloom.db"))).toBe(false)
    expect((await elsewhere("a", { ...key, LEADLOOM_SECRET_KEY_LOST: "yes" })).exitCode).toBe(0)
    expect((await elsewhere("b")).out).toContain(`copy secret.key of the same deployment to ${file("b")}`)
    await writeFile(file("text.db"), "this is no database ".repeat(500))
    for (const [from, reason] of [
      ["text.db", "not a database"],
      ["missing.db", "There is no file"]
    ] as const)
      expect(await run(["db", "restore", "--force", "--from", file(from)])).toMatchObject({
        exitCode: 1,
        err: expect.stringContaining(reason)
      })
    const postgres = ["db", "restore", "--from", backup, "--database", "postgres://me:very-secret@db.example/x"]
    const refused = await run(postgres)
    expect(refused).toMatchObject({ exitCode: 1, err: expect.stringContaining("pg_restore --single-transaction") })
    expect(refused.err).not.toContain("very-secret")
  })

  it("encrypts secrets again with a new key and reports the remaining ones", async () => {
    const server = await startServer(folder)
    await server.stop()
    const env = { LEADLOOM_VAULT_KEYS: "a-vault-key".padEnd(32, "x") }
    const ran = await run(["db", "reseal"], env)
    expect(ran).toMatchObject({ exitCode: 0, out: expect.stringContaining("are encrypted with") })
    expect(ran.out).not.toContain("a-vault-key")
    const json = JSON.parse((await run(["db", "reseal", "--json"], env)).out)
    expect(json).toMatchObject({ key_id: expect.stringMatching(/^[0-9a-f]{8}$/u), finished_key_ids: [] })
    const stranger = await run(["db", "reseal"], { LEADLOOM_SECRET_KEY: "another-secret-key-than-the-servers" })
    expect(stranger).toMatchObject({ exitCode: 1, err: expect.stringContaining("another secret key") })
  })

  it("stops on the abort signal", async () => {
    await run(["db", "migrate"])
    const controller = new AbortController()
    controller.abort()
    const terminal = fakeTerminal(folder, {}, { signal: controller.signal })
    const ran = await runOn(terminal, ["db", "copy", "--from", `sqlite:${file()}`, "--to", `sqlite:${file("copy.db")}`])
    expect(ran.exitCode).toBe(130)
  })

  it("explains invalid usage", async () => {
    expect((await run(["db", "copy", "--from", "sqlite:x"])).exitCode).toBe(2)
    const env = { LEADLOOM_PORT: "many" }
    expect(await run(["db", "status"], env)).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining("LEADLOOM_PORT")
    })
    expect((await run(["db", "status", "--database", "mysql://x"])).err).toContain("sqlite:<file path>")
  })
})

describe("leadloom doctor", () => {
  it("exits with 0 without problems, and otherwise prints the next step", async () => {
    const env = {
      LEADLOOM_ADMIN_KEY: adminKey,
      LEADLOOM_SESSION_SECRET: "a-secret-that-signs-sessions-of-tests",
      LEADLOOM_PORT: "0"
    }
    const well = await run(["doctor"], env)
    expect(well).toMatchObject({ exitCode: 0, err: "" })
    expect(well.out).toMatch(/^configuration\n {2}ok {7}The configuration is valid\.\n/u)
    await writeFile(file(), "this is no database ".repeat(500))
    const ill = await run(["doctor"], env)
    expect(ill).toMatchObject({ exitCode: 1, err: "1 problem found.\n" })
    expect(ill.out).toMatch(/problem {2}The database cannot be used:.*\n {11}→ Start the database/u)
    const json = JSON.parse((await run(["doctor", "--json"], env)).out)
    expect(json).toMatchObject({
      problems: 1,
      findings: expect.arrayContaining([expect.objectContaining({ level: "problem", check: "database" })])
    })
    for (const { out } of [well, ill]) expect(out).not.toMatch(/test-admin-key|secret-of-sessions/u)
  })

  it("checks the server of --url with the given key", async () => {
    const server = await startServer(folder)
    const ran = await run(["doctor", "--url", server.url, "--admin-key", adminKey])
    await server.stop()
    expect(ran.out).toContain(`The server at ${server.url} is healthy`)
    expect(ran.out).toContain("The server accepts the admin key.")
    expect(ran.exitCode).toBe(0)
    expect(await readFile(join(folder, "secret.key"), "utf8")).not.toBe("")
  })
})
