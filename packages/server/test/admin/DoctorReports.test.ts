import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { encodeId } from "@leadloom/core/internal/domain/Id"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Reports } from "@leadloom/core/internal/port/repository/tenant/Reports"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { followTenant } from "@leadloom/core/internal/workflow/report/FollowReports"
import * as Store from "@leadloom/store/internal/Store"
import { placeMigratedFile } from "@leadloom/testkit/MigratedFile"
import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { contactRecord, messageRecord, tenantRecord } from "@leadloom/testkit/suite/Records"
import { Effect, Exit, Layer, Scope } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { recountReports } from "../../src/admin/Database.ts"
import { examine } from "../../src/doctor/Doctor.ts"
import { adminKey } from "../world/TestServer.ts"

const folder = mkdtempSync(join(tmpdir(), "leadloom-doctor-"))
const hour = 3_600_000

let scope: Scope.Closeable
beforeAll(async () => {
  scope = await Effect.runPromise(Scope.make())
})
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(folder, { recursive: true, force: true })
})

const urlOn = async (kind: string): Promise<string> => {
  if (kind === "Postgres") return Effect.runPromise(Scope.provide(migratedDatabase, scope))
  const file = join(folder, "leadloom.db")
  placeMigratedFile(file)
  return `sqlite:${file}`
}

/** Runs an effect on a store, as a server would. */
const onStore = <A, E>(url: string, effect: Effect.Effect<A, E, Store.Store>): Promise<A> =>
  Effect.runPromise(Effect.provide(effect, Layer.fresh(Store.layer({ url }))))

const messageIds = [1, 2, 3].map((age) => encodeId("msg", Date.now() - age * hour, new Uint8Array(10)))

/** Stores messages of the last hours and counts them. */
const storeCounted = Effect.gen(function* () {
  yield* (yield* Tenants).insert(tenantRecord("acme"))
  yield* (yield* Contacts).insert(contactRecord("acme", 1))
  for (const [index, messageId] of messageIds.entries()) {
    yield* (yield* Messages).insert(messageRecord("acme", index + 1, { messageId }), [])
  }
  yield* followTenant("acme")
})

/** Removes the facts of one message, as a defect would. */
const loseFact = Effect.gen(function* () {
  const removed = yield* (yield* Reports).facts("acme", messageIds.slice(0, 1))
  yield* (yield* Reports).change("acme", { removed, added: [] })
})

describe.each(["SQLite", "Postgres"])("the doctor on reports on %s", (kind) => {
  it("names a tenant whose reports differ from a recount, until they are recounted", async () => {
    const url = await urlOn(kind)
    await onStore(url, storeCounted)
    const env = { LEADLOOM_DATA_DIR: folder, LEADLOOM_ADMIN_KEY: adminKey, LEADLOOM_DATABASE_URL: url }
    const said = async () => (await examine(env)).filter(({ check }) => check === "reports")
    const equal = (tenants: number, rows: number) => [
      {
        check: "reports",
        level: "ok",
        found: `The reports of ${tenants} tenants equal a recount of ${rows} sampled rows.`,
        advice: null
      }
    ]
    expect(await said()).toEqual(equal(1, 3))
    await onStore(url, loseFact)
    expect(await said()).toEqual([
      {
        check: "reports",
        level: "problem",
        found: "The reports of acme differ from a recount: 1 of 3 sampled rows.",
        advice: "Run leadloom db recount-reports --tenant acme."
      }
    ])
    await recountReports(url, "acme")
    expect(await said()).toEqual(equal(0, 0))
    await onStore(url, followTenant("acme"))
    expect(await said()).toEqual(equal(1, 3))
  })
})
