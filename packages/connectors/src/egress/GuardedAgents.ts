import { isIP, type LookupFunction, Socket } from "node:net"
import { isPublicAddress } from "@leadloom/core/internal/domain/webhook/EgressAddress"
import { EgressRefused } from "@leadloom/core/internal/domain/webhook/EgressPolicy"
import type { EgressUrl } from "@leadloom/core/internal/domain/webhook/EgressUrl"
import { buildConnector, Client, type Dispatcher, Pool } from "undici"
import { Exchange, type Usage } from "./Exchange.ts"
import { Pools } from "./Pools.ts"
import type { Resolve } from "./Resolve.ts"
import { withoutContinue } from "./WithoutContinue.ts"

/** Options of the connection pools. */
export interface AgentOptions {
  /** The maximum number of concurrent connections per host and port; further requests wait. Default: 4,096. */
  readonly connectionsPerHost?: number
  /** The lifetime of an idle connection in milliseconds. Default: 15 s. */
  readonly idleMillis?: number
  /** Trusted certificates in PEM, which replace those of Node.js. */
  readonly trust?: string | ReadonlyArray<string>
}

/** The connection pools for URLs that tenants configure. */
export interface GuardedAgents {
  /** Returns the pool that may connect to a URL checked with `checkUrl`. */
  readonly agentFor: (url: EgressUrl) => Dispatcher
  /** Closes every connection, including those being established. */
  readonly close: () => Promise<void>
}

/**
 * This limit exceeds the number of concurrent deliveries of all workers. Many receivers share a host, for example on
 * integration platforms. A lower limit would let slow receivers on such a host block the other receivers.
 */
const defaultMaxConnections = 4_096
const defaultIdleMillis = 15_000
/** The timeout for a new connection in milliseconds; longer than any request timeout. */
const connectMillis = 16_000
/** The maximum size of the response header in bytes. */
const maxHeaderSize = 16_384
/**
 * The time in milliseconds after which the next address of a host is tried. A connection between continents typically
 * takes 300 ms.
 */
const nextAddressAfter = 1_500

const refusal = (): EgressRefused =>
  new EgressRefused({
    reason: "The host has an address that is not public. Its name must resolve to public addresses only."
  })

/**
 * Resolves a name for one connection and permits only checked addresses. A separate lookup for the check would be
 * unsafe, because the lookup of the connection could return other addresses (DNS rebinding). One rejected address
 * rejects the name, because the connection may use any of the addresses.
 */
export const guardedLookup =
  (resolve: Resolve, isFine: (address: string) => boolean): LookupFunction =>
  (name, options, callback) => {
    const done = (error: Error | null, addresses: ReadonlyArray<string>): void => {
      const all = addresses.map((address) => ({ address, family: isIP(address) }))
      const [first] = all
      if (error !== null || first === undefined) return callback(error ?? new Error(`${name} has no address`), "", 4)
      return options.all === true ? callback(null, all) : callback(null, first.address, first.family)
    }
    resolve(name).then(
      (addresses) => (addresses.every(isFine) ? done(null, addresses) : done(refusal(), [])),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), [])
    )
  }

/** A literal address needs no lookup, so it is checked here. */
const toPublic =
  (connect: buildConnector.connector): buildConnector.connector =>
  (options, callback) => {
    const { hostname, protocol } = options
    if (protocol === "https:" && (isIP(hostname) === 0 || isPublicAddress(hostname))) return connect(options, callback)
    return queueMicrotask(() => callback(refusal(), null))
  }

/**
 * A connection with one request at a time. Each exchange gets the state of the connection, which shows whether the
 * connection has been used before.
 */
class Connection extends Client {
  readonly #usage: Usage = { used: false }

  constructor(origin: URL, options: Client.Options) {
    super(origin, options)
    this.on("connect", () => void (this.#usage.used = false))
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (handler instanceof Exchange) handler.usage = this.#usage
    return super.dispatch(options, handler)
  }
}

const agentOf = (connect: buildConnector.connector, { connectionsPerHost, idleMillis }: AgentOptions): Pools => {
  const idle = idleMillis ?? defaultIdleMillis
  // The caller enforces the timeout of the whole request.
  const bounds = { headersTimeout: 0, bodyTimeout: 0, maxHeaderSize }
  const options = { ...bounds, connect, allowH2: false, keepAliveTimeout: idle, keepAliveMaxTimeout: idle }
  const factory = (origin: URL): Dispatcher => new Connection(origin, options)
  const connections = connectionsPerHost ?? defaultMaxConnections
  return new Pools((origin) => new Pool(origin, { ...options, connections, factory }))
}

/**
 * Creates pools of reused connections, one per host and port. The resolver `public` serves the hosts of tenants; its
 * addresses are checked. The resolver `here` serves the hosts that the operator permits. Proxy settings of the
 * environment are ignored, because a proxy would connect without the check.
 */
export const guardedAgents = (
  resolvers: { readonly public: Resolve; readonly here: Resolve },
  options: AgentOptions = {}
): GuardedAgents => {
  /**
   * Sockets that are still connecting. They belong to no pool yet, so `close` destroys them here. A shared abort signal
   * would leak memory, because Node.js does not remove the listeners of sockets from such a signal.
   */
  const making = new Set<Socket>()
  const connector = (lookup: LookupFunction): buildConnector.connector => {
    const connect = buildConnector({
      lookup,
      allowH2: false,
      timeout: connectMillis,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: nextAddressAfter,
      // The option is explicit, so that no environment variable can disable the verification of certificates.
      rejectUnauthorized: true,
      ...(options.trust === undefined ? {} : { ca: [options.trust].flat() })
    })
    return (requested, callback) => {
      // The types of `undici` do not declare the returned socket.
      const begun: unknown = connect(requested, (error, socket) => {
        if (begun instanceof Socket) making.delete(begun)
        return error === null ? callback(null, withoutContinue(socket)) : callback(error, null)
      })
      if (begun instanceof Socket) making.add(begun)
    }
  }
  const everybody = agentOf(toPublic(connector(guardedLookup(resolvers.public, isPublicAddress))), options)
  const exceptions = agentOf(connector(guardedLookup(resolvers.here, () => true)), options)
  return {
    agentFor: ({ allowed }) => (allowed ? exceptions : everybody),
    close: async () => {
      await Promise.all([everybody.destroyAll(), exceptions.destroyAll()])
      for (const socket of making) socket.destroy(new Error("The server closes its connections."))
    }
  }
}
