import type { Socket } from "node:net"
import { TLSSocket } from "node:tls"
import { folderCommands } from "./FolderCommands.ts"
import { type Command, ImapSession, Refusal } from "./ImapSession.ts"
import { CommandReader, type CommandParts, readTokens, textOf, type Token } from "./ImapSyntax.ts"
import { openCommands, sessionCommands } from "./LoginCommands.ts"
import { mailCommands } from "./MailCommands.ts"
import type { StandInState } from "./StandInState.ts"

const commandsOf = (session: ImapSession): Readonly<Record<string, Command>> =>
  session.account === null ? openCommands : { ...sessionCommands, ...folderCommands, ...mailCommands }

/** Returns the full name of a command, such as `UID FETCH`. */
const nameOf = (verb: string, args: ReadonlyArray<Token>): string =>
  verb === "UID" ? `UID ${textOf(args[0]).toUpperCase()}` : verb

const run = async (session: ImapSession, verb: string, args: ReadonlyArray<Token>): Promise<string> => {
  const name = nameOf(verb, args)
  session.state.commands.push(name)
  const refusal = session.state.faults.refuse.get(name)?.shift()
  if (refusal !== undefined) return refusal
  const command = commandsOf(session)[verb]
  if (command === undefined) return "BAD Unknown command"
  try {
    return await command(session, args)
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

/** Sequence numbers must not change during these commands (RFC 3501, section 7.4.1). */
const keepsNumbers = ["FETCH", "STORE", "SEARCH"]

class ImapConnection {
  readonly #state: StandInState
  readonly #session: ImapSession
  #turn: Promise<void> = Promise.resolve()

  constructor(state: StandInState, socket: Socket) {
    this.#state = state
    this.#session = new ImapSession(state, socket, socket instanceof TLSSocket)
    state.sessions.add(this.#session)
    this.#listen(socket)
    this.#session.untagged(`OK [CAPABILITY ${state.capabilities(this.#session.isSecure, false)}] Ready`)
  }

  #listen(socket: Socket): void {
    const session = this.#session
    session.socket = socket
    // A response consists of many small writes.
    socket.setNoDelay(true)
    const proceed = (): void => session.send("+ OK\r\n")
    const reader = new CommandReader(proceed, (parts) => this.#receive(parts))
    socket.on("data", (chunk: Buffer) => reader.push(chunk))
    socket.on("error", () => undefined)
    socket.on("close", () => {
      // The plain socket below TLS closes together with the TLS socket.
      session.select(null, true)
      this.#state.sessions.delete(session)
    })
  }

  #receive(parts: CommandParts): void {
    const session = this.#session
    if (session.onLine !== null) {
      const { onLine } = session
      session.onLine = null
      return onLine(String(parts[0]))
    }
    this.#turn = this.#turn.then(() => this.#answer(parts))
  }

  async #answer(parts: CommandParts): Promise<void> {
    const session = this.#session
    const [tag, verb, ...args] = readTokens(parts)
    const name = textOf(verb).toUpperCase()
    if (name === "STARTTLS" && this.#state.has("STARTTLS") && !session.isSecure) return this.#upgrade(textOf(tag))
    const completion = await run(session, name, args)
    session.flush(!keepsNumbers.includes(name))
    session.send(`${textOf(tag) || "*"} ${completion}\r\n`)
    if (name === "LOGOUT") session.socket.end()
  }

  #upgrade(tag: string): void {
    const session = this.#session
    const plain = session.socket
    this.#state.commands.push("STARTTLS")
    session.send(`${tag} OK Begin TLS\r\n`)
    plain.removeAllListeners("data")
    session.isSecure = true
    this.#listen(new TLSSocket(plain, { isServer: true, ...this.#state.options.certificate }))
  }
}

/** Serves a client until the connection ends. */
export const serveImap = (state: StandInState, socket: Socket): void => void new ImapConnection(state, socket)
