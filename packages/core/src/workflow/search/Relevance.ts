import type { Contact } from "../../domain/contact/Contact.ts"
import type { FoundMessage, FoundNote } from "../../port/repository/contact/Search.ts"
import {
  matchAddress,
  type Match,
  matchPhone,
  matchWords,
  type Snippet,
  snippetOf,
  wordTerms
} from "../../domain/search/Highlight.ts"
import type { SearchQuery } from "../../domain/search/SearchQuery.ts"
import { correspondents, maxSearchedLength } from "../../domain/search/Token.ts"
import { phonesIn } from "../../domain/search/Word.ts"

/** A snippet of a result, with the field from which it comes. */
export interface Highlight extends Snippet {
  readonly field: "name" | "email" | "phone" | "company" | "notes" | "tags" | "subject" | "body" | "from" | "to"
}

/** The score of a result and its highlights. */
export interface Relevance {
  /** An integer, so that every JavaScript engine computes the same value. Higher is better. */
  readonly score: number
  readonly highlights: ReadonlyArray<Highlight>
}

const dayMillis = 24 * 3_600_000
/** The age in days at which half of the effect of the age on the score is reached. */
const halfLifeDays = 30
/** The factor that very old messages approach. */
const oldest = 0.4

/** Returns the factor for the age of a message. It is 1 for a new message, and decreases towards `oldest`. */
const freshness = (timestamp: number, now: number): number =>
  oldest + (1 - oldest) * 2 ** -(Math.max(0, now - timestamp) / dayMillis / halfLifeDays)

const whole = (score: number): number => Math.round(score * 1_000)

/** Returns the numbers in a text that match the digits of the query. */
const matchPhones = (text: string, searchQuery: SearchQuery): Match => {
  const matches = phonesIn(text).map(({ digits, end, start }) => ({ ...matchPhone(digits, searchQuery), start, end }))
  return {
    ranges: matches.filter(({ quality }) => quality > 0).map(({ end, start }) => ({ start, end })),
    quality: Math.max(0, ...matches.map(({ quality }) => quality))
  }
}

const better = (one: Match, other: Match): Match => (other.quality > one.quality ? other : one)

/** Returns the matches of the words or of the numbers in a text. */
const matchText = (text: string, searchQuery: SearchQuery): Match =>
  better(matchWords(text, wordTerms(searchQuery)), matchPhones(text, searchQuery))

/** Returns the better of two matches. A match of the address as typed has precedence over matches of its words. */
const addressed = (fragment: Match, words: Match): Match =>
  fragment.quality === 0 ? words : { ...fragment, quality: Math.max(fragment.quality, words.quality) }

/**
 * Scores a message. Equal words count more than equal starts, and adjacent words count more than separate ones. Subject
 * and correspondent count more than the body. Newer messages count more than older ones.
 */
export const messageRelevance = (message: FoundMessage, searchQuery: SearchQuery, now: number): Relevance => {
  const terms = wordTerms(searchQuery)
  const text = message.body.slice(0, maxSearchedLength)
  const body = matchText(text, searchQuery)
  const subject = matchWords(message.subject ?? "", terms)
  const people = correspondents(message).map((address) => ({ address, match: matchWords(address, terms) }))
  const person = people.find(({ match }) => match.quality > 0)
  const quality = Math.max(0.1, body.quality + 1.5 * subject.quality + (person?.match.quality ?? 0))
  const highlights: ReadonlyArray<Highlight> = [
    ...(subject.ranges.length === 0
      ? []
      : [{ field: "subject" as const, ...snippetOf(message.subject ?? "", subject) }]),
    ...(person === undefined
      ? []
      : [
          {
            field: message.actor === "contact" ? ("from" as const) : ("to" as const),
            ...snippetOf(person.address, person.match)
          }
        ]),
    { field: "body" as const, ...snippetOf(text, body) }
  ]
  return { score: whole(quality * freshness(message.timestamp, now)), highlights }
}

/** Scores a note like the body of a message. */
export const noteRelevance = (note: FoundNote, searchQuery: SearchQuery, now: number): Relevance => {
  const match = matchText(note.body, searchQuery)
  return {
    score: whole(Math.max(0.1, match.quality) * freshness(note.createdAt, now)),
    highlights: [{ field: "body", ...snippetOf(note.body, match) }]
  }
}

/** Scores a contact. The name counts more than addresses and numbers. These count more than all other fields. */
export const contactRelevance = (contact: Contact, searchQuery: SearchQuery): Relevance => {
  const terms = wordTerms(searchQuery)
  const words = (text: string | null, weight: number) => ({ text, weight, match: matchWords(text ?? "", terms) })
  const email = contact.email ?? ""
  const fields = [
    { field: "name" as const, ...words(contact.name, 3) },
    {
      field: "email" as const,
      text: email,
      weight: 2,
      match: addressed(matchAddress(email, searchQuery), matchWords(email, terms))
    },
    { field: "phone" as const, text: contact.phone, weight: 2, match: matchPhone(contact.phone ?? "", searchQuery) },
    { field: "company" as const, ...words(contact.company, 1.5) },
    { field: "tags" as const, ...words(contact.tags.join(", "), 1) },
    { field: "notes" as const, ...words(contact.notes, 0.5) }
  ].filter(({ match }) => match.ranges.length > 0)
  return {
    score: whole(Math.max(0.1, ...fields.map(({ match, weight }) => match.quality * weight))),
    highlights: fields.map(({ field, match, text }) => ({ field, ...snippetOf(text ?? "", match) }))
  }
}
