import { type Command, type ImapSession, Refusal } from "./ImapSession.ts"
import { type Token, textOf } from "./ImapSyntax.ts"
import { parseImapDate } from "./ImapDate.ts"
import type { StoredMail } from "./MailStore.ts"
import { rangesOf } from "./SequenceSet.ts"

type Test = (mail: StoredMail) => boolean

const dayMillis = 86_400_000

const headerValue = (raw: Buffer, name: string): string | null => {
  const end = raw.indexOf("\r\n\r\n")
  const header = raw.toString("latin1", 0, end < 0 ? raw.length : end)
  const field = header.split(/\r\n(?![ \t])/u).find((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
  return field === undefined ? null : field.slice(name.length + 1).replaceAll("\r\n", "")
}

const inSet = (set: string, last: number, numberOf: (mail: StoredMail) => number): Test => {
  const ranges = rangesOf(set, last)
  return (mail) => ranges.some(([from, to]) => numberOf(mail) >= from && numberOf(mail) <= to)
}

/** Reads one search key (RFC 3501, section 6.4.4) from the arguments, which it shortens. */
const readKey = (session: ImapSession, args: Array<Token>): Test => {
  const token = args.shift()
  if (token?.kind === "list") return readKeys(session, [...token.items])
  const key = textOf(token).toUpperCase()
  const next = (): string => textOf(args.shift())
  if (key === "ALL") return () => true
  if (key === "UID") return inSet(next(), session.uids.at(-1) ?? 0, ({ uid }) => uid)
  if (key === "SINCE" || key === "BEFORE") {
    const day = parseImapDate(next())
    // The time and the time zone are disregarded.
    const isSince = (mail: StoredMail): boolean => Math.floor(mail.receivedAt / dayMillis) * dayMillis >= day
    return key === "SINCE" ? isSince : (mail) => !isSince(mail)
  }
  if (key === "HEADER") {
    const [name, text] = [next(), next().toLowerCase()]
    return ({ raw }) => headerValue(raw, name)?.toLowerCase().includes(text) ?? false
  }
  if (key === "NOT") {
    const test = readKey(session, args)
    return (mail) => !test(mail)
  }
  if (key === "MODSEQ") {
    const modseq = Number(next())
    return (mail) => mail.modseq >= modseq
  }
  if (/^(?:UN)?(?:SEEN|ANSWERED|DELETED|FLAGGED|DRAFT)$/u.test(key)) {
    const name = key.replace(/^UN/u, "").toLowerCase()
    return ({ flags }) => [...flags].some((flag) => flag.slice(1).toLowerCase() === name) !== key.startsWith("UN")
  }
  if (/^[\d*]/u.test(key)) return inSet(key, session.uids.length, ({ uid }) => session.sequenceOf(uid))
  throw new Refusal("BAD Unsupported search key")
}

const readKeys = (session: ImapSession, args: Array<Token>): Test => {
  const tests: Array<Test> = []
  while (args.length > 0) tests.push(readKey(session, args))
  return (mail) => tests.every((test) => test(mail))
}

/** SEARCH and UID SEARCH. All keys must match. */
export const searchMails =
  (byUid: boolean): Command =>
  (session, args) => {
    const { mails } = session.selected()
    const rest = textOf(args[0]).toUpperCase() === "CHARSET" ? args.slice(2) : args
    const test = readKeys(session, [...rest])
    const found = session.uids.flatMap((uid, index) => {
      const mail = mails.get(uid)
      return mail !== undefined && test(mail) ? [byUid ? uid : index + 1] : []
    })
    session.untagged(["SEARCH", ...found].join(" "))
    return "OK Completed"
  }
