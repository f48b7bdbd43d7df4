import { assert, describe, it } from "@effect/vitest"
import { ingestEmail } from "@leadloom/core/internal/workflow/intake/IngestEmail"
import { around } from "@leadloom/testkit/suite/Doubles"
import { inTenant, rawMail, start } from "@leadloom/testkit/suite/Scene"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { type Letter, letters, personOf } from "../bench/Correspondence.ts"
import { seed } from "../bench/Seed.ts"
import { openCopyTarget } from "../src/admin/CopyTarget.ts"
import * as Store from "../src/Store.ts"
import { contentOf } from "./admin/Filled.ts"
import { temporaryFile } from "./TemporaryStore.ts"

const count = 120
const recipient = { tenantId: "acme", address: "sales@acme.com" }

const asMail = (letter: Letter): Uint8Array => {
  const { email, name } = personOf(letter.person)
  return rawMail({
    id: letter.messageId,
    from: `${name} <${email}>`,
    subject: letter.subject,
    body: letter.body,
    date: new Date(letter.at).toUTCString().replace("GMT", "+0000"),
    ...(letter.inReplyTo === null ? {} : { inReplyTo: letter.inReplyTo })
  })
}

const ingested = Effect.fnUntraced(function* (filename: string) {
  yield* Effect.gen(function* () {
    const tenant = yield* inTenant(recipient.tenantId).open()
    for (const letter of letters(count, start)) {
      yield* TestClock.setTime(letter.at)
      yield* ingestEmail({ tenant, raw: asMail(letter), source: "import", historical: true })
    }
  }).pipe(Effect.provide(around), Effect.provide(Store.layer({ url: `sqlite:${filename}` })))
  return filename
})

const seeded = (filename: string) =>
  Effect.gen(function* () {
    const { target } = yield* openCopyTarget(
      { kind: "sqlite", filename },
      { source: "nothing", tables: [], resume: false }
    )
    yield* seed(target, count, start, recipient)
    return filename
  }).pipe(Effect.scoped)

/** Maps each id to a meaning, so that equal rows with different ids compare as equal. */
const meanings = `SELECT contact_id AS id, email AS meaning FROM contacts
  UNION ALL SELECT message_id, internet_message_id FROM messages
  UNION ALL SELECT lead_id, 'lead ' || subject FROM leads
  UNION ALL SELECT thread_id, 'thread ' || base_subject FROM threads
  UNION ALL SELECT event_id, 'event ' || sequence FROM events
  UNION ALL SELECT a.arrival_id, 'arrival ' || m.internet_message_id FROM arrivals a JOIN messages m USING (message_id)`

/** Tables with rows of the benchmark mails. */
const tables = [
  "arrival_counts",
  "arrivals",
  "contacts",
  "conversation_aliases",
  "conversations",
  "dedup_keys",
  "event_sequences",
  "events",
  "identities",
  "leads",
  "messages",
  "search_queue",
  "thread_ids",
  "thread_participants",
  "threads"
]

const rowsOf = (filename: string): ReadonlyMap<string, ReadonlyArray<string>> => {
  const file = new Database(filename)
  // The seed does not store the source of a mail.
  file.exec("UPDATE messages SET raw_key = NULL, raw_size = NULL, raw_type = NULL")
  const named = new Map(
    file
      .prepare(meanings)
      .raw(true)
      .all()
      .map((row) => (Array.isArray(row) ? [String(row[0]), String(row[1])] : ["", ""]))
  )
  file.close()
  const content = contentOf(filename)
  return new Map(
    tables.map((table) => [
      table,
      (content.get(table) ?? [])
        .map((row) => String(row).replaceAll(/[a-z]+_[0-9a-z]{26}/gu, (id) => named.get(id) ?? id))
        .toSorted()
    ])
  )
}

describe("the seed of the benchmarks", () => {
  it.effect("writes the same rows as an import of the same mails", () =>
    Effect.gen(function* () {
      const [real, bulk] = [yield* ingested(yield* temporaryFile), yield* seeded(yield* temporaryFile)]
      const [expected, found] = [rowsOf(real), rowsOf(bulk)]
      for (const table of tables) {
        assert.isAbove(expected.get(table)?.length ?? 0, 0, table)
        assert.deepStrictEqual(found.get(table), expected.get(table), table)
      }
    }).pipe(Effect.scoped)
  )
})
