/**
 * Decides whether a message is answered, drafted, held or ignored, and why. `domain/reason` lists the reasons.
 * Immediately before a decided reply is handed over, `workflow/sending` calls `maySend` again, because the facts may
 * have changed. Reading facts, rendering, sending and storing belong to `workflow`. Tests:
 * `packages/core/test/domain/reply`, `packages/testkit/src/suite/pipeline`.
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

/** A reply from a template or a model. `source` is the reason that names the template or the model. */
export interface ProposedReply extends CheckedReply {
  readonly source: Cause
}

/** The facts about the delivery of a reply. They are read in the unit of work that carries the decision out. */
export interface DeliveryFacts {
  readonly contactArchived: boolean
  /** True when the contact or a person of the tenant has written after the answered message. */
  readonly newerMessage: boolean
  /** The facts for `maySend`. Null when replies on the channel are never automatic. Absent until the facts are read. */
  readonly send?: ReplySendContext | TextSendContext | null
}

/**
 * All facts for the decision about the reply to one message. During a run, the optional facts are added one after
 * another.
 */
export interface ReplyFacts {
  readonly message: Pick<RunMessage, "auto" | "channel" | "flags">
  readonly overtaken: boolean
  readonly overBudget: boolean
  /** The id of the matched rule that suppresses the reply; null if there is none. */
  readonly suppressedBy: string | null
  readonly replyMode: TenantConfig["replyMode"]
  /**
   * The reply that a matched rule requests. If several rules request one, it is the first request with a template,
   * otherwise the first request.
   */
  readonly requested: {
    readonly ruleId: string
    readonly template: string | null
    readonly mode: TenantConfig["replyMode"]
  } | null
  readonly modelConfigured: boolean
  /**
   * The model's answer to the request for a reply. Null if the model has not been asked yet. If the model failed to
   * classify the message, this failure is used instead, and the model is not asked for a reply.
   */
  readonly answer: Recordings["reply"]
  /**
   * The length of the takeover in hours, if a person of the tenant has written to the contact within this time. Null
   * otherwise.
   */
  readonly takeoverHours: number | null
  /** The rendered template, or the reason why rendering produced no reply. Absent until the template is rendered. */
  readonly rendered?: ProposedReply | Cause
  readonly guards?: GuardVerdict
  readonly delivery?: DeliveryFacts
}

/**
 * The decision about a reply. `Render`, `Ask`, `Check` and `Release` are intermediate: each names the fact that is
 * needed next.
 */
export type ReplyDecision =
  /** No reply is sent, and no draft is stored. */
  | { readonly _tag: "Ignore"; readonly reason: Reason }
  /** The template of a rule has to be rendered first. */
  | { readonly _tag: "Render"; readonly ruleId: string; readonly template: string }
  /** A model has to write the reply first. */
  | { readonly _tag: "Ask"; readonly reason: Reason }
  /** Guardrails have to check the reply first. */
  | { readonly _tag: "Check"; readonly reply: ProposedReply }
  /** A guardrail forbids the reply. */
  | { readonly _tag: "Block"; readonly reply: ProposedReply; readonly reason: Reason }
  /**
   * The reply becomes a draft that a person must approve. `because` is empty if the only reason is the mode `draft`.
   */
  | {
      readonly _tag: "Hold"
      readonly reply: ProposedReply
      readonly reason: Reason
      readonly because: ReadonlyArray<Hold>
    }
  /** The reply may be sent automatically, if the facts about its delivery allow it. */
  | { readonly _tag: "Release"; readonly reply: ProposedReply }
  /** The reply is sent at `notBefore` (epoch milliseconds), or now if `notBefore` is null. */
  | { readonly _tag: "Send"; readonly reply: ProposedReply; readonly reason: Reason; readonly notBefore: number | null }

const hourMillis = 3_600_000

/** Collects the facts that are known at the start of a decision. */
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

/**
 * Returns the reason to write no reply at all. Such a reason applies regardless of the replies that rules and models
 * propose. Returns null if there is none.
 */
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

/** Returns the reply of the model, or the reason why the model has written none. */
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

/**
 * Returns the reasons why a person has to approve a checked reply: findings of guardrails, concerns about its content,
 * and a takeover.
 */
const holdsOf = ({ takeoverHours }: ReplyFacts, isAuto: boolean, reply: ProposedReply, guards: GuardVerdict) => {
  const found = guards.evaluations
    .filter(({ outcome }) => outcome === "require_approval")
    .map(({ guardrailId, reason }): Hold => ({ ...reason, guardrailId }))
  const takeover: ReadonlyArray<Hold> =
    isAuto && takeoverHours !== null ? [{ code: "takeover", hours: takeoverHours }] : []
  return [...found, ...reply.concerns, ...takeover]
}

/** Decides about a reply that no reason holds: whether it may be sent automatically, and when. */
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

/** Decides about the reply to one message. If a fact is missing, the result names the fact that is needed next. */
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
