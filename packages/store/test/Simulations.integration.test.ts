import { assert, describe } from "@effect/vitest"
import { signalIdOf } from "@leadloom/core/internal/domain/classification/Signal"
import type { Action, Rule } from "@leadloom/core/internal/domain/rule/Rule"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Leads } from "@leadloom/core/internal/port/repository/lead/Leads"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { tagContact } from "@leadloom/core/internal/workflow/contact/TagContact"
import { createField } from "@leadloom/core/internal/workflow/field/ChangeFields"
import { readPipelines } from "@leadloom/core/internal/workflow/deal/LeadPlaces"
import { previewActions } from "@leadloom/core/internal/workflow/simulation/PreviewActions"
import { createTeam } from "@leadloom/core/internal/workflow/user/Teams"
import { createUser } from "@leadloom/core/internal/workflow/user/Users"
import { install } from "@leadloom/testkit/suite/crm/CrmWorld"
import type { Doubles } from "@leadloom/testkit/suite/Doubles"
import { passRules, simulate, timedIds } from "@leadloom/testkit/suite/simulation/PastRuleWorld"
import { makePast } from "@leadloom/testkit/suite/simulation/PastWorld"
import { acme, present, scenesOn } from "@leadloom/testkit/suite/Scene"
import { Clock, Effect, Layer } from "effect"
import { Database } from "../src/Database.ts"
import { temporaryPostgres } from "./TemporaryPostgres.ts"
import { temporaryStore } from "./TemporaryStore.ts"

type Sql = (typeof Database)["Service"]["sql"]

/** Returns every row of every table, in any order. */
const rowsOf = Effect.fnUntraced(function* (sql: Sql) {
  const listing = sql.onDialectOrElse({
    pg: () => "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1",
    orElse: () => "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1"
  })
  const all: Array<string> = []
  for (const { name } of yield* sql.unsafe<{ readonly name: string }>(listing)) {
    const rows = yield* sql.unsafe(`SELECT * FROM ${name}`)
    all.push(...rows.map((row) => `${name} ${JSON.stringify(row)}`).toSorted())
  }
  return all
})

/** Returns the number of requests that providers have received, and the stored objects. */
const requestsOf = ({ calls, crm, mail, objects, receivers, texts }: Doubles) => ({
  mails: mail.outbox.length,
  texts: texts.outbox.length,
  calls: calls.acts.length,
  crm: crm.calls.length,
  webhooks: receivers.got.length,
  objects: [...objects.keys()]
})

/** One action of every type, and another variant if it writes something else. */
const actionsFor = (
  team: string,
  sequence: string,
  stage: string
): Readonly<Record<Action["type"], ReadonlyArray<Action>>> => ({
  assign: [
    { type: "assign", to: team, strategy: "round_robin" },
    { type: "assign", to: "Kim" }
  ],
  tag: [{ type: "tag", tag: "seen" }],
  untag: [{ type: "untag", tag: "vip" }],
  set_field: [
    { type: "set_field", field: "plan", value: "gold" },
    { type: "set_field", entity: "lead", field: "plan", value: "gold" }
  ],
  add_note: [{ type: "add_note", body: "Note" }],
  create_task: [{ type: "create_task", task_type: "follow_up", title: "Call", due_in_minutes: 5, unless_open: true }],
  transition: [{ type: "transition", state: "engaged" }],
  move_stage: [{ type: "move_stage", stage }],
  reply: [{ type: "reply", template: "Thanks" }],
  notify: [{ type: "notify", message: "Look" }],
  crm_action: [{ type: "crm_action", action: "add_tag", tag: "hot" }],
  call_webhook: [{ type: "call_webhook", url: "https://x.example/hook", webhook_id: "whk_none" }],
  forward: [{ type: "forward", to: ["boss@other.example"] }],
  close_conversation: [{ type: "close_conversation" }],
  snooze_conversation: [{ type: "snooze_conversation", minutes: 60 }],
  start_sequence: [{ type: "start_sequence", sequence }],
  stop_sequence: [{ type: "stop_sequence", sequence }],
  send_template: [{ type: "send_template", channel: "email", subject: "Hello", body: "Hi" }],
  suppress_reply: [{ type: "suppress_reply" }],
  stop: [{ type: "stop" }]
})

/** The actions that only rules with a message can have. */
const ofMessages: ReadonlySet<string> = new Set(["reply", "forward", "suppress_reply", "stop", "call_webhook"])

