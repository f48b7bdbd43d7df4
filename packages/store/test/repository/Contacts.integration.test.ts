import { assert, layer } from "@effect/vitest"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { freshTenant, idOf, noon } from "@leadloom/testkit/suite/Records"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { temporaryStore } from "../TemporaryStore.ts"

layer(temporaryStore)("Contacts on SQLite", (it) => {
  it.effect("keeps the first version of a merge suggestion for a pair", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts
      const [one, other] = [freshTenant(), freshTenant()]
      yield* contacts.suggestMerge(one, idOf("con", 2), idOf("con", 1), "same phone", noon)
      yield* contacts.suggestMerge(one, idOf("con", 1), idOf("con", 2), "same email", noon + 1)
      yield* contacts.suggestMerge(other, idOf("con", 1), idOf("con", 2), "same email", noon)
      const sql = yield* SqlClient
      const rows = yield* sql.unsafe("SELECT into_id, from_id, reason FROM merge_suggestions WHERE tenant_id = ?", [
        one
      ])
      assert.deepStrictEqual(rows, [{ into_id: idOf("con", 2), from_id: idOf("con", 1), reason: "same phone" }])
    })
  )
})
