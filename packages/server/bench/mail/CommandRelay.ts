/** A port that forwards IMAP without TLS to a server, and records the commands of the client. */
import { connect, createServer, type Socket } from "node:net"
import { once } from "node:events"

/** A command, the time at which it passed the relay, in milliseconds, and the bytes from the server until then. */
export interface RelayedCommand {
  readonly name: string
  readonly at: number
  readonly received: number
}

/** A running relay. */
export interface CommandRelay {
  readonly port: number
  /** The commands of all connections, in order. */
  readonly commands: Array<RelayedCommand>
  /** Ends all connections. New ones are possible. */
  readonly cut: () => void
  readonly close: () => Promise<void>
}

/** A tag and a command, and the second word of UID commands (RFC 3501, section 2.2.1). */
const commandPattern = /^[0-9A-Z]+ (UID [A-Z]+|[A-Z]+)/u

export const startCommandRelay = async (target: number): Promise<CommandRelay> => {
  const commands: Array<RelayedCommand> = []
  const sockets = new Set<Socket>()
  let received = 0
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket
      .setNoDelay(true)
      .on("error", () => socket.destroy())
      .on("close", () => void sockets.delete(socket))
  }
  const record = (chunk: Buffer): void => {
    // The client sends each command in one piece, and one command at a time.
    const [, name] = commandPattern.exec(chunk.toString("latin1")) ?? []
    if (name !== undefined) commands.push({ name, at: performance.now(), received })
  }
  const server = createServer((client) => {
    const upstream = keep(connect(target, "127.0.0.1"))
    keep(client).on("data", record).pipe(upstream)
    upstream.on("data", (chunk: Buffer) => void (received += chunk.length)).pipe(client)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const cut = (): void => sockets.forEach((socket) => socket.destroy())
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    commands,
    cut,
    close: async () => {
      const ended = once(server, "close")
      server.close()
      cut()
      await ended
    }
  }
}
