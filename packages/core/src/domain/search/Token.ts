import type { Contact } from "../contact/Contact.ts"
import type { Message } from "../conversation/Message.ts"
import { digitsOf, fold, pairsOf, phonesIn, wordLength, wordsOf } from "./Word.ts"

/**
 * FROZEN, because the index stores these tokens. A message, contact or note is indexed as a set of tokens. A token consists
 * of letters, digits and the three marks below. The tokens are computed here and not in the database, so all databases
 * return equal results.
 */
export type Token = string

/** The prefix of tokens for phone numbers. There is one token for each digit at which a fragment can start. */
export const phoneMark = "¤"
/** The prefix of tokens for addresses. There is one token for each character at which a fragment can start. */
export const addressMark = "¶"
/** The character that replaces everything except letters and digits in an address. */
const addressGap = "·"

/**
 * The number of characters of a body that are indexed. Longer bodies are mostly logs and digests, and their start is
 * sufficient.
 */
export const maxSearchedLength = 65_536

/** The maximum number of tokens of one document. */
const tokenLimit = 3_000
/** The minimum length of a phone number fragment. */
export const minDigits = 3

/** Normalises an address, or a fragment of an address, for comparison. */
export const foldAddress = (text: string): string => fold(text.trim()).replaceAll(/[^\p{L}\p{N}]/gu, addressGap)

const addWords = (tokens: Set<Token>, text: string | null): void => {
  if (text === null || text === "") return
  for (const word of wordsOf(text)) {
    if (tokens.size >= tokenLimit) return
    if (!word.dense) tokens.add(word.text)
    else {
      for (const pair of pairsOf(word.text)) tokens.add(pair)
      // Pairs of characters do not start with the last character. The last character gets its own token, so that a
      // search for this single character finds it.
      tokens.add(Array.from(word.text).at(-1) ?? word.text)
    }
  }
}

const addEndings = (tokens: Set<Token>, mark: string, text: string, min: number): void => {
  for (let from = 0; from + min <= text.length; from++)
    tokens.add(mark + text.slice(from, from + wordLength).toWellFormed())
}

/** Adds the words of a text, and the fragments of the phone numbers in it. */
const addText = (tokens: Set<Token>, text: string): void => {
  const searched = text.slice(0, maxSearchedLength)
  for (const { digits } of phonesIn(searched)) addEndings(tokens, phoneMark, digits, minDigits)
  addWords(tokens, searched)
}

/** The indexed fields of a message. */
export type SearchedMessage = Pick<Message, "subject" | "body" | "actor" | "from" | "to" | "cc"> & {
  readonly attachments: ReadonlyArray<{ readonly filename: string | null }>
}

/** Returns the contact's addresses in a message. Omits the tenant's own addresses, because every mail contains them. */
export const correspondents = ({ actor, cc, from, to }: SearchedMessage): ReadonlyArray<string> =>
  actor === "contact" ? (from === null ? [] : [from]) : [...to, ...cc]

/** Returns the tokens of a message: subject, body, addresses of the contact, names of attachments. */
export const tokensOfMessage = (message: SearchedMessage): ReadonlySet<Token> => {
  const tokens = new Set<Token>()
  addWords(tokens, message.subject)
  for (const address of correspondents(message)) addWords(tokens, address)
  for (const { filename } of message.attachments) addWords(tokens, filename)
  addText(tokens, message.body)
  return tokens
}

/** Returns the tokens of a note: its text. */
export const tokensOfNote = (body: string): ReadonlySet<Token> => {
  const tokens = new Set<Token>()
  addText(tokens, body)
  return tokens
}

/** The indexed fields of a contact, with all its addresses, numbers and external ids. */
export interface SearchedContact extends Pick<Contact, "name" | "email" | "phone" | "company" | "notes" | "tags"> {
  readonly emails: ReadonlyArray<string>
  readonly phones: ReadonlyArray<string>
  readonly externalIds: ReadonlyArray<string>
}

/**
 * Returns the tokens of a contact. Addresses and numbers have one token for each starting position. A prefix search
 * therefore finds every fragment.
 */
export const tokensOfContact = (contact: SearchedContact): ReadonlySet<Token> => {
  const tokens = new Set<Token>()
  for (const text of [contact.name, contact.company, ...contact.tags, ...contact.externalIds]) addWords(tokens, text)
  const emails = new Set([...(contact.email === null ? [] : [contact.email]), ...contact.emails].map(foldAddress))
  for (const email of emails) addEndings(tokens, addressMark, email, 2)
  const phones = new Set([...(contact.phone === null ? [] : [contact.phone]), ...contact.phones].map(digitsOf))
  for (const phone of phones) addEndings(tokens, phoneMark, phone, minDigits)
  for (const email of emails) addWords(tokens, email)
  addWords(tokens, contact.notes)
  return tokens
}
