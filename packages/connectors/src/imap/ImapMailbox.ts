import type { FolderStatus } from "@leadloom/core/internal/domain/mailbox/Folder"
import { maxFolders } from "@leadloom/core/internal/domain/mailbox/MailboxSync"
import { gone, type ProviderFailure, refused } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { GrowingBytes } from "@leadloom/core/internal/domain/text/GrowingBytes"
import type { ListedMail, MailboxConnection } from "@leadloom/core/internal/port/provider/Mailboxes"
import { Effect } from "effect"
import type { MailboxObject } from "imapflow"
import { assignRoles } from "./FolderRoles.ts"
import { type ImapClient, runCommand } from "./ImapClient.ts"
import { listPages, setsOf } from "./ListMails.ts"
import { waitForChange } from "./WaitForChange.ts"

/** A folder and the UIDVALIDITY that the caller knows. */
interface KnownFolder {
  readonly path: string
  readonly uidValidity: string
}

const replaced = (): ProviderFailure => gone("mail", "folder", "The folder has a new UIDVALIDITY. Read it again.")

/** Opens a folder. EXAMINE leaves all flags unchanged (RFC 3501, section 6.3.2). */
const openFolder = (
  client: ImapClient,
  path: string,
  readOnly: boolean
): Effect.Effect<MailboxObject, ProviderFailure> =>
  runCommand(client, () => client.flow.mailboxOpen(path, { readOnly }))

const checkValidity = (
  { uidValidity }: KnownFolder,
  opened: MailboxObject
): Effect.Effect<MailboxObject, ProviderFailure> =>
  String(opened.uidValidity) === uidValidity ? Effect.succeed(opened) : Effect.fail(replaced())

/** Returns the folder if it is open, or opens it. The open folder keeps its UIDVALIDITY. */
const ensureOpen = (client: ImapClient, folder: KnownFolder): Effect.Effect<MailboxObject, ProviderFailure> => {
  const { mailbox } = client.flow
  const isOpen = mailbox !== false && mailbox.path === folder.path
  return Effect.flatMap(isOpen ? Effect.succeed(mailbox) : openFolder(client, folder.path, true), (opened) =>
    checkValidity(folder, opened)
  )
}

const statusOf = (opened: MailboxObject): FolderStatus => ({
  uidValidity: String(opened.uidValidity),
  uidNext: opened.uidNext,
  highestModseq: opened.noModseq === true ? null : (opened.highestModseq?.toString() ?? null),
  messages: opened.exists
})

/**
 * Requests the status of a folder. The open folder is opened again, because STATUS may be out of date for it (RFC 3501,
 * section 6.3.10).
 */
const status = Effect.fnUntraced(function* (client: ImapClient, path: string) {
  const { mailbox } = client.flow
  if (mailbox !== false && mailbox.path === path) {
    const opened = yield* openFolder(client, path, true)
    if (opened.uidNext > 0) return statusOf(opened)
  }
  const query = { uidValidity: true, uidNext: true, messages: true, highestModseq: true }
  const found = yield* runCommand(client, async () => {
    const result = await client.flow.status(path, query)
    if (result === false) throw client.lastRefusal()
    return result
  })
  const { uidNext, uidValidity } = found
  if (uidNext === undefined || uidValidity === undefined) {
    return yield* refused("mail", "The mail server does not report UIDVALIDITY and UIDNEXT of a folder.")
  }
  const highestModseq = found.highestModseq?.toString() ?? null
  return { uidValidity: String(uidValidity), uidNext, highestModseq, messages: found.messages ?? 0 }
})

const folders = Effect.fnUntraced(function* (client: ImapClient) {
  const entries = yield* runCommand(client, () => client.flow.list({ listOnly: true }))
  const roles = assignRoles(entries)
  if (roles.filter(({ role }) => role !== "ignored").length > maxFolders) {
    return yield* refused("mail", `The mailbox has more than ${maxFolders} folders. Remove or join some.`)
  }
  return roles
})

const list = Effect.fnUntraced(function* (
  client: ImapClient,
  folder: KnownFolder,
  range: { readonly from: number; readonly to: number },
  since: number
) {
  // The folder is opened again, so that the list contains the newest mails.
  const opened = yield* Effect.flatMap(openFolder(client, folder.path, true), (each) => checkValidity(folder, each))
  const found = new Map<number, ListedMail>()
  const pages = listPages(client, opened, range, since)
  for (;;) {
    const page = yield* runCommand(client, () => pages.next())
    if (page.done === true) return [...found.values()].toSorted((one, other) => one.uid - other.uid)
    for (const [uid, mail] of page.value) found.set(uid, mail)
  }
})

/** Reads one part of a mail. Returns null when the server reports no such mail. */
const readPart = async (
  { flow }: ImapClient,
  uid: number,
  start: number,
  maxLength: number
): Promise<Buffer | null> => {
  let part: Buffer | null = null
  for await (const mail of flow.fetch(String(uid), { uid: true, source: { start, maxLength } }, { uid: true })) {
    if (mail.uid === uid && mail.source !== undefined) part = mail.source
  }
  return part
}

