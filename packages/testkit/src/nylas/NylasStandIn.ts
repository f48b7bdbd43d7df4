/**
 * A stand-in of the Nylas v3 API for tests of the connector and the server. It covers only the endpoints that Leadloom
 * uses. Tests: `packages/connectors/test/nylas`.
 */
import { createHmac } from "node:crypto"
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http"
import { type StandInFault, StandInFaults } from "./StandInFaults.ts"
import {
  madeId,
  put,
  type StandInAnswer,
  type StandInDelivery,
  type StandInGrant,
  type StandInMessage
} from "./StandInMailbox.ts"
import { answer, grantOf, type SeenRequest, signIn, type StandInWorld } from "./StandInRoutes.ts"

/** A provider event in the form of the webhook request. */
export interface SignedProviderEvent {
  readonly body: Uint8Array<ArrayBuffer>
  /** The value of `x-nylas-signature`. */
  readonly signature: string
}

/** A small Nylas v3 for tests: real HTTP, data in memory, and configurable faults. */
export interface NylasStandIn {
  readonly url: string
  readonly apiKey: string
  readonly clientId: string
  readonly redirectUri: string
  readonly webhookSecret: string
  /** All received requests, in order. */
  readonly requests: ReadonlyArray<SeenRequest>
  /**
   * Simulates an owner who signs in. Returns the code in the redirect of the browser. The same address always has the
   * same grant id.
   */
  readonly signIn: (email: string, provider?: StandInGrant["provider"]) => string
  /** Returns the account of an address, if it exists. */
  readonly grant: (email: string) => StandInGrant | undefined
  /** Returns an account after sign-in and code exchange. */
  readonly connected: (email: string, provider?: StandInGrant["provider"]) => StandInGrant
  readonly deliver: (grant: StandInGrant, mail: StandInDelivery) => StandInMessage
  /** Queues a fault. Faults apply in the order of these calls. */
  readonly fault: (fault: StandInFault) => void
  /** Releases all hanging requests. */
  readonly release: () => void
  /** Completes after this many requests. */
  readonly until: (count: number) => Promise<void>
  /** `changes` replaces fields of the whole provider event. */
  readonly signedProviderEvent: (type: string, object: object, changes?: object) => SignedProviderEvent
  readonly close: () => Promise<void>
}

const readText = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const write = (response: ServerResponse, { bytes, headers = {}, json, status }: StandInAnswer): void => {
  const body = bytes ?? Buffer.from(json === undefined ? "" : JSON.stringify(json))
  const type = bytes === undefined ? "application/json" : "application/octet-stream"
  response.writeHead(status, { "content-type": type, ...headers }).end(body)
}

const seenOf = (request: IncomingMessage, text: string): SeenRequest => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://stand.in")
  const { headers, method = "" } = request
  return { method, path: pathname, query: searchParams, headers, text, json: parsed(text) }
}

const listener =
  (world: StandInWorld, faults: StandInFaults, onRequest: (seen: SeenRequest) => void): RequestListener =>
  async (request, response) => {
    const seen = seenOf(request, await readText(request))
    onRequest(seen)
    const answered = await faults.respond(seen, (withholding) => answer(world, seen, withholding))
    if (answered === "drop") response.destroy()
    else if (!response.destroyed) write(response, answered)
  }

const connected = (world: StandInWorld, email: string, provider?: StandInGrant["provider"]): StandInGrant => {
  world.codes.delete(signIn(world, email, provider))
  const grant = grantOf(world, email)
  if (grant === undefined) throw new Error(`${email} has not signed in`)
  grant.valid = true
  return grant
}

const signed = (secret: string, providerEvent: object): SignedProviderEvent => {
  const body = new TextEncoder().encode(JSON.stringify(providerEvent))
  return { body, signature: createHmac("sha256", secret).update(body).digest("hex") }
}

const newWorld = (): StandInWorld => ({
  apiKey: madeId("nyk_v0_secret_"),
  clientId: madeId("client-"),
  redirectUri: "https://leadloom.example/email/callback",
  grants: new Map(),
  codes: new Map()
})

/** Starts a Nylas stand-in on a free port. */
export const startNylas = async (): Promise<NylasStandIn> => {
  const world = newWorld()
  const { apiKey, clientId, redirectUri } = world
  const webhookSecret = madeId("webhook-secret-")
  const faults = new StandInFaults()
  const requests: Array<SeenRequest> = []
  const watchers = new Set<() => void>()
  const server = createServer(
    listener(world, faults, (seen) => {
      requests.push(seen)
      watchers.forEach((watcher) => watcher())
    })
  )
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const event = {
    specversion: "1.0",
    source: "/google/emails/realtime",
    time: 1_795_220_000,
    webhook_delivery_attempt: 1
  }
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    apiKey,
    clientId,
    redirectUri,
    webhookSecret,
    requests,
    signIn: (email, provider) => signIn(world, email, provider),
    grant: (email) => grantOf(world, email),
    connected: (email, provider) => connected(world, email, provider),
    deliver: put,
    fault: (fault) => faults.add(fault),
    release: () => faults.release(),
    until: (count) =>
      new Promise((resolve) => {
        const look = (): void => void (requests.length >= count && resolve())
        watchers.add(look)
        look()
      }),
    signedProviderEvent: (type, object, changes = {}) =>
      signed(webhookSecret, {
        ...event,
        type,
        id: madeId("evt-"),
        data: { application_id: clientId, object },
        ...changes
      }),
    close: () =>
      new Promise((resolve) => {
        faults.release()
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
