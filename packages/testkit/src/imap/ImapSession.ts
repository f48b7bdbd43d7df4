import type { Socket } from "node:net"
import type { StandInOptions, StandInState } from "./StandInState.ts"
import type { FolderChange, StoredAccount, StoredFolder, StoredMail } from "./MailStore.ts"
import { fromModifiedUtf7, toModifiedUtf7 } from "./ModifiedUtf7.ts"
import { formatSet, positionOf, selectUids } from "./SequenceSet.ts"
import type { Token } from "./ImapSyntax.ts"

/** The tagged response to a command, without its tag. */
export type Completion = string

/** Runs a command. Rejects with `Refusal` for a NO or BAD response. */
export type Command = (session: ImapSession, args: ReadonlyArray<Token>) => Completion | Promise<Completion>

/** A command that fails with this tagged response. */
export class Refusal extends Error {}

/** The state of one connection: its login, the selected folder and the changes that it still has to report. */
export class ImapSession {
  readonly state: StandInState
  readonly options: StandInOptions
  socket: Socket
  isSecure: boolean
  account: StoredAccount | null = null
  folder: StoredFolder | null = null
  isReadOnly = false
  /** The UIDs of the selected folder by sequence number, as the client knows them. */
  uids: Array<number> = []
  readonly enabled = new Set<string>()
  isIdling = false
  /** Receives the next line instead of a command: the response of a SASL exchange, or DONE. */
  onLine: ((line: string) => void) | null = null
  #changes: Array<FolderChange> = []
  readonly #watch = (change: FolderChange): void => {
    if (change.type === "replaced") return this.end("BYE [UNAVAILABLE] The folder was replaced")
    this.#changes.push(change)
    if (this.isIdling) this.flush(true)
  }

  constructor(state: StandInState, socket: Socket, isSecure: boolean) {
    this.state = state
    this.options = state.options
    this.socket = socket
    this.isSecure = isSecure
  }

  /** Sends data. Cuts the connection when a fault of the test demands it. */
  send(data: string | Buffer): void {
    if (this.state.faults.isSilent) return
    const bytes = typeof data === "string" ? Buffer.from(data) : data
    const left = this.state.faults.cutAfterBytes
    if (left === null) return void this.socket.write(bytes)
    this.state.faults.cutAfterBytes = Math.max(left - bytes.length, 0)
    this.socket.write(bytes.subarray(0, left))
    if (bytes.length < left) return
    this.state.faults.cutAfterBytes = null
    this.socket.destroySoon()
  }

  /** Sends an untagged response. */
  untagged(line: string): void {
    this.send(`* ${line}\r\n`)
  }

  /** Completes when the client has read enough that more can be sent. */
  async drained(): Promise<void> {
    const { socket } = this
    if (!socket.writableNeedDrain || socket.destroyed) return
    await new Promise<void>((resolve) => {
      const end = (): void => {
        socket.off("drain", end).off("close", end)
        resolve()
      }
      socket.on("drain", end).on("close", end)
    })
  }

  end(bye: string): void {
    this.untagged(bye)
    this.socket.destroySoon()
  }

  select(folder: StoredFolder | null, isReadOnly: boolean): void {
    this.folder?.watchers.delete(this.#watch)
    this.folder = folder
    this.isReadOnly = isReadOnly
    this.#changes = []
    this.uids = folder === null ? [] : [...folder.mails.keys()]
    folder?.watchers.add(this.#watch)
  }

  /** Returns the selected folder. */
  selected(): StoredFolder {
    if (this.folder === null) throw new Refusal("BAD No folder is selected")
    return this.folder
  }

  /** Returns a folder of the account by its name on the wire. */
  find(name: string): StoredFolder {
    const found = this.account?.find(this.nameOf(name)) ?? null
    if (found === null || found.attributes.includes("\\Noselect")) throw new Refusal("NO [NONEXISTENT] Unknown folder")
    return found
  }

  /** Decodes a folder name (RFC 6855, section 3: UTF-8 after ENABLE). */
  nameOf(wire: string): string {
    return this.enabled.has("UTF8=ACCEPT") ? wire : fromModifiedUtf7(wire)
  }

  /** Encodes a folder name as a quoted string. */
  wireName(name: string): string {
    const wire = this.enabled.has("UTF8=ACCEPT") ? name : toModifiedUtf7(name)
    return `"${wire.replaceAll(/["\\]/gu, "\\$&")}"`
  }

  /** Returns the mails of a set in the selected folder. */
  mailsOf(set: string, byUid: boolean): ReadonlyArray<StoredMail> {
    const { mails } = this.selected()
    return selectUids(this.uids, set, byUid).flatMap((uid) => mails.get(uid) ?? [])
  }

  sequenceOf(uid: number): number {
    return positionOf(this.uids, uid) + 1
  }

  /** Reports the changes of the selected folder. Without `mayExpunge`, expunged mails keep their sequence numbers. */
  flush(mayExpunge: boolean): void {
    const { folder } = this
    if (folder === null || this.#changes.length === 0) return
    const changes = this.#changes
    this.#changes = mayExpunge ? [] : changes.filter(({ type }) => type === "expunged")
    if (mayExpunge) this.#expunge(changes.flatMap((each) => (each.type === "expunged" ? [each.uid] : [])))
    const last = this.uids.at(-1) ?? 0
    const flagged = new Set(changes.flatMap((each) => (each.type === "flags" ? [each.uid] : [])))
    if (changes.some(({ type }) => type === "arrived")) this.#arrive(folder, last)
    for (const uid of flagged) {
      const mail = folder.mails.get(uid)
      if (mail !== undefined && uid <= last) this.reportFlags(mail)
    }
  }

  /** Reports the flags of a mail. */
  reportFlags(mail: StoredMail): void {
    const modseq = this.enabled.has("CONDSTORE") ? ` MODSEQ (${mail.modseq})` : ""
    this.untagged(`${this.sequenceOf(mail.uid)} FETCH (UID ${mail.uid} FLAGS (${[...mail.flags].join(" ")})${modseq})`)
  }

  #arrive(folder: StoredFolder, last: number): void {
    // New mails are at the end of the map, but only a pass over the map finds them; a test delivers few at a time.
    for (let uid = last + 1; uid < folder.uidNext; uid++) if (folder.mails.has(uid)) this.uids.push(uid)
    this.untagged(`${this.uids.length} EXISTS`)
  }

  #expunge(gone: ReadonlyArray<number>): void {
    const known = gone.filter((uid) => this.uids[positionOf(this.uids, uid)] === uid)
    if (known.length === 0) return
    const ascending = known.toSorted((one, other) => one - other)
    if (this.enabled.has("QRESYNC")) this.untagged(`VANISHED ${formatSet(ascending)}`)
    for (const uid of ascending) {
      const at = positionOf(this.uids, uid)
      this.uids.splice(at, 1)
      if (!this.enabled.has("QRESYNC")) this.untagged(`${at + 1} EXPUNGE`)
    }
  }
}
