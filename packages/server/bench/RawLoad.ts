/** Sends HTTP requests over plain sockets. A full HTTP client would need more CPU time than the measured servers. */
import { connect, type Socket } from "node:net"

/** A request as text. */
export const requestText = (method: string, path: string, as: string | null, body?: unknown): string => {
  const text = body === undefined ? "" : JSON.stringify(body)
  const credential = as === null ? "" : `authorization: Bearer ${as}\r\n`
  const content =
    body === undefined ? "" : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n`
  return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${credential}${content}\r\n${text}`
}

const statusPattern = /^HTTP\/1\.1 (\d{3})/u
const lengthPattern = /\r\ncontent-length: (\d+)/iu

/** Returns the length of the first complete answer in a text of single bytes, or 0. */
const answerLength = (text: string): number => {
  const head = text.indexOf("\r\n\r\n")
  if (head < 0) return 0
  const length = lengthPattern.exec(text.slice(0, head))?.[1]
  if (length === undefined) {
    const end = text.indexOf("0\r\n\r\n", head)
    return end < 0 ? 0 : end + 5
  }
  const end = head + 4 + Number(length)
  return text.length < end ? 0 : end
}

/** Sends one request and resolves to its status. */
const exchange = (socket: Socket, request: string): Promise<number> =>
  new Promise((resolve, reject) => {
    let received = ""
    const settle = (finish: () => void): void => {
      socket.off("data", read).off("error", fail).off("close", closed)
      finish()
    }
    const read = (chunk: Buffer): void => {
      received += chunk.toString("latin1")
      if (answerLength(received) > 0) settle(() => resolve(Number(statusPattern.exec(received)?.[1] ?? 0)))
    }
    const fail = (error: Error): void => settle(() => reject(error))
    const closed = (): void => settle(() => reject(new Error("the server closed the connection")))
    socket.on("data", read).on("error", fail).on("close", closed)
    socket.write(request)
  })

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => resolve(socket))
    socket.once("error", reject)
  })

/** The connections to a server. Each call opens its own, because a server closes idle connections. */
export interface RawLoad {
  /** Sends this many requests, each connection one at a time. Resolves to the number of answers by status. */
  readonly send: (count: number, requestOf: (index: number) => string) => Promise<ReadonlyMap<number, number>>
  /**
   * Sends requests at a fixed rate, independent of the answers, and resolves to the milliseconds from the due time of
   * each request to its answer. A request waits if all connections are busy.
   */
  readonly sendAt: (
    perSecond: number,
    count: number,
    requestOf: (index: number) => string
  ) => Promise<ReadonlyArray<number>>
}

/** Runs a sender on each of several connections. */
const onEach = async (port: number, connections: number, sender: (socket: Socket) => Promise<void>): Promise<void> => {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  try {
    await Promise.all(sockets.map(sender))
  } finally {
    sockets.forEach((socket) => socket.destroy())
  }
}

/** Returns the load of a number of connections. */
export const makeLoad = (port: number, connections: number): RawLoad => ({
  send: async (count, requestOf) => {
    const statuses = new Map<number, number>()
    let next = 0
    await onEach(port, Math.min(connections, count), async (socket) => {
      while (next < count) {
        const status = await exchange(socket, requestOf(next++))
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    })
    return statuses
  },
  sendAt: async (perSecond, count, requestOf) => {
    const millis: Array<number> = []
    let next = 0
    let begun = Number.NaN
    await onEach(port, Math.min(connections, count), async (socket) => {
      if (Number.isNaN(begun)) begun = performance.now()
      while (next < count) {
        const index = next++
        const due = begun + (index * 1_000) / perSecond
        const wait = due - performance.now()
        if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
        await exchange(socket, requestOf(index))
        millis.push(performance.now() - due)
      }
    })
    return millis
  }
})
