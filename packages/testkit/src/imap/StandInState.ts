import type { Socket } from "node:net"
import { StoredAccount } from "./MailStore.ts"

/** The options of a stand-in. */
export interface StandInOptions {
  /** The passwords by username. A password is also accepted as an OAuth access token. */
  readonly accounts: Readonly<Record<string, string>>
  /** The folders of each account with their attributes. */
  readonly folders: Readonly<Record<string, ReadonlyArray<string>>>
  /** `tls`: TLS from the first byte. `starttls`: no login before STARTTLS. `none`: STARTTLS is possible. */
  readonly security: "none" | "starttls" | "tls"
  /** The certificate and its key in PEM. */
  readonly certificate: { readonly cert: string; readonly key: string }
  /** Capabilities that the server neither lists nor supports, such as `IDLE`. */
  readonly hide: ReadonlyArray<string>
}

/** Faults that a test sets. */
export interface Faults {
  /** The tagged response to logins; null for a normal response. */
  login: string | null
  /** The tagged responses to commands by name, such as `UID FETCH`. Each is sent once, in order. */
  readonly refuse: Map<string, Array<string>>
  /** The connection is cut after this number of sent bytes. */
  cutAfterBytes: number | null
  /** Whether the server sends nothing more. */
  isSilent: boolean
  /** The size in bytes that the server states for each mail; null: the real one. */
  statedBytes: number | null
}

/** A connection as the control by tests sees it. */
export interface OpenSession {
  readonly socket: Socket
  readonly isIdling: boolean
}

/** All state of a stand-in. */
export class StandInState {
  readonly options: StandInOptions
  readonly accounts: ReadonlyMap<string, StoredAccount>
  readonly sessions = new Set<OpenSession>()
  readonly faults: Faults = { login: null, refuse: new Map(), cutAfterBytes: null, isSilent: false, statedBytes: null }
  /** The received commands without arguments, in order. */
  readonly commands: Array<string> = []
  readonly idleWatchers = new Set<() => void>()

  constructor(options: StandInOptions) {
    this.options = options
    this.accounts = new Map(Object.keys(options.accounts).map((name) => [name, new StoredAccount(options.folders)]))
  }

  /** Returns the capabilities (RFC 3501, section 7.2.1) of a connection. */
  capabilities(isSecure: boolean, isLoggedIn: boolean): string {
    const { hide, security } = this.options
    const mustUpgrade = security === "starttls" && !isSecure
    const login = mustUpgrade ? ["LOGINDISABLED"] : ["AUTH=PLAIN", "AUTH=XOAUTH2", "SASL-IR"]
    const before = isSecure ? login : ["STARTTLS", ...login]
    const after = "IDLE NAMESPACE SPECIAL-USE UIDPLUS MOVE CONDSTORE QRESYNC UTF8=ACCEPT".split(" ")
    const all = ["IMAP4rev1", "ID", "ENABLE", "LITERAL+", ...(isLoggedIn ? after : before)]
    return all.filter((name) => !hide.includes(name)).join(" ")
  }

  has(capability: string): boolean {
    return !this.options.hide.includes(capability)
  }
}
