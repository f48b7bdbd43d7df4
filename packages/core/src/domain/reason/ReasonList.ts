import { count, reason, text, textOrNull, time } from "./ReasonEntry.ts"

/** Reasons of the steps before the reply, and of missing answers of a model. */
export const runReasons = {
  classifier_off: reason({}, "no classifier is configured", "skipped"),
  classified_by_keywords: reason({}, "by keywords"),
  classified_by_model: reason({ model: text }, ({ model }) => `by ${model}`),
  automatic_not_classified: reason(
    { auto: text },
    ({ auto }) => `automatic mail (${auto}) is not sent to a model`,
    "skipped"
  ),
  unparsed_not_classified: reason({}, "the message could not be parsed", "skipped"),
  model_not_configured: reason({}, "LLM provider not configured", "skipped"),
  model_not_called: reason({}, "the model has not been called yet", "skipped"),
  model_failed: reason({ detail: text }, ({ detail }) => detail, "failed"),
  model_calls_used_up: reason({}, "the AI calls of this month are used up", "skipped"),
  conversation_changed: reason({}, "the conversation changed repeatedly during the model request", "skipped"),
  scored: reason({ score: count, tier: text }, ({ score, tier }) => `${score} of 100 is ${tier}`),
  rules_matched: reason({ count }, (of) => `${of.count} rules matched`),
  rules_stopped: reason(
    { count, ruleId: text },
    ({ ruleId, ...of }) => `${of.count} rules matched; rule ${ruleId} stopped the rules after it`
  ),
  run_over_budget: reason({ detail: text }, ({ detail }) => `the run ends for review: ${detail}`, "failed"),
  actions_done: reason({ count }, (of) => `${of.count} actions`),
  stored_text: reason({ text }, (of) => of.text)
} as const

/** Reasons for and against writing a reply. */
export const replyReasons = {
  automatic_mail: reason({ auto: text }, ({ auto }) => `automatic mail (${auto}) is never answered`, "suppressed"),
  unparsed: reason({}, "the message could not be parsed; a person has to read its source", "suppressed"),
  sender_refuses: reason({}, "the sender must not be answered automatically", "suppressed"),
  sender_unverified: reason(
    {},
    "the sender is not verified: it is new to this thread, or uses one of the tenant's addresses",
    "suppressed"
  ),
  overtaken: reason({}, "the contact has sent a newer message", "suppressed"),
  suppressed_by_rule: reason({ ruleId: text }, ({ ruleId }) => `rule ${ruleId} suppresses the reply`, "suppressed"),
  ends_for_review: reason({}, "the run ends for review", "suppressed"),
  reply_mode_off: reason({}, "the reply mode is off", "skipped"),
  no_rule_asks: reason({}, "no matched rule asks for a reply", "skipped"),
  no_template: reason({}, "LLM provider not configured: no template to answer from", "skipped"),
  template_empty: reason(
    { ruleId: text },
    ({ ruleId }) => `the template of rule ${ruleId} rendered an empty text`,
    "skipped"
  ),
  template_failed: reason({ detail: text }, ({ detail }) => detail, "failed"),
  model_text_empty: reason({ model: text }, ({ model }) => `${model} returned an empty text`, "skipped"),
  from_template: reason({ ruleId: text }, ({ ruleId }) => `from the template of rule ${ruleId}`),
  written_by_model: reason({ model: text }, ({ model }) => `written by ${model}`),
  no_reply_written: reason({}, "no reply was written", "skipped"),
  contact_archived: reason({}, "the contact has been archived"),
  newer_message: reason({}, "there is a newer message"),
  blocked_by_guardrail: reason({}, "a guardrail blocks the reply"),
  reply_superseded: reason({}, "a newer message superseded the reply"),
  sent_now: reason({}, "the reply is sent automatically, now"),
  sent_within_limit: reason(
    { until: time },
    ({ until }) =>
      `the reply is sent automatically, as soon as the hourly limit permits: ${new Date(until).toISOString()}`
  ),
  sent_after_quiet_hours: reason(
    { until: time },
    ({ until }) => `the reply is sent automatically, after the quiet hours: ${new Date(until).toISOString()}`
  )
} as const

