/**
 * A stand-in of the Stripe API for tests of the connector and the server. It covers only the endpoints that Leadloom
 * uses. Tests: `packages/connectors/test/stripe`.
 */
import { createHmac } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { reply, type StandInReply } from "./StripeRoutes.ts"
import { type Form, StripeWorld } from "./StripeWorld.ts"

/** A received request. */
export interface StripeRequest {
  readonly method: string
  readonly path: string
  /** The query of a GET request or the form of a POST request, as text. */
  readonly fields: string
  readonly headers: IncomingMessage["headers"]
}

/**
 * A fault of the next request. `drop` closes the connection before the request is carried out, and `lose` closes it
 * afterwards. A number is the status of the response.
 */
export interface StripeFault {
  readonly what: "drop" | "lose" | number
  /** Limits the fault to requests for this path. */
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: object
}

/** An event in the form of the webhook request. */
export interface SignedEvent {
  readonly body: string
  /** The value of `Stripe-Signature`. */
  readonly signature: string
}

/** A small Stripe for tests: real HTTP, data in memory, idempotency keys and configurable faults. */
export interface StripeStandIn {
  readonly url: string
  readonly secretKey: string
  readonly webhookSecret: string
  readonly world: StripeWorld
  readonly requests: ReadonlyArray<StripeRequest>
  /** Queues faults. They apply in this order. */
  readonly fault: (...faults: ReadonlyArray<StripeFault>) => void
  /** `at` is the time of the signature in seconds. */
  readonly signed: (event: object, at?: number) => SignedEvent
  readonly close: () => Promise<void>
}

interface Kept {
  readonly request: string
  readonly answer: StandInReply
}

const secretKey = "sk_test_of_the_stand_in"
const webhookSecret = "whsec_of_the_stand_in"

const readText = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}

const write = (response: ServerResponse, { json, status }: StandInReply, headers: object = {}): void =>
  void response
    .writeHead(status, { "content-type": "application/json", "request-id": "req_1", ...headers })
    .end(JSON.stringify(json))

const problem = (type: string, message: string, code?: string) => ({
  error: { type, message, ...(code === undefined ? {} : { code }) }
})

/** Signs an event as Stripe does. */
export const signStripeEvent = (secret: string, event: object, at: number): SignedEvent => {
  const body = JSON.stringify(event)
  const signature = createHmac("sha256", secret).update(`${at}.${body}`).digest("hex")
  return { body, signature: `t=${at},v1=${signature}` }
}

/** Parses the fields of a form, and adds numbers to list fields without one. */
const formOf = (fields: string): Form =>
  Object.fromEntries(
    [...new URLSearchParams(fields)].map(([name, value], index) => [name.replace(/\[\]$/u, `[${index}]`), value])
  )

/** Answers a request. A repeated key returns the stored response. Only successful responses are stored. */
const answer = (world: StripeWorld, kept: Map<string, Kept>, request: StripeRequest) => {
  const { authorization, "idempotency-key": key } = request.headers
  if (authorization !== `Bearer ${secretKey}`) {
    return { reply: { status: 401, json: problem("authentication_error", "Invalid API Key provided") }, headers: {} }
  }
  const text = `${request.method} ${request.path}?${request.fields}`
  const known = typeof key === "string" && request.method === "POST" ? kept.get(key) : undefined
  if (known !== undefined && known.request !== text) {
    return { reply: { status: 400, json: problem("idempotency_error", "Keys for idempotent requests …") }, headers: {} }
  }
  if (known !== undefined) return { reply: known.answer, headers: { "idempotent-replayed": "true" } }
  const form = formOf(request.fields)
  const answered = reply(world, request.method, request.path, form)
  if (typeof key === "string" && answered.status === 200) kept.set(key, { request: text, answer: answered })
  return { reply: answered, headers: {} }
}

/** Starts a Stripe stand-in on a free port. `now` returns seconds. */
export const startStripe = async (now: () => number = () => Math.floor(Date.now() / 1_000)): Promise<StripeStandIn> => {
  const requests: Array<StripeRequest> = []
  const faults: Array<StripeFault> = []
  const kept = new Map<string, Kept>()
  let url = ""
  const world = new StripeWorld(() => url, now)
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await readText(incoming)
    const { pathname, search } = new URL(incoming.url ?? "/", "http://stand.in")
    const { headers, method = "" } = incoming
    const request = { method, path: pathname, fields: method === "GET" ? search.slice(1) : text, headers }
    requests.push(request)
    const next = faults.findIndex(({ path = pathname }) => path === pathname)
    const [fault] = next < 0 ? [] : faults.splice(next, 1)
    if (fault?.what === "drop") return void response.destroy()
    if (typeof fault?.what === "number") {
      const json = fault.json ?? problem("api_error", "Something went wrong.")
      return write(response, { status: fault.what, json }, fault.headers)
    }
    const answered = answer(world, kept, request)
    if (fault?.what === "lose") return void response.destroy()
    write(response, answered.reply, answered.headers)
  }
  const server = createServer((incoming, response) => void serve(incoming, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
  return {
    url,
    secretKey,
    webhookSecret,
    world,
    requests,
    fault: (...added) => void faults.push(...added),
    signed: (event, at = now()) => signStripeEvent(webhookSecret, event, at),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