const fetch = Effect.fnUntraced(function* (client: ImapClient, folder: KnownFolder, uid: number, maxBytes: number) {
  yield* ensureOpen(client, folder)
  const { partBytes } = client.limits
  const bytes = new GrowingBytes()
  while (bytes.length < maxBytes) {
    const length = Math.min(partBytes, maxBytes - bytes.length)
    const part = yield* runCommand(client, () => readPart(client, uid, bytes.length, length), {
      maxBytes: 4 * partBytes + 65_536
    })
    if (part === null) return null
    bytes.append(part.subarray(0, length))
    // A shorter part is the last one (RFC 3501, section 6.4.5). The announced size of a mail may be wrong.
    if (part.length < length) break
  }
  return bytes.take()
})

/** Reads the start of each mail of a set. Mails that the set does not name are ignored. */
const readSet = async ({ flow }: ImapClient, set: string, wanted: ReadonlySet<number>, maxLength: number) => {
  const found = new Map<number, Uint8Array>()
  for await (const mail of flow.fetch(set, { uid: true, source: { start: 0, maxLength } }, { uid: true })) {
    if (wanted.has(mail.uid) && mail.source !== undefined) found.set(mail.uid, mail.source.subarray(0, maxLength))
  }
  return found
}

const fetchSmall = Effect.fnUntraced(function* (
  client: ImapClient,
  folder: KnownFolder,
  uids: ReadonlyArray<number>,
  maxBytes: number
) {
  yield* ensureOpen(client, folder)
  const found = new Map<number, Uint8Array>()
  const limits = { maxBytes: 4 * client.limits.partBytes + 65_536 }
  for (const set of setsOf(uids.toSorted((one, other) => one - other))) {
    const read = yield* runCommand(client, () => readSet(client, set, new Set(uids), maxBytes), limits)
    for (const [uid, raw] of read) found.set(uid, raw)
  }
  return found
})

const append = Effect.fnUntraced(function* (client: ImapClient, path: string, raw: Uint8Array) {
  // `imapflow` drops flags that the open folder does not permit, and EXAMINE permits none.
  yield* openFolder(client, path, false)
  yield* runCommand(
    client,
    async () => {
      const stored = await client.flow.append(path, Buffer.from(raw.buffer, raw.byteOffset, raw.length), ["\\Seen"])
      if (!stored) throw client.lastRefusal()
    },
    { isRepeatable: false }
  )
})

/** Returns the UIDs of the mails with a Message-ID in the open folder. The search matches substrings. */
const search = (client: ImapClient, internetMessageId: string): Effect.Effect<ReadonlyArray<number>, ProviderFailure> =>
  runCommand(client, async () => {
    const found = await client.flow.search({ header: { "message-id": `<${internetMessageId}>` } }, { uid: true })
    if (!Array.isArray(found)) throw client.lastRefusal()
    return found
  })

const addFlags = Effect.fnUntraced(function* (
  client: ImapClient,
  path: string,
  internetMessageId: string,
  flags: ReadonlyArray<string>
) {
  yield* openFolder(client, path, false)
  const [uid] = yield* search(client, internetMessageId)
  if (uid === undefined || flags.length === 0) return
  yield* runCommand(client, async () => {
    const stored = await client.flow.messageFlagsAdd(String(uid), [...flags], { uid: true, silent: true })
    if (!stored) throw client.lastRefusal()
  })
})

const contains = Effect.fnUntraced(function* (client: ImapClient, path: string, internetMessageId: string) {
  yield* openFolder(client, path, true)
  return (yield* search(client, internetMessageId)).length > 0
})

/** The state of a folder as the caller knows it. */
type Seen = Map<string, { readonly uidValidity: string; readonly uidNext: number }>

/**
 * Waits for a change since the last status of the folder. A mail that arrived after the status and before IDLE is a
 * change too.
 */
const wait = Effect.fnUntraced(function* (client: ImapClient, seen: Seen, path: string, maxWaitMillis: number) {
  // An interruption ends the wait and not the connection.
  const opened = yield* Effect.uninterruptible(openFolder(client, path, true))
  const current = { uidValidity: String(opened.uidValidity), uidNext: opened.uidNext }
  const known = seen.get(path)
  seen.set(path, current)
  if (known !== undefined && (known.uidValidity !== current.uidValidity || known.uidNext < current.uidNext)) return
  yield* waitForChange(client, maxWaitMillis)
})

/** Returns the operations on an open connection. */
export const imapMailbox = (client: ImapClient): MailboxConnection => {
  const seen: Seen = new Map()
  return {
    folders: folders(client),
    status: (path) => Effect.tap(status(client, path), (found) => Effect.sync(() => void seen.set(path, found))),
    list: (folder, range, since) => list(client, folder, range, since),
    fetch: (folder, uid, maxBytes) => fetch(client, folder, uid, maxBytes),
    fetchSmall: (folder, uids, maxBytes) => fetchSmall(client, folder, uids, maxBytes),
    append: (path, raw) => append(client, path, raw),
    contains: (path, internetMessageId) => contains(client, path, internetMessageId),
    addFlags: (path, internetMessageId, flags) => addFlags(client, path, internetMessageId, flags),
    wait: (path, maxWaitMillis) => wait(client, seen, path, maxWaitMillis)
  }
}
