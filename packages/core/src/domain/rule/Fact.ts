import { channels } from "../Channel.ts"
import type { Contact } from "../contact/Contact.ts"
import { conversationPriorities, conversationStates } from "../conversation/InboxState.ts"
import type { Auto, Message } from "../conversation/Message.ts"
import { directions } from "../conversation/MessageActivity.ts"
import { authenticationResults } from "../email/authentication/AuthenticationResult.ts"
import { domainOf } from "../address/Address.ts"
import type { Lead } from "../lead/Lead.ts"
import { leadStates } from "../lead/LeadState.ts"
import { type Score, tiers } from "../lead/Score.ts"
import { type Classification, sentiments, urgencies } from "../classification/Classification.ts"
import type { OfficeTime } from "../time/OfficeTime.ts"
import type { TimeFacts } from "../time/TimeFacts.ts"
import { elapsedFacts, type FieldFactName, isFieldFact, type RecordFacts } from "./RecordFact.ts"
import { countWordsIn } from "../classification/Words.ts"

/** The type of a fact's value. It determines the operators that a rule can use. */
export type FactType = "string" | "number" | "boolean" | "list"

/** The description of a fact. */
export interface FactSpec {
  readonly type: FactType
  /** The possible values of the fact. A rule that compares the fact with another value is rejected. */
  readonly oneOf?: ReadonlyArray<string>
  readonly about: string
}

const autos: ReadonlyArray<Auto> = ["auto_reply", "bounce", "list", "own"]
/** The days of the week as values of `time.weekday`. */
export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const

/**
 * All named facts. In addition, `metadata.<key>` is the value that the sender of the message set for this key, and
 * `contact.custom_fields.<key>`, `lead.custom_fields.<key>` and `company.custom_fields.<key>` are custom fields.
 */
