/**
 * Decides whether a message is answered, drafted, held or ignored, and why. The reasons are listed in `domain/reason`.
 * Immediately before a decided reply is handed over, `workflow/sending` calls `maySend` again, because the facts may
 * have changed. Reading facts, rendering, sending and storing belong to `workflow`.
 * Tests: `packages/core/test/domain/reply`, `packages/testkit/src/suite/pipeline`.
 */
import { maySend, type ReplySendContext, type TextSendContext } from "../consent/MaySend.ts"
import { maxOutgoingTextLength } from "../conversation/OutgoingText.ts"
import { unparsedReasonOf } from "../conversation/UnparsedMail.ts"
import type { GuardVerdict } from "../guardrail/Guardrail.ts"
import type { Cause, Hold, Reason } from "../reason/Reason.ts"
import type { RequestedAction } from "../rule/Rule.ts"
import type { CheckedReply, Recordings } from "../run/Recordings.ts"
import type { RunMessage, RunSubject } from "../run/RunSubject.ts"
import type { TenantConfig } from "../tenant/TenantConfig.ts"

/** A reply from a template or a model. `source` tells which. */
export interface ProposedReply extends CheckedReply {
  readonly source: Cause
}

/** The facts that only the unit of work knows which carries the decision out. */
export interface DeliveryFacts {
  readonly contactArchived: boolean
  /** True when anybody has written after the answered message. */
  readonly newerMessage: boolean
  /** The facts for `maySend`. Null when the channel allows no automatic reply; absent until they are read. */
  readonly send?: ReplySendContext | TextSendContext | null
}

/** Everything that decides about the reply to one message. A run adds the optional facts one after another. */
export interface ReplyFacts {
  readonly message: Pick<RunMessage, "auto" | "channel" | "flags">
  readonly overtaken: boolean
  readonly overBudget: boolean
  /** The matched rule that suppresses the reply. */
  readonly suppressedBy: string | null
  readonly replyMode: TenantConfig["replyMode"]
  /** The reply that a matched rule requests: the first one with a template, else the first one. */
  readonly requested: {
    readonly ruleId: string
    readonly template: string | null
    readonly mode: TenantConfig["replyMode"]
  } | null
  readonly modelConfigured: boolean
  /** The answer of the model. A model that failed to classify the message is not asked for a reply. */
  readonly answer: Recordings["reply"]
  /** The hours of the takeover while one lasts: a person of the tenant has recently written to the contact. */
  readonly takeoverHours: number | null
  /** The rendered template, or the reason why there is none. */
  readonly rendered?: ProposedReply | Cause
  readonly guards?: GuardVerdict
  readonly delivery?: DeliveryFacts
}

/** The decision about a reply. `Render`, `Ask`, `Check` and `Release` name the fact that is needed next. */
export type ReplyDecision =
  /** No reply leaves, and no draft is stored. */
  | { readonly _tag: "Ignore"; readonly reason: Reason }
  /** The template of a rule has to be rendered first. */
  | { readonly _tag: "Render"; readonly ruleId: string; readonly template: string }
  /** A model has to write the reply first. */
  | { readonly _tag: "Ask"; readonly reason: Reason }
  /** Guardrails have to check the reply first. */
  | { readonly _tag: "Check"; readonly reply: ProposedReply }
  /** A guardrail forbids the reply. */
  | { readonly _tag: "Block"; readonly reply: ProposedReply; readonly reason: Reason }
  /** The reply becomes a draft; a person decides. `because` is empty in the mode `draft`. */
  | {
      readonly _tag: "Hold"
      readonly reply: ProposedReply
      readonly reason: Reason
      readonly because: ReadonlyArray<Hold>
    }
  /** The reply may be sent automatically if its delivery allows it. */
  | { readonly _tag: "Release"; readonly reply: ProposedReply }
  /** The reply is sent, at `notBefore` (epoch milliseconds) or now. */
  | { readonly _tag: "Send"; readonly reply: ProposedReply; readonly reason: Reason; readonly notBefore: number | null }

const hourMillis = 3_600_000

/** Returns the facts at the start of a decision. */
export const replyFactsOf = (
  subject: RunSubject,
  actions: ReadonlyArray<RequestedAction>,
  { classification, reply }: Recordings,
  overBudget = false
): ReplyFacts => {
  const { lastByPersonAt, message, modelConfigured, now, overtaken } = subject
  const { replyMode, takeoverHours } = subject.tenant.config
  const replies = actions.flatMap(({ action, ruleId }) =>
    action.type === "reply" ? [{ ruleId, template: action.template ?? null, mode: action.mode ?? replyMode }] : []
  )
  const isTakenOver = lastByPersonAt !== null && now - lastByPersonAt < takeoverHours * hourMillis
  return {
    message: { auto: message.auto, channel: message.channel, flags: message.flags },
    overtaken,
    overBudget,
    suppressedBy: actions.find(({ action }) => action.type === "suppress_reply")?.ruleId ?? null,
    replyMode,
    requested: replies.find(({ template }) => template !== null) ?? replies[0] ?? null,
    modelConfigured,
    answer: reply ?? (classification?.outcome === "answered" ? null : classification),
    takeoverHours: isTakenOver ? takeoverHours : null
  }
}

