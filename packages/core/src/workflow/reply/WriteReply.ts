/**
 * Writes replies from templates or with a language model, checks them, and sends automatic ones. The decision to send
 * does not belong here; `domain/consent/MaySend.ts` makes it.
 *
 * Tests: `packages/core/test/workflow/reply`, `packages/testkit/src/suite/pipeline`.
 */
import { Effect } from "effect"
import { type RenderSettings, type ReplyContext, ReplyTemplates } from "../../port/provider/ReplyTemplates.ts"
import { type Budget, runCooperatively } from "../../domain/budget/Budget.ts"
import { unparsedReasonOf } from "../../domain/conversation/UnparsedMail.ts"
import { checkingRendered } from "./CheckReply.ts"
import type { ProposedReply } from "../../domain/run/GuardReply.ts"
import type { CheckedReply, Recordings } from "../../domain/run/Recordings.ts"
import type { Action } from "../../domain/rule/Rule.ts"
import type { RunStep } from "../../domain/run/Run.ts"
import type { RunSubject } from "../../domain/run/RunSubject.ts"

/** An action of a matched rule. */
export interface RequestedAction {
  readonly ruleId: string
  readonly action: Action
  /** The rendered template of the action; absent without a template, and until the rest of the decision is complete. */
  readonly rendered?: Rendered
}

/** A rendered template, or the reason of its failure. */
export type Rendered = { readonly text: string } | { readonly failure: string }

/** The result of writing a reply. */
export interface Written {
  /** Null when there is no reply. */
  readonly reply: ProposedReply | null
  readonly step: RunStep
  /** True when a model has to answer first. */
  readonly wanted: boolean
}

/** Returns the first word of a name, for a greeting. */
export const firstName = (name: string | null): string | null => name?.trim().split(/\s+/u)[0] ?? null

const none = (outcome: RunStep["outcome"], reason: string): Written => ({
  reply: null,
  step: { step: "reply", outcome, reason },
  wanted: false
})

/** Returns the reason why no reply may be written, whatever the rules ask for, or null. */
const silenced = ({ message, overtaken }: RunSubject, wanted: ReadonlyArray<RequestedAction>): string | null => {
  if (message.auto !== null) return `automatic mail (${message.auto}) is never answered`
  if (unparsedReasonOf(message) !== null) return "the message could not be parsed; a person has to look"
  if (message.flags.includes("no_auto_reply")) return "the sender must not be answered automatically"
  if (message.flags.includes("sender_unverified")) return "the sender is not verified; a person has to look"
  if (overtaken) return "the contact has sent a newer message"
  const rule = wanted.find(({ action }) => action.type === "suppress_reply")
  return rule === undefined ? null : `rule ${rule.ruleId} suppresses the reply`
}

type ReplyAction = Extract<Action, { readonly type: "reply" }>

interface Requested {
  readonly ruleId: string
  readonly action: ReplyAction
}

const modeOf = (subject: RunSubject, requested: Requested | undefined): ProposedReply["mode"] =>
  (requested?.action.mode ?? subject.tenant.config.replyMode) === "auto" ? "auto" : "draft"

const written = (
  subject: RunSubject,
  requested: Requested | undefined,
  { concerns, text }: CheckedReply,
  reason: string
): Written => ({
  reply: { text, channel: subject.message.channel, mode: modeOf(subject, requested), concerns },
  step: { step: "reply", outcome: "done", reason },
  wanted: false
})

/** Returns the variables of rule templates. */
export const templateContext = ({
  contact,
  message,
  tenant
}: Pick<RunSubject, "tenant"> & {
  readonly contact: Pick<RunSubject["contact"], "email" | "name">
  readonly message: Pick<RunSubject["message"], "body" | "subject">
}): ReplyContext => ({
  contact: { name: contact.name, first_name: firstName(contact.name), email: contact.email },
  tenant: { name: tenant.name },
  message: { subject: message.subject, body: message.body }
})

/** Returns the settings for rendering a template in a run. */
export const renderSettings = (
  { now, tenant }: Pick<RunSubject, "now" | "tenant">,
  budget: Budget
): RenderSettings => ({
  now,
  timeZone: tenant.config.timeZone,
  budget
})

const fromTemplate = Effect.fnUntraced(function* (
  subject: RunSubject,
  requested: Requested,
  template: string,
  budget: Budget
) {
  const { tenant } = subject
  const templates = yield* ReplyTemplates
  const text = yield* templates.render(template, templateContext(subject), renderSettings(subject, budget))
  if (text === "") return none("skipped", `the template of rule ${requested.ruleId} rendered an empty text`)
  const { assistant } = tenant.config
  const from = { template, domain: tenant.domain, linkHosts: assistant.linkHosts }
  const concerns = yield* runCooperatively(checkingRendered(text, from, budget), budget)
  return written(subject, requested, { text, concerns }, `from the template of rule ${requested.ruleId}`)
})

const notConfigured = "LLM provider not configured: no template to answer from"

/** Returns the reply of a model. A model that already failed to classify the message is not asked for a reply. */
const fromModel = (subject: RunSubject, requested: Requested | undefined, recordings: Recordings): Written => {
  const before = recordings.classification
  const recorded = recordings.reply ?? (before === null || before.outcome === "answered" ? null : before)
  if (recorded === null) {
    if (subject.modelConfigured) return { ...none("skipped", "the model has not been called yet"), wanted: true }
    return none("skipped", requested === undefined ? "no matched rule asks for a reply" : notConfigured)
  }
  if (recorded.outcome !== "answered") return none(recorded.outcome, recorded.reason)
  if (recorded.value.text === "") return none("skipped", `${recorded.use.model} returned an empty text`)
  return written(subject, requested, recorded.value, `written by ${recorded.use.model}`)
}

/**
 * Writes the reply to a message, if any: from the first template of a matched rule, else by a model. Recipients and
 * delivery are decided elsewhere.
 */
export const writeReply = Effect.fnUntraced(function* (
  subject: RunSubject,
  wanted: ReadonlyArray<RequestedAction>,
  recordings: Recordings,
  budget: Budget
) {
  const reason = silenced(subject, wanted)
  if (reason !== null) return none("suppressed", reason)
  if (subject.tenant.config.replyMode === "off") return none("skipped", "the reply mode is off")
  const replies = wanted.flatMap(({ action, ruleId }) => (action.type === "reply" ? [{ action, ruleId }] : []))
  const chosen = replies.find(({ action }) => action.template !== undefined)
  if (chosen?.action.template === undefined) return fromModel(subject, replies[0], recordings)
  return yield* fromTemplate(subject, chosen, chosen.action.template, budget).pipe(
    Effect.catchTag("TemplateInvalid", (error) => Effect.succeed(none("failed", error.reason)))
  )
})
