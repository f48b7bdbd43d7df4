import type { Doubles } from "../Doubles.ts"
import * as ProviderFailure from "@leadloom/core/internal/domain/provider/ProviderFailure"
import type { Fate } from "../../memory/EmailTransport.ts"
import { assert, describe } from "@effect/vitest"
import { type Approval, approveDraft } from "@leadloom/core/internal/workflow/draft/ApproveDraft"
import { dismissDraft } from "@leadloom/core/internal/workflow/draft/Drafts"
import { contentHash, type Draft } from "@leadloom/core/internal/domain/draft/Draft"
import { sendMessage } from "@leadloom/core/internal/workflow/conversation/SendMessage"
import { workDueSignals } from "@leadloom/core/internal/workflow/pipeline/WorkSignals"
import { Drafts } from "@leadloom/core/internal/port/repository/conversation/Drafts"
import { Clock, Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { freshTenant } from "../Records.ts"
import { domainOfTenant, inTenant, present, scenesOn, type Services, thanks } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const fates = {
  taken: { left: true, response: "250 ok", refused: [], assigned: null },
  refused: ProviderFailure.refused("mail", "550 no"),
  unknown: ProviderFailure.outcomeUnknown("mail", "the connection is gone")
} as const satisfies Readonly<Record<string, Fate>>

const fate = fc.constantFrom("taken" as const, "taken" as const, "refused" as const, "unknown" as const)

/** Random steps in any order. `draft`: the number of the draft. `seen`: the state that the approval names as seen. */
const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant({ does: "arrive" as const }) },
    { weight: 3, arbitrary: fc.constant({ does: "work" as const }) },
    { weight: 1, arbitrary: fc.constantFrom({ does: "absent" as const }, { does: "own" as const }) },
    {
      weight: 4,
      arbitrary: fc.record({
        does: fc.constant("approve" as const),
        draft: fc.option(fc.nat({ max: 3 })),
        seen: fc.constantFrom("nothing" as const, "all" as const, "another text" as const),
        edited: fc.boolean(),
        times: fc.integer({ min: 1, max: 3 }),
        fate
      })
    },
    {
      weight: 1,
      arbitrary: fc.record({ does: fc.constant("dismiss" as const), draft: fc.option(fc.nat({ max: 3 })) })
    },
    { weight: 1, arbitrary: fc.record({ does: fc.constant("reply" as const), fate }) }
  ),
  { maxLength: 18 }
)

type Step = (typeof steps extends fc.Arbitrary<infer A> ? A : never)[number]

/** The state of a story: the drafts, how often each was sent, and the contact's newest message without a reply. */
interface Tale {
  readonly drafts: Array<Draft>
  readonly left: Map<string, number>
  /** Message-ID of the unanswered message; null if there is none. */
  open: string | null
}

