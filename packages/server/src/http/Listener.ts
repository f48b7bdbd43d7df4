import { randomBytes } from "node:crypto"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { minBodyRate, watchBodyRate } from "./BodyRate.ts"
import { coalesceBody } from "./CoalescedBody.ts"
import { timeoutSecondsOf } from "./middleware/Bounds.ts"
import { envelopeText } from "./error/Failure.ts"
import { systemCode } from "../startup/StartupFailed.ts"

const headersOf = (body: string): Readonly<Record<string, string>> => ({
  "content-type": "application/json",
  "content-length": String(Buffer.byteLength(body)),
  "x-content-type-options": "nosniff",
  "x-request-id": `req_${randomBytes(12).toString("hex")}`,
  connection: "close"
})

/** The application answers once it is attached; what comes before and after would otherwise wait for ever. */
const answerUnready = (response: ServerResponse, reason: string | null): void => {
  const message = reason ?? "The server is starting or stopping. Try again."
  const body = envelopeText({ status: 503, message })
  response.writeHead(503, { ...headersOf(body), "retry-after": "1" })
  response.end(body)
}

const malformed = {
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request did not arrive in time."],
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "The request's headers are too large."]
} as const

const isNamed = (code: string): code is keyof typeof malformed => Object.hasOwn(malformed, code)

/** What is no HTTP request never becomes one: the socket itself has to be answered. */
const answerMalformed = (error: Error, socket: Duplex): void => {
  if (!socket.writable || systemCode(error) === "ECONNRESET") {
    socket.destroy()
    return
  }
  const code = systemCode(error)
  const [status, message] = isNamed(code) ? malformed[code] : ["400 Bad Request", "This is not an HTTP request."]
  const body = envelopeText({ status: 400, message })
  const headers = Object.entries(headersOf(body)).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${status}\r\n${headers.join("\r\n")}\r\n\r\n${body}`)
}

/** RFC 9110 section 10.1.1: there is no expectation but `100-continue`. */
const answerExpectation = (_: IncomingMessage, response: ServerResponse): void => {
  const body = envelopeText({
    status: 400,
    message: "This server meets no expectation but 100-continue (header Expect)."
  })
  response.writeHead(417, headersOf(body))
  response.end(body)
}

/** Beyond the bound of a request, for its answer. */
const graceMillis = 10_000

/** How long the whole of a request may take to arrive, by its URL. */
const arrivalMillis = (url: string): number => timeoutSecondsOf(url.split("?", 1)[0] ?? "") * 1_000 + graceMillis

/** Whether a body follows the headers (RFC 9112, section 6.3). */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"

/** Lets go of who sends a body too slowly, and of who still sends one when it has been answered. */
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
 * A server with bounds on how slowly and how much a client may send before anything of ours sees it. A
 * body has the time that its path has (`timeoutSecondsOf`), hours where an archive is taken in, and never less than a rate. While nothing of ours sees
 * requests they are answered 503 with the reason, where there is one to tell. `seen` is told of every request before
 * it is answered.
 */
export const makeListener = (
  reasonOf: () => string | null = () => null,
  arrivalOf: (url: string) => number = arrivalMillis,
  seen: ((request: IncomingMessage, response: ServerResponse) => void) | null = null
): Server => {
  const server = createServer({
    headersTimeout: 10_000,
    // The longest of all; each request has a bound of its own.
    requestTimeout: arrivalMillis("/api/v1/tenants/any/import"),
    connectionsCheckingInterval: 2_000,
    keepAliveTimeout: 5_000,
    maxHeaderSize: 16_384
  })
  server.on("checkExpectation", answerExpectation)
  // Who asks first whether to send a body comes by an event of its own, and is no less bounded.
  for (const event of ["request", "checkContinue"] as const) {
    server.on(event, (request: IncomingMessage, response: ServerResponse) => {
      if (hasBody(request)) {
        coalesceBody(request, Number(request.headers["content-length"]))
        const millis = arrivalOf(request.url ?? "")
        // Most bodies come in one piece with their headers, and are complete by then: timers cost more than they do.
        setImmediate(() => boundArrival(request, response, millis))
      }
      seen?.(request, response)
      if (server.listenerCount(event) === 1) {
        answerUnready(response, reasonOf())
        return
      }
      // A stopping server waits for its connections; a busy client would hold it open by never letting one rest.
      response.on("finish", () => {
        if (!server.listening) request.socket.end()
      })
    })
  }
  server.on("clientError", answerMalformed)
  return server
}
