import type { actionTypes, factSpecs, guardrailKinds, operatorsOf } from "./RuleVocabulary.ts"

/** The name of a fact that the server knows without configuration. */
export type FactName = keyof typeof factSpecs
/** The type of a fact. */
export type FactType = keyof typeof operatorsOf
/** An operator of a comparison. */
export type Operator = (typeof operatorsOf)[FactType][number]
type Value = string | number | boolean | ReadonlyArray<string | number | boolean>

/** The facts as subjects of a sentence. A fact that is true or false is a statement. */
export const factNames: Readonly<Record<FactName, string>> = {
  "message.text": "the text",
  "message.subject": "the subject",
  "message.channel": "the channel",
  "message.source": "the source of the message",
  "message.received_alias": "the address that received the message",
  "message.auto": "the kind of automatic mail",
  "message.spf": "the SPF result",
  "message.dkim": "the DKIM result",
  "message.dmarc": "the DMARC result",
  "message.arc": "the ARC result",
  "message.from_domain_aligned": "the domain of the sender is authenticated",
  "message.word_count": "the number of words",
  "message.has_question": "the text contains a question mark",
  "message.has_link": "the text contains a web address",
  "message.has_attachment": "the message has an attachment",
  "classification.intent": "the intent",
  "classification.urgency": "the urgency",
  "classification.sentiment": "the sentiment",
  "classification.confidence": "the confidence of the classification",
  "score.value": "the score",
  "score.tier": "the tier",
  "contact.name": "the name of the contact",
  "contact.email": "the email address of the contact",
  "contact.email_domain": "the email domain of the contact",
  "contact.phone": "the phone number of the contact",
  "contact.company": "the company that the contact names",
  "contact.tags": "the tags of the contact",
  "contact.is_new": "the contact is new",
  "contact.language": "the language of the contact",
  "contact.email_opted_out": "the contact has opted out of mail",
  "contact.phone_opted_out": "the contact has opted out of texts and calls",
  "company.name": "the name of the company",
  "company.domain": "the domain of the company",
  "lead.state": "the state of the lead",
  "lead.is_new": "the lead is new",
  "lead.assignee": "the person responsible for the lead",
  "lead.assignee_id": "the user responsible for the lead",
  "lead.team_id": "the team responsible for the lead",
  "lead.pipeline_id": "the pipeline of the lead",
  "lead.stage_id": "the stage of the lead",
  "lead.source": "the source of the lead",
  "lead.age_hours": "the age of the lead in hours",
  "conversation.state": "the state of the conversation",
  "conversation.priority": "the priority of the conversation",
  "conversation.tags": "the tags of the conversation",
  "conversation.assignee_id": "the user who handles the conversation",
  "conversation.team_id": "the team that handles the conversation",
  "conversation.inbound_count": "the number of messages of the contact",
  "conversation.inbound_count.email": "the number of emails of the contact",
  "conversation.inbound_count.sms": "the number of texts of the contact",
  "conversation.inbound_count.voice": "the number of calls of the contact",
  "conversation.inbound_count.chat": "the number of chat messages of the contact",
  "conversation.inbound_count.webhook": "the number of webhook messages of the contact",
  "conversation.outbound_count": "the number of our messages",
  "conversation.outbound_count.email": "the number of our emails",
  "conversation.outbound_count.sms": "the number of our texts",
  "conversation.outbound_count.voice": "the number of our calls",
  "conversation.outbound_count.chat": "the number of our chat messages",
  "conversation.outbound_count.webhook": "the number of our webhook messages",
  "conversation.attempts": "the number of our messages since the contact's last one",
  "conversation.last_direction": "the direction of the last message",
  "conversation.last_channel": "the channel of the last message",
  "conversation.hours_since_last": "the hours since the last message",
  "conversation.hours_since_inbound": "the hours since the contact's last message",
  "conversation.hours_since_outbound": "the hours since our last message",
  "time.hour": "the hour",
  "time.minute_of_day": "the minute of the day",
  "time.weekday": "the day of the week",
  "time.is_weekend": "the day is a Saturday or Sunday",
  "time.date": "the date",
  "time.is_open": "the business is open",
  "time.is_holiday": "the day is a holiday"
}

/** The operators between a fact and its value. */
export const operatorNames: Readonly<Record<Operator, string>> = {
  eq: "is",
  neq: "is not",
  contains: "contains",
  not_contains: "does not contain",
  starts_with: "starts with",
  ends_with: "ends with",
  in: "is one of",
  not_in: "is none of",
  matches: "matches the pattern",
  has_word: "contains the word",
  gt: "is greater than",
  gte: "is at least",
  lt: "is less than",
  lte: "is at most",
  between: "is between",
  includes: "includes",
  not_includes: "does not include",
  includes_any: "includes at least one of",
  includes_all: "includes all of",
  exists: "is known"
}

