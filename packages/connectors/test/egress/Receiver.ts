import * as http from "node:http"
import * as https from "node:https"
import { type AddressInfo, createServer, type Server, type Socket } from "node:net"
import { certificate, certificateKey } from "@leadloom/testkit/mail/Certificate"

/** A request as the receiver saw it. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}

/** A receiver on this machine. */
export interface Receiver {
  readonly port: number
  readonly requests: Array<Received>
  /** Returns the number of connections opened so far. */
  readonly connections: () => number
  readonly close: () => Promise<void>
}

type Answer = (request: Received, response: http.ServerResponse, socket: Socket) => void

const listening = async (server: Server | http.Server, requests: Array<Received>): Promise<Receiver> => {
  const sockets = new Set<Socket>()
  let opened = 0
  server.on("connection", (socket: Socket) => {
    opened++
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
    socket.on("error", () => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    connections: () => opened,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        sockets.forEach((socket) => socket.destroy())
      })
  }
}

/** Starts a scripted web server, over TLS for `localhost` or without TLS. */
export const receiver = (answer: Answer, secure = false): Promise<Receiver> => {
  const requests: Array<Received> = []
  const handle: http.RequestListener = (request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const { headers, method = "", url = "" } = request
      const received = { method, path: url, headers, body: Buffer.concat(chunks).toString("utf8") }
      requests.push(received)
      answer(received, response, request.socket)
    })
  }
  const server = secure
    ? https.createServer({ key: certificateKey, cert: certificate }, handle)
    : http.createServer(handle)
  return listening(server, requests)
}

/** Starts a TCP server that is not a web server. `greet` handles its connections. */
export const listener = (greet: (socket: Socket) => void): Promise<Receiver> => listening(createServer(greet), [])
