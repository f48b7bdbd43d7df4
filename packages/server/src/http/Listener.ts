import { randomBytes } from "node:crypto"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { minBodyRate, watchBodyRate } from "./BodyRate.ts"
import { coalesceBody, maxTinyChunks, minMeanChunkBytes } from "./CoalescedBody.ts"
import { timeoutSecondsOf } from "./middleware/Bounds.ts"
import { envelopeText } from "./error/Failure.ts"
import { StoppableServer } from "./StoppableServer.ts"
import { systemCode } from "../startup/StartupFailed.ts"

const headersOf = (body: string): Readonly<Record<string, string>> => ({
  "content-type": "application/json",
  "content-length": String(Buffer.byteLength(body)),
  "x-content-type-options": "nosniff",
  "x-request-id": `req_${randomBytes(12).toString("hex")}`,
  connection: "close"
})

/**
 * Answers a request before the application is attached and after it is detached. Otherwise the client would get no
 * response.
 */
const answerUnready = (response: ServerResponse, reason: string | null): void => {
  const message = reason ?? "The server is starting or stopping. Try again in a few seconds."
  const body = envelopeText({ status: 503, message })
  response.writeHead(503, { ...headersOf(body), "retry-after": "1" })
  response.end(body)
}

const malformed = {
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request did not arrive in time. Send it again."],
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "The request headers are too large."]
} as const

const isNamed = (code: string): code is keyof typeof malformed => Object.hasOwn(malformed, code)

/** Writes an error to the socket and ends its writable side. */
const answerOnSocket = (socket: Duplex, status: string, message: string): void => {
  const body = envelopeText({ status: 400, message })
  const headers = Object.entries(headersOf(body)).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${status}\r\n${headers.join("\r\n")}\r\n\r\n${body}`)
}

/** Answers invalid HTTP on the socket, because it never becomes a request. */
const answerMalformed = (error: Error, socket: Duplex): void => {
  if (!socket.writable || systemCode(error) === "ECONNRESET") {
    socket.destroy()
    return
  }
  const code = systemCode(error)
  const [status, message] = isNamed(code)
    ? malformed[code]
    : ["400 Bad Request", "The data is not a valid HTTP request."]
  answerOnSocket(socket, status, message)
}

/**
 * Answers a request with an unknown expectation. The only valid expectation is `100-continue` (RFC 9110 section
 * 10.1.1).
 */
const answerExpectation = (_: IncomingMessage, response: ServerResponse): void => {
  const body = envelopeText({
    status: 400,
    message: "The header Expect has an unsupported value. The only supported value is 100-continue."
  })
  response.writeHead(417, headersOf(body))
  response.end(body)
}

/**
 * The additional time for the response in milliseconds, beyond the timeout of a request. It also limits the time for
 * which a body may still arrive after the response.
 */
const graceMillis = 10_000

/** Returns the time within which a whole request must arrive. It depends on the URL. */
const arrivalMillis = (url: string): number => timeoutSecondsOf(url.split("?", 1)[0] ?? "") * 1_000 + graceMillis

/** Returns whether a body follows the headers (RFC 9112, section 6.3). */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"

/**
 * Reads and drops the bytes of a connection without parsing them, until the client closes it or `graceMillis` pass. A
 * close with unread bytes would reset the connection, and the client would lose the response.
 */
const dropRest = (socket: Socket): void => {
  socket.resume()
  // The parser is still in the callback of a chunk, and `resume` takes effect in the next tick. `node:http` parses no
  // more when a new listener gets the data.
  process.nextTick(() => socket.removeAllListeners("data").on("data", () => undefined))
  const bound = setTimeout(() => socket.destroy(), graceMillis).unref()
  socket.once("close", () => clearTimeout(bound))
}

/**
 * Rejects a body in tiny chunks on the socket, because the application may already read the body. It learns of the
 * rejection when the connection closes.
 */
const refuseTinyChunks = ({ socket }: IncomingMessage, response: ServerResponse): void => {
  // A pipelined response that waits for an earlier one has no socket.
  if (response.headersSent || response.socket === null) {
    socket.destroy()
    return
  }
  answerOnSocket(
    socket,
    "400 Bad Request",
    `The body has more than ${maxTinyChunks} chunks with a mean size of less than ${minMeanChunkBytes} bytes. Send larger chunks, for example of 16 KiB, or send the body with Content-Length.`
  )
  dropRest(socket)
}

/** Closes the connection if a body arrives too slowly, or still arrives after the response. */
const boundArrival = (request: IncomingMessage, response: ServerResponse, millis: number): void => {
  if (request.complete || request.destroyed) return
  const letGo = (): void => {
    if (!request.complete) request.socket.destroy()
  }
  const bound = setTimeout(letGo, millis).unref()
  watchBodyRate(request, minBodyRate, letGo)
  const boundRest = (): void => {
    if (!request.complete) setTimeout(letGo, Math.min(millis, graceMillis)).unref()
  }
  if (response.writableFinished) boundRest()
  else response.on("finish", boundRest)
  request.on("close", () => clearTimeout(bound))
}

/**
 * Creates the HTTP server. Limits the rate and duration of arriving requests before the application reads them. The
 * time limit of a body depends on its path (`timeoutSecondsOf`), up to hours for an archive. The minimum rate always
 * applies. Before the application is attached, requests receive 503 with the reason from `reasonOf`. `seen` is called
 * with every request before its response.
 */
export const makeListener = (
  reasonOf: () => string | null = () => null,
  arrivalOf: (url: string) => number = arrivalMillis,
  seen: ((request: IncomingMessage, response: ServerResponse) => void) | null = null
): Server => {
  const server = new StoppableServer({
    headersTimeout: 10_000,
    // This is the largest limit of all paths. `boundArrival` applies the limit of the individual request.
    requestTimeout: arrivalMillis("/api/v1/tenants/any/import"),
    connectionsCheckingInterval: 2_000,
    // Longer than the idle timeout of usual load balancers (60 s), so that the balancer closes an idle connection first.
    // Otherwise it may send a request on a connection that the server is closing, and answers 502.
    keepAliveTimeout: 65_000,
    maxHeaderSize: 16_384
  })
  server.on("checkExpectation", answerExpectation)
  // Node.js emits a separate event for a request with `Expect: 100-continue`, which needs the same limits.
  for (const event of ["request", "checkContinue"] as const) {
    server.on(event, (request: IncomingMessage, response: ServerResponse) => {
      server.keepOpen(request, response)
      if (hasBody(request)) {
        coalesceBody(request, Number(request.headers["content-length"]), () => refuseTinyChunks(request, response))
        const millis = arrivalOf(request.url ?? "")
        // Most bodies arrive with their headers and are complete after this turn of the event loop, so they need no
        // timers.
        setImmediate(() => boundArrival(request, response, millis))
      }
      seen?.(request, response)
      if (server.listenerCount(event) === 1) {
        answerUnready(response, reasonOf())
        return
      }
      // A stopping server waits until its connections are closed. The connection is therefore closed after each
      // response, because a busy client would keep it open.
      response.on("finish", () => {
        if (!server.listening) request.socket.end()
      })
    })
  }
  server.on("clientError", answerMalformed)
  return server
}
