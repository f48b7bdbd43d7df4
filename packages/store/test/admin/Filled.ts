import { assert } from "@effect/vitest"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Enrolments } from "@leadloom/core/internal/port/repository/sequence/Enrolments"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { beginEnrolment } from "@leadloom/core/internal/workflow/sequence/PlanEnrolment"
import { contactRecord, idOf, messageRecord } from "@leadloom/testkit/suite/Records"
import Database from "better-sqlite3"
import { Effect, Layer } from "effect"
import { ingest, tenantOf } from "../../bench/Ingest.ts"
import type { CopyReport } from "../../src/admin/CopyDatabase.ts"
import * as Store from "../../src/Store.ts"
import { upTo } from "../Triple.ts"

/** Opens a store, runs an effect and closes the store. */
export const onStore = <A, E>(url: string, effect: Effect.Effect<A, E, Store.Store>) =>
  Effect.provide(effect, Layer.fresh(Store.layer({ url })))

/** Stores a number of mails, numbered from `from`. */
export const storeMails = (count: number, from = 0) =>
  Effect.gen(function* () {
    const { atomically } = yield* Transactions
    yield* Effect.forEach(upTo(count), (index) => atomically(tenantOf(from + index), ingest(from + index)), {
      concurrency: 64,
      discard: true
    })
  })

/** Texts with special meaning for a database, a driver or a statement. */
export const oddTexts = [
  "",
  "NUL \0 within, and at the end \0",
  "half \ud83d a pair",
  "👩‍👩‍👧 naïve 屋根 \u202e",
  String.raw`\u0000 \\ " ' ; -- $1 ? ?::jsonb %s {"a":1}`,
  "\n\r\t\u001f\u007f\u2028",
  "long ".repeat(40_000)
]

/** Stores contacts and messages with these texts in every field, and an enrolment without an answer after them. */
export const storeOddities = (tenantId: string) =>
  Effect.gen(function* () {
    const [contacts, messages] = [yield* Contacts, yield* Messages]
    for (const [index, odd] of oddTexts.entries()) {
      const contact = contactRecord(tenantId, index, { name: odd, notes: odd, tags: [odd] })
      yield* contacts.insert({ ...contact, createdAt: Number.MAX_SAFE_INTEGER - index, company: null })
      yield* contacts.attach(
        tenantId,
        contact.contactId,
        [{ kind: "email", value: `${odd.slice(0, 50)}@x.example` }],
        0
      )
      const metadata = { [odd.slice(0, 20)]: odd, list: [odd, null, 1e300, -0.1, true] }
      const message = messageRecord(tenantId, index, {
        contactId: idOf("con", index),
        body: odd,
        quotedText: odd,
        metadata
      })
      yield* messages.insert(message, [`mid:${odd.slice(0, 50)}`, `content:${index}`])
    }
    const entrant = { enrolledBy: "kim", enrolledByUser: null, repliesAfter: null, lead: null }
    const sequence = { tenantId, sequenceId: idOf("seq", 1), version: 1 }
    const ids = { contactId: idOf("con", 1), enrolmentId: idOf("enr", 1) }
    yield* (yield* Enrolments).insert(beginEnrolment({ ...entrant, ...ids }, sequence, 1))
  })

/** Returns the content of a SQLite file by table. */
export const contentOf = (filename: string): ReadonlyMap<string, ReadonlyArray<unknown>> => {
  const file = new Database(filename, { readonly: true })
  const names = file
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'migrations' ORDER BY name")
    .pluck()
  const content = new Map(
    names.all().map((name) => {
      const rows = file
        .prepare(`SELECT * FROM ${String(name)}`)
        .safeIntegers(true)
        .raw(true)
        .all()
      return [
        String(name),
        rows
          .map((row) => JSON.stringify(row, (_, value) => (typeof value === "bigint" ? String(value) : value)))
          .toSorted()
      ]
    })
  )
  file.close()
  return content
}

/** Returns the tables of a report with different sides. */
export const differing = ({ tables }: CopyReport): ReadonlyArray<string> =>
  tables
    .filter((one) => one.sourceRows !== one.targetRows || one.sourceChecksum !== one.targetChecksum)
    .map(({ table }) => table)

/** Returns the number of rows of a table in a report. */
export const rowsOf = ({ tables }: CopyReport, name: string): number =>
  tables.find(({ table }) => table === name)?.targetRows ?? assert.fail(`no table ${name}`)
