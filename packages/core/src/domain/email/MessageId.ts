import { normalizeEmail } from "../address/Address.ts"
import type { ParsedMail } from "./ParsedMail.ts"

/**
 * An id in the headers of a mail that refers to another mail. A weak id is possibly not a Message-ID: it may be an
 * email address, or an id broken by a space. A weak id links a mail to the message with that id, but it does not link
 * two mails that only mention it. Whether an id is weak depends only on the mail, not on stored data, so threads do not
 * depend on the order of arrival.
 */
export interface MessageReference {
  readonly id: string
  readonly weak: boolean
}

/** The maximum length of an id, from the line limit of RFC 5322 section 2.1.1. A longer id is ignored. */
export const maxMessageIdLength = 998

/** The limit of references per mail: all ids of In-Reply-To, the root, and the newest ids of References. */
export const maxFollowedReferences = 100

/** One possible id in a list of ids: the text between brackets, or a bare word, with the text before and after it. */
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

/**
 * Returns the id if it is valid: no white space, some text before the first `@`, and some text after it. Returns null
 * otherwise.
 */
const usable = (id: string): string | null => (id.length <= maxMessageIdLength && /^[^\s@]+@\S+$/u.test(id) ? id : null)

/**
 * Cleans the Message-ID of a mail: removes brackets, comments and white space, and tolerates missing brackets. Returns
 * null if no valid id remains: the text has no `@`, has nothing after it, or is longer than a header line. The caller
 * then synthesises an id.
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

/**
 * Returns whether a bracket contains the author's address instead of an id, as the first one in `Message from Jo
 * <jo@x.io> of "Thu, 22 Aug …" <id@host>`.
 */
const quotesAuthor = ({ before, after }: Candidate): boolean =>
  /^\s*of\b/iu.test(after) && /\b(?:message|mail) from\b[^<>]*$/iu.test(before)

/**
 * The shape of an address: few digits, words between dots, a domain with a dot (`jo.smith2@x.io`). Most real
 * Message-IDs contain random characters instead.
 */
const addressShape = /^[a-z]{1,20}(?:[._'+=-](?:[a-z]{1,20}\d{0,4}|\d{1,4}))*\d{0,4}@[a-z\d-]+(?:\.[a-z\d-]+)+$/iu

/** Words in the thread ids of trackers and help desks. */
const numberedThings =
  "ticket|issue|bug|case|request|req|incident|inc|task|story|epic|topic|post|thread|conversation|discussion|note|" +
  "comment|journal|reply|message|msg|notification|pull|merge[._-]request|review|revision|changeset|commit|order|" +
  "otrs|jira|redmine|trac|bugzilla|zammad|znuny|zendesk|freshdesk|helpscout"

/**
 * The id of an object in a tracker: `RT-Ticket-33575@host`, `JIRA.12.34@Atlassian.JIRA`, `note_77@gitlab.example`,
 * `12345@bugs.launchpad.net`. Every mail about the object refers to this id, and often no mail has it as its
 * Message-ID. Such an id is never weak, even if it has the form of an email address, because it must link these mails.
 * The pattern matches only the part before the `@`.
 */
const trackerShape = new RegExp(
  `(?:^|[._+=/-])(?:(?:${numberedThings})s?[._+=/-]?\\d|(?:rt|pr|mr)[._+=/-]\\d|phid-)|^\\d+$`,
  "iu"
)

const namesThing = (id: string): boolean => trackerShape.test(id.split("@", 1)[0] ?? "")

/**
 * Message-IDs that Gnus and Emacs generate. Without this exception, they would count as email addresses because of
 * their form.
 */
const emacsShape = /\.fsf@/u

const looksLikeAddress = (id: string): boolean => addressShape.test(id) && !emacsShape.test(id)

/** Returns the ids in one header value. `weak` marks ids that are doubtful because of the text around them. */
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
  // Prose contains possessive forms of addresses: `jo@b.io's message of …`.
  for (const word of words) if (!prose || !/['"]/u.test(word)) add(word, prose)
  return found
}

/**
 * Returns the addresses in the headers of the mail. If an id equals one of these addresses, it is an address and not an
 * id.
 */
const ownAddresses = (mail: MailIds): ReadonlySet<string> =>
  new Set(
    [...mail.from, ...mail.to, ...mail.cc, ...mail.replyTo, ...(mail.sender === null ? [] : [mail.sender])].map(
      ({ email }) => normalizeEmail(email)
    )
  )

/** The fields of a mail that determine its references. */
export type MailIds = Pick<
  ParsedMail,
  "messageId" | "inReplyTo" | "references" | "from" | "to" | "cc" | "replyTo" | "sender"
>

const bounded = (ids: ReadonlyArray<MessageReference>): ReadonlyArray<MessageReference> =>
  ids.length <= maxFollowedReferences ? ids : [...ids.slice(0, maxFollowedReferences - 1), ...ids.slice(-1)]

/**
 * Returns the cleaned, unique ids that a mail refers to, in order of precedence: In-Reply-To as written, then
 * References from the newest to the root. Omits the mail's own id.
 *
 * An id that has the form of an address is weak in two cases: the headers of the mail contain that address, or the mail
 * also contains ids of another form. Some mail programs give every mail an id such as `root@shop.example`. The ids of
 * these programs therefore stay strong. The id of an object in a tracker is never weak because of its form.
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

/** Returns the cleaned ids in In-Reply-To. */
export const repliedIds = ({ inReplyTo }: Pick<MailIds, "inReplyTo">): ReadonlySet<string> =>
  new Set(inReplyTo === "" ? [] : idsIn(inReplyTo).map(({ id }) => id))
