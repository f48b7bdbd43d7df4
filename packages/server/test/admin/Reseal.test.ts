import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as NodeVault from "@leadloom/connectors/internal/vault/NodeVault"
import { Vault } from "@leadloom/core/internal/port/system/Vault"
import { openReadOnly, parseUrl } from "@leadloom/store/internal/admin/ReadOnlyDatabase"
import { catalog } from "@leadloom/store/internal/admin/Catalog"
import { quoted } from "@leadloom/store/internal/admin/PageSql"
import { resealDatabase } from "@leadloom/store/internal/admin/ResealDatabase"
import { sealedColumns } from "@leadloom/store/internal/admin/SealedColumns"
import { type HighLevelStandIn, startHighLevel } from "@leadloom/testkit/highlevel/HighLevelStandIn"
import { placeMigratedFile } from "@leadloom/testkit/MigratedFile"
import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { Effect, Exit, Layer, Scope } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isResealed, reseal } from "../../src/admin/Database.ts"
import { fingerprintOf } from "../../src/startup/SecretKeyCheck.ts"
import { pepperOf } from "../../src/startup/Pepper.ts"
import {
  kept,
  makeSealedWorld,
  sealedEnvironment,
  type SealedMailbox,
  type SealedWorld,
  startSealedMailbox
} from "../world/SealedWorld.ts"
import { adminKey, startServer, type TestServer } from "../world/TestServer.ts"

const secretKey = "the-secret-key-of-the-deployment"
const [first, second] = ["first-vault-key".padEnd(32, "1"), "second-vault-key".padEnd(32, "2")]

let highLevel: HighLevelStandIn
let mailbox: SealedMailbox
let scope: Scope.Closeable
const folder = mkdtempSync(join(tmpdir(), "leadloom-reseal-"))
beforeAll(async () => {
  highLevel = await startHighLevel()
  mailbox = await startSealedMailbox()
  scope = await Effect.runPromise(Scope.make())
})
afterAll(async () => {
  await highLevel.close()
  await mailbox.close()
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(folder, { recursive: true, force: true })
})

/** Returns every encrypted text of a database, by column. */
const sealedIn = (url: string): Promise<ReadonlyMap<string, ReadonlyArray<string>>> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const { query } = yield* openReadOnly(yield* parseUrl(url))
      const found = new Map<string, ReadonlyArray<string>>()
      for (const { columns, name } of yield* catalog) {
        const texts = columns.map((column) => `CAST(${quoted(column)} AS text)`).join(", ")
        const rows = yield* query(`SELECT ${texts} FROM ${quoted(name)}`)
        for (const [index, column] of columns.entries()) {
          const sealed = rows.map((row) => String(row[index])).filter((text) => /^v1\.[0-9a-f]{8}\./u.test(text))
          if (sealed.length > 0) found.set(`${name}.${column}`, sealed)
        }
      }
      return found
    }).pipe(Effect.scoped)
  )

const keyIdOf = (vaultKey: string): string =>
  Effect.runSync(
    Effect.provide(
      Effect.map(Vault, ({ keys }) => keys[0]),
      NodeVault.layer(secretKey, [vaultKey])
    )
  )

const idsIn = async (url: string): Promise<ReadonlyArray<string>> => {
  const texts = [...(await sealedIn(url)).values()].flat()
  return [...new Set(texts.map((text) => text.split(".")[1] ?? ""))]
}