/** Findings of guardrails, about the text of a reply, its time or its message. */
export const guardReasons = {
  guardrail_passed: reason({}, "no reason to hold the reply"),
  blocked_phrase: reason({ phrase: text }, ({ phrase }) => `the reply says "${phrase}"`),
  contains_link: reason({}, "the reply contains a web address"),
  contains_price: reason({}, "the reply names an amount of money"),
  guardrail_hours: reason({ from: text, to: text }, ({ from, to }) => `the time is between ${from} and ${to}`),
  too_many_replies: reason(
    { count, max: count },
    ({ max, ...of }) => `the contact received ${of.count} replies in 24 hours; the maximum is ${max}`
  ),
  not_classified: reason({}, "the message has no classification"),
  low_confidence: reason(
    { confidence: count, min: count },
    ({ confidence, min }) => `the confidence is ${confidence}, below the minimum of ${min}`
  ),
  held_tier: reason({ tier: text }, ({ tier }) => `the lead is ${tier}`),
  blocked_intent: reason({ intent: text }, ({ intent }) => `the message is about ${intent}`),
  check_over_budget: reason({}, "the check of the text exceeds its budget"),
  guardrails_allow: reason({ count }, (of) =>
    of.count === 0 ? "there are no guardrails" : `${of.count} guardrails allow the reply`
  )
} as const

/** Findings in the text of a reply that do not depend on the tenant's guardrails. They contain no personal data. */
export const contentReasons = {
  too_long_to_check: reason({}, "the reply is too long to be checked"),
  unknown_email: reason({ domain: text }, ({ domain }) => `the reply contains an unknown email address (at ${domain})`),
  unknown_phone: reason(
    { lastDigits: text },
    ({ lastDigits }) => `the reply contains an unknown phone number (…${lastDigits})`
  ),
  number_in_words: reason({}, "the reply contains a long number in words"),
  disguised_link: reason({}, "the reply contains a link with a disguised host"),
  unknown_link: reason(
    { host: text },
    ({ host }) => `the reply links to ${host}, which is neither allowed nor in the conversation`
  ),
  acting_link: reason({}, "the reply contains a link that triggers an action"),
  secret: reason({ kind: text }, ({ kind }) => `the reply appears to contain ${kind}`),
  encoded_text: reason({}, "the reply contains a long encoded text"),
  prompt_residue: reason({ what: text }, ({ what }) => `the reply contains ${what}`),
  quotes_prompt: reason({}, "the reply quotes the model's prompt"),
  quotes_instructions: reason({}, "the reply quotes the assistant's instructions"),
  takeover: reason({ hours: count }, ({ hours }) => `a person has written to the contact within ${hours} hours`)
} as const

/** Reasons why a message must not be sent, or must be sent later. */
export const sendReasons = {
  hipaa: reason({}, "email is disabled for a HIPAA tenant"),
  no_email_account: reason({}, "no connected email account can send"),
  no_recipient: reason({}, "there is no valid recipient address"),
  unattended_mailbox: reason({}, "the address is an unattended mailbox"),
  own_address: reason({}, "the address is one of the tenant's own addresses"),
  mail_comes_back: reason(
    { address: textOrNull, detail: text },
    ({ address, detail }) => `mail to ${address ?? "the address"} is returned: ${detail}`
  ),
  several_recipients: reason({}, "a reply would go to several addresses"),
  foreign_reply_to: reason(
    { email: text },
    ({ email }) => `a reply would go to ${email}, which is not a known address of the sender`
  ),
  replies_in_conversation: reason(
    { max: count, place: text },
    ({ max, place }) => `${max} automatic replies were sent in this ${place}, and no person has written since`
  ),
  replies_to_correspondent: reason(
    { max: count, whom: text },
    ({ max, whom }) => `${max} automatic replies were sent to this ${whom} within 24 hours`
  ),
  no_number: reason({}, "the contact has no number"),
  no_own_number: reason({}, "the tenant has no number to send from"),
  own_number: reason({}, "the number is the tenant's own"),
  opted_out: reason({}, "the contact has opted out"),
  blocked_number: reason({}, "the number is on the blocklist"),
  number_unreachable: reason({ detail: text }, ({ detail }) => `the number cannot be reached: ${detail}`),
  channel_not_automatic: reason({}, "only an email or a text can be answered automatically"),
  text_too_long: reason({ max: count }, ({ max }) => `the reply is longer than ${max} characters`),
  automatic_not_forwarded: reason(
    { auto: text },
    ({ auto }) => `automatic mail (${auto}) is never forwarded by a rule`
  ),
  forward_to_contact: reason({}, "a recipient is the sender of the email or an address of the contact"),
  forwards_to_address: reason(
    { max: count },
    ({ max }) => `${max} automatic emails were sent to a recipient within 24 hours`
  ),
  forwarded_message_gone: reason({}, "the forwarded email no longer exists"),
  answered_message_gone: reason({}, "the answered message no longer exists"),
  party_gone: reason({}, "the contact or the tenant no longer exists"),
  hourly_limit: reason({}, "the hourly send limit is reached"),
  quiet_hours: reason({}, "quiet hours")
} as const
