import { assert, it } from "@effect/vitest"
import { storeSuite } from "@leadloom/testkit/suite/store/StoreSuite"
import { searchSuite } from "@leadloom/testkit/suite/search/SearchSuite"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { intercept } from "./Interception.ts"
import { temporaryStore } from "./TemporaryStore.ts"

/** Every statement that the suite below runs. */
const statements = new Set<string>()

const watch = Layer.effectDiscard(
  intercept((text) => {
    statements.add(text)
    return null
  })
)

storeSuite("SQLite", Layer.provideMerge(watch, temporaryStore))
searchSuite("SQLite", Layer.provideMerge(watch, temporaryStore))

/** Tables with few rows a tenant, what a statement has made itself, and the one answer that is about all of them. */
const short =
  /\b(?:api_keys|arrival_counts|crm_installs|crm_first_syncs|billing_accounts|crm_locations|custom_fields|blocked_numbers|phone_numbers|event_sequences|grants|grant_addresses|sales_pipelines|search_queue|segments|session_origins|sign_ins|sources|t|tenants|stream|streams|page|usages|webhook_subscriptions|found|teams|walk|walked|due|CONSTANT)\b|signals USING COVERING INDEX signals_due|VIRTUAL TABLE INDEX|sends USING INDEX sends_due|jobs USING (?:COVERING INDEX jobs_due|INDEX jobs_failed|COVERING INDEX jobs_failed)|mailbox_syncs/u

/** Reads a limited number of queued jobs, or calls of webhooks, of all tenants, for the operator. */
const limited = /FROM \(SELECT [^()]* FROM (?:jobs|webhook_calls) LIMIT \+\?\) AS (?:found|held)/u

it.effect("SQLite runs every statement of the suite above with an index that selects by more than the tenant", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const texts = [...statements].filter(
      (text) => /^(?:SELECT|INSERT|UPDATE|DELETE|WITH)/u.test(text) && !limited.test(text)
    )
    assert.isAbove(texts.length, 60)
    for (const text of texts) {
      const params = Array.from(text.matchAll(/\?/gu), () => "[]")
      const plan = yield* sql.unsafe<{ readonly detail: string }>(`EXPLAIN QUERY PLAN ${text}`, params)
      const slow = plan
        .map(({ detail }) => detail)
        .filter((detail) => /^SCAN (?!item )|\(tenant_id=\?\)|AUTOMATIC/u.test(detail) && !short.test(detail))
      assert.deepStrictEqual(slow, [], text)
    }
  }).pipe(Effect.provide(temporaryStore))
)
