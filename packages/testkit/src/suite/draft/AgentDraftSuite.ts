import { assert, describe } from "@effect/vitest"
import { maxAgentDrafts } from "@leadloom/core/internal/domain/draft/AgentDraft"
import { plainComposition } from "@leadloom/core/internal/domain/sending/Composition"
import {
  createAgentDraft,
  listAgentDrafts,
  readAgentDraft,
  removeAgentDraft,
  sendAgentDraft,
  updateAgentDraft
} from "@leadloom/core/internal/workflow/draft/AgentDrafts"
import { scheduleAgentDraft } from "@leadloom/core/internal/workflow/schedule/ScheduleDraft"
import { cancelScheduled } from "@leadloom/core/internal/workflow/schedule/ScheduledSends"
import { Effect } from "effect"
import { acme, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { upload } from "../upload/UploadSuite.ts"

const open = Effect.gen(function* () {
  const tenant = yield* acme.open()
  yield* acme.connectMail()
  const { contactId } = yield* acme.handleMail()
  const place = { tenantId: "acme", contactId }
  const create = (body: string, attachments: (typeof plainComposition)["attachments"] = []) =>
    createAgentDraft(place, { ...plainComposition, channel: "email", body, attachments }, "user:kim")
  const edit = (draftId: string, body: string, versions: ReadonlyArray<number>) =>
    updateAgentDraft(place, draftId, { composition: { body }, versions, by: "user:lee" })
  return { contactId, create, edit, place, tenant }
})

/** Tests drafts by people on a store: sharing, conflicts and sending. */
export const agentDraftSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`a draft by people on ${name}`, () => {
    scene("is shared, and a change of an outdated version is rejected", () =>
      Effect.gen(function* () {
        const { create, edit, place } = yield* open
        const { draftId } = yield* create("Hello")
        const changed = yield* edit(draftId, "Hello Jo", [1])
        assert.deepStrictEqual(
          [changed.version, changed.composition.body, changed.createdBy, changed.updatedBy],
          [2, "Hello Jo", "user:kim", "user:lee"]
        )
        const conflict = yield* Effect.flip(edit(draftId, "Lost", [1]))
        assert.strictEqual(conflict._tag, "AgentDraftOutdated")
        if (conflict._tag === "AgentDraftOutdated") assert.strictEqual(conflict.current.composition.body, "Hello Jo")
        const racing = yield* Effect.all(
          ["one", "two", "three"].map((body) => Effect.exit(edit(draftId, body, [2]))),
          { concurrency: 3 }
        )
        assert.strictEqual(racing.filter(({ _tag }) => _tag === "Success").length, 1)
        assert.strictEqual((yield* readAgentDraft(place, draftId)).version, 3)
      })
    )

    scene("belongs to its conversation, and its number is limited", () =>
      Effect.gen(function* () {
        const { create, place } = yield* open
        const other = yield* acme.handleMail({ id: "o@x.example", from: "eve@other.example", subject: "A door" })
        const { draftId } = yield* create("Hello")
        const elsewhere = { ...place, contactId: other.contactId }
        assert.strictEqual((yield* Effect.flip(readAgentDraft(elsewhere, draftId)))._tag, "AgentDraftNotFound")
        yield* Effect.forEach(Array.from({ length: maxAgentDrafts - 1 }), () => create("Another"))
        assert.strictEqual((yield* Effect.flip(create("One more")))._tag, "AgentDraftLimitReached")
        yield* removeAgentDraft(place, draftId, null)
        assert.strictEqual((yield* listAgentDrafts(place)).length, maxAgentDrafts - 1)
      })
    )

    scene("is sent once with its files, by concurrent requests too, and then deleted", ({ mail }) =>
      Effect.gen(function* () {
        const { create, place, tenant } = yield* open
        const { uploadId } = yield* upload("the plan")
        const { draftId } = yield* create("We come on Monday.", [{ uploadId, contentId: null }])
        const outdated = yield* Effect.flip(sendAgentDraft(tenant, place, draftId, [7], null))
        assert.strictEqual(outdated._tag, "AgentDraftOutdated")
        const send = sendAgentDraft(tenant, place, draftId, [1], null)
        const sent = yield* Effect.all([send, send, send], { concurrency: 3 })
        assert.strictEqual(new Set(sent.map(({ messageId }) => messageId)).size, 1)
        assert.deepStrictEqual([mail.outbox.length, mail.files[0]?.length], [1, 1])
        assert.deepStrictEqual(yield* listAgentDrafts(place), [])
        assert.isTrue((yield* send).replayed)
      })
    )

    scene("becomes one scheduled message with its files, which are free again after its cancellation", ({ mail }) =>
      Effect.gen(function* () {
        const { create, place, tenant } = yield* open
        const { uploadId } = yield* upload("the plan")
        const files = [{ uploadId, contentId: null }]
        const { draftId } = yield* create("We come on Monday.", files)
        const undo = { time: null, undoSeconds: 10, cancelOnReply: false }
        const request = { tenant, place, draftId, schedule: undo, createdBy: "user:kim", override: null }
        const outdated = yield* Effect.flip(scheduleAgentDraft({ ...request, versions: [7] }))
        assert.strictEqual(outdated._tag, "AgentDraftOutdated")
        const { scheduled } = yield* scheduleAgentDraft({ ...request, versions: [1] })
        const again = yield* scheduleAgentDraft({ ...request, versions: [1] })
        assert.deepStrictEqual([again.replayed, again.scheduled.messageId], [true, scheduled.messageId])
        assert.deepStrictEqual([scheduled.undo, scheduled.composition.attachments.length], [true, 1])
        assert.deepStrictEqual([yield* listAgentDrafts(place), mail.outbox.length], [[], 0])
        yield* cancelScheduled("acme", scheduled.messageId)
        assert.deepStrictEqual((yield* create("Once more.", files)).composition.attachments, files)
      })
    )

    scene("stays if a rule forbids the send", ({ mail }) =>
      Effect.gen(function* () {
        const { create, place, tenant } = yield* open
        const { draftId } = yield* create("Hello")
        yield* updateAgentDraft(place, draftId, {
          composition: { from: { email: "eve@evil.example", name: null } },
          versions: [1],
          by: "user:kim"
        })
        const refused = yield* Effect.flip(sendAgentDraft(tenant, place, draftId, [2], null))
        assert.strictEqual(refused._tag, "EmailRequestInvalid")
        assert.deepStrictEqual([mail.outbox.length, (yield* listAgentDrafts(place)).length], [0, 1])
      })
    )
  })
}
