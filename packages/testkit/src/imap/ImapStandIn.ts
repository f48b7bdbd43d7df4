import { once } from "node:events"
import { createServer, type Server } from "node:net"
import { createServer as createTlsServer } from "node:tls"
import { certificate, certificateKey } from "../mail/Certificate.ts"
import { serveImap } from "./ImapConnection.ts"
import type { StoredAccount } from "./MailStore.ts"
import { type Faults, type StandInOptions, StandInState } from "./StandInState.ts"

/** The folders of an account unless a test states others. */
export const standInFolders: StandInOptions["folders"] = {
  INBOX: [],
  Sent: ["\\Sent"],
  Archive: ["\\Archive"],
  Junk: ["\\Junk"],
  Trash: ["\\Trash"],
  Drafts: ["\\Drafts"]
}

/** A running IMAP server and its control by tests. */
export interface ImapStandIn {
  readonly port: number
  readonly faults: Faults
  /** The received commands without arguments, in order. */
  readonly commands: ReadonlyArray<string>
  /** The number of open connections. */
  readonly connections: () => number
  /** Returns the folders of an account, to deliver, flag, expunge and renumber mails. */
  readonly account: (username: string) => StoredAccount
  /** Closes all connections without a response. */
  readonly cut: () => void
  /** Completes when this number of clients IDLE. */
  readonly untilIdle: (clients?: number) => Promise<void>
  readonly close: () => Promise<void>
}

const listen = async (server: Server): Promise<number> => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

/** Starts an IMAP server on a free port of 127.0.0.1. Its certificate is valid for `localhost` and 127.0.0.1. */
export const startImapStandIn = async (options: Partial<StandInOptions> = {}): Promise<ImapStandIn> => {
  const state = new StandInState({
    accounts: { "sales@example.com": "secret" },
    folders: standInFolders,
    security: "none",
    certificate: { cert: certificate, key: certificateKey },
    hide: [],
    ...options
  })
  const isTls = state.options.security === "tls"
  const server = isTls
    ? createTlsServer(state.options.certificate, (socket) => serveImap(state, socket))
    : createServer((socket) => serveImap(state, socket))
  const port = await listen(server)
  const cut = (): void => state.sessions.forEach(({ socket }) => socket.destroy())
  return {
    port,
    faults: state.faults,
    commands: state.commands,
    connections: () => state.sessions.size,
    account: (username) => {
      const found = state.accounts.get(username)
      if (found === undefined) throw new Error(`the stand-in has no account ${username}`)
      return found
    },
    cut,
    untilIdle: (clients = 1) =>
      new Promise((resolve) => {
        const look = (): void => {
          if ([...state.sessions].filter(({ isIdling }) => isIdling).length < clients) return
          state.idleWatchers.delete(look)
          resolve()
        }
        state.idleWatchers.add(look)
        look()
      }),
    close: () =>
      new Promise((resolve) => {
        cut()
        server.close(() => resolve())
      })
  }
}