/** A tenant with a contact in a sequence, a team, custom fields and a CRM. */
const begin = Effect.fnUntraced(function* ({ crm }: Doubles) {
  yield* acme.open({ timeZone: "UTC", replyMode: "off" })
  yield* acme.connectMail()
  yield* install(crm)
  const past = yield* makePast("acme", 1)
  const { contactId, leadId } = past.idsOf(0)
  yield* passRules("acme", 60_000)
  const task = { name: "one", kind: "task", title: "Call", delay: { amount: 5, unit: "days" } } as const
  const sequence = yield* past.sequence([task])
  yield* past.enrol(0, sequence)
  yield* createField("acme", { key: "plan", label: "Plan", type: "text" })
  yield* createField("acme", { key: "plan", label: "Plan", type: "text", entity: "lead" })
  const user = yield* createUser("acme", { email: "kim@acme.com", name: "Kim" }, {})
  const team = yield* createTeam("acme", { name: "Sales", memberIds: [user.userId] })
  yield* tagContact("acme", contactId, ["vip"])
  yield* passRules("acme", 60_000)
  const stages = present((yield* readPipelines("acme"))[0]).stages
  const { stageId } = present(stages.find(({ state }) => state === "engaged"))
  return { actions: actionsFor(team.teamId, sequence, stageId), contactId, leadId }
})

for (const [name, store] of [
  ["SQLite", temporaryStore],
  ["Postgres", temporaryPostgres]
] as const) {
  let dump: Effect.Effect<ReadonlyArray<string>, unknown> = Effect.succeed([])
  const watch = Layer.effectDiscard(
    Effect.map(Database, ({ sql }) => {
      dump = rowsOf(sql)
    })
  )
  const scenes = scenesOn(Layer.provideMerge(watch, store), "crm", "texts")
  const scene: typeof scenes = (title, run) => scenes(title, (doubles) => Effect.provide(run(doubles), timedIds()))

  describe(`a simulation on ${name}`, () => {
    scene("carries out actions of every type without a write and without a provider", (doubles) =>
      Effect.gen(function* () {
        const { actions, contactId, leadId } = yield* begin(doubles)
        const tenant = yield* (yield* Tenants).get("acme")
        const [message] = yield* (yield* Messages).ofContact("acme", contactId)
        const signalId = signalIdOf(present(message).messageId)
        const lead = yield* (yield* Leads).get("acme", leadId)
        const contact = yield* acme.contactOf(contactId)
        const now = yield* Clock.currentTimeMillis
        const target = { tenant, contact, lead, message: present(message), signalId, now, eventAt: null }
        const before = [yield* dump, requestsOf(doubles)]
        const outcomes: Array<string> = []
        for (const action of Object.values(actions).flat()) {
          const wanted = [{ ruleId: "rule", action, rendered: { text: "Text" } }]
          const cause = { causeId: signalId, actor: "system" } as const
          const [done] = yield* previewActions({ ...target, ...cause }, wanted)
          outcomes.push(`${action.type} ${done?.outcome}`)
        }
        assert.deepStrictEqual([yield* dump, requestsOf(doubles)], before)
        const laterActions = ["start_sequence skipped", "send_template skipped"]
        assert.deepStrictEqual(
          outcomes.filter((outcome) => !outcome.endsWith(" done")),
          laterActions
        )
      })
    )

    scene("of a rule changes no table and calls no provider, also with messages and sequences", (doubles) =>
      Effect.gen(function* () {
        const { actions } = yield* begin(doubles)
        const permitted = Object.values(actions)
          .flat()
          .filter(({ type }) => !ofMessages.has(type) && type !== "move_stage")
        const [first = { type: "tag", tag: "seen" } as const, ...rest] = permitted
        const rule: Rule = {
          id: "rule",
          name: "Rule",
          priority: 1,
          trigger: { type: "tag_added", tag: "vip" },
          when: { all: [] },
          actions: [first, ...rest]
        }
        const before = [yield* dump, requestsOf(doubles)]
        const { items } = yield* simulate("acme", { rule })
        assert.deepStrictEqual(
          items.map(({ simulated }) => simulated?.actions.length),
          [permitted.length]
        )
        assert.deepStrictEqual([yield* dump, requestsOf(doubles)], before)
      })
    )
  })
}
