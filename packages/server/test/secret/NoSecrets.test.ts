import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { everythingIn, onDatabase, ownedBy } from "@leadloom/testkit/postgres/Everything"
import { temporaryDatabase } from "@leadloom/testkit/postgres/Database"
import { Effect, Exit, Scope } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { backup, copy } from "../../src/admin/Database.ts"
import { logFields } from "@leadloom/core/internal/port/system/Log"
import { logCatalogues } from "../../generate/LogsPage.ts"
import { libraryEvent } from "../../src/startup/Log.ts"
import { examine } from "../../src/doctor/Doctor.ts"
import { databasePassword, type SecretRun, startSecretRun } from "./SecretRun.ts"
import { adminKey, type Answer, at } from "../world/TestServer.ts"
import { importOf, mail } from "../world/World.ts"

const as = adminKey
const base = "/api/v1/tenants/acme"

/** Expects texts of a store to exist and to contain no secret. */
const expectNothingIn = (run: SecretRun, texts: ReadonlyArray<readonly [name: string, text: string]>): void => {
  expect(texts.length).toBeGreaterThan(0)
  const found = texts.map(([name, text]) => [name, run.heldIn(text)] as const)
  expect(found.filter(([, held]) => held.length > 0)).toEqual([])
}

const events = new Set(Object.values(logCatalogues).flatMap((catalogue) => Object.keys(catalogue)))
const documented = new Set(["time", "level", "event", "message", "cause", ...Object.keys(logFields)])

/** Texts that contacts write in the run. No line of the log may contain them. */
const written = ["A roof?", "I have "]

/** Expects every line to have an event and fields of the reference. */
const expectDocumented = (output: string): void => {
  const lines = output.split("\n").filter((line) => line.startsWith("{"))
  expect(lines.length).toBeGreaterThan(10)
  for (const line of lines) {
    const entry: Readonly<Record<string, unknown>> = JSON.parse(line)
    if (entry["event"] === libraryEvent && entry["level"] === "debug") continue
    expect(events.has(String(entry["event"])), line).toBe(true)
    expect(Object.keys(entry).filter((name) => !documented.has(name))).toEqual([])
  }
  expect(written.filter((text) => output.includes(text))).toEqual([])
}

const expectSilent = (run: SecretRun): void => {
  expect(run.output()).toContain("listening")
  expect(run.heldIn(run.output())).toEqual([])
  expectDocumented(run.output())
  expectNothingIn(
    run,
    run.answers.map(({ status, text }, index) => [`${index} ${status}`, text])
  )
}

/** Returns all exports: of the tenant and of each of its contacts. */
const exportAll = async (run: SecretRun): Promise<ReadonlyArray<readonly [string, string]>> => {
  const { json } = await run.sendRequest("GET", `${base}/contacts`, { as })
  const contacts = at(json, "contacts")
  const ids = Array.isArray(contacts) ? contacts.map((contact: unknown) => String(at(contact, "id"))) : []
  expect(ids.length).toBeGreaterThan(1)
  const paths = [`${base}/export`, ...ids.map((id) => `${base}/contacts/${id}/export`)]
  return Promise.all(
    paths.map(async (path): Promise<readonly [string, string]> => {
      const { status, text } = await run.sendRequest("GET", path, { as })
      expect([path, status]).toEqual([path, 200])
      return [path, text]
    })
  )
}

/** Sends writes to a database whose errors contain all parameters. */
const meetDefects = async (run: SecretRun): Promise<ReadonlyArray<Answer>> => {
  const { sendRequest, made } = run
  return [
    await sendRequest("POST", "/api/v1/tenants/other/api-keys", { as, body: { name: "broken" } }),
    await sendRequest("POST", "/api/v1/admin/tenants/other/sources", { as, body: { source_id: "broken" } }),
    await sendRequest("POST", "/api/v1/tenants/other/webhooks", {
      as,
      body: { url: "https://hooks.example.com/three" }
    }),
    await sendRequest("PUT", `${base}/assistant/retell-key`, { as, body: { api_key: made.retellKey } }),
    await sendRequest("POST", "/api/v1/tenants/other/email/connect", { as, body: run.mailbox.account }),
    await sendRequest("POST", `${base}/contacts`, {
      as: made.world.acme.session,
      body: { name: "Jo", email: "jo@secret.example" }
    })
  ]
}

