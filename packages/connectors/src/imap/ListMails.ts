import type { ListedMail, UidRange } from "@leadloom/core/internal/port/provider/Mailboxes"
import type { FetchMessageObject, MailboxObject } from "imapflow"
import type { ImapClient } from "./ImapClient.ts"

/** Ranges up to this number of UIDs are read without a search. */
const maxUnsearched = 10_000
/** The maximum number of mails in the response to one search, so that its line stays short. */
const maxFound = 200_000
/** The maximum number of UIDs of one FETCH. */
const pageUids = 2_000
/** The maximum length of the set of one FETCH. Servers may limit a command to 8,000 bytes (RFC 7162, section 4). */
const maxSetLength = 4_000
/** SINCE compares dates in the time zone of the server (RFC 3501, section 6.4.4), so one day is added. */
const dayMillis = 86_400_000

/** Splits a range into ranges of equal size. */
function* windowsOf({ from, to }: UidRange, size: number): Generator<UidRange> {
  for (let start = from; start <= to; start += size) yield { from: start, to: Math.min(start + size - 1, to) }
}

/** Splits ascending UIDs into sets for FETCH. */
export function* setsOf(uids: ReadonlyArray<number>): Generator<string> {
  let set = ""
  let count = 0
  let index = 0
  while (index < uids.length) {
    const first = uids[index] ?? 0
    let last = first
    while (count < pageUids && uids[index + 1] === last + 1) {
      last += 1
      index += 1
      count += 1
    }
    set += `${set === "" ? "" : ","}${first === last ? first : `${first}:${last}`}`
    count += 1
    index += 1
    if (count >= pageUids || set.length >= maxSetLength) {
      yield set
      set = ""
      count = 0
    }
  }
  if (set !== "") yield set
}

const receivedAt = ({ internalDate }: FetchMessageObject, since: number): number => {
  const time = internalDate === undefined ? Number.NaN : new Date(internalDate).getTime()
  // A mail with an invalid time must not be lost.
  return Number.isNaN(time) ? since : time
}

/** Reads the mails of a set into the map. Responses that only report changed flags have neither time nor size. */
const readSet = async (
  { flow }: ImapClient,
  set: string,
  range: UidRange,
  since: number,
  found: Map<number, ListedMail>
): Promise<void> => {
  for await (const mail of flow.fetch(set, { uid: true, internalDate: true, size: true }, { uid: true })) {
    if (mail.internalDate === undefined && mail.size === undefined) continue
    if (mail.uid < range.from || mail.uid > range.to) continue
    const time = receivedAt(mail, since)
    if (time >= since) found.set(mail.uid, { uid: mail.uid, receivedAt: time, bytes: mail.size ?? 0 })
  }
}

/** Returns the UIDs of mails that arrived on the day before `since` or later. */
const searchWindow = async (client: ImapClient, range: UidRange, since: number): Promise<ReadonlyArray<number>> => {
  const query = { uid: `${range.from}:${range.to}`, since: new Date(Math.max(since - dayMillis, 0)) }
  const found = await client.flow.search(query, { uid: true })
  if (!Array.isArray(found)) throw client.lastRefusal()
  return found.filter((uid) => uid >= range.from && uid <= range.to)
}

/**
 * Lists the mails of the selected folder in ascending order. Short ranges are read directly, because the index of a
 * search may lack the newest mails on some servers. Long ranges, as in a first sync, are searched first.
 */
export async function* listPages(
  client: ImapClient,
  folder: MailboxObject,
  range: UidRange,
  since: number
): AsyncGenerator<ReadonlyMap<number, ListedMail>> {
  const isShort = range.to - range.from < maxUnsearched
  const size = isShort ? pageUids : folder.exists <= maxFound ? Infinity : maxFound
  for (const window of windowsOf(range, size)) {
    const sets = isShort ? [`${window.from}:${window.to}`] : setsOf(await searchWindow(client, window, since))
    for (const set of sets) {
      const found = new Map<number, ListedMail>()
      await readSet(client, set, range, since, found)
      yield found
    }
  }
}
