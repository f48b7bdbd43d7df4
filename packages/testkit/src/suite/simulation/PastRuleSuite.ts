import { assert, describe } from "@effect/vitest"
import type { Action, Rule } from "@leadloom/core/internal/domain/rule/Rule"
import type { Trigger } from "@leadloom/core/internal/domain/rule/Trigger"
import { nextFiring } from "@leadloom/core/internal/domain/time/CronSchedule"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { updateContact } from "@leadloom/core/internal/workflow/contact/UpdateContact"
import { updateConversation } from "@leadloom/core/internal/workflow/conversation/UpdateConversation"
import { createField } from "@leadloom/core/internal/workflow/field/ChangeFields"
import { transitionLead } from "@leadloom/core/internal/workflow/lead/TransitionLead"
import { updateLead } from "@leadloom/core/internal/workflow/lead/UpdateLead"
import { scoreLead } from "@leadloom/core/internal/workflow/pipeline/ScoreLead"
import { createTask } from "@leadloom/core/internal/workflow/task/CreateTask"
import { updateTask } from "@leadloom/core/internal/workflow/task/UpdateTask"
import { startRule } from "@leadloom/core/internal/workflow/trigger/StartRule"
import { Clock, Effect } from "effect"
import fc from "fast-check"
import { inTenant, scenesOn, type Services } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { makePast } from "./PastWorld.ts"
import { passRules, saveRules, simulate, storedJson, timedIds } from "./PastRuleWorld.ts"

const contacts = 2
const afterMinutes = fc.option(fc.integer({ min: 1, max: 3_000 }), { nil: undefined })
const delayed = <A extends object>(trigger: A) =>
  afterMinutes.map((after_minutes) => (after_minutes === undefined ? trigger : { ...trigger, after_minutes }))

const trigger: fc.Arbitrary<Trigger> = fc.oneof(
  fc.integer({ min: 1, max: 3_000 }).map((after_minutes): Trigger => ({ type: "no_answer", after_minutes })),
  fc.integer({ min: 1, max: 3_000 }).map((after_minutes): Trigger => ({ type: "unanswered", after_minutes })),
  delayed({ type: "lead_state_changed" as const }),
  delayed({ type: "lead_state_changed" as const, to: "engaged" as const }),
  delayed({ type: "lead_stage_changed" as const }),
  delayed({ type: "tag_added" as const, tag: "vip" }),
  delayed({ type: "tag_removed" as const, tag: "vip" }),
  delayed({ type: "field_changed" as const, field: "plan" }),
  delayed({ type: "field_changed" as const, entity: "lead" as const, field: "plan" }),
  fc.constantFrom<Trigger>(
    { type: "date_reached", field: "visit" },
    { type: "date_reached", field: "visit", days: -1 }
  ),
  delayed({ type: "score_reached" as const, score: 20 }),
  delayed({ type: "task_due" as const }),
  fc.constant<Trigger>({ type: "schedule", cron: "30 9 * * *" }),
  fc.constant<Trigger>({ type: "manual" })
)

const when: fc.Arbitrary<Rule["when"]> = fc.constantFrom<Rule["when"]>(
  { all: [] },
  { fact: "contact.tags", op: "includes", value: "vip" },
  { not: { fact: "contact.tags", op: "includes", value: "seen" } },
  { fact: "lead.state", op: "eq", value: "engaged" },
  { fact: "contact.custom_fields.plan", op: "eq", value: "gold" },
  { fact: "lead.custom_fields.plan", op: "eq", value: "gold" },
  { fact: "conversation.inbound_count", op: "gt", value: 1 },
  { fact: "conversation.hours_since_inbound", op: "gt", value: 5 },
  { fact: "conversation.state", op: "eq", value: "open" },
  { fact: "contact.email_opted_out", op: "eq", value: false }
)

const isStop = ({ type }: Action): number => (type === "stop_sequence" ? 0 : 1)

/** Actions in an order in which none stops a sequence that another one has just started. A simulation cannot know that. */
const actions = (sequence: string): fc.Arbitrary<ReadonlyArray<Action>> =>
  fc
    .uniqueArray(
      fc.constantFrom<Action>(
        { type: "tag", tag: "seen" },
        { type: "untag", tag: "vip" },
        { type: "set_field", field: "plan", value: "silver" },
        { type: "set_field", entity: "lead", field: "plan", value: "silver" },
        { type: "transition", state: "engaged" },
        { type: "create_task", task_type: "follow_up", title: "Call {{ contact.first_name }}", due_in_minutes: 90 },
        { type: "add_note", body: "Seen {{ contact.first_name }}" },
        { type: "notify", message: "Look" },
        { type: "close_conversation" },
        { type: "start_sequence", sequence },
        { type: "stop_sequence", sequence },
        { type: "send_template", channel: "email", subject: "Hello", body: "Hi {{ contact.first_name }}" }
      ),
      { minLength: 1, maxLength: 4, selector: ({ type }) => type }
    )
    .map((picked) => picked.toSorted((one, other) => isStop(one) - isStop(other)))

/** Something that happens, and the seconds until the next thing. */
const step = fc.record({
  does: fc.constantFrom(
    ...(["reply", "write", "away", "bounce", "close", "optOut", "optIn", "pass", "tag", "untag"] as const),
    ...(["plan", "leadPlan", "visit", "engage", "reopen", "task", "finish", "score", "shut", "start"] as const)
  ),
  contact: fc.nat({ max: contacts - 1 }),
  seconds: fc.integer({ min: 1, max: 90_000 })
})

const story = fc.record({
  trigger,
  when,
  picks: actions("SEQUENCE"),
  happened: fc.array(step, { minLength: 6, maxLength: 16 })
})

