import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createClient } from "@leadloom/client"
import { serve } from "@leadloom/server/internal/main"
import { makeMovableClock } from "@leadloom/server/internal/startup/MovableClock"
import { temporaryDatabase } from "@leadloom/testkit/postgres/Database"
import {
  recordingOf,
  releasedVersions,
  restoreFiles,
  restorePostgres,
  restoreSqlite
} from "@leadloom/testkit/release/Release"
import { Effect } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { dayServer } from "../../src/command/DemoDay.ts"
import { runDay } from "../../src/day/Day.ts"
import { fakeTerminal, runOn } from "../FakeTerminal.ts"

let dataDir = ""
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "leadloom-upgrade-"))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

/** The recorded value with additional fields of the new one, so that an equality check ignores them. */
const withNewFields = (recorded: unknown, current: unknown): unknown => {
  if (Array.isArray(recorded) && Array.isArray(current)) {
    return recorded.map((value, index) => withNewFields(value, current[index]))
  }
  if (typeof recorded !== "object" || recorded === null || typeof current !== "object" || current === null) {
    return recorded
  }
  const old: Readonly<Record<string, unknown>> = { ...recorded }
  const now: Readonly<Record<string, unknown>> = { ...current }
  return {
    ...now,
    ...Object.fromEntries(Object.entries(old).map(([key, value]) => [key, withNewFields(value, now[key])]))
  }
}

/** Starts the current version on the data of a release at the time of its recording, and stops it after `use`. */
const serveRelease = async (version: string, databaseUrl: string | null, use: (url: string) => Promise<void>) => {
  const { adminKey, recordedAt } = recordingOf(version)
  const time = Date.parse(recordedAt)
  // The clock stands still, so that no work becomes due while the responses are compared.
  const clock = {
    ...makeMovableClock(time).clock,
    currentTimeMillisUnsafe: () => time,
    currentTimeMillis: Effect.succeed(time)
  }
  const stop = new AbortController()
  const used = Promise.withResolvers<void>()
  // The code below awaits this promise only after the server has ended.
  used.promise.catch(() => undefined)
  const onListening = ({ url }: { readonly url: string }): void => {
    void use(url)
      .then(used.resolve, used.reject)
      .finally(() => stop.abort())
  }
  const env = {
    LEADLOOM_DATA_DIR: dataDir,
    LEADLOOM_PORT: "0",
    LEADLOOM_ADMIN_KEY: adminKey,
    LEADLOOM_LOG_LEVEL: "error",
    LEADLOOM_LIMIT_ADMIN: "1000000",
    ...(databaseUrl !== null && { LEADLOOM_DATABASE_URL: databaseUrl })
  }
  const exitCode = await serve(env, { clock, signal: stop.signal, onListening })
  if (!stop.signal.aborted) used.reject(new Error(`the server ended with ${exitCode}`))
  await used.promise
}

const readAll = async (url: string, adminKey: string, paths: ReadonlyArray<string>) => {
  const answers: Record<string, unknown> = {}
  for (const path of paths) {
    const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${adminKey}` } })
    answers[path] = await response.json()
  }
  return answers
}

/** Compares all responses, then uses the credentials of the release. */
const compare = async (version: string, url: string) => {
  const { adminKey, answers, tenants } = recordingOf(version)
  const current = await readAll(url, adminKey, Object.keys(answers))
  expect(current).toEqual(withNewFields(answers, current))
  for (const { apiKey, sourceKey, tenantId } of tenants) {
    const send = (body: string) =>
      fetch(`${url}/api/v1/events/${tenantId}/kept`, {
        method: "POST",
        headers: { authorization: `Bearer ${sourceKey}`, "content-type": "application/json" },
        body: JSON.stringify({ entity: { email: "ada@grid.example" }, content: { subject: "Quote", body } })
      })
    expect((await send("One more question about the quote.")).status).toBe(200)
    const client = createClient({ baseUrl: url, credential: apiKey })
    const { contacts } = await client.search.search(tenantId, { query: "ada@grid.example", types: ["contacts"] })
    expect(contacts).toHaveLength(1)
  }
}

/** Removes the webhooks, whose receivers no longer exist. A simulated day waits until all deliveries have ended. */
const removeWebhooks = async (version: string, url: string) => {
  const { adminKey, tenants } = recordingOf(version)
  const admin = createClient({ baseUrl: url, credential: adminKey })
  for (const { tenantId } of tenants) {
    const { webhooks } = await admin.webhooks.list(tenantId)
    for (const { id } of webhooks) await admin.webhooks.delete(tenantId, id)
  }
}

describe("leadloom upgrade", () => {
  const upgrade = (...args: ReadonlyArray<string>) =>
    runOn(fakeTerminal(dataDir, { LEADLOOM_DATA_DIR: dataDir }), ["upgrade", ...args])

  it("with --check shows what is missing and changes nothing, then upgrades", async () => {
    restoreFiles("0.1.0", dataDir)
    restoreSqlite("0.1.0", dataDir)
    const checked = await upgrade("--check")
    expect(checked.exitCode).toBe(1)
    expect(checked.out).toMatch(/^rolling upgrade +no, stop all servers first because of 0035_jobs/mu)
    expect(checked.err).toContain("Back up the database, stop all servers, and run `leadloom upgrade`.")
    const asJson = JSON.parse((await upgrade("--check", "--json")).out)
    expect(asJson).toMatchObject({ applied: [], newer: [], rolling: false })
    expect(asJson.missing).toContain("0031_unfinished_signals")
    expect((await upgrade()).out).toMatch(/is now up to date\. Applied: 0031_unfinished_signals/u)
    expect(await upgrade("--check")).toMatchObject({ exitCode: 0, out: expect.stringContaining("is up to date.") })
  })
})

describe.each(releasedVersions)("the data of version %s", (version) => {
  it("is unchanged by the upgrade on SQLite, and a day can follow", async () => {
    restoreFiles(version, dataDir)
    restoreSqlite(version, dataDir)
    await serveRelease(version, null, async (url) => {
      await compare(version, url)
      await removeWebhooks(version, url)
    })
    const options = { contacts: 12, seed: 3, stepMinutes: 60, onStep: () => undefined, dataDir }
    const day = await runDay(await dayServer(), { ...options, signal: new AbortController().signal })
    expect(day.summary.problems).toEqual([])
    expect(day.facts.messages.length).toBeGreaterThan(12)
  })

  it("is unchanged by the upgrade on Postgres", () =>
    Effect.gen(function* () {
      const databaseUrl = yield* temporaryDatabase
      restoreFiles(version, dataDir)
      yield* restorePostgres(version, databaseUrl)
      yield* Effect.promise(() => serveRelease(version, databaseUrl, (url) => compare(version, url)))
    }).pipe(Effect.scoped, Effect.runPromise))
})
