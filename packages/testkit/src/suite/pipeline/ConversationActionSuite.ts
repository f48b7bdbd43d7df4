import { assert, describe } from "@effect/vitest"
import type { Action, Rule } from "@leadloom/core/internal/domain/rule/Rule"
import { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { createContact } from "@leadloom/core/internal/workflow/contact/CreateContact"
import { readTimeline } from "@leadloom/core/internal/workflow/contact/ReadTimeline"
import { tagContact } from "@leadloom/core/internal/workflow/contact/TagContact"
import { wakeAllConversations } from "@leadloom/core/internal/workflow/conversation/WakeConversations"
import { createMacro } from "@leadloom/core/internal/workflow/macro/Macros"
import { runMacro } from "@leadloom/core/internal/workflow/macro/RunMacro"
import { saveConfig } from "@leadloom/core/internal/workflow/tenant/SaveConfig"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, drain, drainSignals, present, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { begin, everything, later, listed, setRules } from "./TriggerWorld.ts"

const close: Action = { type: "close_conversation" }
const rest: Action = { type: "snooze_conversation" }

const rule = (action: Action, more: Partial<Rule> = {}): Rule => ({
  id: "aside",
  name: "Aside",
  priority: 1,
  when: everything,
  actions: [action],
  ...more
})

/** Carries out actions as a macro. Returns their outcomes. */
const macro = Effect.fnUntraced(function* (contactId: string, ...actions: readonly [Action, ...ReadonlyArray<Action>]) {
  const { macroId } = yield* createMacro("acme", { name: "Aside", actions })
  const run = yield* runMacro(yield* (yield* Tenants).get("acme"), macroId, contactId)
  return run.actions.map(({ outcome, reason }) => `${outcome}: ${reason}`)
})

const inboxOf = Effect.fnUntraced(function* (contactId: string) {
  const { snoozeUntil, state, unread, waitingSince } = yield* (yield* Conversations).get("acme", contactId)
  const until = snoozeUntil === null ? null : new Date(snoozeUntil).toISOString()
  return { state, unread, waits: waitingSince !== null, until }
})

/** Returns the authors of the entries about a closed conversation in the timeline. */
const closings = Effect.fnUntraced(function* (contactId: string) {
  const { entries } = yield* readTimeline("acme", contactId, { limit: 50, cursor: null })
  return entries.flatMap((entry) =>
    entry._tag === "Activity" && entry.activity.type === "conversation_closed" ? [entry.activity.actor] : []
  )
})

const opened = { state: "open", until: null } as const

/** Tests the actions that close and snooze conversations, on a store. */
export const conversationActionSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`actions that put conversations aside on ${name}`, () => {
    scene("close a conversation like a person, and a new message opens it again", () =>
      Effect.gen(function* () {
        const when = { fact: "message.text", op: "contains", value: "newsletter" } as const
        yield* begin([rule(close, { when })], false)
        const { contactId, run } = yield* acme.handleMail({ id: "news@x.example", body: "Our newsletter" })
        assert.deepStrictEqual(
          run?.actions.map(({ outcome, reason }) => `${outcome}: ${reason}`),
          ["done: closed"]
        )
        assert.deepStrictEqual(yield* inboxOf(contactId), { state: "closed", unread: 0, waits: false, until: null })
        const closing = (yield* acme.events()).find(({ data }) => Array.isArray(data["changes"]))
        assert.deepInclude(present(closing).data, { changes: ["state", "waiting_since"], actor: "system" })
        assert.deepInclude(present(closing).data["conversation"], { state: "closed", unread: 0 })
        assert.deepStrictEqual(yield* closings(contactId), ["system"])
        yield* acme.handleMail({ id: "more@x.example", body: "One more question" })
        assert.deepStrictEqual(yield* inboxOf(contactId), { ...opened, unread: 1, waits: true })
      })
    )

    scene("leave a conversation open whose contact has written again since the message of the rule", () =>
      Effect.gen(function* () {
        const { contactId } = yield* begin([rule(close)], false)
        assert.deepInclude(yield* inboxOf(contactId), { state: "closed" })
        yield* TestClock.adjust("1 minute")
        const first = yield* acme.receiveMail({ id: "one@x.example", body: "One question." })
        yield* TestClock.adjust("1 minute")
        const second = yield* acme.receiveMail({ id: "two@x.example", body: "And the price?" })
        yield* setRules(rule(rest))
        yield* drainSignals
        const reasons = [yield* acme.runOf(first.signalId), yield* acme.runOf(second.signalId)].map(({ actions }) =>
          actions.map(({ reason }) => reason)
        )
        assert.deepStrictEqual(reasons, [
          ["the contact has written again since the event of the rule"],
          ["until 2026-03-03T09:00:00.000Z"]
        ])
      })
    )

    scene("snooze a conversation for a time, or until the next start of the business hours", () =>
      Effect.gen(function* () {
        const { contactId } = yield* begin([], false)
        const { config } = yield* (yield* Tenants).get("acme")
        const callbackHours = { from: "09:00", to: "12:00", days: ["mon", "thu"] } as const
        yield* saveConfig("acme", {
          ...config,
          timeZone: "America/New_York",
          voice: { ...config.voice, callbackHours: { ...callbackHours, days: [...callbackHours.days] } }
        })
        // It is Thursday, 09:00 in New York. The clocks change before Monday.
        yield* TestClock.setTime(Date.parse("2026-03-05T14:00:00Z"))
        assert.deepStrictEqual(yield* macro(contactId, rest), ["done: until 2026-03-09T13:00:00.000Z"])
        assert.deepInclude(yield* inboxOf(contactId), { state: "snoozed", until: "2026-03-09T13:00:00.000Z" })
        const shorter = { ...rest, minutes: 30 } as const
        assert.deepStrictEqual(yield* macro(contactId, shorter), ["done: until 2026-03-05T14:30:00.000Z"])
        yield* TestClock.adjust("30 minutes")
        yield* wakeAllConversations()
        assert.deepInclude(yield* inboxOf(contactId), opened)
        const woken = (yield* acme.events()).at(-1)
        assert.deepInclude(present(woken).data, { changes: ["state", "snooze_until"], actor: "system" })
        assert.deepStrictEqual(yield* macro(contactId, close, close, rest), [
          "done: closed",
          "skipped: the conversation is already closed",
          "skipped: the conversation is closed"
        ])
        assert.deepStrictEqual(yield* closings(contactId), ["agent"])
        const stranger = yield* createContact("acme", { email: "ann@customer.example" })
        assert.deepStrictEqual(yield* macro(stranger.contactId, rest), ["skipped: the contact has no conversation"])
      })
    )

    scene("of a rule with a time close the conversation, unless the contact has written since the change", () =>
      Effect.gen(function* () {
        const trigger = { type: "tag_added", tag: "done", after_minutes: 60 } as const
        const { contactId } = yield* begin([rule(close, { trigger })], false)
        yield* tagContact("acme", contactId, ["done"])
        yield* TestClock.adjust("1 minute")
        yield* acme.receiveMail({ id: "wait@x.example", body: "Wait, please." })
        yield* drain
        yield* later("1 hour")
        const [kept] = yield* listed()
        assert.deepStrictEqual(
          present(kept).actions.map(({ reason }) => reason),
          ["the contact has written again since the event of the rule"]
        )
        yield* setRules(rule(close, { trigger: { type: "unanswered", after_minutes: 60 } }))
        yield* acme.sendMail()
        yield* drain
        yield* acme.handleMail({ id: "again@x.example", date: "Mon, 02 Mar 2026 10:03:00 +0000" })
        yield* acme.handleMail({ id: "hello@x.example", date: "Mon, 02 Mar 2026 10:04:00 +0000" })
        yield* later("2 hours")
        assert.deepInclude(yield* inboxOf(contactId), { state: "closed", waits: false })
      })
    )
  })
}
