import { channels } from "../Channel.ts"
import type { Contact } from "../contact/Contact.ts"
import type { Auto, Message } from "../conversation/Message.ts"
import { authenticationResults } from "../email/authentication/AuthenticationResult.ts"
import { domainOf } from "../address/Address.ts"
import type { Lead } from "../lead/Lead.ts"
import { leadStates } from "../lead/LeadState.ts"
import { type Score, tiers } from "../lead/Score.ts"
import { type Classification, sentiments, urgencies } from "../classification/Classification.ts"
import type { TimeFacts } from "../time/TimeFacts.ts"
import type { FieldFactName, RecordFacts } from "./RecordFact.ts"
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
  "company.name": { type: "string", about: "The name of the company to which the contact belongs." },
  "company.domain": { type: "string", about: "The email domain of the company to which the contact belongs." },
  "lead.state": {
    type: "string",
    oneOf: leadStates,
    about: "The state of the lead."
  },
  "lead.is_new": { type: "boolean", about: "The message opened the lead." },
  "lead.assignee": { type: "string", about: "The person who is responsible for the lead." },
  "lead.source": { type: "string", about: "The first source of the lead." },
  "lead.age_hours": { type: "number", about: "The hours since the lead was opened, with fractions." },
  "time.hour": { type: "number", about: "The hour, 0 to 23, in the tenant's time zone." },
  "time.minute_of_day": { type: "number", about: "The minute of the day, 0 to 1439, in the tenant's time zone." },
  "time.weekday": { type: "string", oneOf: weekdays, about: "The day of the week in the tenant's time zone." },
  "time.is_weekend": { type: "boolean", about: "It is Saturday or Sunday in the tenant's time zone." },
  "time.date": { type: "string", about: "The date (YYYY-MM-DD) in the tenant's time zone." }
} as const satisfies Readonly<Record<string, FactSpec>>

/** The name of a fact in `factTable`. */
export type FactName = keyof typeof factTable

interface ValueOfType {
  readonly string: string
  readonly number: number
  readonly boolean: boolean
  readonly list: ReadonlyArray<string>
}

/** The facts about one message. Null stands for a missing fact. */
export type Facts = {
  readonly [Name in FactName]: ValueOfType[(typeof factTable)[Name]["type"]] | null
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
  readonly time: TimeFacts
  /** The company and the custom fields. Absent if no rule compares them. */
  readonly recordFacts?: RecordFacts
  /** Epoch milliseconds. */
  readonly now: number
}

const millisPerHour = 3_600_000

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
    "lead.age_hours": lead === null ? null : Math.max(0, sources.now - lead.createdAt) / millisPerHour,
    "time.hour": time.hour,
    "time.minute_of_day": time.minuteOfDay,
    "time.weekday": time.weekday,
    "time.is_weekend": time.weekday === "sat" || time.weekday === "sun",
    "time.date": time.date,
    ...sources.recordFacts,
    metadata: message.metadata
  }
}
