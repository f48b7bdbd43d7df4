import type { Contact } from "../contact/Contact.ts"
import type { Message } from "../conversation/Message.ts"
import { digitsOf, fold, pairsOf, phonesIn, wordLength, wordsOf } from "./Word.ts"

/**
 * What the index holds of a message or a contact: a set of tokens, made of letters, digits and the three marks below, so
 * that no index has to know how to read a text, and none reads it differently. FROZEN: the index holds what it gave.
 */
export type Token = string

/** Before the digits of a phone number, from each digit on. */
export const phoneMark = "¤"
/** Before an address, from each character on. */
export const addressMark = "¶"
/** In place of everything in an address that is no letter and no digit. */
const addressGap = "·"

/** Characters of a body that are looked at. Long bodies are logs and digests: what matters stands at their beginning. */
export const maxSearchedLength = 65_536

/** Tokens kept of one message or contact. */
const tokenLimit = 3_000
/** Fewer digits are no fragment of a number. */
export const minDigits = 3

/** An address, or a fragment of one, as it is compared. */
export const foldAddress = (text: string): string => fold(text.trim()).replaceAll(/[^\p{L}\p{N}]/gu, addressGap)

const addWords = (tokens: Set<Token>, text: string | null): void => {
  if (text === null || text === "") return
  for (const word of wordsOf(text)) {
    if (tokens.size >= tokenLimit) return
    if (!word.dense) tokens.add(word.text)
    else {
      for (const pair of pairsOf(word.text)) tokens.add(pair)
      // So that a single character is found wherever it stands: the last one begins no pair.
      tokens.add(Array.from(word.text).at(-1) ?? word.text)
    }
  }
}

const addEndings = (tokens: Set<Token>, mark: string, text: string, min: number): void => {
  for (let from = 0; from + min <= text.length; from++)
    tokens.add(mark + text.slice(from, from + wordLength).toWellFormed())
}

/** The parts of a message that are searched. */
export type SearchedMessage = Pick<Message, "subject" | "body" | "actor" | "from" | "to" | "cc"> & {
  readonly attachments: ReadonlyArray<{ readonly filename: string | null }>
}

/** The addresses of the other side: the tenant's own are on every mail and would find them all. */
export const correspondents = ({ actor, cc, from, to }: SearchedMessage): ReadonlyArray<string> =>
  actor === "contact" ? (from === null ? [] : [from]) : [...to, ...cc]

/** The tokens of a message: subject, body, addresses of the other side, names of attachments. */
export const tokensOfMessage = (message: SearchedMessage): ReadonlySet<Token> => {
  const tokens = new Set<Token>()
  addWords(tokens, message.subject)
  for (const address of correspondents(message)) addWords(tokens, address)
  for (const { filename } of message.attachments) addWords(tokens, filename)
  const body = message.body.slice(0, maxSearchedLength)
  for (const { digits } of phonesIn(body)) addEndings(tokens, phoneMark, digits, minDigits)
  addWords(tokens, body)
  return tokens
}

/** The parts of a contact that are searched, and every address, number and outside id that leads to it. */
export interface SearchedContact extends Pick<Contact, "name" | "email" | "phone" | "company" | "notes" | "tags"> {
  readonly emails: ReadonlyArray<string>
  readonly phones: ReadonlyArray<string>
  readonly externalIds: ReadonlyArray<string>
}

/** The tokens of a contact. Addresses and numbers are there from every place on, so that any fragment is a beginning. */
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
