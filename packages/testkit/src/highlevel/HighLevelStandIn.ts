import { generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http"
import { contacts } from "./StandInContacts.ts"
import { madeId, problem, type SeenRequest, type StandInAnswer, type StandInState } from "./StandInState.ts"
import { agencyRoutes, tokenRoute } from "./StandInTokens.ts"

/** A provider event as it would be posted to us. */
export interface SignedProviderEvent {
  readonly body: Uint8Array<ArrayBuffer>
  /** Goes into `x-ghl-signature`. */
  readonly signature: string
}

/** What happens to the next request instead of an answer; `lost`: it is done, and the connection breaks. */
export type StandInFault = "lost" | StandInAnswer

/** A small HighLevel for tests: real HTTP, everything in memory, and moods. */
export interface HighLevelStandIn {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  readonly publicKeyPem: string
  readonly state: StandInState
  /** Everything that came with what it was answered, in its order. */
  readonly exchanges: ReadonlyArray<{ readonly request: SeenRequest; readonly answer: StandInAnswer }>
  /** Somebody chooses a location, or an agency: the code that his browser brings back. */
  readonly choose: (locationId: string) => string
  readonly fault: (fault: StandInFault) => void
  /** A provider event of now, or of `timestamp`, under an id of its own. */
  readonly providerEvent: (type: string, fields: object, timestamp: number) => SignedProviderEvent
  readonly close: () => Promise<void>
}

/** 429 as HighLevel says it: without `Retry-After`. */
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

/** What is left of the day, in HighLevel's headers. */
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

/** Starts a HighLevel of one's own on a free port. */
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
