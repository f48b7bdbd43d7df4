import { inMemoryReplyTemplates } from "@leadloom/testkit/memory/ReplyTemplates"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { compileConfig } from "../../../src/domain/tenant/CompiledConfigs.ts"
import { decideWith } from "../../../src/workflow/pipeline/DecideRun.ts"
import type { Guardrail } from "../../../src/domain/guardrail/Guardrail.ts"
import type { CheckedReply, Recordings } from "../../../src/domain/run/Recordings.ts"
import { summarizeDecision, summarizeRun, compareDecisions } from "../../../src/workflow/pipeline/ReplayRun.ts"
import { stepText } from "../../../src/domain/run/Run.ts"
import { resultOfStored, resultToStored, type StoredResult } from "../../../src/domain/run/StoredRun.ts"
import type { Rule } from "../../../src/domain/rule/Rule.ts"
import { inputsOf, type RunSubject, subjectOfInputs } from "../../../src/domain/run/RunSubject.ts"
import { configJson, type TenantConfig } from "../../../src/domain/tenant/TenantConfig.ts"

const words = fc.string({ unit: "binary", maxLength: 40 })
const text = fc.oneof(
  words,
  fc.constantFrom("What does a roof cost?", "Call me today, please!", "unsubscribe", "$5 at x.com")
)
const maybe = <A>(values: fc.Arbitrary<A>) => fc.option(values, { nil: null })
const hours = fc.integer({ min: 0, max: 1e13 })

const rules: ReadonlyArray<Rule> = [
  {
    id: "price",
    name: "Price",
    priority: 2,
    when: { fact: "classification.intent", op: "in", value: ["pricing", "booking"] },
    actions: [
      { type: "tag", tag: "p" },
      { type: "reply", template: "Hello {{contact.first_name}}, {{message.body}}" }
    ]
  },
  {
    id: "auto",
    name: "By itself",
    priority: 1,
    when: {
      any: [
        { fact: "lead.age_hours", op: "gt", value: 1 },
        { fact: "metadata.k", op: "exists", value: true }
      ]
    },
    actions: [{ type: "reply", mode: "auto" }]
  },
  {
    id: "stop",
    name: "Stop",
    priority: 1,
    when: { fact: "time.hour", op: "lt", value: 6 },
    actions: [{ type: "stop" }]
  },
  {
    id: "hush",
    name: "Hush",
    priority: 3,
    when: { fact: "score.value", op: "gte", value: 80 },
    actions: [{ type: "suppress_reply" }, { type: "transition", state: "engaged" }]
  }
]

const guardrails: ReadonlyArray<Guardrail> = [
  { id: "g1", kind: "no_links" },
  { id: "g2", kind: "no_prices", outcome: "block" },
  { id: "g3", kind: "max_replies_per_contact_per_day", max: 2 },
  { id: "g4", kind: "quiet_hours", from: "20:00", to: "06:00" },
  { id: "g5", kind: "min_confidence", min: 0.5 },
  { id: "g6", kind: "require_approval_for_tiers", tiers: ["hot"] }
]

const config: fc.Arbitrary<TenantConfig> = fc
  .record({
    timeZone: fc.constantFrom("UTC", "America/New_York", "Asia/Kolkata"),
    classifier: fc.constantFrom("off", "keywords", "model", "model"),
    replyMode: fc.constantFrom("off", "draft", "auto", "auto"),
    takeoverHours: fc.integer({ min: 0, max: 48 }),
    guardrails: fc.subarray([...guardrails]),
    rules: fc.subarray([...rules]),
    scoreWeights: fc.dictionary(fc.constantFrom("pricing", "urgency"), fc.double({ min: 0, max: 3, noNaN: true }))
  })
  .map((changes) => configJson.complete(changes))

const use = { model: "m", calls: 1, inputTokens: 2, outputTokens: 3 }
const recorded = <A>(value: fc.Arbitrary<A>) =>
  fc.oneof(
    value.map((one) => ({ outcome: "answered" as const, value: one, use })),
    text.map((reason) => ({ outcome: "failed" as const, reason, use: null })),
    text.map((one) => ({ outcome: "skipped" as const, reason: { code: "stored_text" as const, text: one } }))
  )

