/**
 * A stand-in of the HighLevel API for tests of the connector and the server. It covers only the endpoints that Leadloom
 * uses. Tests: `packages/connectors/test/highlevel`.
 */
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http"
import { contacts } from "./StandInContacts.ts"
import { madeId, problem, type SeenRequest, type StandInAnswer, type StandInState } from "./StandInState.ts"
import { agencyRoutes, tokenRoute } from "./StandInTokens.ts"

/** A provider event in the form of the webhook request. */
export interface SignedProviderEvent {
  readonly body: Uint8Array<ArrayBuffer>
  /** The value of `x-ghl-signature`. */
  readonly signature: string
}

/** The fault of the next request. `lost`: the request is carried out, but the connection breaks before the response. */
export type StandInFault = "lost" | StandInAnswer

/** A small HighLevel for tests: real HTTP, data in memory, and configurable faults. */
export interface HighLevelStandIn {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  readonly publicKeyPem: string
  readonly state: StandInState
  /** All requests with their responses, in order. */
  readonly exchanges: ReadonlyArray<{ readonly request: SeenRequest; readonly answer: StandInAnswer }>
  /** Simulates a person who chooses a location or an agency. Returns the code in the redirect of the browser. */
  readonly choose: (locationId: string) => string
  readonly fault: (fault: StandInFault) => void
  /** Creates a provider event with a new id. Its time is `timestamp`, by default now. */
  readonly providerEvent: (type: string, fields: object, timestamp: number) => SignedProviderEvent
  readonly close: () => Promise<void>
}

/** HighLevel's response 429, which has no `Retry-After`. */
export const tooMany: StandInAnswer = {
  ...problem(429, "Too Many Requests"),
  headers: { "x-ratelimit-interval-milliseconds": "10000", "x-ratelimit-max": "100", "x-ratelimit-remaining": "0" }
}

const readText = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}

const seenOf = (request: IncomingMessage, text: string): SeenRequest => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://stand.in")
  return {
    method: request.method ?? "",
    path: decodeURIComponent(pathname),
    query: searchParams,
    headers: request.headers,
    text
  }
}

const answerOf = (state: StandInState, request: SeenRequest): StandInAnswer => {
  const [area, ...steps] = request.path.split("/").slice(1)
  if (request.path === "/oauth/token" && request.method === "POST") return tokenRoute(state, request)
  const token = /^Bearer (.+)$/u.exec(String(request.headers["authorization"] ?? ""))?.[1] ?? ""
  const locationId = state.accessTokens.get(token)
  if (locationId === undefined) return problem(401, "Invalid token: access token is invalid", "Unauthorized")
  if (request.headers["version"] !== "2021-07-28") return problem(401, "version header was not found.")
  if (area === "contacts") return contacts(state, locationId, request, steps)
  const lent = area === "oauth" ? agencyRoutes(state, locationId, request) : null
  return lent ?? problem(404, `Cannot ${request.method} ${request.path}`)
}

/** Returns HighLevel's headers with the remaining requests of the day. */
const allowed = ({ leftToday }: StandInState): Readonly<Record<string, string>> =>
  leftToday === null ? {} : { "x-ratelimit-limit-daily": "200000", "x-ratelimit-daily-remaining": String(leftToday) }

const listener =
  (
    state: StandInState,
    faults: Array<StandInFault>,
    onExchange: (request: SeenRequest, answer: StandInAnswer) => void
  ): RequestListener =>
  async (incoming, response) => {
    const request = seenOf(incoming, await readText(incoming))
    const fault = faults.shift()
    const answer = fault === undefined || fault === "lost" ? answerOf(state, request) : fault
    onExchange(request, answer)
    if (fault === "lost") response.destroy()
    else
      response
        .writeHead(answer.status, { "content-type": "application/json", ...allowed(state), ...answer.headers })
        .end(JSON.stringify(answer.json))
  }

const newState = (): StandInState => ({
  clientId: "client-1",
  clientSecret: "client-secret-1",
  codes: new Map(),
  accessTokens: new Map(),
  refreshTokens: new Map(),
  agencies: new Map(),
  contacts: new Map(),
  notes: [],
  tasks: [],
  enrolled: new Set(),
  leftToday: null,
  counter: 0
})

const signed = (key: KeyObject, providerEvent: object): SignedProviderEvent => {
  const body = new TextEncoder().encode(JSON.stringify(providerEvent))
  return { body, signature: sign(null, body, key).toString("base64") }
}

const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

/** Starts a HighLevel stand-in on a free port. */
export const startHighLevel = async (): Promise<HighLevelStandIn> => {
  const state = newState()
  const { privateKey, publicKey } = generateKeyPairSync("ed25519")
  const faults: Array<StandInFault> = []
  const exchanges: Array<{ readonly request: SeenRequest; readonly answer: StandInAnswer }> = []
  const server = createServer(listener(state, faults, (request, answer) => exchanges.push({ request, answer })))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    clientId: state.clientId,
    clientSecret: state.clientSecret,
    publicKeyPem: publicKey.export({ type: "spki", format: "pem" }).toString(),
    state,
    exchanges,
    choose: (locationId) => {
      const code = madeId(state, "code")
      state.codes.set(code, locationId)
      return code
    },
    fault: (fault) => void faults.push(fault),
    providerEvent: (type, fields, timestamp) =>
      signed(privateKey, {
        type,
        ...fields,
        timestamp: new Date(timestamp).toISOString(),
        webhookId: madeId(state, "webhook")
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
