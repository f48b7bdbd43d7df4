import { type IncomingMessage, Server, type ServerOptions, type ServerResponse } from "node:http"
import type { Socket } from "node:net"

/**
 * An HTTP server whose `close` ends every connection without an unfinished request. Node.js ends only connections that
 * have already sent a complete request, and stops checking its timeouts. It then waits for a connection that a client
 * has opened in advance, or that has sent half of a request, until the client closes it.
 */
export class StoppableServer extends Server {
  /** The open connections, with the number of their unfinished requests. */
  readonly #connections = new Map<Socket, number>()

  constructor(options: ServerOptions) {
    super(options)
    this.on("connection", (socket) => {
      this.#connections.set(socket, 0)
      socket.once("close", () => this.#connections.delete(socket))
    })
  }

  /** Keeps the connection of a request open until its response has ended. Call it for every request. */
  keepOpen({ socket }: IncomingMessage, response: ServerResponse): void {
    this.#count(socket, 1)
    response.once("close", () => this.#count(socket, -1))
  }

  #count(socket: Socket, change: number): void {
    const unfinished = this.#connections.get(socket)
    if (unfinished !== undefined) this.#connections.set(socket, unfinished + change)
  }

  override close(callback?: (error?: Error) => void): this {
    super.close(callback)
    for (const [socket, unfinished] of this.#connections) if (unfinished === 0) socket.destroy()
    return this
  }
}
