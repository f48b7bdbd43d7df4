/**
 * Suites of access: tenants, sources, API keys, usage, rate limits, idempotency and the audit trail. Requests over HTTP
 * are tested in `packages/server/test/http`.
 */
import { assert, layer } from "@effect/vitest"
import { ApiKeys } from "@leadloom/core/internal/port/repository/tenant/ApiKeys"
import { Grants } from "@leadloom/core/internal/port/repository/conversation/Grants"
import { Sources } from "@leadloom/core/internal/port/repository/tenant/Sources"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Usages } from "@leadloom/core/internal/port/repository/tenant/Usages"
import { defaultConfig, type TenantConfig } from "@leadloom/core/internal/domain/tenant/TenantConfig"
import { Effect } from "effect"
import type { StoreLayer } from "../StoreLayer.ts"
import { freshTenant, grantRecord, idOf, keyRecord, noon, sourceRecord, tenantRecord } from "../Records.ts"

const richConfig: TenantConfig = {
  ...defaultConfig,
  timeZone: "Europe/Berlin",
  classifier: "keywords",
  scoreWeights: { pricing: 1.5 },
  rules: [
    {
      id: "r1",
      name: "Prices",
      priority: 10,
      when: { all: [{ fact: "message.body", op: "contains", value: "price" }] },
      actions: [{ type: "tag", tag: "price" }]
    }
  ]
}