/** Tables that receive values derived from secrets. */
const guarded = ["api_keys", "sources", "webhook_subscriptions", "assistants", "mailbox_accounts"]

/** A mail whose raw form cannot be stored. */
const lost = { as, body: importOf(mail({ Subject: "Lost", "Message-ID": "<lost@customer.example>" }, "Lost")) }
const expectLost = ({ status, text }: Answer): void => {
  expect([status, text]).toEqual([503, expect.stringContaining("The object store does not answer")])
}

describe("data of a full run on SQLite contains no secret", () => {
  let run: SecretRun
  beforeAll(async () => {
    run = await startSecretRun()
  })
  afterAll(() => run.close())

  const files = (): ReadonlyArray<readonly [string, string]> =>
    readdirSync(run.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name, parentPath }) => [name, readFileSync(join(parentPath, name), "latin1")])

  it("in the files of the database, its log and the objects", () => {
    expect(files().map(([name]) => name)).toContain("leadloom.db-wal")
    expectNothingIn(run, files())
  })

  it("in debug logs and responses, except for those that show a secret once", () => {
    expectSilent(run)
    expect(new Set(run.answers.map(({ status }) => status)).size).toBeGreaterThan(3)
    // Every provider was requested and repeated its input.
    for (const who of ["smtp", "siteverify", "v1/chat", "v1/customers", "v3/connect", "2010-04-01/Accounts"])
      expect([...run.requested]).toContain(who)
    // Checks the search itself: it finds all secrets, plain and encoded.
    const everything = JSON.stringify(run.secrets())
    expect(new Set(run.heldIn(everything))).toEqual(new Set(run.secrets().map(([name]) => name)))
    expect(run.heldIn(Buffer.from(`:${databasePassword}`).toString("base64"))).toEqual(["password of the database"])
  })

  it("in exports of the tenant and of its contacts, and in metrics", async () => {
    expectNothingIn(run, await exportAll(run))
    const metrics = await run.metrics()
    expect(metrics).toContain("leadloom_http_request")
    expectNothingIn(run, [["metrics", metrics]])
  })

  it("in findings of the doctor, even during a rotation of keys", async () => {
    const text = JSON.stringify(await examine(run.env, { serverUrl: await run.url() }))
    expect(run.heldIn(text)).toEqual([])
  })

  it("in a backup and in a copy to another database", async () => {
    const database = `sqlite:${join(run.folder, "leadloom.db")}`
    const file = join(run.folder, "backup.db")
    const report = await backup({ url: database, to: file, force: false, onProgress: () => undefined })
    expectNothingIn(run, [
      ["backup", readFileSync(file, "latin1")],
      ["report", JSON.stringify(report)]
    ])
    const tables = await Effect.runPromise(
      Effect.scoped(
        Effect.flatMap(temporaryDatabase, (to) =>
          Effect.andThen(
            Effect.promise(() => copy({ from: database, to })),
            everythingIn(to)
          )
        )
      )
    )
    expectNothingIn(run, tables)
  })

  it("in spans, log and responses if a database error contains a row, or the object store is missing", async () => {
    await run.restart(async () => {
      const database = new DatabaseSync(join(run.folder, "leadloom.db"))
      database.exec("CREATE TRIGGER broken BEFORE INSERT ON contacts BEGIN SELECT RAISE(ABORT, 'no more people'); END")
      for (const table of guarded)
        for (const event of ["INSERT", "UPDATE"]) {
          const columns = database.prepare(`SELECT name FROM pragma_table_info('${table}')`).all()
          const row = columns.map(({ name }) => `coalesce(NEW."${String(name)}", '')`).join(" || ' ' || ")
          database.exec(
            `CREATE TRIGGER broken_${table}_${event} BEFORE ${event} ON ${table} BEGIN SELECT RAISE(ABORT, 'broken: ' || ${row}); END`
          )
        }
      database.close()
    })
    // The stopped server has exported its spans, also those of requests with stream tickets.
    expect(run.spans()).toContain("eventFeed.stream")
    expectNothingIn(run, [["spans", run.spans()]])
    rmSync(join(run.folder, "objects"), { recursive: true, force: true })
    writeFileSync(join(run.folder, "objects"), "in the way")
    expect((await meetDefects(run)).map(({ status }) => status)).toEqual([500, 500, 500, 500, 500, 500])
    expectLost(await run.sendRequest("POST", "/api/v1/import/acme/email", lost))
    expect(run.output()).toContain("broken: ")
    // Personal data is also absent, although the error of Postgres contains the whole row.
    expect(run.output()).not.toContain("jo@secret.example")
    expectSilent(run)
    expectNothingIn(run, files())
  })
})

