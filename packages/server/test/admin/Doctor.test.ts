import { LLMock } from "@copilotkit/aimock"
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync
} from "node:fs"
import { createServer, type Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { adminConnection } from "@leadloom/store/internal/admin/PostgresSession"
import { startNylas } from "@leadloom/testkit/nylas/NylasStandIn"
import { temporaryDatabase } from "@leadloom/testkit/postgres/Database"
import { Effect, Exit, Scope } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { copy, migrate } from "../../src/admin/Database.ts"
import { compareClocks, judgeTime } from "../../src/doctor/check/Clock.ts"
import { judgeSpace } from "../../src/doctor/check/Disk.ts"
import { judgeLimit } from "../../src/doctor/check/OpenFiles.ts"
import { examine, type NamedFinding } from "../../src/doctor/Doctor.ts"
import { startProcess } from "../world/ServerProcess.ts"
import { adminKey } from "../world/TestServer.ts"

let folder: string
let env: Record<string, string>
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "leadloom-doctor-"))
  env = {
    LEADLOOM_DATA_DIR: folder,
    LEADLOOM_ADMIN_KEY: adminKey,
    LEADLOOM_SESSION_SECRET: "a-secret-that-signs-sessions-of-tests",
    LEADLOOM_PORT: "0"
  }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const file = () => join(folder, "leadloom.db")

/** Returns findings that are not `ok`, as `check level found`. */
const ill = (findings: ReadonlyArray<NamedFinding>): ReadonlyArray<string> =>
  findings.filter(({ level }) => level !== "ok").map(({ check, found, level }) => `${check} ${level} ${found}`)

