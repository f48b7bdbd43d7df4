/**
 * Suites of contacts: identities, lists, merges, phone numbers and opt-outs. Pure rules about contacts are tested in
 * `packages/core/test/domain/contact`.
 */
import { assert, layer } from "@effect/vitest"
import type { Contact } from "@leadloom/core/internal/domain/contact/Contact"
import type { Identity } from "@leadloom/core/internal/domain/contact/Identity"
import { type ContactKey, Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Effect, Exit } from "effect"
import type { StoreLayer } from "../StoreLayer.ts"
import { contactRecord, freshTenant, idOf, noon } from "../Records.ts"

const email = (value: string): Identity => ({ kind: "email", value })
const external = (value: string, source: string): Identity => ({ kind: "external", value, source })

/** Tests the port `Contacts` on a store. */
export const contactsSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`Contacts on ${name}`, (it) => {
    it.effect("returns a contact as stored, and keeps tenants apart", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        const [one, other] = [freshTenant(), freshTenant()]
        const contact = contactRecord(one, 1, {
          name: 'Zoë "Z" O\'Neil 👋',
          phone: "+14155550123",
          company: "Tür & Tor",
          notes: "line one\nline two",
          tags: ["vip", "ärger"],
          archivedAt: noon
        })
        yield* contacts.insert(contact)
        assert.deepStrictEqual(yield* contacts.get(one, contact.contactId), contact)
        assert.strictEqual((yield* Effect.flip(contacts.get(other, contact.contactId)))._tag, "ContactNotFound")
        assert.isTrue(Exit.hasDies(yield* Effect.exit(contacts.insert(contact))))
      })
    )
    it.effect("replaces the record of a contact without changing its identities", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        const tenantId = freshTenant()
        const contact = contactRecord(tenantId, 1)
        yield* contacts.insert(contact)
        yield* contacts.attach(tenantId, contact.contactId, [email("a@x.example")], noon)
        const changed: Contact = { ...contact, name: null, email: null, tags: ["new"], updatedAt: noon + 99 }
        yield* contacts.update(changed)
        assert.deepStrictEqual(yield* contacts.get(tenantId, contact.contactId), changed)
        assert.strictEqual((yield* contacts.holders(tenantId, [email("a@x.example")])).length, 1)
        const unknown = contactRecord(tenantId, 2)
        yield* contacts.update(unknown)
        assert.strictEqual((yield* Effect.flip(contacts.get(tenantId, unknown.contactId)))._tag, "ContactNotFound")
      })
    )
    it.effect("keeps an identity with the contact that had it first", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        const tenantId = freshTenant()
        yield* contacts.insert(contactRecord(tenantId, 1))
        yield* contacts.insert(contactRecord(tenantId, 2))
        const shared = email("shared@x.example")
        yield* contacts.attach(tenantId, idOf("con", 1), [shared, shared], noon)
        yield* contacts.attach(tenantId, idOf("con", 2), [shared, email("own@x.example")], noon)
        const holders = yield* contacts.holders(tenantId, [
          shared,
          shared,
          email("own@x.example"),
          email("no@x.example")
        ])
        assert.deepStrictEqual(
          holders.map(({ identity, contact }) => [identity.value, contact.contactId, contact.createdAt]).toSorted(),
          [
            ["own@x.example", idOf("con", 2), noon + 2],
            ["shared@x.example", idOf("con", 1), noon + 1]
          ]
        )
        yield* contacts.detach(tenantId, idOf("con", 2), [shared])
        assert.strictEqual((yield* contacts.holders(tenantId, [shared]))[0]?.contact.contactId, idOf("con", 1))
        yield* contacts.detach(tenantId, idOf("con", 1), [shared])
        assert.deepStrictEqual(yield* contacts.holders(tenantId, [shared]), [])
      })
    )
    it.effect("distinguishes identities by tenant, kind and source", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        const [one, other] = [freshTenant(), freshTenant()]
        yield* contacts.insert(contactRecord(one, 1))
        yield* contacts.insert(contactRecord(other, 2))
        yield* contacts.attach(one, idOf("con", 1), [external("42", "shop"), email("a@x.example")], noon)
        yield* contacts.attach(other, idOf("con", 2), [email("a@x.example")], noon)
        assert.deepStrictEqual(
          yield* contacts.holders(one, [external("42", "crm"), { kind: "phone", value: "42" }]),
          []
        )
        assert.deepStrictEqual(yield* contacts.holders(one, [external("42", "shop")]), [
          { identity: external("42", "shop"), contact: contactRecord(one, 1) }
        ])
        assert.strictEqual(
          (yield* contacts.holders(other, [email("a@x.example")]))[0]?.contact.contactId,
          idOf("con", 2)
        )
      })
    )
    it.effect("returns each contact once in pages, newest first, even while others are added", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        const [tenantId, other] = [freshTenant(), freshTenant()]
        const twins = (number: number) => contactRecord(tenantId, number, { createdAt: noon + (number >> 1) })
        yield* Effect.forEach(
          Array.from({ length: 12 }, (_, index) => twins(index)),
          contacts.insert
        )
        yield* contacts.insert(contactRecord(tenantId, 50, { archivedAt: noon }))
        yield* contacts.insert(contactRecord(other, 5))
        const seen: Array<string> = []
        let after: ContactKey | null = null
        for (let arrived = 100; ; arrived++) {
          const page: ReadonlyArray<Contact> = yield* contacts.page(tenantId, 5, after)
          if (page.length === 0) break
          seen.push(...page.map(({ contactId }) => contactId))
          after = page.at(-1) ?? null
          yield* contacts.insert(contactRecord(tenantId, arrived))
        }
        assert.deepStrictEqual(
          seen,
          Array.from({ length: 12 }, (_, index) => idOf("con", 11 - index))
        )
      })
    )
    it.effect("stores bounces and merge suggestions, repeated and in any order", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        const tenantId = freshTenant()
        yield* contacts.markUndeliverable(tenantId, "gone@x.example", noon, "5.1.1")
        yield* contacts.markUndeliverable(tenantId, "gone@x.example", noon + 1, "5.2.1")
        assert.strictEqual(yield* contacts.undeliverable(tenantId, "gone@x.example"), "5.2.1")
        assert.isNull(yield* contacts.undeliverable(tenantId, "other@x.example"))
        assert.isNull(yield* contacts.undeliverable(freshTenant(), "gone@x.example"))
        yield* contacts.suggestMerge(tenantId, idOf("con", 1), idOf("con", 2), "same phone", noon)
        yield* contacts.suggestMerge(tenantId, idOf("con", 2), idOf("con", 1), "same email", noon)
      })
    )
    it.effect("lists archived contacts separately, and does not list merged ones", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        const tenantId = freshTenant()
        for (const number of [1, 2, 3]) {
          yield* contacts.insert(contactRecord(tenantId, number, { archivedAt: number === 1 ? null : noon }))
        }
        yield* contacts.insert(contactRecord(tenantId, 4, { archivedAt: noon, mergedInto: idOf("con", 1) }))
        const ids = (page: ReadonlyArray<Contact>) => page.map(({ contactId }) => contactId)
        assert.deepStrictEqual(ids(yield* contacts.page(tenantId, 9, null)), [idOf("con", 1)])
        const archived = yield* contacts.page(tenantId, 1, null, true)
        assert.deepStrictEqual(ids(archived), [idOf("con", 3)])
        assert.deepStrictEqual(ids(yield* contacts.page(tenantId, 9, archived[0] ?? null, true)), [idOf("con", 2)])
        const named = yield* contacts.some(tenantId, [idOf("con", 1), idOf("con", 4), idOf("con", 9)])
        assert.sameMembers([...ids(named)], [idOf("con", 1), idOf("con", 4)])
        assert.deepStrictEqual(yield* contacts.some(freshTenant(), [idOf("con", 1)]), [])
      })
    )
    it.effect("returns attributes and identities of every kind", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        const tenantId = freshTenant()
        const attributes = { "a key": 'a "text" 👋', number: -1.5, yes: true, nothing: null }
        const contact = contactRecord(tenantId, 1, { attributes })
        yield* contacts.insert(contact)
        assert.deepStrictEqual(yield* contacts.get(tenantId, contact.contactId), contact)
        const identities: ReadonlyArray<Identity> = [
          email("a@x.example"),
          external("4:2", "a shop: online"),
          { kind: "phone", value: "+14155550123" }
        ]
        yield* contacts.attach(tenantId, contact.contactId, identities.toReversed(), noon)
        assert.deepStrictEqual(yield* contacts.identitiesOf(tenantId, contact.contactId), identities)
        assert.deepStrictEqual(yield* contacts.identitiesOf(freshTenant(), contact.contactId), [])
      })
    )
    it.effect("keeps the first version of a suggestion until the pair is dismissed", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        const tenantId = freshTenant()
        const con = (number: number) => idOf("con", number)
        yield* contacts.suggestMerge(tenantId, con(2), con(1), "same phone", noon)
        yield* contacts.suggestMerge(tenantId, con(1), con(2), "same email", noon + 1)
        yield* contacts.suggestMerge(tenantId, con(1), con(3), "same email", noon)
        yield* contacts.suggestMerge(tenantId, con(4), con(3), "same email", noon + 2)
        const first = { into: con(2), from: con(1), reason: "same phone", createdAt: noon, dismissedAt: null }
        const page = yield* contacts.suggestions(tenantId, 2, null)
        assert.deepStrictEqual(
          page.map(({ from, into }) => [into, from]),
          [
            [con(4), con(3)],
            [con(1), con(3)]
          ]
        )
        assert.deepStrictEqual(yield* contacts.suggestions(tenantId, 2, page[1] ?? null), [first])
        yield* contacts.dismissSuggestion(tenantId, con(1), con(2), noon + 5)
        yield* contacts.dismissSuggestion(tenantId, con(2), con(1), noon + 6)
        const dismissed = yield* contacts.suggestion(tenantId, con(1), con(2))
        assert.deepStrictEqual(dismissed, { ...first, dismissedAt: noon + 5 })
        yield* contacts.dismissSuggestion(tenantId, con(7), con(8), noon)
        yield* contacts.suggestMerge(tenantId, con(7), con(8), "same email", noon)
        assert.strictEqual((yield* contacts.suggestions(tenantId, 9, null)).length, 2)
        assert.isNull(yield* contacts.suggestion(tenantId, con(5), con(6)))
      })
    )
  })