export const factTable = {
  "message.text": { type: "string", about: "The new text, without quoted and hidden parts." },
  "message.subject": { type: "string", about: "The subject line." },
  "message.channel": { type: "string", oneOf: channels, about: "The channel of the message." },
  "message.source": { type: "string", about: "The integration or event source of the message." },
  "message.received_alias": { type: "string", about: "The tenant's address that received the message." },
  "message.auto": {
    type: "string",
    oneOf: autos,
    about: "The kind of automatic mail. Missing when a person wrote it."
  },
  "message.spf": { type: "string", oneOf: authenticationResults, about: "The SPF result. Missing if not known." },
  "message.dkim": { type: "string", oneOf: authenticationResults, about: "The DKIM result. Missing if not known." },
  "message.dmarc": { type: "string", oneOf: authenticationResults, about: "The DMARC result. Missing if not known." },
  "message.arc": { type: "string", oneOf: authenticationResults, about: "The ARC result. Missing if not known." },
  "message.from_domain_aligned": {
    type: "boolean",
    about: "The domain of the sender address is authenticated. Missing if not known."
  },
  "message.word_count": { type: "number", about: "The number of words in the text." },
  "message.has_question": { type: "boolean", about: "The text contains a question mark." },
  "message.has_link": { type: "boolean", about: "The text contains a web address." },
  "message.has_attachment": { type: "boolean", about: "The message has at least one attachment that is not inline." },
  "classification.intent": { type: "string", about: "The intent of the message." },
  "classification.urgency": { type: "string", oneOf: urgencies, about: "The urgency of the message." },
  "classification.sentiment": { type: "string", oneOf: sentiments, about: "The sentiment of the message." },
  "classification.confidence": { type: "number", about: "The confidence of the classification, 0 to 1." },
  "score.value": { type: "number", about: "The score of the lead, 0 to 100." },
  "score.tier": { type: "string", oneOf: tiers, about: "The tier of the score." },
  "contact.name": { type: "string", about: "The sender's name." },
  "contact.email": { type: "string", about: "The sender's email address." },
  "contact.email_domain": { type: "string", about: "The part of the email address after the @." },
  "contact.phone": { type: "string", about: "The sender's phone number in E.164 format." },
  "contact.company": { type: "string", about: "The sender's company." },
  "contact.tags": { type: "list", about: "The tags of the contact." },
  "contact.is_new": { type: "boolean", about: "The message is the contact's first one." },
  "contact.language": {
    type: "string",
    about: "The language in the attribute `language` or `locale` of the contact, for example `de` for `de-AT`."
  },
  "contact.email_opted_out": {
    type: "boolean",
    about: "The contact has opted out of mail to its email address. Missing without an address."
  },
  "contact.phone_opted_out": {
    type: "boolean",
    about: "The contact has opted out of texts and calls to its phone number. Missing without a number."
  },
  "company.name": { type: "string", about: "The name of the company to which the contact belongs." },
  "company.domain": { type: "string", about: "The email domain of the company to which the contact belongs." },
  "lead.state": {
    type: "string",
    oneOf: leadStates,
    about: "The state of the lead."
  },
  "lead.is_new": { type: "boolean", about: "The message opened the lead." },
  "lead.assignee": { type: "string", about: "The person who is responsible for the lead." },
  "lead.assignee_id": { type: "string", about: "The id of the user (`usr_…`) who is responsible for the lead." },
  "lead.team_id": { type: "string", about: "The id of the team (`team_…`) that is responsible for the lead." },
  "lead.pipeline_id": { type: "string", about: "The id of the pipeline (`pip_…`) in which the lead is." },
  "lead.stage_id": { type: "string", about: "The id of the stage (`stg_…`) in which the lead is." },
  "lead.source": { type: "string", about: "The first source of the lead." },
  "lead.age_hours": { type: "number", about: "The hours since the lead was opened, with fractions." },
  "conversation.state": {
    type: "string",
    oneOf: conversationStates,
    about: "The state of the conversation in the inbox."
  },
  "conversation.priority": {
    type: "string",
    oneOf: conversationPriorities,
    about: "The priority of the conversation."
  },
  "conversation.tags": { type: "list", about: "The tags of the conversation." },
  "conversation.assignee_id": { type: "string", about: "The id of the user (`usr_…`) who handles the conversation." },
  "conversation.team_id": { type: "string", about: "The id of the team (`team_…`) that handles the conversation." },
  "conversation.inbound_count": {
    type: "number",
    about:
      "The messages of the contact, among the newest 1,000 messages of the conversation. Automatic mail does not count."
  },
  "conversation.inbound_count.email": { type: "number", about: "The same for the channel email." },
  "conversation.inbound_count.sms": { type: "number", about: "The same for the channel sms." },
  "conversation.inbound_count.voice": { type: "number", about: "The same for the channel voice." },
  "conversation.inbound_count.chat": { type: "number", about: "The same for the channel chat." },
  "conversation.inbound_count.webhook": { type: "number", about: "The same for the channel webhook." },
  "conversation.outbound_count": {
    type: "number",
    about: "The messages of our side, among the newest 1,000. Failed and bounced ones do not count."
  },
  "conversation.outbound_count.email": { type: "number", about: "The same for the channel email." },
  "conversation.outbound_count.sms": { type: "number", about: "The same for the channel sms." },
  "conversation.outbound_count.voice": { type: "number", about: "The same for the channel voice." },
  "conversation.outbound_count.chat": { type: "number", about: "The same for the channel chat." },
  "conversation.outbound_count.webhook": { type: "number", about: "The same for the channel webhook." },
  "conversation.attempts": {
    type: "number",
    about: "The messages of our side since the contact's last message; all of them if the contact has not written."
  },
  "conversation.last_direction": { type: "string", oneOf: directions, about: "The direction of the last message." },
  "conversation.last_channel": { type: "string", oneOf: channels, about: "The channel of the last message." },
  "conversation.hours_since_last": { type: "number", about: "The hours since the last message, with fractions." },
  "conversation.hours_since_inbound": {
    type: "number",
    about: "The hours since the contact's last message, with fractions."
  },
  "conversation.hours_since_outbound": { type: "number", about: "The hours since our last message, with fractions." },
  "time.hour": { type: "number", about: "The hour, 0 to 23, in the tenant's time zone." },
  "time.minute_of_day": { type: "number", about: "The minute of the day, 0 to 1439, in the tenant's time zone." },
  "time.weekday": { type: "string", oneOf: weekdays, about: "The day of the week in the tenant's time zone." },
  "time.is_weekend": { type: "boolean", about: "It is Saturday or Sunday in the tenant's time zone." },
  "time.date": { type: "string", about: "The date (YYYY-MM-DD) in the tenant's time zone." },
  "time.is_open": {
    type: "boolean",
    about: "It is within the callback hours of the tenant (`voice.callback_hours`), and not a holiday."
  },
  "time.is_holiday": { type: "boolean", about: "It is one of the tenant's `holidays`." }
} as const satisfies Readonly<Record<string, FactSpec>>

/** The name of a fact in `factTable`. */
export type FactName = keyof typeof factTable

interface ValueOfType {
  readonly string: string
  readonly number: number
  readonly boolean: boolean
  readonly list: ReadonlyArray<string>
}

/** The facts that are computed from records which a run reads only on demand. */
type DemandedName = Extract<
  FactName,
  | `conversation.${string}`
  | "contact.email_opted_out"
  | "contact.language"
  | "contact.phone_opted_out"
  | "lead.assignee_id"
  | "lead.pipeline_id"
  | "lead.stage_id"
  | "lead.team_id"
>