describe.each(["SQLite", "Postgres"])("secrets on %s", (kind) => {
  let url: string
  let made: SealedWorld
  let server: TestServer
  const envOf = (vaultKeys: string) => ({
    ...sealedEnvironment(highLevel, mailbox),
    LEADLOOM_DATA_DIR: join(folder, kind),
    LEADLOOM_DATABASE_URL: url,
    LEADLOOM_SECRET_KEY: secretKey,
    LEADLOOM_VAULT_KEYS: vaultKeys
  })
  const resealAs = (vaultKeys: string) => reseal({ env: envOf(vaultKeys), url })
  const restart = async (vaultKeys: string): Promise<TestServer> => {
    await server.close()
    server = startServer(envOf(vaultKeys))
    return server
  }
  const works = async (): Promise<void> => {
    const answers = [
      await server.call("POST", "/api/v1/tenants/acme/api-keys", kept),
      await server.call("POST", `/api/v1/tenants/acme/webhooks/${made.webhookId}/test`, { as: adminKey })
    ]
    expect(answers[0]?.headers.get("idempotent-replayed")).toBe("true")
    expect(answers[1]?.status).toBeLessThan(500)
  }

  beforeAll(async () => {
    const file = join(folder, "world.db")
    if (kind === "SQLite") placeMigratedFile(file)
    url = kind === "SQLite" ? `sqlite:${file}` : await Effect.runPromise(Scope.provide(migratedDatabase, scope))
    server = startServer(envOf(""))
    made = await makeSealedWorld(server, highLevel, mailbox)
  })
  afterAll(() => server.close())

  it("are all in the catalogue of encrypted columns, and every listed column is encrypted", async () => {
    const found = [...(await sealedIn(url)).keys()]
    expect(found.toSorted()).toEqual(sealedColumns.map(({ column, table }) => `${table}.${column}`).toSorted())
    expect(await idsIn(url)).toHaveLength(1)
  })

  it("are encrypted again with a new key, once, while a server runs", async () => {
    await restart(first)
    await works()
    const report = await resealAs(first)
    expect([report.keyId, isResealed(report)]).toEqual([keyIdOf(first), true])
    expect(report.columns.map(({ resealed, sealed }) => [sealed, resealed])).toEqual(sealedColumns.map(() => [1, 1]))
    expect(await idsIn(url)).toEqual([keyIdOf(first)])
    await works()
    const again = await resealAs(first)
    expect(again.columns.map(({ resealed }) => resealed)).toEqual(sealedColumns.map(() => 0))
    expect(again.finished).toEqual([])
  })

  it("prevent the start of servers that lack a key, until no secret needs it", async () => {
    await restart(`${second},${first}`)
    await works()
    await server.close()
    for (const keys of ["", first]) {
      const stranger = startServer(envOf(keys))
      await expect(stranger.call("GET", "/health")).rejects.toMatchObject({
        line: expect.stringMatching(/id [0-9a-f]{8}.*LEADLOOM_VAULT_KEYS/u)
      })
      await stranger.close().catch(() => undefined)
    }
    server = startServer(envOf(`${second},${first}`))
    const report = await resealAs(`${second},${first}`)
    expect([report.finished, isResealed(report)]).toEqual([[keyIdOf(first)], true])
    await restart(second)
    await works()
  })

  it("stay unchanged with another secret key", async () => {
    const env = { ...envOf(second), LEADLOOM_SECRET_KEY: "the-secret-key-of-somebody-else-here" }
    await expect(reseal({ env, url })).rejects.toThrow(/another secret key/u)
  })
})

describe("resealing a SQLite file", () => {
  const file = join(folder, "alone.db")
  const url = `sqlite:${file}`
  const request = { url, fingerprint: fingerprintOf(pepperOf(secretKey)), onProgress: () => undefined }
  const place = (tenant: string) => `assistant:${tenant}:retell`
  const vaultOf = (...keys: ReadonlyArray<string>) =>
    Effect.runSync(
      Effect.provide(
        Effect.map(Vault, (vault) => vault),
        NodeVault.layer(secretKey, keys)
      )
    )
  const run = (vault: Vault["Service"]) =>
    Effect.runPromise(Effect.provide(resealDatabase(request), Layer.succeed(Vault, vault)))
  const put = (tenant: string, sealed: string): void => {
    const database = new DatabaseSync(file)
    database.prepare("INSERT OR REPLACE INTO assistants VALUES (?, NULL, NULL, ?, 1, 1)").run(tenant, sealed)
    database.close()
  }
  const keptOf = (tenant: string): string => {
    const database = new DatabaseSync(file)
    const row = database.prepare("SELECT retell_key FROM assistants WHERE tenant_id = ?").get(tenant)
    database.close()
    return String(row?.["retell_key"])
  }
  beforeAll(() => placeMigratedFile(file))

  it("reads several pages, and skips and reports texts that it cannot decrypt", async () => {
    const old = vaultOf(first)
    for (let index = 0; index < 250; index += 1) put(`t${index}`, old.seal("a-key", place(`t${index}`)))
    put("moved", keptOf("t7"))
    const vault = vaultOf(second, first)
    const report = await run(vault)
    expect(report.columns[0]).toEqual({
      table: "assistants",
      column: "retell_key",
      sealed: 251,
      resealed: 250,
      unopened: [["moved"]]
    })
    expect(JSON.stringify(report)).not.toContain("a-key")
    expect(await Effect.runPromise(vaultOf(second).open(keptOf("t249"), place("t249")))).toBe("a-key")
    expect((await run(vault)).columns[0]).toMatchObject({ resealed: 0, unopened: [["moved"]] })
    const without = await run(vaultOf("a-third-vault-key".padEnd(32, "3")))
    expect(without.columns[0]).toMatchObject({ resealed: 0 })
    expect(without.columns[0]?.unopened).toHaveLength(251)
  })

  it("keeps concurrent writes of a server and reads them again", async () => {
    const old = vaultOf(first)
    put("busy", old.seal("the-old-one", place("busy")))
    const vault = vaultOf(second, first)
    let meanwhile = true
    const slow = Vault.of({
      ...vault,
      seal: (secret, at) => {
        if (meanwhile) put("busy", old.seal("the-new-one", place("busy")))
        meanwhile = false
        return vault.seal(secret, at)
      }
    })
    await run(slow)
    expect(vault.isOld(keptOf("busy"))).toBe(false)
    expect(await Effect.runPromise(vault.open(keptOf("busy"), place("busy")))).toBe("the-new-one")
  })
})
