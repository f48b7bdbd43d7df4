import { acme, scenesOn, textFromJane } from "../Scene.ts"
import { assert, describe } from "@effect/vitest"
import { mergeContacts } from "@leadloom/core/internal/workflow/contact/MergeContacts"
import { undoMerge } from "@leadloom/core/internal/workflow/contact/UndoMerge"
import { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Effect } from "effect"
import { open } from "../sending/TextWorld.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const kims = "+12125550155"

/** Tests the texts of two contacts that were merged by mistake and separated again, on a store. */
export const mergedTextsSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store, "texts")
  describe(`texts of two wrongly merged contacts on ${name}`, () => {
    scene("move back with their number, whichever lead they joined", () =>
      Effect.gen(function* () {
        yield* open({ replyMode: "off" })
        const jane = yield* acme.receiveText("One of Jane's")
        const kim = yield* acme.receiveText(textFromJane("One of Kim's", { from: kims }))
        const { merge } = yield* mergeContacts("acme", jane.contactId, kim.contactId)
        const meanwhile = [
          yield* acme.receiveText(textFromJane("Two of Kim's", { from: kims })),
          yield* acme.receiveText("Two of Jane's")
        ]
        assert.deepStrictEqual(
          meanwhile.map(({ contactId, leadId }) => ({ contactId, leadId })),
          [kim, kim].map(({ leadId }) => ({ contactId: jane.contactId, leadId }))
        )
        yield* undoMerge("acme", merge.mergeId)
        const messages = yield* Messages
        const bodiesOf = (contactId: string) =>
          Effect.map(messages.ofContact("acme", contactId), (all) => all.map(({ body }) => body))
        assert.deepStrictEqual(yield* bodiesOf(jane.contactId), ["One of Jane's", "Two of Jane's"])
        assert.deepStrictEqual(yield* bodiesOf(kim.contactId), ["One of Kim's", "Two of Kim's"])
        const { get } = yield* Conversations
        assert.strictEqual((yield* get("acme", jane.contactId)).unread, 2)
        assert.strictEqual((yield* get("acme", kim.contactId)).unread, 2)
        for (const [number, who] of [
          [kims, kim],
          ["+12125550100", jane]
        ] as const) {
          const { contactId, leadId } = yield* acme.receiveText(textFromJane("Three", { from: number }))
          assert.deepStrictEqual([contactId, leadId], [who.contactId, who.leadId])
        }
      })
    )
  })
}
