import { drainJobs, scenesOn } from "../Scene.ts"
import { locationId, open, reportContact } from "./CrmWorld.ts"
import type { CrmInMemory } from "../../memory/Crm.ts"
import { assert, describe } from "@effect/vitest"
import { createContact } from "@leadloom/core/internal/workflow/contact/CreateContact"
import { updateContact } from "@leadloom/core/internal/workflow/contact/UpdateContact"
import { setSync } from "@leadloom/core/internal/workflow/crm/Install"
import { allNumbers, isOptedOut, type OptOutSource } from "@leadloom/core/internal/domain/consent/OptOut"
import { OptOuts } from "@leadloom/core/internal/port/repository/contact/OptOuts"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { recordConsentChange } from "@leadloom/core/internal/workflow/sending/RecordConsentChange"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import type { ContactId } from "@leadloom/core/internal/domain/Id"
import type { StoreLayer } from "../StoreLayer.ts"

const phone = "+14155550123"
const own = "+14155559999"
const jo = { name: "Jo Smith", email: "jo@customer.example", phone }

const storedOptOuts = Effect.flatMap(OptOuts, (optOuts) => optOuts.of("acme", [phone]))
const isOut = Effect.map(storedOptOuts, (all) => isOptedOut(all, own))

/** Creates the contact Jo on both sides, with do-not-disturb settings in the CRM. */
const meet = Effect.fnUntraced(function* (crm: CrmInMemory) {
  yield* open(crm)
  const { contactId } = yield* createContact("acme", jo)
  yield* drainJobs
  const disturb = Effect.fnUntraced(function* (smsOptOut: boolean) {
    yield* TestClock.adjust(1_000)
    const [there = assert.fail("the CRM knows nobody")] = crm.contacts.values()
    crm.contacts.set(there.crmContactId, { ...there, smsOptOut })
    yield* reportContact(there.crmContactId, { smsOptOut })
    yield* drainJobs
  })
  return { contactId, disturb }
})

/** Changes Jo's consent for one number. `source`: who makes the change. */
const consentChange = Effect.fnUntraced(function* (
  contactId: ContactId,
  optedOut: boolean,
  source: OptOutSource,
  ownPhone = own
) {
  yield* TestClock.adjust(1_000)
  const at = yield* Clock.currentTimeMillis
  const received = { tenantId: "acme", contactId, phone, ownPhone, consentChange: { optedOut, source, at } }
  yield* (yield* Transactions).atomically("acme", recordConsentChange(received))
})

/** Tests do-not-disturb settings of a CRM for texts, on a store. */
export const crmOptOutSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store, "crm")
  describe(`Do not disturb of a CRM on ${name}`, () => {
    scene("blocks texts to a contact until the CRM removes it", ({ crm }) =>
      Effect.gen(function* () {
        const { disturb } = yield* meet(crm)
        assert.isFalse(yield* isOut)
        yield* disturb(true)
        assert.isTrue(yield* isOut)
        assert.deepInclude((yield* storedOptOuts)[0], { source: "crm", ownPhone: "", optedOut: true })
        yield* disturb(false)
        assert.isFalse(yield* isOut)
        yield* disturb(true)
        assert.isTrue(yield* isOut)
        assert.lengthOf((yield* storedOptOuts)[0]?.history ?? [], 2)
      })
    )

    scene("does not override a later consent of the contact", ({ crm }) =>
      Effect.gen(function* () {
        const { contactId, disturb } = yield* meet(crm)
        yield* disturb(true)
        yield* consentChange(contactId, false, "keyword")
        yield* updateContact("acme", contactId, { name: "Jo van Smith" })
        yield* drainJobs
        yield* disturb(true)
        assert.isFalse(yield* isOut)
      })
    )

    scene("ends when the contact opts in later, and applies again if it is set again", ({ crm }) =>
      Effect.gen(function* () {
        const { contactId, disturb } = yield* meet(crm)
        yield* consentChange(contactId, true, "keyword")
        yield* consentChange(contactId, false, "keyword")
        yield* disturb(true)
        assert.isTrue(yield* isOut)
        yield* consentChange(contactId, false, "keyword")
        assert.isFalse(yield* isOut)
        yield* consentChange(contactId, true, "crm", allNumbers)
        assert.isTrue(yield* isOut)
      })
    )

    scene("does not remove the contact's own opt-out", ({ crm }) =>
      Effect.gen(function* () {
        const { contactId, disturb } = yield* meet(crm)
        yield* disturb(true)
        yield* consentChange(contactId, true, "keyword")
        yield* disturb(false)
        assert.isTrue(yield* isOut)
        yield* consentChange(contactId, false, "keyword")
        yield* disturb(false)
        assert.isFalse(yield* isOut)
        assert.isTrue((yield* storedOptOuts).every(({ optedOut }) => !optedOut))
      })
    )

    scene("does not remove an opt-out that only the contact made, and has no effect with inbound sync off", ({ crm }) =>
      Effect.gen(function* () {
        const { contactId, disturb } = yield* meet(crm)
        yield* consentChange(contactId, true, "wording")
        yield* disturb(false)
        assert.isTrue(yield* isOut)
        yield* consentChange(contactId, false, "keyword")
        yield* setSync("acme", locationId, "to_crm")
        yield* disturb(true)
        assert.isFalse(yield* isOut)
      })
    )
  })
}