const onPostgres = async (work: (url: string) => Promise<void>): Promise<void> => {
  const scope = await Effect.runPromise(Scope.make())
  try {
    await work(await Effect.runPromise(Scope.provide(temporaryDatabase, scope)))
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

const answering = async (status: number, body: string): Promise<{ readonly url: string; readonly server: Server }> => {
  const server = createServer((_, response) => response.writeHead(status).end(body))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return { server, url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}` }
}

describe("the doctor", () => {
  it("finds no problem before the first start and changes nothing", async () => {
    expect(ill(await examine(env))).toEqual([])
    expect(ill(await examine({ ...env, LEADLOOM_DATA_DIR: join(folder, "new") }))).toEqual([])
  })

  it("gives advice for every finding that is not ok", async () => {
    const findings = await examine({ LEADLOOM_DATA_DIR: folder, LEADLOOM_PORT: "0" })
    expect(ill(findings)).toEqual([
      "configuration warning LEADLOOM_ADMIN_KEY is not set: no tenant can be created.",
      "configuration warning LEADLOOM_SESSION_SECRET is not set: sessions are disabled."
    ])
    for (const { advice, level } of findings) expect(advice === null).toBe(level === "ok")
  })

  it("names an unknown variable and a similar name", async () => {
    expect(ill(await examine({ ...env, LEADLOOM_PORTT: "1" }))).toEqual([
      "configuration problem LEADLOOM_PORTT is not a variable of Leadloom. Did you mean LEADLOOM_PORT?"
    ])
  })

  it("names every invalid variable", async () => {
    const findings = ill(await examine({ ...env, LEADLOOM_PORT: "many", LEADLOOM_LOG_LEVEL: "loud" }))
    expect(findings).toHaveLength(2)
    expect(findings[0]).toContain("configuration problem LEADLOOM_PORT must be")
    expect(findings[1]).toContain("configuration problem LEADLOOM_LOG_LEVEL must be")
  })

  it("reports an invalid data directory, and a secret key file that is readable by others or empty", async () => {
    writeFileSync(join(folder, "file"), "")
    expect(ill(await examine({ ...env, LEADLOOM_DATA_DIR: join(folder, "file") }))[0]).toContain(
      "data directory problem"
    )
    env["LEADLOOM_NEW_DATABASE"] = "yes"
    const secret = join(folder, "secret.key")
    writeFileSync(secret, "0123456789abcdef0123456789abcdef", { mode: 0o644 })
    chmodSync(secret, 0o644)
    expect(ill(await examine(env))).toEqual([
      `data directory warning Other users can read the secret key file ${secret} (mode 644).`
    ])
    writeFileSync(secret, "short")
    expect(ill(await examine(env))).toEqual([
      `data directory problem The secret key file ${secret} is empty or too short.`
    ])
  })

  it("reports a missing database next to the secret key of an earlier deployment", async () => {
    writeFileSync(join(folder, "secret.key"), "0123456789abcdef0123456789abcdef", { mode: 0o600 })
    expect(ill(await examine(env))).toEqual([
      expect.stringMatching(
        /^database problem The database does not exist, but \S+secret\.key is the key of an earlier/u
      )
    ])
    expect(ill(await examine({ ...env, LEADLOOM_NEW_DATABASE: "yes" }))).toEqual([])
  })

  it("reports a missing secret key file of a database in use", async () => {
    await migrate(`sqlite:${file()}`)
    expect(ill(await examine(env))).toEqual([])
    const database = new DatabaseSync(file())
    database.exec(
      "INSERT INTO tenants (tenant_id, name, hipaa, created_at, config_version) VALUES ('acme', 'Acme', 0, 0, 1)"
    )
    database.close()
    expect(ill(await examine(env))[0]).toMatch(/^data directory problem The secret key file .* is missing/u)
  })

  it("reports a damaged file and a file that is not a database", async () => {
    await migrate(`sqlite:${file()}`)
    const descriptor = openSync(file(), "r+")
    for (const page of [3, 4, 5]) writeSync(descriptor, Buffer.alloc(200, 0xff), 0, 200, page * 4_096)
    closeSync(descriptor)
    expect(ill(await examine(env))[0]).toMatch(/^sqlite problem The file is damaged/u)
    writeFileSync(file(), "this is no database ".repeat(500))
    expect(ill(await examine(env))[0]).toMatch(/^database problem The database cannot be used/u)
  })

  it("reports missing and unknown migrations and an interrupted copy", async () => {
    await migrate(`sqlite:${file()}`)
    const change = async (sql: string) => {
      const database = new DatabaseSync(file())
      database.exec(sql)
      database.close()
      return ill(await examine(env))
    }
    expect(await change("DELETE FROM migrations WHERE migration_id = 1")).toEqual([
      "database warning The database lacks migrations: 0001_first."
    ])
    expect((await change("INSERT INTO migrations (migration_id, name) VALUES (1, 'first'), (99, 'future')"))[0]).toBe(
      "database problem The database has migrations of a newer version: 0099_future."
    )
    expect((await change("CREATE TABLE unfinished_copy (source TEXT)"))[0]).toBe(
      "database problem The database is an unfinished copy of another one."
    )
  })

  it("lists domains and addresses that two tenants share", async () => {
    await migrate(`sqlite:${file()}`)
    const database = new DatabaseSync(file())
    database.exec(`
      INSERT INTO tenants (tenant_id, name, domain, hipaa, plan, created_at, config_version, owns_domain) VALUES
        ('old', 'Old', 'acme.com', 0, 'trial', 1, 1, 1), ('young', 'Young', 'acme.com', 0, 'trial', 2, 1, 0),
        ('solo', 'Solo', 'gmail.com', 0, 'trial', 3, 1, 1);
      INSERT INTO tenants (tenant_id, name, domain, hipaa, plan, created_at, config_version, archived_at) VALUES
        ('gone', 'Gone', 'acme.com', 0, 'trial', 0, 1, 9);
      INSERT INTO grants (tenant_id, grant_id, provider, email, status, created_at, updated_at, aliases) VALUES
        ('old', 'g1', 'smtp', 'a@acme.com', 'active', 1, 1, '[]'),
        ('young', 'g2', 'smtp', 'b@acme.com', 'active', 2, 2, '["A+x@acme.com"]'),
        ('solo', 'g3', 'smtp', 'c@acme.com', 'active', 3, 3, '[]')`)
    database.close()
    const findings = (await examine(env)).filter(({ check }) => check === "mail owners")
    expect(ill(findings).map((line) => line.replace(/\. Mail goes to .*$/u, ""))).toEqual([
      "mail owners warning The tenants old and young have the domain acme.com",
      "mail owners warning The tenant solo has the public mail domain gmail.com.",
      "mail owners warning The tenants old and young have connected a@acme.com",
      "mail owners warning The tenant solo has connected c@acme.com, on the domain of old"
    ])
  })

  it("checks version, clock and connections of Postgres", async () => {
    await onPostgres(async (url) => {
      await migrate(url)
      const findings = await examine({ ...env, LEADLOOM_DATABASE_URL: url })
      const shared = expect.stringMatching(/^objects warning Raw mail is stored on this machine's disk/u)
      expect(ill(findings)).toEqual([shared])
      const said = findings.map(({ check, found }) => `${check}: ${found}`).join("\n")
      expect(said).toMatch(/postgres: Postgres 1\d\.\d+; no extensions are needed/u)
      expect(said).toMatch(/postgres: \d+ of \d+ connections are in use; a server uses up to 17/u)
      expect(said).toMatch(/clock: The clock of the database is \d\.\d s/u)
      const close = `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`
      const closing = Effect.flatMap(adminConnection(url), (connection) =>
        connection.executeUnprepared(close, [], undefined)
      )
      await Effect.runPromise(Effect.scoped(closing))
      const closed = ill(await examine({ ...env, LEADLOOM_DATABASE_URL: url }))
      expect(closed).toEqual([
        "postgres problem The database rejects writes because it is a standby or read-only.",
        shared
      ])
    })
  })

  it("reports an unavailable database without its password", async () => {
    const findings = await examine({
      ...env,
      LEADLOOM_DATABASE_URL: "postgres://me:pass%20word-of-mine@127.0.0.1:1/x"
    })
    expect(ill(findings)[0]).toMatch(/^database problem The database cannot be used: .*ECONNREFUSED/u)
    expect(JSON.stringify(findings)).not.toMatch(/pass(?:%20| )word-of-mine/u)
  })

  it("writes, reads and removes an object in the storage of raw mail, and reports failures", async () => {
    const objects = join(folder, "objects")
    const said = async (more: Record<string, string> = {}) =>
      (await examine({ ...env, ...more })).filter(({ check }) => check === "objects")
    expect((await said())[0]?.found).toContain("does not exist yet")
    mkdirSync(objects)
    expect(await said()).toMatchObject([{ level: "ok", found: `Raw mail can be stored in ${objects}.` }])
    const left = readdirSync(objects, { recursive: true, encoding: "utf8" })
    expect(left.filter((name) => statSync(join(objects, name)).isFile())).toEqual([])
    rmSync(objects, { recursive: true })
    writeFileSync(objects, "in the way")
    expect(await said()).toMatchObject([{ level: "problem", found: expect.stringContaining("ENOTDIR") }])
    const { server, url } = await answering(403, "<Error><Code>AccessDenied</Code>the-secret-key-of-s3</Error>")
    const bucket = {
      LEADLOOM_S3_ENDPOINT: url,
      LEADLOOM_S3_BUCKET: "mail",
      LEADLOOM_S3_ACCESS_KEY_ID: "AKIA",
      LEADLOOM_S3_SECRET_ACCESS_KEY: "the-secret-key-of-s3"
    }
    const refused = await said(bucket)
    server.close()
    expect(refused).toMatchObject([{ level: "problem", found: expect.stringContaining("403 (AccessDenied)") }])
    expect(JSON.stringify(refused)).not.toContain("the-secret-key")
  })

  it("judges space, clocks, time and open files by their thresholds", () => {
    const gibibyte = 1_073_741_824
    const levels = [gibibyte, gibibyte - 1, 104_857_600, 104_857_599].map((bytes) => judgeSpace("/data", bytes).level)
    expect(levels).toEqual(["ok", "warning", "warning", "problem"])
    const clocks = [0, 2_000, -2_001, 15_000, -15_001].map((ahead) => compareClocks("the database", ahead).level)
    expect(clocks).toEqual(["ok", "ok", "warning", "warning", "problem"])
    expect([judgeTime(0).level, judgeTime(Date.now()).level]).toEqual(["problem", "ok"])
    expect([judgeLimit(1_023), judgeLimit(1_024), judgeLimit(null)].map(({ level }) => level)).toEqual([
      "warning",
      "ok",
      "ok"
    ])
  })

  it("checks the running server, its admin key and its use of the file", async () => {
    const server = startProcess({ LEADLOOM_DATA_DIR: folder })
    const url = await server.url
    const findings = await examine(env, { serverUrl: url })
    expect(ill(findings)).toEqual([])
    const said = findings.map(({ found }) => found).join("\n")
    expect(said).toContain(`The server at ${url} is healthy, version`)
    expect(said).toContain("The server accepts the admin key.")
    expect(said).toMatch(/The clock of the server is \d\.\d s/u)
    expect(said).toMatch(
      process.platform === "linux" ? /The file is in use by process \d+ \(/u : /The file is in use by/u
    )
    const wrong = await examine(
      { ...env, LEADLOOM_ADMIN_KEY: "some-other-key-than-the-server-has" },
      { serverUrl: url }
    )
    expect(ill(wrong)).toEqual(["server problem The server rejects the admin key."])
    expect(JSON.stringify(wrong)).not.toContain("some-other-key-than-the-server-has")
    const elsewhere = await examine(env, { serverUrl: "http://127.0.0.1:1" })
    expect(ill(elsewhere)[0]).toMatch(/^sqlite warning The file is in use by .*, but no server answers/u)
    server.kill("SIGTERM")
    await server.exit
  })

  it("checks access to hosted accounts and hides the key", async () => {
    const nylas = await startNylas()
    const said = async (changes: Readonly<Record<string, string>> = {}) => {
      const settings = {
        LEADLOOM_NYLAS_API_URL: nylas.url,
        LEADLOOM_NYLAS_API_KEY: nylas.apiKey,
        LEADLOOM_NYLAS_CLIENT_ID: nylas.clientId,
        LEADLOOM_NYLAS_REDIRECT_URI: nylas.redirectUri
      }
      const findings = await examine({ ...env, ...settings, ...changes })
      expect(JSON.stringify(findings)).not.toMatch(new RegExp(`${nylas.apiKey}|wrong-key`, "u"))
      return findings.filter(({ check }) => check === "hosted accounts").map(({ level }) => level)
    }
    expect(await said()).toEqual(["ok", "warning"])
    expect(await said({ LEADLOOM_NYLAS_WEBHOOK_SECRET: nylas.webhookSecret })).toEqual(["ok"])
    expect(await said({ LEADLOOM_NYLAS_API_KEY: "wrong-key" })).toEqual(["problem"])
    await nylas.close()
    expect(await said()).toEqual(["problem"])
    expect(await said({ LEADLOOM_NYLAS_API_KEY: "" })).toEqual(["ok"])
  })

  it("checks access to the language model and hides the key", async () => {
    const model = new LLMock({ port: 0, auth: { apiKeys: ["right-key-0"] } })
    const url = await model.start()
    const said = async (changes: Readonly<Record<string, string>> = {}) => {
      const settings = {
        LEADLOOM_LLM_BASE_URL: `${url}/v1`,
        LEADLOOM_LLM_API_KEY: "right-key-0",
        LEADLOOM_LLM_MODEL: "gpt-test"
      }
      const findings = await examine({ ...env, ...settings, ...changes })
      expect(JSON.stringify(findings)).not.toMatch(/(?:right|wrong)-key-0/u)
      return findings.filter(({ check }) => check === "language model").map(({ level }) => level)
    }
    expect(await said()).toEqual(["ok"])
    expect(await said({ LEADLOOM_LLM_PROVIDER: "anthropic", LEADLOOM_LLM_BASE_URL: url })).toEqual(["ok"])
    expect(await said({ LEADLOOM_LLM_API_KEY: "wrong-key-0" })).toEqual(["problem"])
    await model.stop()
    expect(await said()).toEqual(["problem"])
    expect(await said({ LEADLOOM_LLM_MODEL: "" })).toEqual(["ok"])
  })

  it("distinguishes an unhealthy server from another program, and sends that one no key", async () => {
    const ours = await answering(503, '{"error":{"code":"SERVICE_UNAVAILABLE"}}')
    expect(ill(await examine(env, { serverUrl: ours.url }))).toEqual([
      `server problem The server at ${ours.url} is not healthy: status 503.`
    ])
    ours.server.close()
    const shown: Array<string | undefined> = []
    const other = await answering(200, "hello")
    other.server.on("request", ({ headers }) => shown.push(headers.authorization))
    expect(ill(await examine(env, { serverUrl: other.url }))).toEqual([
      `server problem Another program answers at ${other.url}.`
    ])
    expect(shown).toEqual([undefined])
    other.server.close()
  })
})

describe("administration", () => {
  it("never reveals a password, whatever fails", async () => {
    const secret = "s3cret-password"
    const urls = [`postgres://me:${secret}@127.0.0.1:1/x`, `postgres://me:${secret}@`, `mysql://me:${secret}@h/x`]
    for (const url of urls) {
      const works = [
        () => migrate(url),
        () => copy({ from: url, to: `sqlite:${file()}` }),
        () => copy({ from: `sqlite:${file()}`, to: url })
      ]
      for (const work of works) {
        const error: unknown = await work().catch((cause: unknown) => cause)
        expect(error).toMatchObject({ name: "AdminFailed" })
        expect(String(error)).not.toContain(secret)
      }
    }
  })
})
