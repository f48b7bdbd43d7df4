import { normalizeEmail } from "../address/Address.ts"
import type { ParsedMail } from "./ParsedMail.ts"

/**
 * One id that a mail refers to. A weak one looks like something else than an id (a mail address, an id broken by a
 * space): it joins only the message that really carries it, never two messages that merely mention it. Weakness depends
 * on the mail alone and not on what was stored before, so threads come out the same in every order of arrival.
 */
export interface MessageReference {
  readonly id: string
  readonly weak: boolean
}

/** Longest id taken at its word: a line of RFC 5322 section 2.1.1. Longer ones are treated as missing. */
export const maxMessageIdLength = 998

/** Most ids followed of one mail: all of In-Reply-To, the root, and the newest of References. */
export const maxFollowedReferences = 100

/** One candidate of an id list: the text between brackets (or a bare word) and what surrounds it. */
interface Candidate {
  readonly text: string
  readonly before: string
  readonly after: string
}

const bracketed = /<([^<>]*)(>?)/gu

const unescapeBrackets = (value: string): string => value.replace(/&lt;/giu, "<").replace(/&gt;/giu, ">")

const candidates = (value: string): ReadonlyArray<Candidate> => {
  const found: Array<Candidate> = []
  for (const match of value.matchAll(bracketed)) {
    const closed = match[2] === ">"
    const text = (match[1] ?? "").trim()
    const end = match.index + match[0].length
    const context = {
      before: value.slice(Math.max(0, match.index - 200), match.index),
      after: value.slice(end, end + 20)
    }
    if (text !== "") found.push({ text: closed ? text : (text.split(/\s/u)[0] ?? ""), ...context })
  }
  return found
}

const atSigns = (text: string): number => text.split("@").length - 1

/** An id without white space: something, `@`, and at least a character after it. */
const usable = (id: string): string | null => (id.length <= maxMessageIdLength && /^[^\s@]+@\S+$/u.test(id) ? id : null)

/**
 * Cleans the Message-ID a mail carries: brackets, comments and white space go, missing brackets are forgiven. Null when
 * nothing usable is left (no `@`, nothing after it, longer than a header line): the caller synthesises one.
 */
export const normalizeMessageId = (raw: string): string | null => {
  const value = unescapeBrackets(raw)
  for (const { text } of candidates(value)) {
    const id = usable(text.replace(/\s+/gu, ""))
    if (id !== null) return id
  }
  const bare = value.replace(/\([^()]*\)/gu, " ").trim()
  return value.includes("<") ? null : usable(bare.split(/\s+/u)[0] ?? "")
}

/** `Message from Jo <jo@x.io> of "Thu, 22 Aug …" <id@host>`: the first bracket quotes the author, not an id. */
const quotesAuthor = ({ before, after }: Candidate): boolean =>
  /^\s*of\b/iu.test(after) && /\b(?:message|mail) from\b[^<>]*$/iu.test(before)

