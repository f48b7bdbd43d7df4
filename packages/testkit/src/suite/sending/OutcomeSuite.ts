import { assert, describe } from "@effect/vitest"
import { plainComposition } from "@leadloom/core/internal/domain/sending/Composition"
import * as ProviderFailure from "@leadloom/core/internal/domain/provider/ProviderFailure"
import type { MessageId } from "@leadloom/core/internal/domain/Id"
import type { ReportRow } from "@leadloom/core/internal/domain/report/Report"
import { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { changeDelivery } from "@leadloom/core/internal/workflow/provider/ChangeDelivery"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { updateConversation } from "@leadloom/core/internal/workflow/conversation/UpdateConversation"
import {
  createAgentDraft,
  removeAgentDraft,
  sendAgentDraft,
  updateAgentDraft
} from "@leadloom/core/internal/workflow/draft/AgentDrafts"
import { followReports } from "@leadloom/core/internal/workflow/report/FollowReports"
import { readReport, type ReportRequest } from "@leadloom/core/internal/workflow/report/ReadReport"
import { recountReports } from "@leadloom/core/internal/workflow/report/RecountReports"
import { workDueScheduled } from "@leadloom/core/internal/workflow/schedule/ReleaseScheduled"
import { cancelScheduled, editScheduled } from "@leadloom/core/internal/workflow/schedule/ScheduledSends"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, drainSends, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import * as ScheduledWorld from "./ScheduledWorld.ts"

/** A tenant to which Jo has written. `waiting` is the start of Jo's wait. */
const open = Effect.gen(function* () {
  const tenant = yield* acme.open({ timeZone: "UTC" })
  yield* acme.connectMail()
  const { contactId } = yield* acme.handleMail()
  const waiting = Effect.map(
    Effect.flatMap(Conversations, (conversations) => conversations.get("acme", contactId)),
    ({ waitingSince }) => waitingSince
  )
  const since = yield* waiting
  assert.isNotNull(since)
  return { contactId, since, tenant, waiting }
})

/** Returns the types of the events with a prefix, oldest first. */
const typesOf = (prefix: string) =>
  Effect.map(acme.eventTypes(), (types) => types.filter((type) => type.startsWith(`${prefix}.`)))

/** Applies a report of the provider about a message. */
const report = (messageId: MessageId, delivery: "delivered" | "bounced", reason: string | null) =>
  Effect.flatMap(Transactions, ({ atomically }) =>
    atomically("acme", changeDelivery("acme", messageId, delivery, reason))
  )

const bounce = (messageId: MessageId) => report(messageId, "bounced", "550 unknown mailbox")

const thisMonth: ReportRequest = {
  from: null,
  to: null,
  groupBy: "channel",
  filter: { channel: null, userId: null, teamId: null, tag: null }
}

/** Counts new rows, and returns the numbers of sent answers and of first responses in reports. */
const countedAnswers = Effect.gen(function* () {
  yield* followReports()
  const [volume, responses] = [
    yield* readReport("acme", "volume", thisMonth),
    yield* readReport("acme", "response_times", thisMonth)
  ]
  const countOf = (rows: ReadonlyArray<ReportRow>, metric: string) =>
    rows.find((row) => row.metric === metric)?.count ?? 0
  return [countOf(volume.rows, "sent"), countOf(responses.rows, "first_response")] as const
})

/** Counts new rows, and returns the numbers of messages by delivery state in reports. */
const countedDeliveries = Effect.gen(function* () {
  yield* followReports()
  const { rows } = yield* readReport("acme", "deliveries", thisMonth)
  return rows.map(({ count, detail, group }) => [group, detail, count])
})

/** Tests on a store that a contact waits until an answer is sent, and that events report the outcome of messages. */
export const outcomeSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`the outcome of an answer on ${name}`, () => {
    scene("ends the wait of the contact only when the answer is sent", ({ mail: { fates } }) =>
      Effect.gen(function* () {
        const { since, waiting } = yield* open
        fates.push(ProviderFailure.refused("mail", "550 rejected"))
        yield* Effect.flip(acme.sendMail())
        assert.strictEqual(yield* waiting, since)
        assert.deepStrictEqual(yield* typesOf("message"), ["message.failed"])
        fates.push(ProviderFailure.unavailable("mail", "451 try later"))
        yield* acme.sendMail({ body: "Second try." })
        assert.strictEqual(yield* waiting, since)
        // A further answer that waits too does not count the first one.
        fates.push(ProviderFailure.unavailable("mail", "451 try later"))
        yield* acme.sendMail({ body: "Third try." })
        assert.strictEqual(yield* waiting, since)
        yield* TestClock.adjust("1 hour")
        yield* drainSends
        assert.isNull(yield* waiting)
        assert.deepStrictEqual(yield* typesOf("message"), ["message.failed", "message.sent", "message.sent"])
      })
    )

    scene("lets the contact wait again when the answer bounces, unless the conversation is closed", () =>
      Effect.gen(function* () {
        const { contactId, since, waiting } = yield* open
        const { messageId } = yield* acme.sendMail()
        assert.isNull(yield* waiting)
        yield* bounce(messageId)
        assert.strictEqual(yield* waiting, since)
        const last = (yield* acme.events()).at(-1)
        assert.deepInclude(last?.data, { actor: "system", changes: ["waiting_since"] })
        const { messageId: again } = yield* acme.sendMail({ body: "Again." })
        yield* updateConversation("acme", contactId, { state: "closed" }, null)
        yield* bounce(again)
        assert.isNull(yield* waiting)
        assert.deepStrictEqual(yield* typesOf("message"), [
          "message.sent",
          "message.bounced",
          "message.sent",
          "message.bounced"
        ])
      })
    )

    scene("counts in reports exactly while it ends the wait", ({ mail: { fates } }) =>
      Effect.gen(function* () {
        const { since, waiting } = yield* open
        yield* TestClock.adjust("1 minute")
        fates.push(ProviderFailure.unavailable("mail", "451 try later"))
        const { messageId } = yield* acme.sendMail()
        yield* TestClock.adjust("2 minutes")
        assert.deepStrictEqual([yield* waiting, yield* countedAnswers], [since, [0, 0]])
        yield* TestClock.adjust("1 hour")
        yield* drainSends
        assert.deepStrictEqual([yield* waiting, yield* countedAnswers], [null, [1, 1]])
        yield* recountReports("acme")
        assert.deepStrictEqual(yield* countedAnswers, [1, 1])
        yield* bounce(messageId)
        assert.deepStrictEqual([yield* waiting, yield* countedAnswers], [since, [0, 0]])
      })
    )

    scene("counts in the report of deliveries by its current state", ({ mail: { fates } }) =>
      Effect.gen(function* () {
        yield* open
        fates.push(ProviderFailure.unavailable("mail", "451 try later"))
        const { messageId } = yield* acme.sendMail()
        yield* TestClock.adjust("2 minutes")
        assert.deepStrictEqual(yield* countedDeliveries, [["email", "queued", 1]])
        yield* TestClock.adjust("1 hour")
        yield* drainSends
        assert.deepStrictEqual(yield* countedDeliveries, [["email", "sent", 1]])
        yield* report(messageId, "delivered", null)
        assert.deepStrictEqual(yield* countedDeliveries, [["email", "delivered", 1]])
        yield* bounce(messageId)
        assert.deepStrictEqual(yield* countedDeliveries, [["email", "bounced", 1]])
      })
    )

    scene("does not change when the answer is delivered", () =>
      Effect.gen(function* () {
        const { waiting } = yield* open
        const { messageId } = yield* acme.sendMail()
        yield* report(messageId, "delivered", null)
        assert.isNull(yield* waiting)
        assert.deepStrictEqual(yield* typesOf("message"), ["message.sent", "message.delivered"])
      })
    )

    scene("of scheduled messages is reported with every change", () =>
      Effect.gen(function* () {
        const { schedule } = yield* ScheduledWorld.open
        const unchanged = { time: null, cancelOnReply: null, version: null }
        const { scheduled: first } = yield* schedule({ hours: 1 })
        yield* editScheduled("acme", first.messageId, { ...unchanged, composition: { body: "We come on Tuesday." } })
        yield* cancelScheduled("acme", first.messageId)
        yield* schedule({ hours: 2 })
        yield* TestClock.adjust("2 hours")
        yield* workDueScheduled()
        assert.deepStrictEqual(yield* typesOf("scheduled_message"), [
          "scheduled_message.created",
          "scheduled_message.updated",
          "scheduled_message.canceled",
          "scheduled_message.created",
          "scheduled_message.sent"
        ])
        yield* drainSends
        assert.deepStrictEqual(yield* typesOf("message"), ["message.sent"])
      })
    )

    scene("of drafts is reported with every change", () =>
      Effect.gen(function* () {
        const { contactId, tenant } = yield* open
        const place = { tenantId: "acme", contactId }
        const composition = { ...plainComposition, channel: "email" as const, body: "We come on Monday." }
        const { draftId } = yield* createAgentDraft(place, composition, "user:kim")
        const changes = { composition: { body: "We come on Tuesday." }, versions: [1], by: "user:kim" }
        yield* updateAgentDraft(place, draftId, changes)
        yield* sendAgentDraft(tenant, place, draftId, null, null)
        const other = yield* createAgentDraft(place, composition, "user:kim")
        yield* removeAgentDraft(place, other.draftId, null)
        assert.deepStrictEqual(yield* typesOf("draft"), [
          "draft.created",
          "draft.updated",
          "draft.approved",
          "draft.created",
          "draft.dismissed"
        ])
      })
    )
  })
}
