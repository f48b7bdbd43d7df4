import { Effect } from "effect"
import type { Contact } from "../contact/Contact.ts"
import type { Channel } from "../conversation/Channel.ts"
import type { Message } from "../conversation/Message.ts"
import type { Lead } from "../lead/Lead.ts"
import { type Score, scoreMessage } from "../lead/Score.ts"
import { ReplyTemplates } from "../port/ReplyTemplates.ts"
import type { Tenant } from "../tenant/Tenant.ts"
import type { Classification } from "./Classification.ts"
import { CompiledConfigs } from "./CompiledConfigs.ts"
import { evaluateRules } from "./CompileRules.ts"
import { factsOf } from "./Fact.ts"
import { classifyByKeywords } from "./KeywordClassifier.ts"
import type { Action } from "./Rule.ts"
import type { RunResult, RunStep } from "./Run.ts"

/** What a run looks at. Everything is here: a run reads nothing else and changes nothing. */
export interface RunSubject {
  readonly tenant: Tenant
  readonly message: Pick<
    Message,
    "attachments" | "auto" | "body" | "channel" | "flags" | "metadata" | "receivedAlias" | "source" | "subject"
  >
  readonly contact: Pick<Contact, "company" | "email" | "name" | "phone" | "tags">
  readonly contactIsNew: boolean
  readonly lead: Pick<Lead, "assignee" | "createdAt" | "source" | "state"> | null
  readonly leadIsNew: boolean
  /** The contact has written again since: whoever answers, answers that. */
  readonly overtaken: boolean
  /** Epoch milliseconds. */
  readonly now: number
}

/** An action that a matched rule asks for. */
export interface WantedAction {
  readonly ruleId: string
  readonly action: Action
}

/** A reply that was written, and whether it is meant to go out by itself. */
export interface WantedReply {
  readonly text: string
  readonly channel: Channel
  readonly mode: "draft" | "auto"
}

/** What a run wants done; nothing of it is done yet. */
export interface RunDecision extends Omit<RunResult, "actions" | "reply" | "score"> {
  readonly score: Score
  readonly reply: WantedReply | null
  /** In the order they are to be done; `reply`, `suppress_reply` and `stop` have been heard and are listed too. */
  readonly wanted: ReadonlyArray<WantedAction>
}

const classify = ({ tenant, message }: RunSubject): Classification | null =>
  tenant.config.classifier === "keywords" ? classifyByKeywords({ text: message.body, subject: message.subject }) : null

const score = ({ tenant, message, contact, contactIsNew }: RunSubject, classification: Classification | null): Score =>
  scoreMessage(
    {
      text: message.body,
      subject: message.subject,
      channel: message.channel,
      auto: message.auto !== null,
      hasName: contact.name !== null,
      hasEmail: contact.email !== null,
      hasPhone: contact.phone !== null,
      returning: !contactIsNew,
      classification
    },
    tenant.config.thresholds,
    tenant.config.scoreWeights
  )

/** Classification and score of a message on its own, as a run would give them. */
export const assess = (
  subject: RunSubject
): { readonly classification: Classification | null; readonly score: Score } => {
  const classification = classify(subject)
  return { classification, score: score(subject, classification) }
}

/** The first word of a name, to greet somebody by. */
export const firstName = (name: string | null): string | null => name?.trim().split(/\s+/u)[0] ?? null

type ReplyOutcome = { readonly reply: WantedReply | null; readonly step: RunStep }

const none = (outcome: RunStep["outcome"], reason: string): ReplyOutcome => ({
  reply: null,
  step: { step: "reply", outcome, reason }
})

/** Why there must be no reply whatever the rules ask for, or null. */
const silenced = ({ message, overtaken }: RunSubject, wanted: ReadonlyArray<WantedAction>): string | null => {
  if (message.auto !== null) return `automatic mail (${message.auto}) is never answered`
  if (message.flags.includes("no_auto_reply")) return "the sender is not to be answered automatically"
  if (message.flags.includes("sender_unverified")) return "the sender is not verified; a person has to look"
  if (overtaken) return "the contact has written again since"
  const rule = wanted.find(({ action }) => action.type === "suppress_reply")
  return rule === undefined ? null : `rule ${rule.ruleId} suppresses the reply`
}

const writeReply = Effect.fnUntraced(function* (subject: RunSubject, wanted: ReadonlyArray<WantedAction>) {
  const { contact, message, tenant } = subject
  const reason = silenced(subject, wanted)
  if (reason !== null) return none("suppressed", reason)
  if (tenant.config.replyMode === "off") return none("skipped", "the reply mode is off")
  const replies = wanted.flatMap(({ action, ruleId }) => (action.type === "reply" ? [{ action, ruleId }] : []))
  if (replies.length === 0) return none("skipped", "no matched rule asks for a reply")
  const chosen = replies.find(({ action }) => action.template !== undefined)
  if (chosen?.action.template === undefined)
    return none("skipped", "LLM provider not configured: no template to answer from")
  const context = {
    contact: { name: contact.name, first_name: firstName(contact.name), email: contact.email },
    tenant: { name: tenant.name },
    message: { subject: message.subject, body: message.body }
  }
  const text = yield* (yield* ReplyTemplates).render(chosen.action.template, context)
  if (text === "") return none("skipped", `the template of rule ${chosen.ruleId} came out empty`)
  const mode = (chosen.action.mode ?? tenant.config.replyMode) === "auto" ? "auto" : "draft"
  const written: ReplyOutcome = {
    reply: { text, channel: message.channel, mode },
    step: { step: "reply", outcome: "done", reason: `from the template of rule ${chosen.ruleId}` }
  }
  return written
})

/**
 * Classifies, scores and routes one message and writes its reply. Deterministic: the same subject gives the same
 * decision.
 */
export const decideRun = Effect.fn("decideRun")(function* (subject: RunSubject) {
  const { rules, timeAt } = yield* (yield* CompiledConfigs).of(subject.tenant)
  const classification = classify(subject)
  const scored = score(subject, classification)
  const facts = factsOf({ ...subject, classification, score: scored, time: timeAt(subject.now) })
  const { matched, stoppedBy } = evaluateRules(rules, facts)
  const wanted = matched.flatMap(({ ruleId, actions }) => actions.map((action): WantedAction => ({ ruleId, action })))
  const answer = yield* writeReply(subject, wanted).pipe(
    Effect.catchTag("TemplateInvalid", (error) => Effect.succeed(none("failed", error.reason)))
  )
  const stop = stoppedBy === null ? "" : `; rule ${stoppedBy} stopped the rest`
  const decision: RunDecision = {
    classification,
    score: scored,
    matchedRules: matched.map(({ ruleId, name }) => ({ ruleId, name })),
    wanted,
    reply: answer.reply,
    steps: [
      classification === null
        ? { step: "classify", outcome: "skipped", reason: "no classifier is configured" }
        : { step: "classify", outcome: "done", reason: "by keywords" },
      { step: "score", outcome: "done", reason: `${scored.score} of 100 is ${scored.tier}` },
      { step: "route", outcome: "done", reason: `${matched.length} rules matched${stop}` },
      answer.step
    ]
  }
  return decision
})
