import { inMemoryReplyTemplates } from "@leadloom/testkit/memory/ReplyTemplates"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { CompiledConfigs } from "../../../src/domain/tenant/CompiledConfigs.ts"
import { decideRun } from "../../../src/workflow/pipeline/DecideRun.ts"
import { nothingRecorded } from "../../../src/domain/run/Recordings.ts"
import { stepText } from "../../../src/domain/run/Run.ts"
import type { Action } from "../../../src/domain/rule/Rule.ts"
import type { RunSubject } from "../../../src/domain/run/RunSubject.ts"
import { ReplyTemplates, TemplateInvalid } from "../../../src/port/provider/ReplyTemplates.ts"
import { defaultConfig } from "../../../src/domain/tenant/TenantConfig.ts"

const reply: Action = { type: "reply", template: "Hello {{contact.first_name}}." }
const world = Layer.merge(CompiledConfigs.layer, inMemoryReplyTemplates)

/** A message that matches every rule, with the changes of a test. */
const subject = (change: Partial<RunSubject> = {}, actions: ReadonlyArray<Action> = [reply]): RunSubject => ({
  tenant: {
    tenantId: "acme",
    name: "Acme",
    domain: null,
    hipaa: false,
    locale: null,
    plan: "trial",
    capOverrides: { actions: null, ai_calls: null },
    createdAt: 0,
    archivedAt: null,
    configVersion: 1,
    config: {
      ...defaultConfig,
      rules: actions.map((action, index) => {
        return { id: `rule_${index}`, name: "Any", priority: index, when: { all: [] }, actions: [action] as const }
      })
    }
  },
  message: {
    attachments: [],
    auto: null,
    body: "How much is a roof?",
    channel: "email",
    flags: [],
    metadata: {},
    receivedAlias: null,
    source: "smtp",
    subject: null
  },
  contact: { company: null, name: "Jo Smith", email: "jo@customer.example", phone: null, tags: [] },
  contactIsNew: true,
  lead: null,
  leadIsNew: false,
  overtaken: false,
  repliesToday: 0,
  lastByPersonAt: null,
  modelConfigured: false,
  now: 0,
  ...change
})

const decide = (of: RunSubject) => Effect.provide(decideRun(of, nothingRecorded), world)
const message = subject().message
const { tenant } = subject()

describe("decideRun", () => {
  it.effect("drafts the reply of a matched rule", () =>
    Effect.gen(function* () {
      const decision = yield* decide(subject())
      assert.deepStrictEqual(decision.written, {
        text: "Hello Jo.",
        channel: "email",
        mode: "draft",
        outcome: "allow",
        evaluations: []
      })
    })
  )

  const silences: ReadonlyArray<readonly [because: string, subject: RunSubject]> = [
    ["the mail is automatic", subject({ message: { ...message, auto: "list" } })],
    ["the sender asked for no automatic answer", subject({ message: { ...message, flags: ["no_auto_reply"] } })],
    ["the sender is new to the thread", subject({ message: { ...message, flags: ["sender_unverified"] } })],
    ["the contact has written again", subject({ overtaken: true })],
    ["a rule suppresses it, even a later one", subject({}, [reply, { type: "suppress_reply" }])],
    ["the reply mode is off", subject({ tenant: { ...tenant, config: { ...tenant.config, replyMode: "off" } } })],
    ["no rule asks for one", subject({}, [{ type: "tag", tag: "x" }])],
    ["there is no template and no model", subject({}, [{ type: "reply" }])]
  ]
  for (const [because, silent] of silences) {
    it.effect(`writes no reply when ${because}, and states the reason`, () =>
      Effect.gen(function* () {
        const { written, steps } = yield* decide(silent)
        assert.isNull(written)
        const step = steps.find((each) => each.step === "reply")
        assert.include(["suppressed", "skipped"], step?.outcome)
        assert.isNotEmpty(step === undefined ? "" : stepText(step))
      })
    )
  }

  it.effect("reports the error of a template and continues without a reply", () =>
    Effect.gen(function* () {
      const broken = Layer.succeed(ReplyTemplates, {
        check: () => null,
        variables: () => [],
        render: () => Effect.fail(new TemplateInvalid({ reason: "undefined filter: shout" }))
      })
      const { written, score, steps } = yield* Effect.provide(
        decideRun(subject(), nothingRecorded),
        Layer.merge(world, broken)
      )
      assert.isNull(written)
      assert.isAbove(score.score, 0)
      const step = {
        step: "reply",
        outcome: "failed",
        reason: { code: "template_failed", detail: "undefined filter: shout" }
      } as const
      assert.deepInclude(steps, step)
    })
  )

  it.effect("returns equal decisions for equal subjects", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* decide(subject()), yield* decide(subject()))
    })
  )
})