type Story = typeof story extends fc.Arbitrary<infer A> ? A : never
type Does = Story["happened"][number]["does"]

const task = {
  title: "Call",
  type: "callback" as const,
  priority: "normal" as const,
  description: null,
  remindAt: null,
  recurrence: null,
  leadId: null,
  assigneeId: null,
  teamId: null
}

/** The things that people do, apart from those of `makePast`. */
const makeDeeds = (tenantId: string, past: Effect.Success<ReturnType<typeof makePast>>) => {
  const tasks: Array<string> = []
  let count = 0
  return (does: Does, contact: number): Effect.Effect<unknown, unknown, Services> => {
    const { contactId, leadId } = past.idsOf(contact)
    const plan = ["gold", "silver", "bronze"][count++ % 3] ?? "gold"
    switch (does) {
      case "pass":
        return Effect.void
      case "optOut":
      case "optIn":
        return past.consent(contact, does === "optOut")
      case "tag":
        return updateContact(tenantId, contactId, { tags: ["vip", "other"] })
      case "untag":
        return updateContact(tenantId, contactId, { tags: ["other"] })
      case "plan":
        return updateContact(tenantId, contactId, { customFields: { plan } })
      case "leadPlan":
        return updateLead(tenantId, leadId, { customFields: { plan } })
      case "visit":
        return Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const visit = new Date(now + (1 + (count % 3)) * 86_400_000).toISOString().slice(0, 10)
          return updateContact(tenantId, contactId, { customFields: { visit } })
        })
      case "engage":
        return transitionLead(tenantId, leadId, "engaged", null)
      case "reopen":
        return transitionLead(tenantId, leadId, "open", null)
      case "task":
        return Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.map(createTask(tenantId, { ...task, contactId, dueAt: now + 7_200_000 }), ({ taskId }) => {
            tasks.push(taskId)
          })
        )
      case "finish":
        return updateTask(tenantId, tasks.pop() ?? "none", { status: "done" })
      case "score":
        return Effect.flatMap(Tenants, ({ get }) =>
          Effect.flatMap(get(tenantId), (tenant) => scoreLead(tenant, leadId))
        )
      case "shut":
        return updateConversation(tenantId, contactId, { state: "closed" }, null)
      case "start":
        return startRule(tenantId, "rule", contactId)
      default:
        return past[does](contact)
    }
  }
}

let stories = 0

/** Lets a story happen, and compares the simulation of the rule with it. Returns the states of the runs. */
const tell = Effect.fnUntraced(function* ({ happened, picks, trigger: chosen, when: condition }: Story) {
  const tenantId = `ruled${stories}`
  const { connectMail, open } = inTenant(tenantId)
  yield* open({ timeZone: "Europe/Berlin", replyMode: "off" })
  yield* connectMail()
  const past = yield* makePast(tenantId, contacts)
  yield* createField(tenantId, { key: "visit", label: "Visit", type: "date" })
  yield* createField(tenantId, { key: "plan", label: "Plan", type: "text" })
  yield* createField(tenantId, { key: "plan", label: "Plan", type: "text", entity: "lead" })
  const email = { kind: "send", channel: "email", subject: "Hello", body: "Hi" } as const
  const sequence = yield* past.sequence([
    { name: "one", delay: { amount: 1, unit: "hours" }, ...email },
    { name: "two", delay: { amount: 1, unit: "days" }, ...email }
  ])
  const named = picks.map((action) => ("sequence" in action ? { ...action, sequence } : action))
  const [first = { type: "tag", tag: "seen" }, ...rest] = named
  const rule: Rule = {
    id: "rule",
    name: "Rule",
    priority: 1,
    trigger: chosen,
    when: condition,
    actions: [first, ...rest]
  }
  yield* passRules(tenantId, 60_000)
  yield* saveRules(tenantId, rule)
  yield* passRules(tenantId, 7)
  const since = yield* Clock.currentTimeMillis
  const firing = (now: number) => (chosen.type === "schedule" ? nextFiring(chosen.cron, "Europe/Berlin", now) : null)
  const does = makeDeeds(tenantId, past)
  for (const { contact, does: what, seconds } of happened) {
    yield* Effect.exit(does(what, contact))
    // An odd number of milliseconds: two things never happen at the same moment.
    yield* passRules(tenantId, seconds * 1_000 + 7, firing)
  }
  const { actual, differing, items, more, notes, simulated } = yield* simulate(tenantId, { ruleId: "rule", since })
  assert.deepStrictEqual(
    items.map((item) => storedJson(item.simulated)),
    items.map((item) => storedJson(item.actual))
  )
  assert.deepStrictEqual([simulated, differing, more], [actual, 0, false])
  assert.isTrue(notes.every((note) => note.endsWith(".")))
  yield* saveRules(tenantId)
  return items.map(({ actual: run }) => `${chosen.type} ${run?.state}`)
})

/** Tests that a simulation of a rule is what really happened, on a store. */
export const pastRuleSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`a simulation of a rule on ${name}`, () => {
    scene("equals what the engine did, for any rule and history", () =>
      Effect.gen(function* () {
        const context = yield* Effect.context<Services>()
        const seen = new Set<string>()
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(story, (told) =>
              Effect.runPromise(
                Effect.provideContext(
                  Effect.map(Effect.provide(tell(told), timedIds(++stories)), (states) =>
                    states.forEach((state) => seen.add(state))
                  ),
                  context
                )
              )
            ),
            { numRuns: 12 }
          )
        )
        assert.isTrue(seen.size > 0)
      })
    )
  })
}
