import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { webhooks } from "@leadloom/client"

/** The deliveries that the receiver got for one tenant. */
export interface Received {
  /** The event ids in the order of their first delivery. */
  readonly ids: Array<string>
  readonly known: Set<string>
  /** The number of deliveries that repeat an earlier one. */
  repeated: number
  /** The number of deliveries with an invalid signature. */
  unverified: number
}

/** A webhook receiver like that of a partner. It rejects deliveries without a valid signature. */
export interface Receiver {
  /** The receiver URL of a tenant. */
  readonly urlOf: (tenantId: string) => string
  /** `127.0.0.1:port`, for the allowed hosts of the server. */
  readonly host: string
  readonly trust: (tenantId: string, secret: string) => void
  readonly of: (tenantId: string) => Received
  /** Returns a free port of this machine. */
  readonly freePort: () => Promise<number>
  readonly close: () => void
}

const freePort = async (): Promise<number> => {
  const server = createServer()
  const port = await listen(server)
  const closed = Promise.withResolvers<void>()
  server.close(() => closed.resolve())
  await closed.promise
  return port
}

const listen = async (server: Server): Promise<number> => {
  const listening = Promise.withResolvers<void>()
  server.listen(0, "127.0.0.1", () => listening.resolve())
  await listening.promise
  return (server.address() as AddressInfo).port
}

/**
 * Starts a receiver on a free port. `now` returns the simulated time, which determines whether signatures have expired.
 */
export const startReceiver = async (now: () => number): Promise<Receiver> => {
  const secrets = new Map<string, string>()
  const received = new Map<string, Received>()
  const of = (tenantId: string): Received => {
    const there = received.get(tenantId) ?? { ids: [], known: new Set<string>(), repeated: 0, unverified: 0 }
    received.set(tenantId, there)
    return there
  }
  const server = createServer(async (request, response) => {
    const chunks: Array<Uint8Array> = []
    for await (const chunk of request) chunks.push(chunk)
    const tenantId = (request.url ?? "").slice(1)
    const mine = of(tenantId)
    try {
      const body = Buffer.concat(chunks)
      const event = await webhooks.verify(body, request.headers, secrets.get(tenantId) ?? "", { now: now() })
      if (mine.known.has(event.event_id)) mine.repeated += 1
      else mine.ids.push(event.event_id)
      mine.known.add(event.event_id)
      response.writeHead(204).end()
    } catch {
      mine.unverified += 1
      response.writeHead(401).end()
    }
  })
  const host = `127.0.0.1:${await listen(server)}`
  return {
    urlOf: (tenantId) => `http://${host}/${tenantId}`,
    host,
    trust: (tenantId, secret) => void secrets.set(tenantId, secret),
    of,
    freePort,
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
