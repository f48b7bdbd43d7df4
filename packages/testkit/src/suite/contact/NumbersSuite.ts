import { assert, layer } from "@effect/vitest"
import type { OptOut } from "@leadloom/core/internal/domain/consent/OptOut"
import { Blocklist, OptOuts } from "@leadloom/core/internal/port/repository/contact/OptOuts"
import { PhoneNumbers } from "@leadloom/core/internal/port/repository/contact/PhoneNumbers"
import { Effect, Layer } from "effect"
import type { StoreLayer } from "../StoreLayer.ts"

const number = (tenantId: string, phone: string, createdAt: number, isDefault = false) => ({
  tenantId,
  phone,
  createdAt,
  isDefault
})

/** Tests the port `PhoneNumbers` on a store. */
export const phoneNumbersSuite = (name: string, store: StoreLayer): void =>
  layer(Layer.fresh(store))(`PhoneNumbers on ${name}`, (it) => {
    it.effect("assign a number to only one tenant at a time, and find the tenant of a number", () =>
      Effect.gen(function* () {
        const numbers = yield* PhoneNumbers
        const first = number("acme", "+15550100009", 10)
        assert.isTrue(yield* numbers.add(first))
        assert.isFalse(yield* numbers.add(number("other", "+15550100009", 20)))
        assert.isFalse(yield* numbers.add(first))
        assert.deepStrictEqual(yield* numbers.find("+15550100009"), first)
        assert.isNull(yield* numbers.find("+15550100000"))
        assert.isFalse(yield* numbers.remove("other", "+15550100009"))
        assert.isTrue(yield* numbers.remove("acme", "+15550100009"))
        assert.isTrue(yield* numbers.add(number("other", "+15550100009", 30)))
      })
    )

    it.effect("are listed oldest first for a tenant and by number for all, with one default", () =>
      Effect.gen(function* () {
        const numbers = yield* PhoneNumbers
        const [late, early] = [number("lister", "+15550100001", 20), number("lister", "+15550100002", 10)]
        yield* numbers.add(late)
        yield* numbers.add({ ...early, isDefault: true })
        assert.deepStrictEqual(yield* numbers.ofTenant("lister"), [{ ...early, isDefault: true }, late])
        yield* numbers.makeDefault("lister", late.phone)
        assert.deepStrictEqual(yield* numbers.ofTenant("lister"), [early, { ...late, isDefault: true }])
        const page = yield* numbers.page(2, "+15550100001")
        assert.deepStrictEqual(
          page.map(({ phone }) => phone),
          ["+15550100002", "+15550100009"]
        )
        assert.lengthOf(yield* numbers.page(1, null), 1)
      })
    )
  })

/** Tests the port `Blocklist` on a store. */
export const blocklistSuite = (name: string, store: StoreLayer): void =>
  layer(Layer.fresh(store))(`Blocklist on ${name}`, (it) => {
    it.effect("stores a number once, and removes it when it is written in another format", () =>
      Effect.gen(function* () {
        const list = yield* Blocklist
        const blocked = { tenantId: "acme", phone: "+15550100001", createdAt: 1 }
        assert.deepStrictEqual(yield* list.add(blocked), blocked)
        assert.deepStrictEqual(yield* list.add({ ...blocked, createdAt: 2 }), blocked)
        assert.isTrue(yield* list.holds("acme", ["+15550100000", "+15550100001"]))
        assert.isFalse(yield* list.holds("acme", ["+15550100000"]))
        assert.isFalse(yield* list.holds("acme", []))
        assert.isFalse(yield* list.holds("other", ["+15550100001"]))
        yield* list.remove("other", ["+15550100001"])
        yield* list.remove("acme", ["+15550100000", "+15550100001"])
        assert.isFalse(yield* list.holds("acme", ["+15550100001"]))
      })
    )

    it.effect("returns pages without the hashes of erased contacts", () =>
      Effect.gen(function* () {
        const list = yield* Blocklist
        for (const phone of ["+442079460001", "+15550100001", "erased:00", "+15550100002"])
          yield* list.add({ tenantId: "pages", phone, createdAt: 1 })
        const phones = (page: ReadonlyArray<{ readonly phone: string }>) => page.map(({ phone }) => phone)
        assert.deepStrictEqual(phones(yield* list.page("pages", 2, null)), ["+15550100001", "+15550100002"])
        assert.deepStrictEqual(phones(yield* list.page("pages", 2, "+15550100002")), ["+442079460001"])
        assert.isTrue(yield* list.holds("pages", ["erased:00"]))
        assert.strictEqual(yield* list.count("pages"), 4)
      })
    )
  })

/** Tests the port `OptOuts` on a store. */
export const optOutsSuite = (name: string, store: StoreLayer): void =>
  layer(Layer.fresh(store))(`OptOuts on ${name}`, (it) => {
    const out: OptOut = {
      tenantId: "acme",
      phone: "+15550100001",
      ownPhone: "+15550200001",
      optedOut: true,
      source: "keyword",
      at: 10,
      evidence: null,
      history: []
    }

    it.effect("keep the latest consent change for each of the tenant's numbers, and the earlier ones", () =>
      Effect.gen(function* () {
        const optOuts = yield* OptOuts
        yield* optOuts.save(out)
        yield* optOuts.save({ ...out, ownPhone: "", source: "crm" })
        const back: OptOut = {
          ...out,
          optedOut: false,
          at: 20,
          history: [{ optedOut: true, source: "keyword", at: 10 }]
        }
        yield* optOuts.save(back)
        assert.deepStrictEqual(yield* optOuts.of("acme", ["+15550100000", out.phone]), [
          { ...out, ownPhone: "", source: "crm" },
          back
        ])
        assert.deepStrictEqual(yield* optOuts.of("acme", []), [])
        assert.deepStrictEqual(yield* optOuts.of("other", [out.phone]), [])
      })
    )
  })