/** Tests the port `Tenants` on a store. */
export const tenantsSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`Tenants on ${name}`, (it) => {
    it.effect("returns a tenant with its complete configuration", () =>
      Effect.gen(function* () {
        const tenants = yield* Tenants
        const plain = tenantRecord(freshTenant())
        const rich = tenantRecord(freshTenant(), { hipaa: true, domain: null, config: richConfig })
        yield* tenants.insert(plain)
        yield* tenants.insert(rich)
        assert.deepStrictEqual(yield* tenants.get(plain.tenantId), plain)
        assert.deepStrictEqual(yield* tenants.get(rich.tenantId), rich)
      })
    )
    it.effect("rejects an existing id, even that of an archived tenant", () =>
      Effect.gen(function* () {
        const tenants = yield* Tenants
        const tenant = tenantRecord(freshTenant())
        yield* tenants.insert(tenant)
        assert.strictEqual((yield* Effect.flip(tenants.insert(tenant)))._tag, "TenantExists")
        yield* tenants.archive(tenant.tenantId, noon)
        assert.strictEqual((yield* Effect.flip(tenants.insert(tenant)))._tag, "TenantExists")
      })
    )
    it.effect("does not find, list, archive or configure a tenant that is archived", () =>
      Effect.gen(function* () {
        const tenants = yield* Tenants
        const { tenantId } = tenantRecord(freshTenant())
        yield* tenants.insert(tenantRecord(tenantId))
        yield* tenants.archive(tenantId, noon)
        assert.strictEqual((yield* Effect.flip(tenants.get(tenantId)))._tag, "TenantNotFound")
        assert.strictEqual((yield* Effect.flip(tenants.archive(tenantId, noon)))._tag, "TenantNotFound")
        assert.strictEqual((yield* Effect.flip(tenants.saveConfig(tenantId, richConfig, 1)))._tag, "TenantNotFound")
        const listed = yield* tenants.list
        assert.isFalse(listed.some((tenant) => tenant.tenantId === tenantId))
      })
    )
    it.effect("lists tenants in order of their ids", () =>
      Effect.gen(function* () {
        const tenants = yield* Tenants
        const ids = ["zz-last", "aa-first", "mm_middle"]
        yield* Effect.forEach(ids, (tenantId) => tenants.insert(tenantRecord(tenantId)))
        const listed = (yield* tenants.list).map(({ tenantId }) => tenantId)
        assert.deepStrictEqual(
          listed.filter((tenantId) => ids.includes(tenantId)),
          ids.toSorted()
        )
        assert.deepStrictEqual(listed, listed.toSorted())
      })
    )
    it.effect("permits the origins in the current configuration of active tenants", () =>
      Effect.gen(function* () {
        const tenants = yield* Tenants
        const [one, other] = [freshTenant(), freshTenant()]
        const [first, second, shared] = ["a", "b", "shared"].map((name) => `https://${name}.${one}.example`)
        const configOf = (...sessionOrigins: ReadonlyArray<string | undefined>) => ({
          ...defaultConfig,
          sessionOrigins: sessionOrigins.filter((origin) => origin !== undefined)
        })
        const permitted = Effect.forEach([first, second, shared], (origin) => tenants.permitsOrigin(origin ?? ""))
        yield* tenants.insert(tenantRecord(one, { config: configOf(first, shared, first) }))
        yield* tenants.insert(tenantRecord(other))
        assert.deepStrictEqual(yield* permitted, [true, false, true])
        yield* tenants.saveConfig(one, configOf(second, shared), 1)
        assert.deepStrictEqual(yield* permitted, [false, true, true])
        yield* tenants.saveConfig(other, configOf(shared), 1)
        yield* tenants.archive(one, noon)
        assert.deepStrictEqual(yield* permitted, [false, false, true])
        yield* tenants.archive(other, noon)
        assert.deepStrictEqual(yield* permitted, [false, false, false])
      })
    )
    it.effect("assigns a domain to one active tenant", () =>
      Effect.gen(function* () {
        const tenants = yield* Tenants
        const [one, other, third] = [freshTenant(), freshTenant(), freshTenant()]
        const domain = `${one}.example`
        yield* tenants.insert(tenantRecord(one))
        const refused = yield* Effect.flip(tenants.insert(tenantRecord(other, { domain })))
        assert.deepInclude(refused, { _tag: "DomainTaken", domain })
        yield* tenants.insert(tenantRecord(other, { domain: `shop.${domain}` }))
        yield* tenants.archive(one, noon)
        yield* tenants.insert(tenantRecord(third, { domain }))
        assert.deepStrictEqual(
          (yield* tenants.ofDomains([domain])).map(({ tenantId }) => tenantId),
          [third]
        )
      })
    )
    it.effect("rejects a domain on which another tenant has connected an address", () =>
      Effect.gen(function* () {
        const tenants = yield* Tenants
        const grants = yield* Grants
        const [one, other, third] = [freshTenant(), freshTenant(), freshTenant()]
        const [email, alias] = [`sales@x.${one}.example`, `info@${other}-x.example`]
        yield* tenants.insert(tenantRecord(one, { domain: null }))
        yield* grants.insert(grantRecord(one, 1, { email, aliases: [alias] }))
        for (const domain of [`${one}.example`, `x.${one}.example`, `${other}-x.example`]) {
          const refused = yield* Effect.flip(tenants.insert(tenantRecord(other, { domain })))
          assert.deepInclude(refused, { _tag: "DomainTaken", domain })
        }
        yield* tenants.insert(tenantRecord(other, { domain: `y.${one}.example` }))
        yield* tenants.archive(one, noon)
        yield* tenants.insert(tenantRecord(third, { domain: `x.${one}.example` }))
      })
    )
    it.effect("finds the active tenants of some domains", () =>
      Effect.gen(function* () {
        const tenants = yield* Tenants
        const name = freshTenant()
        const [a, b] = [`a-${name}.example`, `b-${name}.example`]
        yield* tenants.insert(tenantRecord(`${name}-0`, { domain: a }))
        yield* tenants.archive(`${name}-0`, noon)
        const records = [
          tenantRecord(`${name}-1`, { domain: a }),
          tenantRecord(`${name}-2`, { domain: b, hipaa: true, config: richConfig }),
          tenantRecord(`${name}-3`, { domain: null })
        ]
        yield* Effect.forEach(records, tenants.insert)
        assert.deepStrictEqual(yield* tenants.ofDomains([b, a]), records.slice(0, 2))
        assert.deepStrictEqual(yield* tenants.ofDomains([b]), records.slice(1, 2))
        assert.deepStrictEqual(yield* tenants.ofDomains([`c-${name}.example`]), [])
        assert.deepStrictEqual(yield* tenants.ofDomains([]), [])
      })
    )
    it.effect("updates only name, plan, caps, HIPAA status and locale of a tenant", () =>
      Effect.gen(function* () {
        const tenants = yield* Tenants
        const made = tenantRecord(freshTenant())
        yield* tenants.insert(made)
        const changes = {
          name: "Maier",
          hipaa: true,
          locale: "de-DE",
          plan: "scale",
          capOverrides: { actions: 0, ai_calls: 7 }
        } as const
        yield* tenants.update({ ...made, ...changes, domain: null, config: richConfig, configVersion: 9 })
        assert.deepStrictEqual(yield* tenants.get(made.tenantId), { ...made, ...changes })
        yield* tenants.update(made)
        assert.deepStrictEqual(yield* tenants.get(made.tenantId), made)
        yield* tenants.archive(made.tenantId, noon)
        assert.strictEqual((yield* Effect.flip(tenants.update(made)))._tag, "TenantNotFound")
      })
    )
    it.effect("saves a configuration only if its predecessor is still current", () =>
      Effect.gen(function* () {
        const tenants = yield* Tenants
        const tenantId = freshTenant()
        yield* tenants.insert(tenantRecord(tenantId))
        assert.strictEqual(yield* tenants.saveConfig(tenantId, richConfig, 1), 2)
        const conflict = yield* Effect.flip(tenants.saveConfig(tenantId, defaultConfig, 1))
        assert.deepInclude(conflict, { _tag: "ConfigConflict", currentVersion: 2 })
        const { config, configVersion } = yield* tenants.get(tenantId)
        assert.deepStrictEqual({ config, configVersion }, { config: richConfig, configVersion: 2 })
      })
    )
  })

