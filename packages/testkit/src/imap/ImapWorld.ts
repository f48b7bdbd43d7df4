import { type Dovecot, startDovecot } from "./Dovecot.ts"
import { type ImapStandIn, startImapStandIn } from "./ImapStandIn.ts"
import type { StoredFolder, StoredMail } from "./MailStore.ts"

/** An IMAP server that a suite controls: the stand-in or Dovecot. It has the accounts of `worldAccounts`. */
export interface ImapWorld {
  readonly host: string
  /** The port without protection, also for STARTTLS. */
  readonly port: number
  /** The port with TLS from the first byte. */
  readonly tlsPort: number
  readonly deliver: (username: string, path: string, raw: Uint8Array, receivedAt: number) => Promise<void>
  readonly addFlag: (username: string, path: string, uid: number, flag: string) => Promise<void>
  readonly flagsOf: (username: string, path: string, uid: number) => Promise<ReadonlyArray<string>>
  readonly move: (username: string, path: string, uid: number, target: string) => Promise<void>
  readonly expunge: (username: string, path: string, uid: number) => Promise<void>
  readonly createFolder: (username: string, path: string) => Promise<void>
  /** Gives the folder a new UIDVALIDITY. */
  readonly renumber: (username: string, path: string) => Promise<void>
  readonly close: () => Promise<void>
}

/** The accounts of every world, one for each test. */
export const worldAccounts: ReadonlyArray<string> = Array.from({ length: 40 }, (_, index) => `box${index}@example.com`)

/** The password of the accounts, and their OAuth access token. */
export const worldPassword = 'pass word"\\1'

const accounts = Object.fromEntries(worldAccounts.map((name) => [name, worldPassword]))

const mailOf = (folder: StoredFolder, uid: number): StoredMail => {
  const mail = folder.mails.get(uid)
  if (mail === undefined) throw new Error(`the folder ${folder.path} has no mail ${uid}`)
  return mail
}

const controlStandIn = (open: ImapStandIn, tls: ImapStandIn): ImapWorld => {
  const folderOf = (username: string, path: string): StoredFolder => open.account(username).folder(path)
  return {
    host: "localhost",
    port: open.port,
    tlsPort: tls.port,
    deliver: async (username, path, raw, receivedAt) => void folderOf(username, path).add(Buffer.from(raw), receivedAt),
    addFlag: async (username, path, uid, flag) => {
      const folder = folderOf(username, path)
      const mail = mailOf(folder, uid)
      folder.setFlags(mail, [...mail.flags, flag])
    },
    flagsOf: async (username, path, uid) => [...mailOf(folderOf(username, path), uid).flags],
    move: async (username, path, uid, target) => {
      const mail = folderOf(username, path).remove(uid)
      if (mail !== null) folderOf(username, target).add(mail.raw, mail.receivedAt, mail.flags)
    },
    expunge: async (username, path, uid) => void folderOf(username, path).remove(uid),
    createFolder: async (username, path) => void open.account(username).create(path),
    renumber: async (username, path) => folderOf(username, path).renumber(1),
    close: async () => {
      await open.close()
      await tls.close()
    }
  }
}

/** Starts the stand-in. `hide` are capabilities that it lacks. */
export const startStandInWorld = async (hide: ReadonlyArray<string> = []): Promise<ImapWorld> => {
  const open = await startImapStandIn({ accounts, hide })
  return controlStandIn(open, await startImapStandIn({ accounts, hide, security: "tls" }))
}

const controlDovecot = (server: Dovecot): ImapWorld => {
  const at = (path: string, uid: number): ReadonlyArray<string> => ["mailbox", path, "uid", String(uid)]
  let lastUidValidity = 1_000_000
  const run = async (username: string, ...args: ReadonlyArray<string>): Promise<void> =>
    void (await server.doveadm(username, args))
  return {
    host: "localhost",
    port: server.port,
    tlsPort: server.tlsPort,
    deliver: async (username, path, raw, receivedAt) => server.deliver(username, path, raw, receivedAt),
    addFlag: (username, path, uid, flag) => run(username, "flags add", flag, ...at(path, uid)),
    flagsOf: async (username, path, uid) => {
      const found = await server.doveadm(username, ["fetch", "flags", ...at(path, uid)])
      return (/flags: (.*)/u.exec(found)?.[1] ?? "").split(" ").filter((flag) => flag !== "" && flag !== "\\Recent")
    },
    move: (username, path, uid, target) => run(username, "move", target, ...at(path, uid)),
    expunge: (username, path, uid) => run(username, "expunge", ...at(path, uid)),
    createFolder: (username, path) => run(username, "mailbox create", path),
    renumber: (username, path) => run(username, "mailbox update", "--uid-validity", String(lastUidValidity++), path),
    close: server.close
  }
}

/** Starts Dovecot. `introspectionUrl`: see `DovecotOptions`. */
export const startDovecotWorld = async (introspectionUrl?: string): Promise<ImapWorld> =>
  controlDovecot(await startDovecot({ accounts, ...(introspectionUrl === undefined ? {} : { introspectionUrl }) }))
