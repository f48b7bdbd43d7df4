import { channels } from "../Channel.ts"
import type { Contact } from "../contact/Contact.ts"
import type { Auto, Message } from "../conversation/Message.ts"
import { domainOf } from "../address/Address.ts"
import type { Lead } from "../lead/Lead.ts"
import { leadStates } from "../lead/LeadState.ts"
import { type Score, tiers } from "../lead/Score.ts"
import { type Classification, sentiments, urgencies } from "../classification/Classification.ts"
import type { TimeFacts } from "../time/TimeFacts.ts"
import { countWordsIn } from "../classification/Words.ts"

/** What kind of value a fact has; it decides which operators a rule may use on it. */
export type FactType = "string" | "number" | "boolean" | "list"

/** One fact that rules may ask about. */
export interface FactSpec {
  readonly type: FactType
  /** The only values there are; a rule that compares with another one is refused. */
  readonly oneOf?: ReadonlyArray<string>
  readonly about: string
}

const autos: ReadonlyArray<Auto> = ["auto_reply", "bounce", "list", "own"]
/** Days of the week, as `time.weekday` has them. */
export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const

/** Every named fact. Beside these, `metadata.<key>` is the value that the sender put under that key. */
export const factTable = {
  "message.text": { type: "string", about: "The visible new text." },
  "message.subject": { type: "string", about: "The subject line." },
  "message.channel": { type: "string", oneOf: channels, about: "How it came." },
  "message.source": { type: "string", about: "Which integration or event source it came from." },
  "message.received_alias": { type: "string", about: "The tenant's own address it was sent to." },
  "message.auto": {
    type: "string",
    oneOf: autos,
    about: "The kind of automatic mail; missing when a person wrote it."
  },
  "message.word_count": { type: "number", about: "Words in the text." },
  "message.has_question": { type: "boolean", about: "A question mark stands in the text." },
  "message.has_link": { type: "boolean", about: "A web address stands in the text." },
  "message.has_attachment": { type: "boolean", about: "It carries at least one file that is not shown inline." },
  "classification.intent": { type: "string", about: "What it is about." },
  "classification.urgency": { type: "string", oneOf: urgencies, about: "How soon." },
  "classification.sentiment": { type: "string", oneOf: sentiments, about: "In which mood." },
  "classification.confidence": { type: "number", about: "0 to 1." },
  "score.value": { type: "number", about: "0 to 100." },
  "score.tier": { type: "string", oneOf: tiers, about: "The tier of the score." },
  "contact.name": { type: "string", about: "The sender's name." },
  "contact.email": { type: "string", about: "The sender's email address." },
  "contact.email_domain": { type: "string", about: "The part of that address after the @." },
  "contact.phone": { type: "string", about: "The sender's phone number, E.164." },
  "contact.company": { type: "string", about: "The sender's company." },
  "contact.tags": { type: "list", about: "Tags of the contact." },
  "contact.is_new": { type: "boolean", about: "This message is the first we hear of the contact." },
  "lead.state": {
    type: "string",
    oneOf: leadStates,
    about: "Where the lead stands."
  },
  "lead.is_new": { type: "boolean", about: "This message opened the lead." },
  "lead.assignee": { type: "string", about: "Who looks after the lead." },
  "lead.source": { type: "string", about: "Where the lead first came from." },
  "lead.age_hours": { type: "number", about: "Hours since the lead was opened, with fractions." },
  "time.hour": { type: "number", about: "0 to 23 in the tenant's time zone." },
  "time.minute_of_day": { type: "number", about: "0 to 1439 in the tenant's time zone." },
  "time.weekday": { type: "string", oneOf: weekdays, about: "In the tenant's time zone." },
  "time.is_weekend": { type: "boolean", about: "Saturday or Sunday in the tenant's time zone." },
  "time.date": { type: "string", about: "YYYY-MM-DD in the tenant's time zone." }
} as const satisfies Readonly<Record<string, FactSpec>>

/** The name of a fact in the table. */
export type FactName = keyof typeof factTable

interface ValueOfType {
  readonly string: string
  readonly number: number
  readonly boolean: boolean
  readonly list: ReadonlyArray<string>
}

/** The facts about one message; null is a fact that is missing. */
export type Facts = {
  readonly [Name in FactName]: ValueOfType[(typeof factTable)[Name]["type"]] | null
} & {
  /** Strings, numbers, booleans and lists of strings count; other values are missing. */
  readonly metadata: Readonly<Record<string, unknown>>
}

/** Whether a text names a fact of the table. */
export const isFactName = (text: string): text is FactName => Object.hasOwn(factTable, text)

/** The key in `metadata.<key>`; null when the text is no such fact. The key may hold dots and is taken as a whole. */
export const metadataKeyOf = (fact: string): string | null =>
  fact.startsWith("metadata.") && fact.length > "metadata.".length ? fact.slice("metadata.".length) : null

/** What the facts are made from. */
export interface FactSources {
  readonly message: Pick<
    Message,
    "attachments" | "auto" | "body" | "channel" | "metadata" | "receivedAlias" | "source" | "subject"
  >
  readonly contact: Pick<Contact, "company" | "email" | "name" | "phone" | "tags">
  readonly contactIsNew: boolean
  readonly lead: Pick<Lead, "assignee" | "createdAt" | "source" | "state"> | null
  readonly leadIsNew: boolean
  readonly classification: Classification | null
  readonly score: Pick<Score, "score" | "tier"> | null
  readonly time: TimeFacts
  /** Epoch milliseconds. */
  readonly now: number
}

const millisPerHour = 3_600_000

/** The facts about a message and what is known around it. */
export const factsOf = (sources: FactSources): Facts => {
  const { message, contact, lead, classification, score, time } = sources
  return {
    "message.text": message.body,
    "message.subject": message.subject,
    "message.channel": message.channel,
    "message.source": message.source,
    "message.received_alias": message.receivedAlias,
    "message.auto": message.auto,
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
    metadata: message.metadata
  }
}
