/**
 * Suites of configurations, guardrail evaluations and batches. Tenants and their credentials belong in `suite/access`.
 */
import { assert, layer } from "@effect/vitest"
import type { GuardRecord } from "@leadloom/core/internal/domain/guardrail/GuardRecord"
import { ConfigChanges, Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { type GuardFilter, GuardEvaluations } from "@leadloom/core/internal/port/repository/pipeline/GuardEvaluations"
import type { ConfigChange } from "@leadloom/core/internal/domain/tenant/ConfigChange"
import { defaultConfig } from "@leadloom/core/internal/domain/tenant/TenantConfig"
import { Effect, Exit } from "effect"
import type { StoreLayer } from "../StoreLayer.ts"
import { freshTenant, idOf, noon, tenantRecord } from "../Records.ts"

const changeRecord = (tenantId: string, version: number, more: Partial<ConfigChange> = {}): ConfigChange => ({
  tenantId,
  version,
  fromVersion: version - 1,
  action: "replace",
  preset: null,
  changedBy: "user:kim",
  changedByUser: idOf("usr", version),
  changedByUserName: `User ${version}`,
  comment: version === 2 ? "Roofs first" : null,
  changedAt: noon + version,
  differences: [{ path: "reply_mode", before: "off", after: "draft", summary: "reply_mode is draft instead of off" }],
  omitted: 0,
  ...more
})

const day = 86_400_000

/** A guardrail evaluation. Its number also determines its time. */
export const guardRecord = (tenantId: string, number: number, more: Partial<GuardRecord> = {}): GuardRecord => ({
  tenantId,
  evaluationId: idOf("gev", number),
  stage: "reply",
  signalId: idOf("sig", 1),
  messageId: idOf("msg", 1),
  contactId: idOf("con", 1),
  createdAt: noon + number,
  guardrailId: "links",
  kind: "no_links",
  outcome: "allow",
  reason: "„nothing“",
  ...more
})

const all: GuardFilter = { guardrailId: null, outcome: null, contactId: null }

/** Tests `Tenants.configAt` and the port `ConfigChanges` on a store. */
export const configSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`The history of configurations on ${name}`, (it) => {
    it.effect("keeps every version of a configuration", () =>
      Effect.gen(function* () {
        const tenants = yield* Tenants
        const tenantId = freshTenant()
        yield* tenants.insert(tenantRecord(tenantId))
        const off = { ...defaultConfig, replyMode: "off" as const }
        yield* tenants.saveConfig(tenantId, off, 1)
        assert.strictEqual((yield* Effect.flip(tenants.saveConfig(tenantId, defaultConfig, 1)))._tag, "ConfigConflict")
        assert.deepStrictEqual(yield* tenants.configAt(tenantId, 1), defaultConfig)
        assert.deepStrictEqual(yield* tenants.configAt(tenantId, 2), off)
        assert.isNull(yield* tenants.configAt(tenantId, 3))
        assert.isNull(yield* tenants.configAt(freshTenant(), 1))
      })
    )
    it.effect("lists the changes of a tenant newest first in pages, and finds one", () =>
      Effect.gen(function* () {
        const changes = yield* ConfigChanges
        const [one, other] = [freshTenant(), freshTenant()]
        const scaffold = changeRecord(one, 3, { action: "scaffold", preset: "legal", differences: [], omitted: 7 })
        for (const change of [changeRecord(one, 2), scaffold, changeRecord(one, 10)]) yield* changes.insert(change)
        yield* changes.insert(changeRecord(other, 2))
        assert.deepStrictEqual(yield* changes.page(one, 2, null), [changeRecord(one, 10), scaffold])
        assert.deepStrictEqual(yield* changes.page(one, 2, 3), [changeRecord(one, 2)])
        assert.deepStrictEqual(yield* changes.find(one, 3), scaffold)
        assert.isNull(yield* changes.find(one, 4))
        assert.isTrue(Exit.hasDies(yield* Effect.exit(changes.insert(changeRecord(one, 2)))))
      })
    )
  })