/** Tests the port `Sources` on a store. */
export const sourcesSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`Sources on ${name}`, (it) => {
    it.effect("separates the sources of one tenant from those of all tenants", () =>
      Effect.gen(function* () {
        const sources = yield* Sources
        const [one, other] = [freshTenant(), freshTenant()]
        const mine = sourceRecord(one, "shop")
        const theirs = sourceRecord(other, "shop")
        const everybody = sourceRecord(null, `shop-${one}`, { createdAt: noon + 1 })
        yield* Effect.forEach([mine, theirs, everybody], sources.insert)
        assert.deepStrictEqual(yield* sources.list(one), [mine])
        assert.deepStrictEqual(yield* sources.list(other), [theirs])
        assert.deepInclude(yield* sources.list(null), everybody)
        assert.strictEqual((yield* Effect.flip(sources.insert(mine)))._tag, "SourceExists")
      })
    )
    it.effect("finds a source by the hash of its key until it is removed", () =>
      Effect.gen(function* () {
        const sources = yield* Sources
        const tenantId = freshTenant()
        const source = sourceRecord(tenantId, "shop")
        const everybody = sourceRecord(null, `partner-${tenantId}`)
        yield* sources.insert(source)
        yield* sources.insert(everybody)
        assert.deepStrictEqual(yield* sources.findByHash(source.hash), source)
        assert.deepStrictEqual(yield* sources.findByHash(everybody.hash), everybody)
        yield* sources.remove(tenantId, "shop")
        assert.isNull(yield* sources.findByHash(source.hash))
        assert.strictEqual((yield* Effect.flip(sources.remove(tenantId, "shop")))._tag, "SourceNotFound")
        assert.strictEqual((yield* Effect.flip(sources.remove(null, "shop")))._tag, "SourceNotFound")
      })
    )
    it.effect("reports an event URL as configured if its tenant has a key, or if a key for all tenants exists", () =>
      Effect.gen(function* () {
        const sources = yield* Sources
        const [one, other] = [freshTenant(), freshTenant()]
        yield* sources.insert(sourceRecord(one, "shop"))
        yield* sources.insert(sourceRecord(null, `partner-${one}`))
        assert.isTrue(yield* sources.isConfigured(one, "shop"))
        assert.isFalse(yield* sources.isConfigured(other, "shop"))
        assert.isTrue(yield* sources.isConfigured(other, `partner-${one}`))
      })
    )
  })

/** Tests the port `ApiKeys` on a store. */
export const apiKeysSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`ApiKeys on ${name}`, (it) => {
    it.effect("lists keys that are not revoked, oldest first, and keeps tenants apart", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const [one, other] = [freshTenant(), freshTenant()]
        const revoked = keyRecord(one, 2, { revokedAt: noon })
        const rotated = keyRecord(one, 3, { expiresAt: noon + 1, replacedAt: noon, scopes: ["read", "messages"] })
        yield* Effect.forEach([rotated, revoked, keyRecord(one, 1), keyRecord(other, 1)], keys.insert)
        assert.deepStrictEqual(yield* keys.list(one), [keyRecord(one, 1), rotated])
        assert.deepStrictEqual(yield* keys.get(one, revoked.keyId), revoked)
        assert.strictEqual((yield* Effect.flip(keys.get(other, rotated.keyId)))._tag, "KeyNotFound")
      })
    )
    it.effect("updates only expiry, replacement and revocation of a key", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const tenantId = freshTenant()
        const key = keyRecord(tenantId, 1)
        yield* keys.insert(key)
        const changes = { expiresAt: noon + 5, replacedAt: noon + 4, revokedAt: noon + 6 }
        const others = { name: "another", hash: "another", lastUsedAt: noon + 7, scopes: [] }
        yield* keys.update({ ...key, ...changes, ...others })
        assert.deepStrictEqual(yield* keys.get(tenantId, key.keyId), { ...key, ...changes })
        assert.strictEqual((yield* Effect.flip(keys.update(keyRecord(tenantId, 2))))._tag, "KeyNotFound")
      })
    )
    it.effect("records the use of a key that is being revoked, and keeps the key revoked", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const key = keyRecord(freshTenant(), 1, { scopes: [] })
        yield* keys.insert(key)
        yield* keys.update({ ...key, revokedAt: noon + 6 })
        yield* keys.noteUse(key, noon + 7)
        yield* keys.noteUse({ ...key, keyId: idOf("key", 9) }, noon + 7)
        const after = { ...key, revokedAt: noon + 6, lastUsedAt: noon + 7 }
        assert.deepStrictEqual(yield* keys.get(key.tenantId, key.keyId), after)
      })
    )
    it.effect("finds a key by its hash, in any state", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const key = keyRecord(freshTenant(), 1, { revokedAt: noon })
        yield* keys.insert(key)
        assert.deepStrictEqual(yield* keys.findByHash(key.hash), key)
        assert.isNull(yield* keys.findByHash("no such hash"))
        assert.strictEqual((yield* Effect.exit(keys.insert(key)))._tag, "Failure")
        assert.strictEqual(key.keyId, idOf("key", 1))
      })
    )
  })

