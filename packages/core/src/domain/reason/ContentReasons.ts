import { count, reason, text } from "./ReasonEntry.ts"

const readFirst = "Read the draft, correct it, and approve it."
const changeGuardrail = "Approve the draft, or change the guardrail."

/** Findings of guardrails in a reply or its circumstances. */
export const guardReasons = {
  guardrail_passed: reason({}, "no reason to hold the reply", "The guardrail allows the reply.", "Nothing."),
  blocked_phrase: reason(
    { phrase: text },
    ({ phrase }) => `the reply says "${phrase}"`,
    "A guardrail `blocked_phrases` lists the phrase.",
    readFirst
  ),
  contains_link: reason(
    {},
    "the reply contains a web address",
    "A guardrail `no_links` forbids web addresses.",
    readFirst
  ),
  contains_price: reason(
    {},
    "the reply names an amount of money",
    "A guardrail `no_prices` forbids amounts of money.",
    readFirst
  ),
  guardrail_hours: reason(
    { from: text, to: text },
    ({ from, to }) => `it is between ${from} and ${to}`,
    "A guardrail `quiet_hours` covers the time of the run.",
    changeGuardrail
  ),
  too_many_replies: reason(
    { count, max: count },
    ({ max, ...of }) => `the contact received ${of.count} replies in 24 hours; the maximum is ${max}`,
    "A guardrail `max_replies_per_contact_per_day` is exhausted.",
    changeGuardrail
  ),
  not_classified: reason(
    {},
    "the message has no classification",
    "A guardrail `min_confidence` needs a classification.",
    "Look at the step `classify`."
  ),
  low_confidence: reason(
    { confidence: count, min: count },
    ({ confidence, min }) => `the confidence is ${confidence}, below the minimum of ${min}`,
    "A guardrail `min_confidence` requires a more certain classification.",
    changeGuardrail
  ),
  held_tier: reason(
    { tier: text },
    ({ tier }) => `the lead is ${tier}`,
    "A guardrail `require_approval_for_tiers` lists the tier.",
    changeGuardrail
  ),
  blocked_intent: reason(
    { intent: text },
    ({ intent }) => `the message is about ${intent}`,
    "A guardrail `blocked_intents` lists the intent.",
    changeGuardrail
  ),
  check_over_budget: reason(
    {},
    "the check of the text exceeds its budget",
    "The text is too expensive to check, so it counts as held.",
    "Shorten the text, or use fewer phrases."
  ),
  guardrails_allow: reason(
    { count },
    (of) => (of.count === 0 ? "there are no guardrails" : `${of.count} guardrails allow the reply`),
    "No guardrail holds the reply.",
    "Nothing."
  )
} as const

/** Findings in the text of a reply, whatever the guardrails of the tenant. They contain no personal data. */
export const contentReasons = {
  too_long_to_check: reason(
    {},
    "it is too long to be checked",
    "The text is longer than 40,000 characters.",
    readFirst
  ),
  unknown_email: reason(
    { domain: text },
    ({ domain }) => `it contains an unknown email address (at ${domain})`,
    "The address is neither the contact's nor the tenant's, and nobody mentioned it.",
    readFirst
  ),
  unknown_phone: reason(
    { lastDigits: text },
    ({ lastDigits }) => `it contains an unknown phone number (…${lastDigits})`,
    "The number is neither the contact's nor the tenant's, and nobody mentioned it.",
    readFirst
  ),
  number_in_words: reason({}, "it contains a long number in words", "It may be a disguised phone number.", readFirst),
  disguised_link: reason(
    {},
    "it contains a link with a disguised host",
    "People and programs would read different hosts.",
    readFirst
  ),
  unknown_link: reason(
    { host: text },
    ({ host }) => `it links to ${host}, which is neither allowed nor in the conversation`,
    "The host is not the tenant's, not in `link_hosts`, and no person of the tenant linked it.",
    "Add the host to `assistant.link_hosts`, or correct the draft."
  ),
  acting_link: reason(
    {},
    "it contains a link that triggers an action",
    "The link starts a program, for example `javascript:` or `sms:`.",
    readFirst
  ),
  secret: reason(
    { kind: text },
    ({ kind }) => `it appears to contain ${kind}`,
    "The text has the shape of a secret.",
    readFirst
  ),
  encoded_text: reason(
    {},
    "it contains a long encoded text",
    "The text may carry data that a person cannot read.",
    readFirst
  ),
  prompt_residue: reason(
    { what: text },
    ({ what }) => `it contains ${what}`,
    "The model did not write this part for the customer.",
    readFirst
  ),
  quotes_prompt: reason({}, "it quotes the model's prompt", "The reply repeats the prompt of the server.", readFirst),
  quotes_instructions: reason(
    {},
    "it quotes the assistant's instructions",
    "The reply repeats at least twelve words of `assistant.instructions`.",
    readFirst
  ),
  takeover: reason(
    { hours: count },
    ({ hours }) => `a person has written to the contact within ${hours} hours`,
    "For `takeover_hours` after a person wrote, the assistant sends nothing by itself.",
    "Approve the draft, or answer yourself."
  )
} as const
