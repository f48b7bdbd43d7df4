import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { migratedFile } from "@leadloom/testkit/MigratedFile"
import { temporaryDatabase } from "@leadloom/testkit/postgres/Database"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { copyDatabase } from "../../src/admin/CopyDatabase.ts"
import { pageRows } from "../../src/admin/CopyEndpoint.ts"
import { temporaryFile } from "../TemporaryStore.ts"
import { contentOf, differing, onStore, rowsOf, storeMails, storeOddities } from "./Filled.ts"

const child = fileURLToPath(new URL("./CopyChild.ts", import.meta.url))

/** Copies in a separate process and kills it after a line of output that starts with a text. Returns all lines. */
const copyUntil = (from: string, to: string, said: string) =>
  Effect.promise(async () => {
    const copier = spawn(process.execPath, ["--conditions=leadloom:source", child, from, to, said], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    const lines: Array<string> = []
    for await (const line of createInterface({ input: copier.stdout })) {
      lines.push(line)
      if (line.startsWith(said)) copier.kill("SIGKILL")
    }
    return lines
  })

const kinds = [
  ["SQLite", Effect.map(temporaryFile, (file) => `sqlite:${file}`)],
  ["Postgres", temporaryDatabase]
] as const

/** Possible changes of the source before the copy is resumed. */
const changes = [
  "UPDATE messages SET body = 'Something else' WHERE message_id LIKE '%7'",
  "UPDATE contacts SET name = 'Somebody else' WHERE contact_id LIKE '%7'",
  "DELETE FROM identities WHERE tenant_id = 'tenant-1'",
  "UPDATE conversations SET last_timestamp = last_timestamp + 1"
]

describe("a copy with a killed process", () => {
  for (const [kind, make] of kinds) {
    it.live(`into ${kind} can be resumed, even after changes of the source`, () =>
      Effect.gen(function* () {
        const file = yield* migratedFile
        const [source, target, last] = [`sqlite:${file}`, yield* make, yield* temporaryFile]
        // The messages fill two pages of a copy. The first one is stored.
        yield* onStore(source, Effect.andThen(storeOddities("odd"), storeMails(pageRows + 200)))
        const lines = yield* copyUntil(source, target, "copy messages ")
        assert.notInclude(lines.join("\n"), "compare")
        yield* onStore(
          source,
          Effect.flatMap(SqlClient, (sql) => Effect.forEach(changes, (change) => sql.unsafe(change)))
        )
        const refused = yield* Effect.flip(copyDatabase({ from: source, to: target }))
        assert.include(refused.message, "--resume")
        const other = yield* Effect.flip(copyDatabase({ from: `sqlite:${last}`, to: target, resume: true }))
        assert.include(other.message, "no database")
        const report = yield* copyDatabase({ from: source, to: target, resume: true })
        assert.deepStrictEqual(differing(report), [])
        assert.strictEqual(rowsOf(report, "messages"), pageRows + 207)
        yield* copyDatabase({ from: target, to: `sqlite:${last}` })
        if (kind === "SQLite") assert.deepStrictEqual(contentOf(last), contentOf(file))
        else assert.strictEqual(contentOf(last).get("messages")?.length, pageRows + 207)
      }).pipe(Effect.scoped)
    )
  }
})
