import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"

/** A TCP proxy for Postgres. It can refuse connections like a stopped database, or stop forwarding data. */
export interface DatabaseProxy {
  /** The URL of the database through the proxy. */
  readonly url: string
  readonly open: () => void
  /** Closes all connections and rejects new ones. */
  readonly shut: () => void
  /** Keeps connections open but forwards nothing, as if the machine of the database were lost. */
  readonly swallow: () => void
  /** Returns the number of round trips: how often a client sent data after it had received some. */
  readonly trips: () => number
  readonly close: () => Promise<void>
}

/** Starts a proxy to the database of a URL. It forwards data until `shut` or `swallow` is called. */
export const makeDatabaseProxy = async (target: string): Promise<DatabaseProxy> => {
  const behind = new URL(target)
  const sockets = new Set<Socket>()
  let state: "open" | "shut" | "swallowing" = "open"
  let trips = 0
  /** The connections whose client waits for the database. */
  const waiting = new WeakSet<Socket>()
  const join = (from: Socket, to: Socket): void => {
    sockets.add(from)
    from.on("data", (chunk) => state === "swallowing" || to.write(chunk))
    from.on("error", () => to.destroy())
    from.on("close", () => {
      sockets.delete(from)
      to.destroy()
    })
  }
  const server = createServer((near) => {
    if (state === "shut") return void near.destroy()
    const far = connect(Number(behind.port), behind.hostname)
    join(near, far)
    join(far, near)
    near.on("data", () => {
      if (!waiting.has(near)) trips += 1
      waiting.add(near)
    })
    far.on("data", () => void waiting.delete(near))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const url = new URL(target)
  url.hostname = "127.0.0.1"
  if (typeof address === "object" && address !== null) url.port = String(address.port)
  const cut = (): void => sockets.forEach((socket) => socket.destroy())
  return {
    url: url.href,
    trips: () => trips,
    open: () => void (state = "open"),
    shut: () => {
      state = "shut"
      cut()
    },
    swallow: () => void (state = "swallowing"),
    close: async () => {
      cut()
      server.close()
      await once(server, "close")
    }
  }
}
