import type { Rule } from "@leadloom/core/internal/domain/rule/Rule"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { saveConfig } from "@leadloom/core/internal/workflow/tenant/SaveConfig"
import { listTriggerRuns } from "@leadloom/core/internal/workflow/trigger/ListTriggerRuns"
import { workDueTriggers } from "@leadloom/core/internal/workflow/trigger/RunTrigger"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, drainSends, present } from "../Scene.ts"

/** A condition that always holds. */
export const everything: Rule["when"] = { all: [] }

/** Reminds a person after two hours without an answer of the contact. */
export const chase: Rule = {
  id: "chase",
  name: "Chase the quote",
  priority: 1,
  trigger: { type: "no_answer", after_minutes: 120 },
  when: everything,
  actions: [{ type: "create_task", task_type: "follow_up", title: "Call {{ contact.first_name }}" }]
}

/** Reminds a person after one hour without an answer of ours. */
export const late: Rule = {
  id: "late",
  name: "Answer in an hour",
  priority: 2,
  trigger: { type: "unanswered", after_minutes: 60 },
  when: everything,
  actions: [{ type: "create_task", task_type: "callback", title: "Answer now" }]
}

/** Runs all due rules with three workers. */
export const work = Effect.gen(function* () {
  let ended = 1
  while (ended > 0) {
    const counts = yield* Effect.all([workDueTriggers(), workDueTriggers(), workDueTriggers()], { concurrency: 3 })
    ended = counts[0] + counts[1] + counts[2]
  }
})

/** Moves the clock, and runs all due rules. */
export const later = (duration: Parameters<typeof TestClock.adjust>[0]) =>
  Effect.andThen(TestClock.adjust(duration), work)

/** The filter that lists every run. */
export const everyRun = { ruleId: null, contactId: null }

/** Lists runs, newest first. */
export const listed = (filter: Parameters<typeof listTriggerRuns>[1] = everyRun) =>
  Effect.map(listTriggerRuns("acme", filter, { limit: 50, cursor: null }), ({ items }) => items)

/** Returns the states of all runs, oldest first. */
export const states = Effect.map(listed(), (runs) => runs.map(({ state }) => state).toReversed())

/** Returns the titles of the tasks of a contact. */
export const titles = (contactId: string) =>
  Effect.map(acme.tasksOf(contactId), (tasks) => tasks.map(({ title }) => title))

/** Changes the rules. */
export const setRules = Effect.fnUntraced(function* (...rules: ReadonlyArray<Rule>) {
  const { config } = yield* (yield* Tenants).get("acme")
  yield* saveConfig("acme", { ...config, rules })
})

/** Jo asks for a price; with `isAnswered`, a person answers immediately. */
export const begin = Effect.fnUntraced(function* (rules: ReadonlyArray<Rule>, isAnswered = true) {
  yield* acme.open({ rules, replyMode: "off" })
  yield* acme.connectMail()
  const { contactId, leadId } = yield* acme.handleMail()
  if (isAnswered) yield* answer
  return { contactId, leadId: present(leadId) }
})

/** A person answers Jo. */
export const answer = Effect.andThen(acme.sendMail(), drainSends)

/** Lets Jo write again at a time. */
export const reply = (id: string, at: string) =>
  acme.handleMail({ id: `${id}@customer.example`, date: at, body: "Yes, please." })
