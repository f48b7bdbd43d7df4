import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer, Logger } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { secretFile } from "../../src/startup/DataDir.ts"
import { servicesOf } from "../world/TestServer.ts"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "leadloom-emptied-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Starts on a database that is empty: the file is removed, and on Postgres every start has a database of its own. */
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
  it("begins a deployment where none was served before", async () => {
    expect(await startEmpty()).toBe("started")
  })

  it("is refused where another was served under the same secret key, until a new deployment is asked for", async () => {
    await startEmpty()
    const refusal = await startEmpty()
    expect(refusal).toMatch(/^The database \S+ is empty.*LEADLOOM_DATABASE_URL.*LEADLOOM_NEW_DATABASE=yes once\.$/u)
    expect(await startEmpty({ LEADLOOM_NEW_DATABASE: "yes" })).toBe("started")
    expect(await startEmpty()).toMatch(/is empty/u)
  })

  it("is refused under a secret key of the environment, and begins a deployment under another one", async () => {
    const env = { LEADLOOM_SECRET_KEY: "the-secret-key-of-this-deployment" }
    expect([await startEmpty(env), await startEmpty(env)]).toEqual(["started", expect.stringMatching(/is empty/u)])
    expect(await startEmpty({ LEADLOOM_SECRET_KEY: "the-secret-key-of-a-new-deployment" })).toBe("started")
  })

  it("begins a deployment where its secret key went with the former one", async () => {
    await startEmpty()
    rmSync(join(folder, secretFile))
    expect(await startEmpty()).toBe("started")
  })
})
