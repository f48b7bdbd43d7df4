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

/** Connections to a server. */
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
  readonly close: () => void
}

/** Opens connections. */
export const openLoad = async (port: number, connections: number): Promise<RawLoad> => {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const sendAt: RawLoad["sendAt"] = async (perSecond, count, requestOf) => {
    const begun = performance.now()
    const millis: Array<number> = []
    let next = 0
    await Promise.all(
      sockets.map(async (socket) => {
        while (next < count) {
          const index = next++
          const due = begun + (index * 1_000) / perSecond
          const wait = due - performance.now()
          if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
          await exchange(socket, requestOf(index))
          millis.push(performance.now() - due)
        }
      })
    )
    return millis
  }
  return {
    send: async (count, requestOf) => {
      const statuses = new Map<number, number>()
      let next = 0
      await Promise.all(
        sockets.map(async (socket) => {
          while (next < count) {
            const status = await exchange(socket, requestOf(next++))
            statuses.set(status, (statuses.get(status) ?? 0) + 1)
          }
        })
      )
      return statuses
    },
    sendAt,
    close: () => sockets.forEach((socket) => socket.destroy())
  }
}
