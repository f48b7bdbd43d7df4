import { count, reason, text } from "./ReasonEntry.ts"

const answerYourself = "Answer the message yourself."

/** Reasons for and against writing a reply. */
export const replyReasons = {
  automatic_mail: reason(
    { auto: text },
    ({ auto }) => `automatic mail (${auto}) is never answered`,
    "The mail comes from a program: an automatic reply, a bounce, a report, a list or our own mail.",
    "Nothing: an answer could cause a mail loop.",
    "suppressed"
  ),
  unparsed: reason(
    {},
    "the message could not be parsed; a person has to look",
    "The mail exceeded a limit of the parser, so its text is unknown.",
    "Read the source of the message, and answer it yourself.",
    "suppressed"
  ),
  sender_refuses: reason(
    {},
    "the sender must not be answered automatically",
    "The sender is a program or a list, or requested no automatic reply.",
    answerYourself,
    "suppressed"
  ),
  sender_unverified: reason(
    {},
    "the sender is not verified: it is new to this thread, or uses one of the tenant's addresses",
    "The sender may be forged, and a reply may contain data of the contact.",
    "Check the sender, and answer the message yourself.",
    "suppressed"
  ),
  overtaken: reason(
    {},
    "the contact has sent a newer message",
    "The reply to the newer message answers both.",
    "Look at the run of the newer message.",
    "suppressed"
  ),
  suppressed_by_rule: reason(
    { ruleId: text },
    ({ ruleId }) => `rule ${ruleId} suppresses the reply`,
    "A matched rule has the action `suppress_reply`.",
    "Change the rule if the message needs a reply.",
    "suppressed"
  ),
  ends_for_review: reason(
    {},
    "the run ends for review",
    "The run exceeded its budget. See `run_over_budget`.",
    "Handle the message yourself; a review task exists.",
    "suppressed"
  ),
  reply_mode_off: reason(
    {},
    "the reply mode is off",
    "The configuration has `reply_mode: off`.",
    "Set `reply_mode` to `draft` or `auto`.",
    "skipped"
  ),
  no_rule_asks: reason(
    {},
    "no matched rule asks for a reply",
    "No matched rule has the action `reply`, and no language model is available.",
    "Add a rule with a reply, or configure a model.",
    "skipped"
  ),
  no_template: reason(
    {},
    "LLM provider not configured: no template to answer from",
    "A rule asks for a reply without a template, and no language model is available.",
    "Add a template to the rule, or configure a model.",
    "skipped"
  ),
  template_empty: reason(
    { ruleId: text },
    ({ ruleId }) => `the template of rule ${ruleId} rendered an empty text`,
    "The template produced no text for this message.",
    "Correct the template.",
    "skipped"
  ),
  template_failed: reason(
    { detail: text },
    ({ detail }) => detail,
    "The template of a rule cannot be rendered. The text is that of the template engine.",
    "Correct the template.",
    "failed"
  ),
  model_text_empty: reason(
    { model: text },
    ({ model }) => `${model} returned an empty text`,
    "The language model wrote no reply.",
    answerYourself,
    "skipped"
  ),
  from_template: reason(
    { ruleId: text },
    ({ ruleId }) => `from the template of rule ${ruleId}`,
    "The reply comes from the first matched rule with a template.",
    "Nothing."
  ),
  written_by_model: reason(
    { model: text },
    ({ model }) => `written by ${model}`,
    "A language model wrote the reply.",
    "Nothing."
  ),
  no_reply_written: reason(
    {},
    "no reply was written",
    "There is no text that guardrails could check.",
    "See the reason of the step `reply`.",
    "skipped"
  ),
  contact_archived: reason(
    {},
    "the contact has been archived",
    "Archived contacts get no replies.",
    "Restore the contact and answer the message yourself."
  ),
  newer_message: reason(
    {},
    "there is a newer message",
    "Somebody wrote after the answered message, so the reply may be wrong.",
    "Continue the conversation from its newest message."
  ),
  blocked_by_guardrail: reason(
    {},
    "a guardrail blocks it",
    "A guardrail has the outcome `block`. See the step `guard`.",
    answerYourself
  ),
  reply_superseded: reason(
    {},
    "a newer message superseded the reply",
    "Somebody wrote while the reply waited for its transmission.",
    "Continue the conversation from its newest message."
  ),
  sent_now: reason({}, "it is sent automatically, now", "The reply is sent at once.", "Nothing."),
  sent_within_limit: reason(
    { until: count },
    ({ until }) => `it is sent automatically, when the hourly limit allows it: ${new Date(until).toISOString()}`,
    "The tenant has used up its sends of the last hour. The reply waits.",
    "Nothing."
  ),
  sent_after_quiet_hours: reason(
    { until: count },
    ({ until }) => `it is sent automatically, after the quiet hours: ${new Date(until).toISOString()}`,
    "It is night in the contact's time zone. The text waits.",
    "Nothing."
  )
} as const