/** Returns the reason to write no reply, whatever rules and models say. */
const reasonForSilence = (facts: ReplyFacts): Cause | null => {
  const { auto, flags } = facts.message
  if (facts.overBudget) return { code: "ends_for_review" }
  if (auto !== null) return { code: "automatic_mail", auto }
  if (unparsedReasonOf(facts.message) !== null) return { code: "unparsed" }
  if (flags.includes("no_auto_reply")) return { code: "sender_refuses" }
  if (flags.includes("sender_unverified")) return { code: "sender_unverified" }
  if (facts.overtaken) return { code: "overtaken" }
  if (facts.suppressedBy !== null) return { code: "suppressed_by_rule", ruleId: facts.suppressedBy }
  return facts.replyMode === "off" ? { code: "reply_mode_off" } : null
}

/** Returns the reply of the model, or the reason why there is none. */
const replyOfModel = ({ answer, modelConfigured, requested }: ReplyFacts): ProposedReply | Cause => {
  if (answer === null) {
    if (modelConfigured) return { code: "model_not_called" }
    return requested === null ? { code: "no_rule_asks" } : { code: "no_template" }
  }
  if (answer.outcome === "skipped") return answer.reason
  if (answer.outcome === "failed") return { code: "model_failed", detail: answer.reason }
  const { model } = answer.use
  if (answer.value.text === "") return { code: "model_text_empty", model }
  return { ...answer.value, source: { code: "written_by_model", model } }
}

const hold = (reply: ProposedReply, because: ReadonlyArray<Hold>): ReplyDecision => ({
  _tag: "Hold",
  reply,
  reason: { code: "person_approves", because },
  because
})

/** Returns the reasons why a person has to approve a checked reply: guardrails, its content, and a takeover. */
const holdsOf = ({ takeoverHours }: ReplyFacts, isAuto: boolean, reply: ProposedReply, guards: GuardVerdict) => {
  const found = guards.evaluations
    .filter(({ outcome }) => outcome === "require_approval")
    .map(({ guardrailId, reason }): Hold => ({ ...reason, guardrailId }))
  const takeover: ReadonlyArray<Hold> =
    isAuto && takeoverHours !== null ? [{ code: "takeover", hours: takeoverHours }] : []
  return [...found, ...reply.concerns, ...takeover]
}

/** Decides about a reply that nothing holds: whether it may leave by itself, and when. */
const decideSend = ({ delivery, message }: ReplyFacts, reply: ProposedReply): ReplyDecision => {
  const isText = message.channel === "sms"
  if (delivery === undefined) return { _tag: "Release", reply }
  if (isText && reply.text.length > maxOutgoingTextLength)
    return hold(reply, [{ code: "text_too_long", max: maxOutgoingTextLength }])
  if (delivery.send === undefined) return { _tag: "Release", reply }
  if (delivery.send === null) return hold(reply, [{ code: "channel_not_automatic" }])
  const verdict = maySend(delivery.send)
  if (verdict._tag === "Deny") return hold(reply, verdict.reasons)
  if (verdict._tag === "Allow") return { _tag: "Send", reply, reason: { code: "sent_now" }, notBefore: null }
  const { until } = verdict
  const code = isText ? "sent_after_quiet_hours" : "sent_within_limit"
  return { _tag: "Send", reply, reason: { code, until }, notBefore: until }
}

const ignoreWritten = (because: Cause): ReplyDecision => ({ _tag: "Ignore", reason: { code: "no_reply", because } })

/** Decides about the reply to one message, as far as the facts go. */
export const decideReply = (facts: ReplyFacts): ReplyDecision => {
  const silence = reasonForSilence(facts)
  if (silence !== null) return { _tag: "Ignore", reason: silence }
  const { delivery, guards, rendered, requested } = facts
  const template = requested?.template ?? null
  if (requested !== null && template !== null && rendered === undefined)
    return { _tag: "Render", ruleId: requested.ruleId, template }
  const reply = template === null ? replyOfModel(facts) : (rendered ?? replyOfModel(facts))
  if ("code" in reply) return { _tag: reply.code === "model_not_called" ? "Ask" : "Ignore", reason: reply }
  if (guards === undefined) return { _tag: "Check", reply }
  const block = guards.evaluations.find(({ outcome }) => outcome === "block")
  if (block !== undefined) {
    const { guardrailId, reason: because } = block
    return { _tag: "Block", reply, reason: { code: "guardrail_blocks", guardrailId, because } }
  }
  if (delivery?.contactArchived === true) return ignoreWritten({ code: "contact_archived" })
  if (delivery?.newerMessage === true) return ignoreWritten({ code: "newer_message" })
  const isAuto = (requested?.mode ?? facts.replyMode) === "auto"
  const because = holdsOf(facts, isAuto, reply, guards)
  return isAuto && because.length === 0 ? decideSend(facts, reply) : hold(reply, because)
}