const recordings: fc.Arbitrary<Recordings> = fc.record({
  classification: maybe(
    recorded(
      fc.record({
        intent: fc.constantFrom("pricing", "spam", "roofing"),
        urgency: fc.constantFrom("low", "medium", "high"),
        sentiment: fc.constantFrom("negative", "neutral", "positive"),
        summary: text,
        confidence: fc.double({ min: 0, max: 1, noNaN: true })
      })
    )
  ),
  reply: maybe(
    recorded(
      fc.record<CheckedReply>({
        text,
        concerns: fc.array(
          text.map((host) => ({ code: "unknown_link" as const, host })),
          { maxLength: 2 }
        )
      })
    )
  )
})

const subject = (of: TenantConfig): fc.Arbitrary<RunSubject> =>
  fc.record({
    tenant: text.map((name) => ({
      tenantId: "acme",
      name,
      domain: null,
      hipaa: false,
      locale: null,
      createdAt: 0,
      archivedAt: null,
      plan: "trial" as const,
      capOverrides: { actions: null, ai_calls: null },
      config: of,
      configVersion: 3
    })),
    message: fc.record({
      attachments: fc.constant([]),
      auto: fc.constantFrom(null, null, null, "list"),
      body: text,
      channel: fc.constantFrom("email", "chat"),
      flags: fc.constantFrom([], [], [], ["sender_unverified" as const], ["no_auto_reply" as const]),
      metadata: fc.dictionary(fc.constantFrom("k", "l"), fc.oneof(text, fc.integer())),
      receivedAlias: maybe(text),
      source: text,
      subject: maybe(text)
    }),
    contact: fc.record({
      company: maybe(text),
      email: maybe(text),
      name: maybe(text),
      phone: maybe(text),
      tags: fc.array(text)
    }),
    contactIsNew: fc.boolean(),
    lead: maybe(
      fc.record({
        assignee: maybe(text),
        createdAt: hours,
        source: text,
        state: fc.constantFrom("open", "engaged", "lost")
      })
    ),
    leadIsNew: fc.boolean(),
    overtaken: fc.constantFrom(false, false, false, true),
    repliesToday: fc.nat(5),
    lastByPersonAt: maybe(hours),
    modelConfigured: fc.boolean(),
    keywordsVersion: fc.constantFrom(1, 2),
    now: hours
  })

/** Simulates storage: returns only what JSON preserves. */
const kept = <A>(value: A): A => JSON.parse(JSON.stringify(value))

const decide = (of: RunSubject, recorded: Recordings) =>
  Effect.runSync(Effect.provide(decideWith(compileConfig(of.tenant.config), of, recorded), inMemoryReplyTemplates))

