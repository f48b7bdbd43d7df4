import { assert, describe, it } from "@effect/vitest"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Threads } from "@leadloom/core/internal/port/repository/conversation/Threads"
import { contactRecord, freshTenant, idOf, messageRecord, threadRecord } from "@leadloom/testkit/suite/Records"
import { Effect } from "effect"
import { spell } from "../src/sql/PostgresText.ts"
import { livePostgres } from "./TemporaryPostgres.ts"

describe("a statement for Postgres", () => {
  it("has numbered parameters", () => {
    assert.strictEqual(spell("a = ? AND b IN (?::jsonb) LIMIT ?").text, "a = $1 AND b IN ($2::jsonb) LIMIT $3")
  })
  it("replaces characters that Postgres cannot store by U+FFFD, and keeps all others", () => {
    const { bind } = spell("? ?::jsonb ? ?")
    const json = JSON.stringify(["a\0b", "half \ud83d", "whole \u{1f600}", "\\u0000", "\\\0", "\n\u001f"])
    assert.deepStrictEqual(bind(["a\0b", json, 5, null]), [
      "a\uFFFDb",
      String.raw`["a${"\uFFFD"}b","half ${"\uFFFD"}","whole ${"\u{1f600}"}","\\u0000","\\${"\uFFFD"}","\n\u001f"]`,
      5,
      null
    ])
    // Only JSON parameters are parsed as JSON.
    assert.deepStrictEqual(bind([String.raw`\u0000`, "[]", 1, 2])[0], String.raw`\u0000`)
  })
  it.live("stores texts with NUL and unpaired surrogates in every field of a sender", () =>
    Effect.gen(function* () {
      const [tenantId, odd] = [freshTenant(), "a\0b\ud83d"]
      const [contacts, messages, threads] = [yield* Contacts, yield* Messages, yield* Threads]
      yield* contacts.insert(contactRecord(tenantId, 1, { name: odd, tags: [odd] }))
      const message = messageRecord(tenantId, 1, { body: odd, metadata: { [odd]: odd } })
      yield* messages.insert(message, [`mid:${odd}`])
      yield* threads.insert(threadRecord(tenantId, 1))
      yield* threads.register(tenantId, [{ id: odd, threadId: idOf("thr", 1), seen: true, weak: false }])
      const found = yield* messages.find(tenantId, message.messageId)
      assert.deepStrictEqual([found?.body, found?.metadata], ["a\uFFFDb\uFFFD", { [odd]: odd }])
      assert.strictEqual((yield* messages.holders(tenantId, [`mid:${odd}`])).length, 1)
      assert.strictEqual((yield* threads.known(tenantId, [odd])).length, 1)
    }).pipe(Effect.provide(livePostgres))
  )
})
