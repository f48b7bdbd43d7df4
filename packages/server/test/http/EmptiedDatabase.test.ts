import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer, Logger } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { secretFile, secretOfDataDir } from "../../src/startup/DataDir.ts"
import { servicesOf } from "../world/TestServer.ts"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "leadloom-emptied-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Starts on an empty database: the file is removed, and on Postgres every start has a separate database. */
const startEmpty = async (env: Readonly<Record<string, string>> = {}): Promise<string> => {
  for (const end of ["", "-wal", "-shm"]) rmSync(join(folder, `leadloom.db${end}`), { force: true })
  const services = servicesOf({ LEADLOOM_DATA_DIR: folder, ...env })
  const built = Effect.scoped(Layer.build(services)).pipe(
    Effect.as("started"),
    Effect.catch((error) => Effect.succeed(String(Object(error).line)))
  )
  return Effect.runPromise(Effect.provide(built, Logger.layer([])))
}

describe("an empty database", () => {
  it("starts a deployment if the data directory served no database before", async () => {
    expect(await startEmpty()).toBe("started")
  })

  it("is rejected after another database with the same secret key, unless a new deployment is permitted", async () => {
    await startEmpty()
    const refusal = await startEmpty()
    expect(refusal).toMatch(
      /^The database \S+ is empty.*LEADLOOM_DATABASE_URL.*LEADLOOM_NEW_DATABASE=yes for one start\.$/u
    )
    expect(await startEmpty({ LEADLOOM_NEW_DATABASE: "yes" })).toBe("started")
    expect(await startEmpty()).toMatch(/is empty/u)
  })

  it("is rejected with the same secret key from the environment, and starts a deployment with another one", async () => {
    const env = { LEADLOOM_SECRET_KEY: "the-secret-key-of-this-deployment" }
    expect([await startEmpty(env), await startEmpty(env)]).toEqual(["started", expect.stringMatching(/is empty/u)])
    expect(await startEmpty({ LEADLOOM_SECRET_KEY: "the-secret-key-of-a-new-deployment" })).toBe("started")
  })

  it("is rejected next to a secret key that an earlier start did not generate here", async () => {
    writeFileSync(join(folder, secretFile), "the-secret-key-of-an-earlier-deployment\n")
    expect(await startEmpty()).toMatch(/^The database \S+ is empty, but \S+secret\.key is the key of an earlier/u)
    expect(await startEmpty()).toMatch(/LEADLOOM_NEW_DATABASE=yes for one start\.$/u)
    expect(await startEmpty({ LEADLOOM_NEW_DATABASE: "yes" })).toBe("started")
  })

  it("starts a deployment if the start that generated the secret key did not reach the database", async () => {
    await Effect.runPromise(secretOfDataDir(folder))
    expect(await startEmpty()).toBe("started")
    expect(await startEmpty()).toMatch(/is empty/u)
  })

  it("starts a deployment if the secret key was lost with the former database", async () => {
    await startEmpty()
    rmSync(join(folder, secretFile))
    expect(await startEmpty()).toBe("started")
  })
})