/** The kinds of guardrails. */
export const guardrailNames: Readonly<Record<(typeof guardrailKinds)[number], string>> = {
  blocked_phrases: "Forbidden phrases",
  quiet_hours: "Quiet hours",
  max_replies_per_contact_per_day: "Replies to a contact in 24 hours",
  min_confidence: "Certainty of the classification",
  require_approval_for_tiers: "Tiers that need approval",
  blocked_intents: "Forbidden subjects",
  no_links: "No web addresses",
  no_prices: "No amounts of money"
}

/** The types of actions. */
export const actionNames: Readonly<Record<(typeof actionTypes)[number], string>> = {
  assign: "assign",
  tag: "add a tag",
  create_task: "create a task",
  transition: "change the state of the lead",
  reply: "reply",
  notify: "notify other applications",
  crm_action: "change the contact in the CRM",
  untag: "remove a tag",
  set_field: "set a field",
  add_note: "write a note",
  move_stage: "move the lead to a stage",
  close_conversation: "close the conversation",
  snooze_conversation: "snooze the conversation",
  start_sequence: "start a sequence",
  stop_sequence: "stop sequences",
  send_template: "send a message",
  forward: "forward the email",
  call_webhook: "call a webhook",
  suppress_reply: "do not reply",
  stop: "ignore later rules"
}

/** Returns the text of a known code, and the code itself for one of a newer server. */
export const nameOf = (names: Readonly<Record<string, string>>, code: string): string =>
  Object.hasOwn(names, code) ? (names[code] ?? code) : code

/** Returns a fact as the subject of a sentence. */
export const factName = (fact: string): string => {
  const [, record, key] = /^(contact|lead|company)\.custom_fields\.(.+)$/u.exec(fact) ?? []
  if (key !== undefined) return `the field “${key}” of the ${record}`
  const [, metadata] = /^metadata\.(.+)$/u.exec(fact) ?? []
  return metadata === undefined ? nameOf(factNames, fact) : `the metadata “${metadata}”`
}

const list = new Intl.ListFormat("en", { type: "disjunction" })
const range = new Intl.ListFormat("en", { type: "conjunction" })

const numbers = new Intl.NumberFormat("en", { maximumFractionDigits: 2, useGrouping: false })

const quote = (value: string | number | boolean): string => {
  if (typeof value === "number") return numbers.format(value)
  if (typeof value === "boolean") return value ? "yes" : "no"
  return `“${value}”`
}

/** Returns a value of a comparison in words. */
export const valueText = (value: unknown): string => {
  if (value === null || value === undefined) return "missing"
  if (Array.isArray(value)) return value.length === 0 ? "empty" : list.format(value.map(quote))
  return typeof value === "object" ? JSON.stringify(value) : quote(value as string | number | boolean)
}

interface Comparison {
  readonly fact: string
  readonly op: string
  readonly value: Value
}

const isTruth = (value: Value): value is boolean => typeof value === "boolean"

/** Returns a comparison as a sentence without its capital letter and full stop. */
export const comparisonText = ({ fact, op, value }: Comparison): string => {
  const subject = factName(fact)
  if (op === "exists") return `${subject} ${value === true ? "is known" : "is missing"}`
  if (isTruth(value) && (op === "eq" || op === "neq")) {
    const isWanted = value === (op === "eq")
    return isWanted ? subject : `it is not the case that ${subject}`
  }
  if (op === "between" && Array.isArray(value)) return `${subject} is between ${range.format(value.map(String))}`
  return `${subject} ${nameOf(operatorNames, op)} ${valueText(value)}`
}

/** Returns a text that starts with a capital letter. */
export const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** Returns the sentence with a capital letter and a full stop. */
export const sentence = (words: string): string =>
  /[.!?…]$/u.test(words) ? capitalized(words) : `${capitalized(words)}.`

/** A condition of a rule. */
export type Condition =
  | { readonly all: ReadonlyArray<Condition> }
  | { readonly any: ReadonlyArray<Condition> }
  | { readonly not: Condition }
  | Comparison

const joined = (conditions: ReadonlyArray<Condition>, word: string): string => {
  const parts = conditions.map(conditionText)
  return parts.length > 1 ? `(${parts.join(` ${word} `)})` : (parts[0] ?? "")
}

/** Returns a condition as a sentence without its capital letter and full stop. Empty: it is always true. */
export function conditionText(condition: Condition): string {
  if ("all" in condition) return joined(condition.all, "and")
  if ("any" in condition) return joined(condition.any, "or")
  return "not" in condition ? `it is not the case that ${conditionText(condition.not)}` : comparisonText(condition)
}
