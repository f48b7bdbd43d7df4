import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { inMemoryReplyTemplates } from "@leadloom/testkit/memory/ReplyTemplates"
import { Effect, Layer, Result, Schema } from "effect"
import { makeBudget, textLimits } from "../../../src/domain/budget/Budget.ts"
import type { Classification } from "../../../src/domain/classification/Classification.ts"
import {
  maySend,
  type ForwardSendContext,
  type ReplySendContext,
  type SendContext,
  type TextSendContext
} from "../../../src/domain/consent/MaySend.ts"
import { evaluateGuardrails, evaluateText } from "../../../src/domain/guardrail/EvaluateGuardrails.ts"
import type { Guardrail } from "../../../src/domain/guardrail/Guardrail.ts"
import { type Cause, describeReason, Reason, type ReasonCode, reasonGroups } from "../../../src/domain/reason/Reason.ts"
import { decideReply, type DeliveryFacts, replyFactsOf } from "../../../src/domain/reply/DecideReply.ts"
import type { Action, Rule } from "../../../src/domain/rule/Rule.ts"
import { nothingRecorded, type Recordings } from "../../../src/domain/run/Recordings.ts"
import type { RunSubject } from "../../../src/domain/run/RunSubject.ts"
import { resultOfStored } from "../../../src/domain/run/StoredRun.ts"
import { compileConfig } from "../../../src/domain/tenant/CompiledConfigs.ts"
import { configJson, type TenantConfig } from "../../../src/domain/tenant/TenantConfig.ts"
import { ReplyTemplates, TemplateInvalid } from "../../../src/port/provider/ReplyTemplates.ts"
import { decideWith } from "../../../src/workflow/pipeline/DecideRun.ts"
import { checkReply } from "../../../src/workflow/reply/CheckReply.ts"
import { systemPrompts } from "../../../src/workflow/reply/Prompt.ts"

const codes = Object.values(reasonGroups).flatMap((group) => Object.keys(group))

const use = { model: "small", calls: 1, inputTokens: 1, outputTokens: 1 }
const classification: Classification = {
  intent: "pricing",
  urgency: "low",
  sentiment: "neutral",
  summary: "",
  confidence: 0.4
}

const answers = (text: string): Recordings => ({
  classification: { outcome: "answered", value: classification, use },
  reply: { outcome: "answered", value: { text, concerns: [] }, use }
})

const subject = (config: Partial<TenantConfig> = {}, change: Partial<RunSubject> = {}): RunSubject => ({
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
    config: configJson.complete({ replyMode: "auto", ...config })
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
  contact: { company: null, name: "Jo", email: "jo@customer.example", phone: null, tags: [] },
  contactIsNew: true,
  lead: null,
  leadIsNew: false,
  overtaken: false,
  repliesToday: 2,
  lastByPersonAt: null,
  modelConfigured: false,
  now: 1_000,
  ...change
})

const { message } = subject()

const rule = (...actions: readonly [Action, ...ReadonlyArray<Action>]): Rule => ({
  id: "r1",
  name: "Any",
  priority: 1,
  when: { all: [] },
  actions
})

/** Returns the reasons of the steps of a run. */
const run = (
  of: RunSubject,
  recordings: Recordings = nothingRecorded,
  templates: Layer.Layer<ReplyTemplates> = inMemoryReplyTemplates
): ReadonlyArray<Reason> =>
  Effect.runSync(Effect.provide(decideWith(compileConfig(of.tenant.config), of, recordings), templates)).steps.map(
    ({ reason }) => reason
  )

/** Returns the reasons of a run of a message with a reply template. */
const templated = (change: Partial<RunSubject> = {}, config: Partial<TenantConfig> = {}) =>
  run(subject({ rules: [rule({ type: "reply", template: "Hello." })], ...config }, change))

const model = { classifier: "model" } as const
const byModel = (recordings: Recordings, config: Partial<TenantConfig> = model) =>
  run(subject(config, { modelConfigured: true }), recordings)

const notCalled = (reason: Cause): Recordings => ({
  ...nothingRecorded,
  classification: { outcome: "skipped", reason }
})