describe("data of a full run on Postgres contains no secret", () => {
  let run: SecretRun
  let scope: Scope.Closeable
  let owner: string
  beforeAll(async () => {
    scope = Effect.runSync(Scope.make())
    owner = await Effect.runPromise(Scope.provide(temporaryDatabase, scope))
    const url = await Effect.runPromise(Scope.provide(ownedBy(owner, databasePassword), scope))
    run = await startSecretRun({ LEADLOOM_DATABASE_URL: url })
  })
  afterAll(async () => {
    await run.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("in any row of any table", async () => {
    const tables = await Effect.runPromise(everythingIn(owner))
    expect(tables.map(([name]) => name)).toContain("public.idempotency_records")
    expect(tables.find(([name]) => name === "public.api_keys")?.[1]).toContain(run.made.world.acme.keyId)
    expectNothingIn(run, tables)
  })

  it("in logs, responses, exports and findings of the doctor", async () => {
    expectNothingIn(run, await exportAll(run))
    const text = JSON.stringify(await examine(run.env, { serverUrl: await run.url() }))
    expect(run.heldIn(text)).toEqual([])
    expectSilent(run)
  })

  it("in log and responses if a database error contains a row, or the object store rejects requests", async () => {
    const breaking = onDatabase(owner, (sql) =>
      Effect.gen(function* () {
        yield* sql.unsafe(
          "CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken: %', NEW::text USING DETAIL = NEW::text; END $$"
        )
        yield* sql.unsafe("ALTER TABLE contacts ADD CONSTRAINT broken CHECK (name <> 'Jo') NOT VALID")
        for (const table of guarded)
          yield* sql.unsafe(
            `CREATE TRIGGER broken BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION broken()`
          )
      })
    )
    await run.restart(() => Effect.runPromise(breaking), run.bucket)
    expect((await meetDefects(run)).map(({ status }) => status)).toEqual([500, 500, 500, 500, 500, 500])
    expectLost(await run.sendRequest("POST", "/api/v1/import/acme/email", lost))
    expect(run.output()).toContain("broken: ")
    // Personal data is also absent, although the error of Postgres contains the whole row.
    expect(run.output()).not.toContain("jo@secret.example")
    expectSilent(run)
  })

  it("in log and responses if the database rejects its password", async () => {
    const user = new URL(run.env["LEADLOOM_DATABASE_URL"] ?? "").username
    const refusing = onDatabase(owner, (sql) =>
      Effect.gen(function* () {
        yield* sql.unsafe(`ALTER ROLE ${user} PASSWORD 'another one'`)
        yield* sql.unsafe(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${user}'`)
      })
    )
    await Effect.runPromise(refusing)
    const answer = await run.sendRequest("GET", `${base}/contacts`, { as })
    expect([answer.status, answer.code]).toEqual([503, "SERVICE_UNAVAILABLE"])
    const findings = JSON.stringify(await examine(run.env, { serverUrl: await run.url() }))
    expect(findings).toContain("password authentication failed")
    expect(run.heldIn(findings)).toEqual([])
    expectSilent(run)
  })
})