describe("a replay", () => {
  it("returns the same bytes for any subject, configuration and model answers", () => {
    let replies = 0
    fc.assert(
      fc.property(
        config.chain((of) => fc.tuple(subject(of), recordings)),
        ([of, recorded]) => {
          const first = decide(of, recorded)
          replies += first.written === null ? 0 : 1
          const { tenant, message } = kept(of)
          // The tenant was renamed since; the run uses the name at its time.
          const again = subjectOfInputs({ ...tenant, name: "Renamed" }, message, kept(inputsOf(of)))
          const replayed = decide(again, kept(recorded))
          assert.strictEqual(JSON.stringify(replayed), JSON.stringify(first))
          const actions = first.wanted.map(({ action, ruleId }) => {
            return { type: action.type, ruleId, outcome: "done" as const, reason: "" }
          })
          const run = kept({ ...first, actions, reply: null })
          assert.deepStrictEqual(compareDecisions(summarizeRun(run), summarizeDecision(replayed)), [])
        }
      ),
      { numRuns: 500 }
    )
    assert.isAbove(replies, 20)
  })

  it("classifies with the version of the run, and with version 1 if the run stored none", () => {
    const [of] = fc.sample(subject(configJson.complete({ classifier: "keywords" })), { numRuns: 1, seed: 1 })
    assert.isDefined(of)
    const { keywordsVersion: _, ...unversioned } = {
      ...of,
      message: { ...of.message, auto: null, flags: [], body: "Hiermit kündige ich meinen Vertrag.", subject: null }
    }
    const intentAfterStorage = (version: number | null) => {
      const stored = kept(inputsOf(version === null ? unversioned : { ...unversioned, keywordsVersion: version }))
      const again = subjectOfInputs(unversioned.tenant, unversioned.message, stored)
      return decide(again, { classification: null, reply: null }).classification?.intent
    }
    assert.deepStrictEqual([null, 1, 2].map(intentAfterStorage), ["other", "other", "cancellation"])
  })

  it("lists the parts that differ", () => {
    const [of] = fc.sample(subject(configJson.complete({ classifier: "keywords" })), { numRuns: 1, seed: 1 })
    assert.isDefined(of)
    const none: Recordings = { classification: null, reply: null }
    const open = { ...of, lead: null, message: { ...of.message, auto: null, flags: [], body: "What does it cost?" } }
    const before = summarizeDecision(decide(open, none))
    const after = summarizeDecision(decide({ ...open, message: { ...open.message, body: "unsubscribe" } }, none))
    assert.includeMembers(
      compareDecisions(before, after).map(({ part }) => part),
      ["classification", "score"]
    )
  })

  const always: Rule = {
    id: "any",
    name: "Any",
    priority: 1,
    when: { all: [] },
    actions: [{ type: "reply", template: "Hello {{contact.name}}" }]
  }
  const [sample] = fc.sample(subject(configJson.complete({ classifier: "keywords", guardrails, rules: [always] })), {
    numRuns: 1,
    seed: 1
  })
  const none: Recordings = { classification: null, reply: null }

  const drafted = () => {
    assert.isDefined(sample)
    const message = { ...sample.message, auto: null, flags: [], body: "What does a roof cost?" }
    const decision = decide({ ...sample, message, overtaken: false }, none)
    assert.isNotNull(decision.written)
    const actions = decision.wanted.map(({ action, ruleId }) => {
      return { type: action.type, ruleId, outcome: "done" as const, reason: "" }
    })
    return { decision, stored: resultToStored({ ...decision, actions, reply: null }) }
  }

  /** The stored form of an older release: texts with other words, and no data. */
  const ofOlderRelease = ({ steps, written, ...result }: StoredResult): StoredResult => ({
    ...result,
    written: written
      ? {
          ...written,
          evaluations: written.evaluations.map(({ guardrailId, kind, outcome }) => {
            return { guardrailId, kind, outcome, reason: "in other words" }
          })
        }
      : null,
    steps: steps.map(({ outcome, step }) => ({ step, outcome, reason: "in other words" }))
  })

  it("ignores the wording of a run that an older release stored, but not its decision", () => {
    const { decision, stored } = drafted()
    const old = ofOlderRelease(stored)
    const replayed = summarizeDecision(decision)
    const partsOf = (of: StoredResult) =>
      compareDecisions(summarizeRun(resultOfStored(kept(of))), replayed).map(({ part }) => part)
    assert.deepStrictEqual(partsOf(old), [])
    const steps = old.steps.map((one) => (one.step === "reply" ? { ...one, outcome: "skipped" as const } : one))
    assert.deepStrictEqual(partsOf({ ...old, steps }), ["steps"])
    assert.deepStrictEqual(partsOf({ ...old, written: null }), ["written"])
    assert.deepStrictEqual(partsOf({ ...old, actions: [] }), ["actions"])
  })

  it("reads the text of a reason that a newer release stored with an unknown code", () => {
    const { stored } = drafted()
    const newer = JSON.stringify(stored).replace(/"code":"[a-z_]+"/gu, '"code":"from_the_future"')
    const { steps } = resultOfStored(JSON.parse(newer))
    assert.deepStrictEqual(
      steps.map((one) => stepText(one)),
      stored.steps.map(({ reason }) => reason)
    )
  })

  it("compares the codes and parameters of a new run, not its texts", () => {
    const { decision, stored } = drafted()
    const replayed = summarizeDecision(decision)
    const partsOf = (change: (step: StoredResult["steps"][number]) => StoredResult["steps"][number]) =>
      compareDecisions(
        summarizeRun(resultOfStored(kept({ ...stored, steps: stored.steps.map(change) }))),
        replayed
      ).map(({ part }) => part)
    assert.deepStrictEqual(
      partsOf((step) => ({ ...step, reason: "in other words" })),
      []
    )
    assert.deepStrictEqual(
      partsOf((step) => ({ ...step, reasonData: { code: "from_template", ruleId: "another" } })),
      ["steps"]
    )
  })
})
