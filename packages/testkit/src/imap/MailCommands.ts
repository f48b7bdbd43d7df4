import { fetchMails } from "./FetchCommand.ts"
import { type Command, type ImapSession, Refusal } from "./ImapSession.ts"
import { itemsOf, type Token, textOf } from "./ImapSyntax.ts"
import type { StoredMail } from "./MailStore.ts"
import { searchMails } from "./SearchCommand.ts"
import { formatSet } from "./SequenceSet.ts"

const checkWritable = (session: ImapSession): void => {
  if (session.isReadOnly) throw new Refusal("NO [READ-ONLY] The folder is read-only")
}

const changedFlags = (mail: StoredMail, action: string, flags: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (action.startsWith("+")) return [...mail.flags, ...flags]
  return action.startsWith("-") ? [...mail.flags].filter((flag) => !flags.includes(flag)) : flags
}

/** STORE with UNCHANGEDSINCE (RFC 7162, section 3.1.3). */
const store =
  (byUid: boolean): Command =>
  (session, [set, ...rest]) => {
    checkWritable(session)
    const condition = rest[0]?.kind === "list" ? itemsOf(rest[0]).map(textOf) : []
    const [action, flags] = condition.length > 0 ? rest.slice(1) : rest
    const limit = condition.length > 0 ? Number(condition[1]) : Infinity
    const name = textOf(action).toUpperCase()
    if (!/^[+-]?FLAGS(?:\.SILENT)?$/u.test(name)) throw new Refusal("BAD Unsupported STORE")
    const failed: Array<number> = []
    for (const mail of session.mailsOf(textOf(set), byUid)) {
      if (mail.modseq > limit) failed.push(byUid ? mail.uid : session.sequenceOf(mail.uid))
      else session.selected().setFlags(mail, changedFlags(mail, name, itemsOf(flags).map(textOf)))
    }
    return failed.length === 0 ? "OK Completed" : `OK [MODIFIED ${formatSet(failed)}] Conditional STORE failed`
  }

/** MOVE (RFC 6851). */
const move =
  (byUid: boolean): Command =>
  (session, [set, name]) => {
    checkWritable(session)
    if (!session.state.has("MOVE")) throw new Refusal("BAD Unknown command")
    const target = session.find(textOf(name))
    const mails = session.mailsOf(textOf(set), byUid)
    const copies = mails.map(({ flags, raw, receivedAt }) => target.add(raw, receivedAt, flags).uid)
    if (mails.length > 0) {
      const from = formatSet(mails.map(({ uid }) => uid))
      session.untagged(`OK [COPYUID ${target.uidValidity} ${from} ${formatSet(copies)}] Moved`)
    }
    for (const { uid } of mails) session.selected().remove(uid)
    session.flush(true)
    return "OK Completed"
  }

const expungeOf = (session: ImapSession, mails: ReadonlyArray<StoredMail>): string => {
  checkWritable(session)
  for (const { flags, uid } of mails) if (flags.has("\\Deleted")) session.selected().remove(uid)
  session.flush(true)
  return "OK Completed"
}

const uidCommands: Readonly<Record<string, Command>> = {
  FETCH: fetchMails(true),
  SEARCH: searchMails(true),
  STORE: store(true),
  MOVE: move(true),
  EXPUNGE: (session, [set]) => expungeOf(session, session.mailsOf(textOf(set), true))
}

/** The commands for mails of the selected folder. */
export const mailCommands: Readonly<Record<string, Command>> = {
  FETCH: fetchMails(false),
  SEARCH: searchMails(false),
  STORE: store(false),
  MOVE: move(false),
  EXPUNGE: (session) => expungeOf(session, [...session.selected().mails.values()]),
  UID: (session, [name, ...args]: ReadonlyArray<Token>) => {
    const command = uidCommands[textOf(name).toUpperCase()]
    if (command === undefined) throw new Refusal("BAD Unknown command")
    return command(session, args)
  }
}