/** Few digits, words between dots, a domain with a dot: `jo.smith2@x.io`. Real ids hold random characters. */
const addressShape = /^[a-z]{1,20}(?:[._'+=-](?:[a-z]{1,20}\d{0,4}|\d{1,4}))*\d{0,4}@[a-z\d-]+(?:\.[a-z\d-]+)+$/iu

/** What trackers and help desks name the things after which they number their threads. */
const numberedThings =
  "ticket|issue|bug|case|request|req|incident|inc|task|story|epic|topic|post|thread|conversation|discussion|note|" +
  "comment|journal|reply|message|msg|notification|pull|merge[._-]request|review|revision|changeset|commit|order|" +
  "otrs|jira|redmine|trac|bugzilla|zammad|znuny|zendesk|freshdesk|helpscout"

/**
 * The id of a thing in a tracker: `RT-Ticket-33575@host`, `JIRA.12.34@Atlassian.JIRA`, `note_77@gitlab.example`,
 * `12345@bugs.launchpad.net`. Every mail about the thing names it, and often none carries it, so it is as good as a
 * Message-ID even where the thing can be written to. The shape is of what stands before the `@`.
 */
const trackerShape = new RegExp(
  `(?:^|[._+=/-])(?:(?:${numberedThings})s?[._+=/-]?\\d|(?:rt|pr|mr)[._+=/-]\\d|phid-)|^\\d+$`,
  "iu"
)

const namesThing = (id: string): boolean => trackerShape.test(id.split("@", 1)[0] ?? "")

/** Machine-made numbers of Gnus and Emacs, which otherwise look like the name of a person. */
const emacsShape = /\.fsf@/u

const looksLikeAddress = (id: string): boolean => addressShape.test(id) && !emacsShape.test(id)

/** The ids of one list; `weak` where only this place in the text makes them doubtful. */
const idsIn = (raw: string): ReadonlyArray<MessageReference> => {
  const value = unescapeBrackets(raw)
  const found: Array<MessageReference> = []
  const add = (text: string, weak: boolean): void => {
    const id = usable(text)
    if (id !== null) found.push({ id, weak })
  }
  for (const candidate of candidates(value)) {
    const words = candidate.text.split(/\s+/u)
    if (words.length === 1) add(candidate.text, quotesAuthor(candidate))
    else if (atSigns(candidate.text) === 1) add(words.join(""), true)
    else for (const word of words) add(word, false)
  }
  if (value.includes("<")) return found
  const words = value.split(/[\s,;]+/u).filter((word) => word !== "")
  const prose = words.some((word) => !word.includes("@"))
  // Prose names people too: `jo@b.io's message of …`.
  for (const word of words) if (!prose || !/['"]/u.test(word)) add(word, prose)
  return found
}

/** Addresses that the mail itself names: equal to one of them, an "id" is an address. */
const ownAddresses = (mail: MailIds): ReadonlySet<string> =>
  new Set(
    [...mail.from, ...mail.to, ...mail.cc, ...mail.replyTo, ...(mail.sender === null ? [] : [mail.sender])].map(
      ({ email }) => normalizeEmail(email)
    )
  )

/** What of a mail decides its references. */
export type MailIds = Pick<
  ParsedMail,
  "messageId" | "inReplyTo" | "references" | "from" | "to" | "cc" | "replyTo" | "sender"
>

const bounded = (ids: ReadonlyArray<MessageReference>): ReadonlyArray<MessageReference> =>
  ids.length <= maxFollowedReferences ? ids : [...ids.slice(0, maxFollowedReferences - 1), ...ids.slice(-1)]

/**
 * The ids a mail refers to, cleaned, each once, in the order in which they decide: In-Reply-To as written, then
 * References from the newest to the root. Its own id is left out.
 *
 * An address-looking id is weak when the same mail names that address, or when the mail holds ids of the machine-made
 * sort (`references` written by people who name messages `root@shop.example` stay strong). The id of a thing in a
 * tracker is never weak for its looks.
 */
export const referencedIds = (mail: MailIds): ReadonlyArray<MessageReference> => {
  const own = mail.messageId === null ? null : normalizeMessageId(mail.messageId)
  const listed = [...idsIn(mail.inReplyTo), ...idsIn(mail.references).toReversed()]
  const machineMade = [...listed.map(({ id }) => id), ...(own === null ? [] : [own])].some(
    (id) => !looksLikeAddress(id)
  )
  const addresses = ownAddresses(mail)
  const byId = new Map<string, boolean>()
  for (const { id, weak } of listed) {
    if (id === own) continue
    const address = addresses.has(id.toLowerCase()) || (machineMade && looksLikeAddress(id))
    const doubtful = weak || (address && !namesThing(id))
    byId.set(id, doubtful && (byId.get(id) ?? true))
  }
  return bounded([...byId].map(([id, weak]) => ({ id, weak })))
}