const guarded = (
  guardrail: Guardrail,
  text = "Hello at example.com for $5",
  of: Classification | null = classification
) =>
  evaluateGuardrails([guardrail], {
    text,
    classification: of,
    tier: "hot",
    repliesToday: 2,
    time: { hour: 23, minuteOfDay: 1_380, weekday: "mon", date: "2026-03-02" }
  }).evaluations.map(({ reason }) => reason)

const instructions = "always thank the customer first offer the two next free slots and end by asking for parking"

const checked = (text: string) =>
  checkReply({
    text,
    known: { emails: [], phones: [], hosts: [], texts: [] },
    assistant: { instructions, knowledge: "", linkHosts: [] },
    defaultCountry: "US"
  })

/** Returns the last reason of an automatic reply with the given facts about its delivery. */
const delivered = (facts: Partial<DeliveryFacts>, channel: "email" | "sms" = "email", text = "Hello.") => {
  const of = subject({}, { message: { ...message, channel } })
  const decision = decideReply({
    ...replyFactsOf(of, [], answers(text)),
    guards: { outcome: "allow", evaluations: [] },
    delivery: { contactArchived: false, newerMessage: false, ...facts }
  })
  if (decision._tag === "Hold") return decision.because
  if (!("reason" in decision)) return assert.fail(decision._tag)
  return decision.reason.code === "no_reply" ? [decision.reason, decision.reason.because] : [decision.reason]
}

const mail: ReplySendContext = {
  channel: "email",
  by: "nobody",
  tenantId: "acme",
  hipaa: false,
  auto: null,
  flags: [],
  recipient: "jo@customer.example",
  ownAddresses: ["sales@acme.com"],
  tenantDomain: "acme.com",
  optedOut: false,
  undeliverable: null,
  diverted: null,
  repliesInThread: 0,
  repliesToCorrespondent: 0,
  now: 1_000,
  slotAt: 1_000
}

const forward: ForwardSendContext = {
  channel: "email",
  by: "rule",
  tenantId: "acme",
  hipaa: false,
  auto: null,
  flags: [],
  unparsed: false,
  recipients: ["claims@insurer.example"],
  connected: true,
  toSelf: false,
  toContact: false,
  optedOut: false,
  undeliverable: [],
  sentToRecipient: 0,
  now: 1_000,
  quietUntil: null
}

const text: TextSendContext = {
  channel: "sms",
  by: "nobody",
  tenantId: "acme",
  hipaa: false,
  recipient: "+15005550006",
  sender: "+15005550001",
  optedOut: false,
  blocked: false,
  undeliverable: null,
  override: null,
  quietUntil: null,
  repliesInThread: 0,
  repliesToCorrespondent: 0,
  now: 1_000
}

const denied = (of: SendContext): ReadonlyArray<Reason> => {
  const verdict = maySend(of)
  if (verdict._tag === "Allow") return []
  return verdict._tag === "Deny" ? verdict.reasons : [verdict.reason]
}

/** A reason that only a workflow with a store produces: the file states it. */
const stated = (code: ReasonCode, path: string): ReadonlyArray<Reason> => {
  const source = readFileSync(new URL(`../../../src/workflow/${path}`, import.meta.url), "utf8")
  const reason = { code }
  return source.includes(`code: "${code}"`) && Schema.is(Reason)(reason) ? [reason] : []
}

const broken = Layer.succeed(ReplyTemplates, {
  check: () => null,
  variables: () => [],
  render: () => Effect.fail(new TemplateInvalid({ reason: "unknown filter" }))
})

const phrases: Guardrail = { id: "g", kind: "blocked_phrases", phrases: ["hello"] }
const replyRule = { rules: [rule({ type: "reply", template: "Hello." })] }

