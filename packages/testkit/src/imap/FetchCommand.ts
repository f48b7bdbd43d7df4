import { type Command, type ImapSession, Refusal } from "./ImapSession.ts"
import { itemsOf, type Token, textOf } from "./ImapSyntax.ts"
import { formatImapDate } from "./ImapDate.ts"
import type { StoredFolder, StoredMail } from "./MailStore.ts"
import { formatSet, rangesOf } from "./SequenceSet.ts"

/** Renders one data item of a mail. */
type Item = (mail: StoredMail) => string | Buffer

const endOfHeader = Buffer.from("\r\n\r\n")

const headerOf = (raw: Buffer): Buffer => {
  const end = raw.indexOf(endOfHeader)
  return end < 0 ? raw : raw.subarray(0, end + endOfHeader.length)
}

const fieldsOf = (header: Buffer, names: ReadonlyArray<string>): Buffer => {
  const fields = header.toString("latin1").split(/\r\n(?![ \t])/u)
  const kept = fields.filter((field) => names.includes(field.split(":")[0]?.toUpperCase() ?? ""))
  return Buffer.from([...kept, "", ""].join("\r\n"), "latin1")
}

const sectionOf = (section: string): ((raw: Buffer) => Buffer) => {
  if (section === "") return (raw) => raw
  if (section === "HEADER") return headerOf
  if (section === "TEXT") return (raw) => raw.subarray(headerOf(raw).length)
  const [, names] = /^HEADER\.FIELDS \(([^)]*)\)$/u.exec(section) ?? []
  if (names === undefined) throw new Refusal("BAD Unsupported section")
  return (raw) => fieldsOf(headerOf(raw), names.split(" "))
}

const bodyItem = (session: ImapSession, text: string): Item | null => {
  const [, peek, section = "", partial, start, length] =
    /^BODY(\.PEEK)?\[(.*)\](<(\d+)\.(\d+)>)?$/u.exec(text.toUpperCase()) ?? []
  if (!/^BODY(?:\.PEEK)?\[/iu.test(text)) return null
  const cut = sectionOf(section)
  const origin = partial === undefined ? "" : `<${start}>`
  return (mail) => {
    if (peek === undefined && !session.isReadOnly) session.selected().setFlags(mail, [...mail.flags, "\\Seen"])
    const whole = cut(mail.raw)
    const bytes = partial === undefined ? whole : whole.subarray(Number(start), Number(start) + Number(length))
    return Buffer.concat([Buffer.from(`BODY[${section}]${origin} {${bytes.length}}\r\n`), bytes])
  }
}

const simpleItems: Readonly<Record<string, Item>> = {
  UID: ({ uid }) => `UID ${uid}`,
  FLAGS: ({ flags }) => `FLAGS (${[...flags].join(" ")})`,
  INTERNALDATE: ({ receivedAt }) => `INTERNALDATE "${formatImapDate(receivedAt)}"`,
  MODSEQ: ({ modseq }) => `MODSEQ (${modseq})`
}

const sizeItem =
  ({ state }: ImapSession): Item =>
  ({ raw }) =>
    `RFC822.SIZE ${state.faults.statedBytes ?? raw.length}`

const readItems = (session: ImapSession, token: Token | undefined, byUid: boolean): ReadonlyArray<Item> => {
  const names = itemsOf(token).map(textOf)
  const all = byUid && !names.some((name) => name.toUpperCase() === "UID") ? ["UID", ...names] : names
  return all.map((name) => {
    const isSize = name.toUpperCase() === "RFC822.SIZE"
    const item = isSize ? sizeItem(session) : (simpleItems[name.toUpperCase()] ?? bodyItem(session, name))
    if (item === null) throw new Refusal("BAD Unsupported data item")
    return item
  })
}

const reportVanished = (session: ImapSession, folder: StoredFolder, set: string, since: number): void => {
  const ranges = rangesOf(set, folder.uidNext)
  const gone = folder.vanished.flatMap(({ modseq, uid }) =>
    modseq > since && ranges.some(([from, to]) => uid >= from && uid <= to) ? [uid] : []
  )
  if (gone.length > 0) session.untagged(`VANISHED (EARLIER) ${formatSet(gone.toSorted((a, b) => a - b))}`)
}

/** FETCH and UID FETCH with partial bodies and CHANGEDSINCE (RFC 7162, section 3.1.4). */
export const fetchMails =
  (byUid: boolean): Command =>
  async (session, [set, what, modifiers]) => {
    const folder = session.selected()
    const items = readItems(session, what, byUid)
    const options = itemsOf(modifiers).map((option) => textOf(option).toUpperCase())
    const at = options.indexOf("CHANGEDSINCE")
    const since = at < 0 ? 0 : Number(options[at + 1])
    if (options.includes("VANISHED")) reportVanished(session, folder, textOf(set), since)
    for (const mail of session.mailsOf(textOf(set), byUid)) {
      if (mail.modseq <= since) continue
      const parts = items.flatMap((item, index) => {
        const part = item(mail)
        return [Buffer.from(index === 0 ? "" : " "), typeof part === "string" ? Buffer.from(part) : part]
      })
      const head = Buffer.from(`* ${session.sequenceOf(mail.uid)} FETCH (`)
      session.send(Buffer.concat([head, ...parts, Buffer.from(")\r\n")]))
      await session.drained()
      if (session.socket.destroyed) break
    }
    return "OK Completed"
  }
