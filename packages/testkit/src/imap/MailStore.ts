/** A mail in a folder. */
export interface StoredMail {
  readonly uid: number
  readonly raw: Buffer
  /** INTERNALDATE in epoch milliseconds. */
  readonly receivedAt: number
  readonly flags: Set<string>
  /** The modification sequence of the last change (RFC 7162). */
  modseq: number
}

/** A change of a folder that its sessions report. `replaced`: the folder has a new UIDVALIDITY. */
export type FolderChange =
  | { readonly type: "arrived" }
  | { readonly type: "flags"; readonly uid: number }
  | { readonly type: "expunged"; readonly uid: number }
  | { readonly type: "replaced" }

let lastUidValidity = 1_700_000_000

/** A folder with its mails in memory. */
export class StoredFolder {
  readonly path: string
  /** The attributes in the list, such as `\Sent`. */
  readonly attributes: ReadonlyArray<string>
  /** The mails by UID, in ascending order. */
  readonly mails = new Map<number, StoredMail>()
  readonly vanished: Array<{ readonly uid: number; readonly modseq: number }> = []
  readonly watchers = new Set<(change: FolderChange) => void>()
  uidValidity = lastUidValidity++
  uidNext = 1
  modseq = 1

  constructor(path: string, attributes: ReadonlyArray<string> = []) {
    this.path = path
    this.attributes = attributes
  }

  #report(change: FolderChange): void {
    for (const watcher of this.watchers) watcher(change)
  }

  add(raw: Buffer, receivedAt: number, flags: Iterable<string> = []): StoredMail {
    const mail = { uid: this.uidNext++, raw, receivedAt, flags: new Set(flags), modseq: ++this.modseq }
    this.mails.set(mail.uid, mail)
    this.#report({ type: "arrived" })
    return mail
  }

  /** Replaces the flags of a mail. */
  setFlags(mail: StoredMail, flags: Iterable<string>): void {
    const next = new Set(flags)
    if (next.size === mail.flags.size && [...next].every((flag) => mail.flags.has(flag))) return
    mail.flags.clear()
    for (const flag of next) mail.flags.add(flag)
    mail.modseq = ++this.modseq
    this.#report({ type: "flags", uid: mail.uid })
  }

  remove(uid: number): StoredMail | null {
    const mail = this.mails.get(uid) ?? null
    if (mail === null) return null
    this.mails.delete(uid)
    this.vanished.push({ uid, modseq: ++this.modseq })
    this.#report({ type: "expunged", uid })
    return mail
  }

  /** Gives the folder a new UIDVALIDITY. All mails get new UIDs from `firstUid`. */
  renumber(firstUid: number): void {
    const mails = [...this.mails.values()]
    this.mails.clear()
    this.vanished.length = 0
    this.uidValidity = lastUidValidity++
    this.uidNext = firstUid
    for (const { flags, raw, receivedAt } of mails) {
      const mail = { uid: this.uidNext++, raw, receivedAt, flags, modseq: ++this.modseq }
      this.mails.set(mail.uid, mail)
    }
    this.#report({ type: "replaced" })
  }
}

/** The folders of one account. */
export class StoredAccount {
  readonly folders = new Map<string, StoredFolder>()

  constructor(folders: Readonly<Record<string, ReadonlyArray<string>>>) {
    for (const [path, attributes] of Object.entries(folders)) this.create(path, attributes)
  }

  create(path: string, attributes: ReadonlyArray<string> = []): StoredFolder {
    const folder = new StoredFolder(path, attributes)
    this.folders.set(path, folder)
    return folder
  }

  /** Returns a folder. INBOX is case-insensitive (RFC 3501, section 5.1). */
  find(path: string): StoredFolder | null {
    return this.folders.get(/^inbox$/iu.test(path) ? "INBOX" : path) ?? null
  }

  /** Returns a folder that a test has created. */
  folder(path: string): StoredFolder {
    const found = this.find(path)
    if (found === null) throw new Error(`the stand-in has no folder ${path}`)
    return found
  }
}
