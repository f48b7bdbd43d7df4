import { assert, describe } from "@effect/vitest"
import { createContact } from "@leadloom/core/internal/workflow/contact/CreateContact"
import { assignNumber, releaseNumber } from "@leadloom/core/internal/workflow/tenant/AssignNumber"
import { blockNumber, unblockNumber } from "@leadloom/core/internal/workflow/sms/BlockNumber"
import { readCallSendContext, readTextSendContext } from "@leadloom/core/internal/workflow/sending/NumberSendContext"
import { maySend } from "@leadloom/core/internal/domain/consent/MaySend"
import { OptOuts } from "@leadloom/core/internal/port/repository/contact/OptOuts"
import { PersonalData } from "@leadloom/core/internal/port/repository/contact/PersonalData"
import { eraseContact } from "@leadloom/core/internal/workflow/privacy/EraseContact"
import { inventoryByName } from "@leadloom/core/internal/domain/privacy/DataInventory"
import { Effect } from "effect"
import { acme, inTenant, jane, scenesOn, start } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const contactOf = (tenantId: string, phone = jane) => createContact(tenantId, { name: "Jane", phone })

/** Tests on a store which phone numbers may receive texts and calls. */
export const numbersSuite = (name: string, store: StoreLayer): void => {
  describe(`numbers of tenants on ${name}`, () => {
    const scene = scenesOn(store)

    const noon = start + 7 * 3_600_000

    scene("assign a number to one tenant, and send from the default number", () =>
      Effect.gen(function* () {
        const tenant = yield* acme.open()
        yield* inTenant("other").open()
        const contact = yield* contactOf("acme")
        const question = { tenant, contact, by: "person", now: noon } as const
        assert.isNull((yield* readCallSendContext(question)).sender)
        yield* assignNumber("acme", "+1 555 010 0001", false)
        yield* assignNumber("acme", "+15550100002", true)
        yield* assignNumber("acme", "+15550100001", false)
        assert.strictEqual((yield* readCallSendContext(question)).sender, "+15550100002")
        assert.strictEqual(
          (yield* readCallSendContext({ ...question, ownPhone: "+15550100001" })).sender,
          "+15550100001"
        )
        assert.isNull((yield* readCallSendContext({ ...question, ownPhone: "+15550100003" })).sender)
        const acceptedFate = yield* Effect.flip(assignNumber("other", "+15550100001", true))
        assert.strictEqual(acceptedFate._tag, "PhoneNumberTaken")
        yield* releaseNumber("+15550100001")
        yield* assignNumber("other", "+15550100001", false)
        assert.strictEqual((yield* Effect.flip(releaseNumber("+15550100009")))._tag, "PhoneNumberNotFound")
        assert.strictEqual((yield* Effect.flip(assignNumber("acme", "soon", false)))._tag, "IdentityInvalid")
      })
    )

    scene("send no text to a blocked number in any format until it is unblocked", () =>
      Effect.gen(function* () {
        const tenant = yield* inTenant("blocks").open()
        yield* assignNumber("blocks", "+15550200001", false)
        const contact = yield* contactOf("blocks", "+55 11 91234-5678")
        const question = { tenant, contact, by: "person", now: noon } as const
        yield* blockNumber("blocks", "+551112345678")
        assert.isFalse((yield* readTextSendContext(question)).blocked)
        yield* blockNumber("blocks", "+55 11 9123 45678")
        assert.deepStrictEqual(maySend(yield* readTextSendContext(question)), {
          _tag: "Deny",
          reasons: [{ code: "blocked_number" }],
          overridable: []
        })
        yield* unblockNumber("blocks", "+5511912345678")
        assert.strictEqual(maySend(yield* readTextSendContext(question))._tag, "Allow")
      })
    )

    scene("send no text at night, but in the morning of the contact's time zone", () =>
      Effect.gen(function* () {
        const tenant = yield* inTenant("nights").open()
        yield* assignNumber("nights", "+15550300001", false)
        const contact = yield* contactOf("nights")
        const question = { tenant, contact, by: "person", now: start } as const
        for (const of of [
          yield* readTextSendContext(question),
          yield* readCallSendContext({ ...question, by: "nobody" })
        ])
          assert.deepInclude(maySend(of), {
            _tag: "Defer",
            until: start + 4 * 3_600_000,
            reason: { code: "quiet_hours" }
          })
        const away = { ...contact, attributes: { time_zone: "Europe/Paris" } }
        assert.strictEqual(maySend(yield* readTextSendContext({ ...question, contact: away }))._tag, "Allow")
      })
    )

    scene("keep an opt-out after the erasure of the contact, as a hash only", () =>
      Effect.gen(function* () {
        const tenant = yield* inTenant("erases").open()
        yield* assignNumber("erases", "+15550400001", false)
        const contact = yield* contactOf("erases")
        const optOuts = yield* OptOuts
        const own = { tenantId: "erases", phone: jane, ownPhone: "+15550400001", evidence: null, history: [] }
        yield* optOuts.save({ ...own, optedOut: true, source: "keyword", at: start })
        yield* blockNumber("erases", jane)
        const question = { tenant, contact, by: "nobody", now: noon } as const
        assert.isTrue((yield* readTextSendContext(question)).optedOut)
        assert.isFalse((yield* readTextSendContext({ ...question, ownPhone: "+15550400002" })).optedOut)
        const { contactId } = contact
        yield* eraseContact({ tenantId: "erases", contactId, confirm: contactId, requestedBy: "operator" })
        assert.deepStrictEqual(yield* optOuts.of("erases", [jane]), [])
        const again = yield* contactOf("erases")
        const of = yield* readTextSendContext({ ...question, contact: again })
        assert.deepInclude(of, { optedOut: true, blocked: true })
        const personalData = yield* PersonalData
        const rows = yield* personalData.present("erases", inventoryByName.opt_outs, [
          { phone: jane, own_phone: own.ownPhone }
        ])
        assert.deepStrictEqual(rows, [])
      })
    )
  })
}
