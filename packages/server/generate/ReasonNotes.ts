import type { ReasonCode } from "@leadloom/core/internal/domain/reason/Reason"

const answerYourself = "Answer the message yourself."
const approve = "Approve the draft, or answer yourself."
const changeGuardrail = "Approve the draft, or change the guardrail."
const nothing = "Nothing."
const otherAddress = "Use another address or number of the contact."
const readFirst = "Read the draft, correct it, and approve it."

/** The meaning of every reason, and what a person can do, for `docs/reference/reasons.md`. */
export const reasonNotes: { readonly [C in ReasonCode]: readonly [meaning: string, advice: string] } = {
  classifier_off: ["The configuration has `classifier: off`.", "Set `classifier` to `keywords` or `model`."],
  classified_by_keywords: ["The keyword classifier classified the message.", nothing],
  classified_by_model: ["A language model classified the message.", nothing],
  automatic_not_classified: ["Automatic mail costs no model call.", nothing],
  unparsed_not_classified: [
    "The mail exceeded a limit of the parser, so its text is unknown.",
    "Read the source of the message, and parse it again."
  ],
  model_not_configured: [
    "The server has no language model, or none that may read messages of this tenant.",
    "Configure a model, or use the `keywords` classifier and templates."
  ],
  model_not_called: [
    "The decision needs an answer of a model that no run has recorded.",
    "Nothing: a run calls the model. A replay and a back-test call none."
  ],
  model_failed: [
    "The language model returned no usable answer. The text is that of the provider.",
    "Check the model with `leadloom doctor`. A review task exists for the message."
  ],
  model_calls_used_up: [
    "The plan of the tenant allows no more model calls this month.",
    "Raise the plan or its cap, or answer the message yourself."
  ],
  conversation_changed: ["New messages arrived during every request to the model.", answerYourself],
  scored: ["The message has a score.", nothing],
  rules_matched: [
    "The rules of the configuration were evaluated.",
    "`leadloom explain --verbose` shows why each rule matched or did not."
  ],
  rules_stopped: ["A matched rule has the action `stop`.", "Change the priority of the rules or remove the action."],
  run_over_budget: [
    "Rules, templates or guardrails exceed the budget of a run, so no rule matches.",
    "Simplify the rule or template. Handle the message yourself; a review task exists."
  ],
  actions_done: [
    "The actions of the matched rules were carried out or skipped.",
    "The list `actions` of the run shows the result of each action."
  ],
  stored_text: ["An older release stored this reason as text only.", "Read the text. A replay ignores it."],
  automatic_mail: [
    "The mail comes from a program: an automatic reply, a bounce, a report, a list or our own mail.",
    "Nothing: an answer could cause a mail loop."
  ],
  unparsed: [
    "The mail exceeded a limit of the parser, so its text is unknown.",
    "Read the source of the message, and answer it yourself."
  ],
  sender_refuses: ["The sender is a program or a list, or requested no automatic reply.", answerYourself],
  sender_unverified: [
    "The sender may be forged, and a reply may contain data of the contact.",
    "Check the sender, and answer the message yourself."
  ],
  overtaken: ["The reply to the newer message answers both.", "Look at the run of the newer message."],
  suppressed_by_rule: [
    "A matched rule has the action `suppress_reply`.",
    "Change the rule if the message needs a reply."
  ],
  ends_for_review: [
    "The run exceeded its budget. See `run_over_budget`.",
    "Handle the message yourself; a review task exists."
  ],
  reply_mode_off: ["The configuration has `reply_mode: off`.", "Set `reply_mode` to `draft` or `auto`."],
  no_rule_asks: [
    "No matched rule has the action `reply`, and no language model is available.",
    "Add a rule with a reply, or configure a model."
  ],
  no_template: [
    "A rule asks for a reply without a template, and no language model is available.",
    "Add a template to the rule, or configure a model."
  ],
  template_empty: ["The template produced no text for this message.", "Correct the template."],
  template_failed: [
    "The template of a rule cannot be rendered. The text is that of the template engine.",
    "Correct the template."
  ],
  model_text_empty: ["The language model wrote no reply.", answerYourself],
  from_template: ["The reply comes from the first matched rule with a template.", nothing],
  written_by_model: ["A language model wrote the reply.", nothing],
  no_reply_written: ["There is no text that guardrails could check.", "See the reason of the step `reply`."],
  contact_archived: ["Archived contacts get no replies.", "Restore the contact and answer the message yourself."],
  newer_message: [
    "Somebody wrote after the answered message, so the reply may be wrong.",
    "Continue the conversation from its newest message."
  ],
  blocked_by_guardrail: ["A guardrail has the outcome `block`. See the step `guard`.", answerYourself],
  reply_superseded: [
    "Somebody wrote while the reply waited for its transmission.",
    "Continue the conversation from its newest message."
  ],
  sent_now: ["The reply is sent at once.", nothing],
  sent_within_limit: ["The tenant has used up its sends of the last hour. The reply waits.", nothing],
  sent_after_quiet_hours: ["It is night in the contact's time zone. The text waits.", nothing],
  guardrail_passed: ["The guardrail allows the reply.", nothing],
  blocked_phrase: ["A guardrail `blocked_phrases` lists the phrase.", readFirst],
  contains_link: ["A guardrail `no_links` forbids web addresses.", readFirst],
  contains_price: ["A guardrail `no_prices` forbids amounts of money.", readFirst],
  guardrail_hours: ["A guardrail `quiet_hours` covers the time of the run.", changeGuardrail],
  too_many_replies: ["A guardrail `max_replies_per_contact_per_day` is exhausted.", changeGuardrail],
  not_classified: ["A guardrail `min_confidence` needs a classification.", "Look at the step `classify`."],
  low_confidence: ["A guardrail `min_confidence` requires a more certain classification.", changeGuardrail],
  held_tier: ["A guardrail `require_approval_for_tiers` lists the tier.", changeGuardrail],
  blocked_intent: ["A guardrail `blocked_intents` lists the intent.", changeGuardrail],
  check_over_budget: [
    "The text is too expensive to check, so it counts as held.",
    "Shorten the text, or use fewer phrases."
  ],
  guardrails_allow: ["No guardrail holds the reply.", nothing],
  too_long_to_check: ["The text is longer than 40,000 characters.", readFirst],
  unknown_email: ["The address is neither the contact's nor the tenant's, and nobody mentioned it.", readFirst],
  unknown_phone: ["The number is neither the contact's nor the tenant's, and nobody mentioned it.", readFirst],
  number_in_words: ["It may be a disguised phone number.", readFirst],
  disguised_link: ["People and programs would read different hosts.", readFirst],
  unknown_link: [
    "The host is not the tenant's, not in `link_hosts`, and no person of the tenant linked it.",
    "Add the host to `assistant.link_hosts`, or correct the draft."
  ],
  acting_link: ["The link starts a program, for example `javascript:` or `sms:`.", readFirst],
  secret: ["The text has the shape of a secret.", readFirst],
  encoded_text: ["The text may carry data that a person cannot read.", readFirst],
  prompt_residue: ["The model did not write this part for the customer.", readFirst],
  quotes_prompt: ["The reply repeats the prompt of the server.", readFirst],
  quotes_instructions: ["The reply repeats at least twelve words of `assistant.instructions`.", readFirst],
  takeover: ["For `takeover_hours` after a person wrote, the assistant sends nothing by itself.", approve],
  hipaa: ["Email is not encrypted from end to end.", "Use another channel."],
  no_email_account: ["The tenant has no working email account.", "Connect an email account that works."],
  no_recipient: ["The mail contains no address to answer to, or the request no recipient.", otherAddress],
  unattended_mailbox: ["Its name says that nobody reads it, for example `no-reply`.", otherAddress],
  own_address: ["A reply to the tenant itself could cause a mail loop.", approve],
  mail_comes_back: [
    "An earlier mail to the address was returned.",
    "Correct the address. A permitted person may override the reason `undeliverable`."
  ],
  several_recipients: ["`Reply-To` has several addresses, and a reply may contain data of the contact.", approve],
  foreign_reply_to: ["`Reply-To` belongs neither to the sender's organisation nor to the contact.", approve],
  replies_in_conversation: [
    "The limit stops two programs that answer each other.",
    "Approve the draft. A message of a person resets the count."
  ],
  replies_to_correspondent: ["The limit stops two programs that answer each other.", approve],
  no_number: ["Neither the contact nor the message has a phone number.", otherAddress],
  no_own_number: ["No phone number is assigned to the tenant.", "Assign a phone number to the tenant."],
  own_number: ["The tenant would contact itself.", otherAddress],
  opted_out: ["The contact refused texts and calls. The law forbids both.", "Wait until the contact opts in again."],
  blocked_number: ["A person of the tenant blocked the number.", "Remove the number from the blocklist."],
  number_unreachable: [
    "The provider reported that the number cannot receive texts.",
    "Correct the number. A permitted person may override the reason `undeliverable`."
  ],
  channel_not_automatic: ["The message came over another channel, or outside of a mail thread.", approve],
  text_too_long: ["The provider accepts no longer text message.", "Shorten the draft, and approve it."],
  automatic_not_forwarded: ["Two programs could forward it to each other.", "Forward the email by hand."],
  forward_to_contact: [
    "The contact would get its own email back, and an answer of a program could cause a mail loop.",
    "Remove the address from the rule, or add a condition about the sender."
  ],
  forwards_to_address: [
    "The limit stops two programs that forward to each other.",
    "Forward the email by hand, or make the condition of the rule narrower."
  ],
  forwarded_message_gone: ["The message was erased before the forwarded email left.", nothing],
  answered_message_gone: ["The message was erased before the reply left.", nothing],
  party_gone: ["The contact or the tenant was erased before the text left.", nothing],
  hourly_limit: ["The tenant has used up its sends of the last hour.", "Nothing: the message waits."],
  quiet_hours: ["It is between 21:00 and 08:00 for the contact.", "Nothing: the message waits."],
  guardrail_blocks: [
    "A guardrail with the outcome `block` found something. Neither a reply nor a draft exists.",
    "Answer the message yourself, or change the guardrail."
  ],
  person_approves: [
    "The reply is a draft. Without further reasons, the reply mode is `draft`.",
    "Read the draft, and approve or dismiss it."
  ],
  no_reply: ["A reply was written, but neither sent nor stored as a draft.", "See the contained reason."]
}
