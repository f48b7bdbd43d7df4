import { assert, layer } from "@effect/vitest"
import type { Identity } from "@leadloom/core/internal/domain/contact/Identity"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Identities } from "@leadloom/core/internal/port/repository/contact/Identities"
import { Effect } from "effect"
import type { StoreLayer } from "../StoreLayer.ts"
import { contactRecord, freshTenant, idOf, noon } from "../Records.ts"

const email = (value: string): Identity => ({ kind: "email", value })

/** Tests the port `Identities` on a store. */
export const identitiesSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`Identities on ${name}`, (it) => {
    it.effect("lists the identities of a contact oldest first with their details, and keeps tenants apart", () =>
      Effect.gen(function* () {
        const contacts = yield* Contacts
        const identities = yield* Identities
        const [one, other] = [freshTenant(), freshTenant()]
        const contactId = idOf("con", 1)
        for (const tenantId of [one, other]) yield* contacts.insert(contactRecord(tenantId, 1))
        yield* contacts.attach(one, contactId, [email("z@x.example")], noon)
        yield* contacts.attach(one, contactId, [email("b@x.example"), email("a@x.example")], noon + 1)
        yield* contacts.attach(other, contactId, [email("z@x.example")], noon)
        yield* identities.describe(one, email("a@x.example"), { label: "Büro", verifiedAt: noon + 5 })
        yield* identities.describe(one, email("unknown@x.example"), { label: "x", verifiedAt: null })
        const none = { label: null, verifiedAt: null }
        assert.deepStrictEqual(yield* identities.ofContact(one, contactId), [
          { identity: email("z@x.example"), ...none, createdAt: noon },
          { identity: email("a@x.example"), label: "Büro", verifiedAt: noon + 5, createdAt: noon + 1 },
          { identity: email("b@x.example"), ...none, createdAt: noon + 1 }
        ])
        const sets = yield* identities.ofContacts(one, [contactId, idOf("con", 9)])
        assert.deepStrictEqual([...sets.keys()], [contactId])
        assert.sameDeepMembers(
          [...(sets.get(contactId) ?? [])],
          ["a", "b", "z"].map((name) => email(`${name}@x.example`))
        )
        assert.deepStrictEqual(yield* identities.ofContact(other, contactId), [
          { identity: email("z@x.example"), ...none, createdAt: noon }
        ])
      })
    )
  })