/** Tests drafts with random steps on a store. */
export const draftStorySuite = (name: string, store: StoreLayer): void => {
  const report = Effect.fnUntraced(function* (taken: ReadonlyArray<Step>, relay: Doubles["mail"]) {
    const tenantId = freshTenant()
    const { connectMail, draftOf, receiveMail, tasksOf, ...steps } = inTenant(tenantId)
    const tenant = yield* steps.open({ rules: [thanks], replyMode: "draft" })
    yield* connectMail(null)
    const decide = (how: keyof typeof fates) =>
      void relay.fates.splice(0, relay.fates.length, ...Array.from({ length: 3 }, () => fates[how]))
    const drafts = yield* Drafts
    const tale: Tale = { drafts: [], left: new Map(), open: null }
    let number = 0
    const accept = Effect.fnUntraced(function* (from: string, to: string, more: ReadonlyArray<string>) {
      const id = `${number++}@${tenantId}.example`
      const date = new Date(yield* Clock.currentTimeMillis).toUTCString()
      const references = `<0@${tenantId}.example>`
      const mail = { id, from, to, date, references, subject: "Re: A roof", body: `Roof ${number}`, more }
      return { id, ...(yield* receiveMail(mail)) }
    })
    const own = `sales@${domainOfTenant(tenantId)}`
    const arrive = accept("jo@customer.example", own, [])
    const first = yield* arrive
    const contactId = present(first.contactId)
    tale.open = first.id
    const pending = draftOf(contactId)

    const approve = Effect.fnUntraced(function* (step: Extract<Step, { does: "approve" }>) {
      const meant = step.draft === null ? null : (tale.drafts[step.draft] ?? null)
      const before = yield* pending
      const seen = meant ?? before
      const hash = step.seen === "nothing" ? null : contentHash(step.seen === "all" ? "Thank you." : "Another.")
      const approval: Approval = {
        draftId: meant?.draftId ?? null,
        contentHash: hash,
        headMessageId: step.seen === "all" ? (seen?.headMessageId ?? null) : null,
        body: step.edited ? "Thank you very much." : null
      }
      decide(step.fate)
      const mails = relay.outbox.length
      const approvals = Array.from({ length: step.times }, () => Effect.exit(approveDraft(tenant, contactId, approval)))
      const exits = yield* Effect.all(approvals, { concurrency: step.times })
      const sent = relay.outbox.slice(mails)
      const fresh =
        before !== null && (meant === null || meant.draftId === before.draftId) && step.seen !== "another text"
      if (!fresh) return assert.deepStrictEqual(sent, [], "nothing but what is pending and was seen is sent")
      // After a refusal, each concurrent approval may try again.
      assert.isTrue(step.fate === "refused" ? sent.length >= 1 : sent.length === 1, "what is asked for is sent, once")
      assert.isTrue(
        sent.every(({ inReplyTo }) => inReplyTo === tale.open),
        "the newest message is answered"
      )
      if (step.fate === "refused") return
      tale.left.set(before.draftId, (tale.left.get(before.draftId) ?? 0) + 1)
      tale.open = null
      const outcomes = new Set(exits.map((exit) => (Exit.isSuccess(exit) ? exit.value.messageId : "refused")))
      assert.strictEqual(outcomes.size, 1, "everybody is told the same")
    })

    const dismiss = Effect.fnUntraced(function* (index: number | null) {
      const meant = index === null ? null : (tale.drafts[index]?.draftId ?? null)
      yield* Effect.exit(dismissDraft(tenantId, contactId, meant))
    })

    const reply = Effect.fnUntraced(function* (how: keyof typeof fates) {
      decide(how)
      yield* Effect.exit(sendMessage(tenant, contactId, { channel: "email", body: "Myself.", replyAll: false }, null))
      // After a refused send, the message has no reply yet, so a later draft may answer it.
      if (how !== "refused") tale.open = null
    })

    const perform = (step: Step): Effect.Effect<unknown, unknown, Services> => {
      switch (step.does) {
        case "arrive":
          return Effect.map(arrive, ({ id }) => void (tale.open = id))
        case "work":
          return workDueSignals()
        case "absent":
          return accept("jo@customer.example", own, ["Auto-Submitted: auto-replied"])
        case "own":
          return Effect.map(accept(own, "jo@customer.example", []), () => void (tale.open = null))
        case "approve":
          return approve(step)
        case "dismiss":
          return dismiss(step.draft)
        case "reply":
          return reply(step.fate)
      }
    }

    for (const step of taken) {
      yield* TestClock.adjust("1 minute")
      yield* perform(step)
      const made = yield* drafts.newest(tenantId, contactId)
      if (made !== null && made.draftId !== tale.drafts.at(-1)?.draftId) tale.drafts.push(made)
    }
    const waiting = (yield* pending) === null ? 0 : 1
    const tasks = yield* tasksOf(contactId)
    const open = tasks.filter(({ status, type }) => type === "reply_approval" && status === "open")
    assert.strictEqual(open.length, waiting, "a task is open for what is pending, and for nothing else")
    for (const [draftId, times] of tale.left) {
      assert.strictEqual(times, 1, "a draft is sent once")
      assert.strictEqual((yield* drafts.find(tenantId, draftId))?.state, "sent")
    }
  })

  const scene = scenesOn(store)
  describe(`drafts after random steps on ${name}`, () => {
    scene(
      "lead to at most one email, which answers the newest message, and to none after being superseded or dismissed",
      ({ mail }) =>
        Effect.gen(function* () {
          const context = yield* Effect.context<Services>()
          const property = fc.asyncProperty(steps, (taken) => Effect.runPromiseWith(context)(report(taken, mail)))
          yield* Effect.promise(() => fc.assert(property, { numRuns: 60 }))
        })
    )
  })
}
