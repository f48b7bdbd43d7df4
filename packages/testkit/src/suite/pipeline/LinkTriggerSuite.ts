/** The suite of rules that react to opened links. */
import { assert, describe } from "@effect/vitest"
import { PublicUrl } from "@leadloom/core/internal/domain/consent/UnsubscribeLink"
import type { OutgoingMail } from "@leadloom/core/internal/domain/email/OutgoingMail"
import { linkScanMillis } from "@leadloom/core/internal/domain/link/TrackedLink"
import type { Action, Rule } from "@leadloom/core/internal/domain/rule/Rule"
import type { LinkTrigger } from "@leadloom/core/internal/domain/rule/Trigger"
import { findLink, recordOpen } from "@leadloom/core/internal/workflow/link/OpenLink"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { present, scenesOn } from "../Scene.ts"
import { email, fields, now, open, work as workSteps } from "../sequence/SequenceWorld.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { everything, later, listed, setRules, states, titles, work } from "./TriggerWorld.ts"

const publicUrl = "https://leads.example"
const linked = Effect.provideService(PublicUrl, publicUrl)

const prices = "https://shop.example/prices/2026"
const faq = "https://shop.example/faq"
const body = `<p><a href="${prices}">Prices</a> <a href="${faq}">FAQ</a></p>`

const on = (id: string, trigger: Omit<LinkTrigger, "type">, ...actions: ReadonlyArray<Action>): Rule => ({
  id,
  name: `Rule ${id}`,
  priority: 1,
  trigger: { type: "link_opened", ...trigger },
  when: everything,
  actions: [{ type: "create_task", task_type: "follow_up", title: id }, ...actions]
})

/** Returns the tokens of the tracked links of a mail. */
const tokens = (mail: OutgoingMail | undefined): ReadonlyArray<string> =>
  [...(mail?.html ?? "").matchAll(/links\/([^"]+)"/gu)].map(([, token = ""]) => token)

const openLinks = (mail: OutgoingMail | undefined) =>
  Effect.forEach(tokens(mail), (token) => Effect.flatMap(findLink(token), recordOpen), { discard: true })

/** A tenant that records opened links, and a contact who got an email with two of them. */
const begin = Effect.gen(function* () {
  const opened = yield* open({ linkTracking: true, replyMode: "off", maxSequenceMessagesPerDay: 100 }, "UTC")
  const enrolment = yield* opened.enrol(fields(email("hello", now, { body })))
  yield* workSteps
  yield* TestClock.adjust(linkScanMillis)
  return { ...opened, enrolment }
})

const outcomes = Effect.map(listed(), (runs) => runs.map(({ reason, state }) => [state, reason]).toReversed())

/** Tests rules that react to opened links, on a store. */
export const linkTriggerSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`rules that react to opened links on ${name}`, () => {
    scene("run once for each link of a message", ({ mail }) =>
      Effect.gen(function* () {
        const { contactId, leadId } = yield* begin
        yield* setRules(on("any", {}), on("off", {}))
        yield* setRules(on("any", {}), { ...on("off", {}), enabled: false })
        yield* openLinks(mail.outbox[0])
        yield* openLinks(mail.outbox[0])
        yield* work
        yield* TestClock.adjust("1 day")
        yield* openLinks(mail.outbox[0])
        yield* work
        assert.deepStrictEqual(yield* titles(contactId), ["any", "any"])
        const runs = yield* listed()
        assert.deepStrictEqual(
          runs.map(({ change, leadId: lead, state }) => [change?.field, change?.to, lead, state]).toReversed(),
          [
            ["url", prices, leadId, "ran"],
            ["url", faq, leadId, "ran"]
          ]
        )
        assert.isNotNull(runs[0]?.messageId)
      }).pipe(linked)
    )

    scene("select the sequence and the beginning of the URL, and can wait", ({ mail }) =>
      Effect.gen(function* () {
        const { contactId, enrolment } = yield* begin
        const { sequenceId } = enrolment
        yield* setRules(
          on("prices", { url_prefix: "https://shop.example/prices" }),
          on("mine", { sequence: sequenceId, url_prefix: faq }),
          on("elsewhere", { sequence: "seq_other" }),
          on("http", { url_prefix: "http://shop.example" }),
          on("late", { url_prefix: faq, after_minutes: 60 })
        )
        yield* openLinks(mail.outbox[0])
        yield* work
        assert.deepStrictEqual((yield* titles(contactId)).toSorted(), ["mine", "prices"])
        yield* later("1 hour")
        assert.deepStrictEqual((yield* titles(contactId)).toSorted(), ["late", "mine", "prices"])
      }).pipe(linked)
    )

    scene("do not run after their trigger was changed, or for links from before the rule", ({ mail }) =>
      Effect.gen(function* () {
        yield* begin
        const [first] = tokens(mail.outbox[0])
        yield* Effect.flatMap(findLink(present(first)), recordOpen)
        yield* setRules(on("any", { after_minutes: 60 }))
        yield* openLinks(mail.outbox[0])
        assert.deepStrictEqual(yield* states, ["waiting"])
        yield* setRules(on("any", { url_prefix: prices }))
        yield* later("1 hour")
        assert.deepStrictEqual(yield* outcomes, [["prevented", "the trigger of the rule was changed"]])
      }).pipe(linked)
    )

    scene("send no message without end if a program opens every link", ({ mail }) =>
      Effect.gen(function* () {
        const { contactId, enrolment } = yield* begin
        const again: Action = { type: "send_template", channel: "email", subject: "More", body }
        yield* setRules(
          on("send", {}, again),
          on("start", {}, { type: "start_sequence", sequence: enrolment.sequenceId })
        )
        for (let round = 0; round < 5; round++) {
          yield* openLinks(mail.outbox.at(-1))
          yield* work
          yield* workSteps
          yield* TestClock.adjust(linkScanMillis)
        }
        assert.deepStrictEqual(
          mail.outbox.map(({ subject }) => subject),
          ["hello", "More"]
        )
        const reasons = (yield* listed()).flatMap(({ actions }) => actions.map(({ reason }) => reason))
        assert.include(reasons, "the contact has not written since its last enrolment in the sequence")
        assert.isAbove((yield* titles(contactId)).length, 4)
      }).pipe(linked)
    )

    scene("cause no other rules by their changes", ({ mail }) =>
      Effect.gen(function* () {
        yield* begin
        const tagging = on("tag", { url_prefix: faq }, { type: "tag", tag: "keen" })
        const tagged: Rule = { ...on("tagged", {}), trigger: { type: "tag_added", tag: "keen" } }
        yield* setRules(tagging, tagged)
        yield* openLinks(mail.outbox[0])
        yield* later("1 hour")
        assert.deepStrictEqual(yield* states, ["ran"])
      }).pipe(linked)
    )
  })
}