/** The facts about one message. Null stands for a missing fact. A fact that no rule compares may be absent. */
export type Facts = {
  readonly [Name in Exclude<FactName, DemandedName>]: ValueOfType[(typeof factTable)[Name]["type"]] | null
} & {
  readonly [Name in DemandedName]?: RecordFacts[string]
} & {
  /**
   * The values that the sender has set. A value that is not a string, number, boolean or list of strings counts as
   * missing.
   */
  readonly metadata: Readonly<Record<string, unknown>>
} & {
  /** The custom fields that the rules compare. */
  readonly [Name in FieldFactName]?: RecordFacts[string]
}

/** Returns true for a name in `factTable`. */
export const isFactName = (text: string): text is FactName => Object.hasOwn(factTable, text)

/** Returns the key in `metadata.<key>`; null for other texts. A dot in a key has no meaning. */
export const metadataKeyOf = (fact: string): string | null =>
  fact.startsWith("metadata.") && fact.length > "metadata.".length ? fact.slice("metadata.".length) : null

/** The records from which facts are computed. */
export interface FactSources {
  readonly message: Pick<
    Message,
    "attachments" | "auto" | "body" | "channel" | "metadata" | "receivedAlias" | "source" | "subject"
  > &
    Partial<Pick<Message, "authentication">>
  readonly contact: Pick<Contact, "company" | "email" | "name" | "phone" | "tags">
  readonly contactIsNew: boolean
  readonly lead: Pick<Lead, "assignee" | "createdAt" | "source" | "state"> | null
  readonly leadIsNew: boolean
  readonly classification: Classification | null
  readonly score: Pick<Score, "score" | "tier"> | null
  readonly time: TimeFacts & Partial<OfficeTime>
  /** The values that are read on demand. Absent if no rule needs them. */
  readonly recordFacts?: RecordFacts
  /** Epoch milliseconds. */
  readonly now: number
}

const millisPerHour = 3_600_000

const hoursSince = (time: number, now: number): number => Math.max(0, now - time) / millisPerHour

const elapsed = Object.entries(elapsedFacts)

/** Returns the facts from the values that were read on demand. */
const demandedFacts = (recordFacts: RecordFacts | undefined, now: number): RecordFacts => {
  if (recordFacts === undefined) return {}
  const facts: Record<string, RecordFacts[string]> = {}
  for (const [name, value] of Object.entries(recordFacts)) {
    if (isFactName(name) || isFieldFact(name)) facts[name] = value
  }
  for (const [fact, stored] of elapsed) {
    const time = recordFacts[stored]
    if (time !== undefined) facts[fact] = typeof time === "number" ? hoursSince(time, now) : null
  }
  return facts
}

/** Computes the facts about a message. */
export const factsOf = (sources: FactSources): Facts => {
  const { message, contact, lead, classification, score, time } = sources
  return {
    "message.text": message.body,
    "message.subject": message.subject,
    "message.channel": message.channel,
    "message.source": message.source,
    "message.received_alias": message.receivedAlias,
    "message.auto": message.auto,
    "message.spf": message.authentication?.spf ?? null,
    "message.dkim": message.authentication?.dkim ?? null,
    "message.dmarc": message.authentication?.dmarc ?? null,
    "message.arc": message.authentication?.arc ?? null,
    "message.from_domain_aligned": message.authentication?.fromDomainAligned ?? null,
    "message.word_count": countWordsIn(message.body),
    "message.has_question": /[?？¿؟]/u.test(message.body),
    "message.has_link": /https?:\/\/|\bwww\./iu.test(message.body),
    "message.has_attachment": message.attachments.some((attachment) => !attachment.inline),
    "classification.intent": classification?.intent ?? null,
    "classification.urgency": classification?.urgency ?? null,
    "classification.sentiment": classification?.sentiment ?? null,
    "classification.confidence": classification?.confidence ?? null,
    "score.value": score?.score ?? null,
    "score.tier": score?.tier ?? null,
    "contact.name": contact.name,
    "contact.email": contact.email,
    "contact.email_domain": contact.email === null ? null : domainOf(contact.email),
    "contact.phone": contact.phone,
    "contact.company": contact.company,
    "contact.tags": contact.tags,
    "contact.is_new": sources.contactIsNew,
    "company.name": null,
    "company.domain": null,
    "lead.state": lead?.state ?? null,
    "lead.is_new": sources.leadIsNew,
    "lead.assignee": lead?.assignee ?? null,
    "lead.source": lead?.source ?? null,
    "lead.age_hours": lead === null ? null : hoursSince(lead.createdAt, sources.now),
    "time.hour": time.hour,
    "time.minute_of_day": time.minuteOfDay,
    "time.weekday": time.weekday,
    "time.is_weekend": time.weekday === "sat" || time.weekday === "sun",
    "time.date": time.date,
    "time.is_open": time.isOpen ?? null,
    "time.is_holiday": time.isHoliday ?? null,
    ...demandedFacts(sources.recordFacts, sources.now),
    metadata: message.metadata
  }
}