/** For each reason, a situation that causes it. */
const causes: { readonly [C in ReasonCode]: () => ReadonlyArray<Reason> } = {
  classifier_off: () => run(subject({ classifier: "off" })),
  classified_by_keywords: () => run(subject({ classifier: "keywords" })),
  classified_by_model: () => byModel(answers("Hi.")),
  automatic_not_classified: () => run(subject(model, { message: { ...message, auto: "list" } })),
  unparsed_not_classified: () => run(subject(model, { message: { ...message, flags: ["unparsed_memory"] } })),
  model_not_configured: () => run(subject(model)),
  model_not_called: () => byModel(nothingRecorded),
  model_failed: () => byModel({ ...nothingRecorded, classification: { outcome: "failed", reason: "529", use: null } }),
  model_calls_used_up: () => byModel(notCalled({ code: "model_calls_used_up" })),
  conversation_changed: () => byModel(notCalled({ code: "conversation_changed" })),
  scored: () => run(subject()),
  rules_matched: () => templated(),
  rules_stopped: () => run(subject({ rules: [rule({ type: "stop" })] })),
  run_over_budget: () => run(subject({}, { outOfTime: true })),
  actions_done: () => [{ code: "actions_done", count: 1 }],
  stored_text: () =>
    resultOfStored({
      classification: null,
      score: null,
      matchedRules: [],
      actions: [],
      reply: null,
      steps: [{ step: "reply", outcome: "done", reason: "from long ago" }]
    }).steps.map(({ reason }) => reason),
  automatic_mail: () => templated({ message: { ...message, auto: "list" } }),
  unparsed: () => templated({ message: { ...message, flags: ["unparsed_memory"] } }),
  sender_refuses: () => templated({ message: { ...message, flags: ["no_auto_reply"] } }),
  sender_unverified: () => templated({ message: { ...message, flags: ["sender_unverified"] } }),
  overtaken: () => templated({ overtaken: true }),
  suppressed_by_rule: () => run(subject({ rules: [rule({ type: "suppress_reply" })] })),
  ends_for_review: () => run(subject({}, { outOfTime: true })),
  reply_mode_off: () => templated({}, { replyMode: "off" }),
  no_rule_asks: () => run(subject()),
  no_template: () => run(subject({ rules: [rule({ type: "reply" })] })),
  template_empty: () => run(subject({ rules: [rule({ type: "reply", template: "{{message.subject}}" })] })),
  template_failed: () => run(subject(replyRule), nothingRecorded, broken),
  model_text_empty: () => byModel(answers("")),
  from_template: () => templated(),
  written_by_model: () => byModel(answers("Hi.")),
  no_reply_written: () => run(subject()),
  contact_archived: () => delivered({ contactArchived: true }),
  newer_message: () => delivered({ newerMessage: true }),
  blocked_by_guardrail: () => stated("blocked_by_guardrail", "reply/SendReply.ts"),
  reply_superseded: () => stated("reply_superseded", "sending/HandOverMail.ts"),
  sent_now: () => delivered({ send: mail }),
  sent_within_limit: () => delivered({ send: { ...mail, slotAt: 2_000 } }),
  sent_after_quiet_hours: () => delivered({ send: { ...text, quietUntil: 2_000 } }, "sms"),
  guardrail_passed: () => guarded({ id: "g", kind: "no_prices" }, "Hello."),
  blocked_phrase: () => guarded(phrases),
  contains_link: () => guarded({ id: "g", kind: "no_links" }),
  contains_price: () => guarded({ id: "g", kind: "no_prices" }),
  guardrail_hours: () => guarded({ id: "g", kind: "quiet_hours", from: "22:00", to: "07:00" }),
  too_many_replies: () => guarded({ id: "g", kind: "max_replies_per_contact_per_day", max: 2 }),
  not_classified: () => guarded({ id: "g", kind: "min_confidence", min: 0.5 }, "Hello.", null),
  low_confidence: () => guarded({ id: "g", kind: "min_confidence", min: 0.5 }),
  held_tier: () => guarded({ id: "g", kind: "require_approval_for_tiers", tiers: ["hot"] }),
  blocked_intent: () => guarded({ id: "g", kind: "blocked_intents", intents: ["pricing"] }),
  check_over_budget: () =>
    evaluateText([phrases], "word ".repeat(2_000), makeBudget({ ...textLimits, steps: 10 })).evaluations.map(
      ({ reason }) => reason
    ),
  guardrails_allow: () => templated(),
  too_long_to_check: () => checked("a ".repeat(50_000)),
  unknown_email: () => checked("Write to bob@rival.com"),
  unknown_phone: () => checked("Call 617-555-0142."),
  number_in_words: () => checked("Call six one seven five five five oh one four two."),
  disguised_link: () => checked("See https://calendly.com@evil.com/acme"),
  unknown_link: () => checked("See https://evil.com"),
  acting_link: () => checked("See javascript:alert(1)"),
  secret: () => checked("The password is hunter2!"),
  encoded_text: () => checked("Y3VzdG9tZXJzOiBtcnMgbGVlLCA2MTcgNTU1IDAxNDI5"),
  prompt_residue: () => checked("As an AI language model, I cannot do that."),
  quotes_prompt: () => checked((systemPrompts[0] ?? "").split(/\s+/u).slice(3, 14).join(" ")),
  quotes_instructions: () => checked(instructions),
  takeover: () =>
    templated({ lastByPersonAt: 500 }, { takeoverHours: 2 }).flatMap((one) =>
      one.code === "person_approves" ? one.because : []
    ),
  hipaa: () => denied({ ...mail, hipaa: true }),
  no_email_account: () => denied({ ...mail, ownAddresses: null }),
  no_recipient: () => denied({ ...mail, recipient: null }),
  unattended_mailbox: () => denied({ ...mail, recipient: "no-reply@customer.example" }),
  own_address: () => denied({ ...mail, recipient: "sales@acme.com" }),
  mail_comes_back: () => denied({ ...mail, undeliverable: "550 gone" }),
  several_recipients: () => stated("several_recipients", "sending/AutomaticRecipient.ts"),
  foreign_reply_to: () => denied({ ...mail, diverted: { code: "foreign_reply_to", email: "eve@evil.example" } }),
  replies_in_conversation: () => denied({ ...mail, repliesInThread: 3 }),
  replies_to_correspondent: () => denied({ ...mail, repliesToCorrespondent: 5 }),
  no_number: () => denied({ ...text, recipient: null }),
  no_own_number: () => denied({ ...text, sender: null }),
  own_number: () => denied({ ...text, recipient: "+15005550001" }),
  opted_out: () => denied({ ...text, optedOut: true }),
  blocked_number: () => denied({ ...text, blocked: true }),
  number_unreachable: () => denied({ ...text, undeliverable: "30005" }),
  channel_not_automatic: () => delivered({ send: null }),
  text_too_long: () => delivered({}, "sms", "a".repeat(1_601)),
  automatic_not_forwarded: () => denied({ ...forward, auto: "list" }),
  forward_to_contact: () => denied({ ...forward, toContact: true }),
  forwards_to_address: () => denied({ ...forward, sentToRecipient: 50 }),
  forwarded_message_gone: () => stated("forwarded_message_gone", "sending/HandOverMail.ts"),
  answered_message_gone: () => stated("answered_message_gone", "sending/HandOverMail.ts"),
  party_gone: () => stated("party_gone", "sending/HandOverText.ts"),
  hourly_limit: () => denied({ ...mail, slotAt: 2_000 }),
  quiet_hours: () => denied({ ...text, quietUntil: 2_000 }),
  guardrail_blocks: () => templated({}, { guardrails: [{ ...phrases, outcome: "block" }] }),
  person_approves: () => templated({}, { guardrails: [phrases] }),
  no_reply: () => delivered({ newerMessage: true })
}

describe("every reason", () => {
  const reference = readFileSync(new URL("../../../../../docs/reference/reasons.md", import.meta.url), "utf8")
  const decode = Schema.decodeUnknownResult(Reason, { onExcessProperty: "error" })

  it("is in exactly one group", () => {
    assert.deepStrictEqual(codes.toSorted(), Object.keys(causes).toSorted())
  })

  for (const [code, cause] of Object.entries(causes)) {
    it(`is reachable, described and in the reference: ${code}`, () => {
      const found = cause().find((one) => one.code === code) ?? assert.fail("no situation causes it")
      assert.match(describeReason(found), /\S/u)
      assert.notInclude(describeReason(found), "undefined")
      assert.isTrue(Result.isSuccess(decode(JSON.parse(JSON.stringify(found)))))
      assert.isTrue(Result.isFailure(decode({ ...found, unknown: 1 })))
      assert.include(reference, `| \`${code}\` |`)
    })
  }
})
