import { type Command, type ImapSession, Refusal } from "./ImapSession.ts"
import { itemsOf, type Token, textOf } from "./ImapSyntax.ts"
import { parseImapDate } from "./ImapDate.ts"
import type { StoredFolder } from "./MailStore.ts"
import { formatSet, rangesOf } from "./SequenceSet.ts"

/** Translates a pattern of LIST (RFC 3501, section 6.3.8). */
const patternOf = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replaceAll(/[.+?^${}()|[\]\\]/gu, "\\$&")
      .replaceAll("*", ".*")
      .replaceAll("%", "[^/]*")}$`,
    "isu"
  )

const list: Command = (session, [reference, mailbox]) => {
  const pattern = patternOf(session.nameOf(textOf(reference) + textOf(mailbox)))
  const shows = session.state.has("SPECIAL-USE")
  if (textOf(mailbox) === "") session.untagged('LIST (\\Noselect) "/" ""')
  for (const { attributes, path } of session.account?.folders.values() ?? []) {
    const shown = attributes.filter((name) => shows || name.startsWith("\\No"))
    if (pattern.test(path)) session.untagged(`LIST (${shown.join(" ")}) "/" ${session.wireName(path)}`)
  }
  return "OK Completed"
}

const statusItems: Readonly<Record<string, (folder: StoredFolder) => number>> = {
  MESSAGES: ({ mails }) => mails.size,
  RECENT: () => 0,
  UIDNEXT: ({ uidNext }) => uidNext,
  UIDVALIDITY: ({ uidValidity }) => uidValidity,
  UNSEEN: ({ mails }) => [...mails.values()].filter(({ flags }) => !flags.has("\\Seen")).length,
  HIGHESTMODSEQ: ({ modseq }) => modseq
}

const status: Command = (session, [name, items]) => {
  const folder = session.find(textOf(name))
  const shown = itemsOf(items).map((item) => {
    const key = textOf(item).toUpperCase()
    const value = statusItems[key]
    if (value === undefined) throw new Refusal("BAD Unknown status item")
    return `${key} ${value(folder)}`
  })
  session.untagged(`STATUS ${session.wireName(folder.path)} (${shown.join(" ")})`)
  return "OK Completed"
}

/** Reports the changes since the state that the client knows (RFC 7162, section 3.2.5). */
const resync = (session: ImapSession, folder: StoredFolder, parameters: ReadonlyArray<Token>): void => {
  const [uidValidity, modseq, known] = parameters.map(textOf)
  if (Number(uidValidity) !== folder.uidValidity) return
  const ranges = known === undefined || known === "" ? null : rangesOf(known, folder.uidNext)
  const gone = folder.vanished.filter(
    (each) => each.modseq > Number(modseq) && (ranges?.some(([from, to]) => each.uid >= from && each.uid <= to) ?? true)
  )
  if (gone.length > 0)
    session.untagged(`VANISHED (EARLIER) ${formatSet(gone.map(({ uid }) => uid).toSorted((a, b) => a - b))}`)
  for (const mail of folder.mails.values()) if (mail.modseq > Number(modseq)) session.reportFlags(mail)
}

const open =
  (isReadOnly: boolean): Command =>
  (session, [name, parameters]) => {
    session.select(null, true)
    const folder = session.find(textOf(name))
    session.select(folder, isReadOnly)
    const flags = "\\Answered \\Flagged \\Deleted \\Seen \\Draft"
    session.untagged(`FLAGS (${flags})`)
    session.untagged(`OK [PERMANENTFLAGS (${isReadOnly ? "" : `${flags} \\*`})] Limited`)
    session.untagged(`${folder.mails.size} EXISTS`)
    session.untagged("0 RECENT")
    session.untagged(`OK [UIDVALIDITY ${folder.uidValidity}] UIDs valid`)
    session.untagged(`OK [UIDNEXT ${folder.uidNext}] Predicted next UID`)
    if (session.state.has("CONDSTORE")) session.untagged(`OK [HIGHESTMODSEQ ${folder.modseq}] Highest`)
    const options = itemsOf(parameters)
    const at = options.findIndex((option) => textOf(option).toUpperCase() === "QRESYNC")
    if (at >= 0 && session.enabled.has("QRESYNC")) resync(session, folder, itemsOf(options[at + 1]))
    return `OK [READ-${isReadOnly ? "ONLY" : "WRITE"}] Completed`
  }

const append: Command = (session, [name, ...rest]) => {
  const target = session.account?.find(session.nameOf(textOf(name))) ?? null
  if (target === null) throw new Refusal("NO [TRYCREATE] Unknown folder")
  const raw = rest.at(-1)
  if (raw?.kind !== "string") throw new Refusal("BAD Expected a mail")
  const flags = rest[0]?.kind === "list" ? rest[0].items.map(textOf) : []
  const date = rest.slice(0, -1).find(({ kind }) => kind === "string")
  const receivedAt = date === undefined ? Date.now() : parseImapDate(textOf(date))
  const mail = target.add(raw.bytes, receivedAt, flags)
  session.flush(true)
  return session.state.has("UIDPLUS") ? `OK [APPENDUID ${target.uidValidity} ${mail.uid}] Completed` : "OK Completed"
}

const create: Command = (session, [name]) => {
  const path = session.nameOf(textOf(name))
  if (session.account?.find(path) !== null) throw new Refusal("NO [ALREADYEXISTS] The folder exists")
  session.account.create(path)
  return "OK Completed"
}

/** The commands for folders. */
export const folderCommands: Readonly<Record<string, Command>> = {
  LIST: list,
  LSUB: () => "OK Completed",
  STATUS: status,
  SELECT: open(false),
  EXAMINE: open(true),
  APPEND: append,
  CREATE: create,
  CLOSE: (session) => {
    session.select(null, true)
    return "OK Completed"
  }
}