const unused = { actions: 0, ai_calls: 0, ai_input_tokens: 0, ai_output_tokens: 0 }

/** Tests the port `Usages` on a store. */
export const usagesSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`Usages on ${name}`, (it) => {
    it.effect("counts up to the cap, per tenant, kind and month", () =>
      Effect.gen(function* () {
        const usages = yield* Usages
        const [one, other] = [freshTenant(), freshTenant()]
        const uses = yield* Effect.replicateEffect(usages.consume(one, "actions", "2026-03", 3), 5)
        assert.deepStrictEqual(uses, [true, true, true, false, false])
        assert.isTrue(yield* usages.consume(one, "actions", "2026-04", 3))
        assert.isTrue(yield* usages.consume(one, "ai_calls", "2026-03", 1))
        assert.isFalse(yield* usages.consume(other, "actions", "2026-03", 0))
        assert.deepStrictEqual(yield* usages.read(one, "2026-03"), { ...unused, actions: 3, ai_calls: 1 })
        assert.deepStrictEqual(yield* usages.read(other, "2026-03"), unused)
      })
    )
    it.effect("adds usage, even above the cap", () =>
      Effect.gen(function* () {
        const usages = yield* Usages
        const [one, other] = [freshTenant(), freshTenant()]
        yield* usages.consume(one, "ai_calls", "2026-03", 2)
        yield* usages.add(one, "ai_calls", "2026-03", 4)
        yield* usages.add(one, "ai_input_tokens", "2026-03", 3_000_000_000)
        yield* usages.add(one, "ai_input_tokens", "2026-03", 3_000_000_000)
        yield* usages.add(one, "ai_output_tokens", "2026-03", 17)
        yield* usages.add(one, "ai_output_tokens", "2026-03", 0)
        yield* usages.add(one, "actions", "2026-03", 0)
        assert.deepStrictEqual(yield* usages.read(one, "2026-03"), {
          actions: 0,
          ai_calls: 5,
          ai_input_tokens: 6_000_000_000,
          ai_output_tokens: 17
        })
        assert.isFalse(yield* usages.consume(one, "ai_calls", "2026-03", 5))
        assert.deepStrictEqual(yield* usages.read(other, "2026-03"), unused)
      })
    )
    it.effect("sets usage to a higher or lower value", () =>
      Effect.gen(function* () {
        const usages = yield* Usages
        const tenantId = freshTenant()
        yield* usages.set(tenantId, "actions", "2026-03", 9)
        yield* usages.add(tenantId, "ai_input_tokens", "2026-03", 5)
        yield* usages.set(tenantId, "ai_input_tokens", "2026-03", 0)
        assert.deepStrictEqual(yield* usages.read(tenantId, "2026-03"), { ...unused, actions: 9 })
        assert.deepStrictEqual(yield* usages.read(tenantId, "2026-04"), unused)
      })
    )
    it.effect("takes back a use, but never counts below zero", () =>
      Effect.gen(function* () {
        const usages = yield* Usages
        const [one, other] = [freshTenant(), freshTenant()]
        yield* Effect.replicateEffect(usages.consume(one, "actions", "2026-03", 2), 2)
        yield* usages.consume(other, "actions", "2026-03", 2)
        yield* usages.giveBack(one, "actions", "2026-03")
        assert.isTrue(yield* usages.consume(one, "actions", "2026-03", 2))
        yield* Effect.replicateEffect(usages.giveBack(one, "actions", "2026-03"), 5)
        yield* usages.giveBack(one, "ai_calls", "2026-03")
        assert.deepStrictEqual(yield* usages.read(one, "2026-03"), unused)
        assert.deepStrictEqual(yield* usages.read(other, "2026-03"), { ...unused, actions: 1 })
      })
    )
    it.effect("permits the last use to only one of many concurrent requests", () =>
      Effect.gen(function* () {
        const usages = yield* Usages
        const tenantId = freshTenant()
        const uses = yield* Effect.forEach(
          Array.from({ length: 40 }),
          () => usages.consume(tenantId, "ai_calls", "2026-03", 10),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(uses.filter((used) => used).length, 10)
      })
    )
  })