/** Tests the port `GuardEvaluations` on a store. */
export const guardEvaluationsSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`GuardEvaluations on ${name}`, (it) => {
    const write = Effect.fnUntraced(function* (tenantId: string) {
      const port = yield* GuardEvaluations
      const lines = [
        guardRecord(tenantId, 1),
        guardRecord(tenantId, 2, { guardrailId: "prices", kind: "no_prices", outcome: "block" }),
        guardRecord(tenantId, 3, { outcome: "require_approval", contactId: idOf("con", 2), stage: "approval" }),
        guardRecord(tenantId, 4, { contactId: idOf("con", 2), createdAt: noon + day }),
        guardRecord(tenantId, 5, { createdAt: noon + 2 * day })
      ]
      yield* port.insert(tenantId, lines.slice(0, 3))
      for (const line of lines.slice(3)) yield* port.insert(tenantId, [line])
      yield* port.insert(tenantId, [])
      return lines
    })

    it.effect("lists evaluations newest first in pages, by guardrail, outcome and contact", () =>
      Effect.gen(function* () {
        const port = yield* GuardEvaluations
        const tenantId = freshTenant()
        const lines = yield* write(tenantId)
        yield* write(freshTenant())
        const numbers = (filter: Partial<GuardFilter>, limit = 9, after: string | null = null) =>
          Effect.map(port.page(tenantId, { ...all, ...filter }, limit, after), (found) =>
            found.map(({ evaluationId }) => Number(evaluationId.slice(4)))
          )
        assert.deepStrictEqual(yield* port.page(tenantId, all, 9, null), lines.toReversed())
        assert.deepStrictEqual(yield* numbers({}, 2, idOf("gev", 4)), [3, 2])
        assert.deepStrictEqual(yield* numbers({ guardrailId: "links" }), [5, 4, 3, 1])
        assert.deepStrictEqual(yield* numbers({ guardrailId: "links" }, 2, idOf("gev", 5)), [4, 3])
        assert.deepStrictEqual(yield* numbers({ guardrailId: "links", outcome: "allow" }, 2), [5, 4])
        assert.deepStrictEqual(yield* numbers({ outcome: "block" }), [2])
        assert.deepStrictEqual(yield* numbers({ contactId: idOf("con", 2) }), [4, 3])
        assert.deepStrictEqual(yield* numbers({ contactId: idOf("con", 2), outcome: "allow" }), [4])
        assert.deepStrictEqual(yield* numbers({ contactId: idOf("con", 1), guardrailId: "prices" }), [2])
        assert.deepStrictEqual(yield* numbers({ guardrailId: "unknown" }), [])
      })
    )
    it.effect("counts evaluations per day, including two of the same guardrail", () =>
      Effect.gen(function* () {
        const port = yield* GuardEvaluations
        const tenantId = freshTenant()
        yield* write(tenantId)
        yield* port.insert(tenantId, [guardRecord(tenantId, 6), guardRecord(tenantId, 7)])
        const said = (count: number, outcome: GuardRecord["outcome"]) => ({
          guardrailId: "links",
          kind: "no_links" as const,
          outcome,
          count
        })
        const blocked = { guardrailId: "prices", kind: "no_prices" as const, outcome: "block" as const, count: 1 }
        const [first, second, third] = [0, 1, 2].map((days) => new Date(noon + days * day).toISOString().slice(0, 10))
        const counts = (from = "", to = "") => port.counts(tenantId, from, to)
        assert.deepStrictEqual(yield* counts(first, third), [said(5, "allow"), said(1, "require_approval"), blocked])
        assert.deepStrictEqual(yield* counts(second, second), [said(1, "allow")])
        assert.deepStrictEqual(yield* counts("2020-01-01", "2020-01-02"), [])
      })
    )
  })
