import { connect, createServer, type Server, type Socket } from "node:net"
import { freePort } from "@leadloom/testkit/FreePort"

/** A port that forwards to another one while it is up, and refuses connections while it is down. */
export interface Relay {
  readonly port: number
  readonly up: () => Promise<void>
  readonly down: () => Promise<void>
}

/** Creates a relay that is down. */
export const makeRelay = async (target: number): Promise<Relay> => {
  const port = await freePort()
  const sockets = new Set<Socket>()
  let server: Server | null = null
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on("error", () => socket.destroy()).on("close", () => void sockets.delete(socket))
  }
  return {
    port,
    up: () =>
      new Promise((resolve) => {
        server = createServer((client) => {
          const upstream = keep(connect(target, "127.0.0.1"))
          keep(client).pipe(upstream).pipe(client)
        }).listen(port, "127.0.0.1", resolve)
      }),
    down: () =>
      new Promise((resolve) => {
        if (server === null) return resolve()
        server.close(() => resolve())
        server = null
        sockets.forEach((socket) => socket.destroy())
      })
  }
}
