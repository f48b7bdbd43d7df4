import { isIP, type LookupFunction, Socket } from "node:net"
import { isPublicAddress } from "@leadloom/core/domain/webhook/EgressAddress"
import { EgressRefused } from "@leadloom/core/domain/webhook/EgressPolicy"
import type { EgressUrl } from "@leadloom/core/domain/webhook/EgressUrl"
import { buildConnector, Client, type Dispatcher, Pool } from "undici"
import { Exchange, type Usage } from "./Exchange.ts"
import { Pools } from "./Pools.ts"
import type { Resolve } from "./Resolve.ts"
import { withoutContinue } from "./WithoutContinue.ts"

/** How connections are kept. */
export interface AgentOptions {
  /** Connections to one host and port at once; further requests wait for one. Default: 4,096. */
  readonly connectionsPerHost?: number
  /** How long an unused connection is kept, milliseconds. Default: 15 s. */
  readonly idleMillis?: number
  /** Certificates in PEM that are trusted instead of those that Node.js comes with. */
  readonly trust?: string | ReadonlyArray<string>
}

/** Connections for URLs that tenants set. */
export interface GuardedAgents {
  /** The one that may connect to a URL that `checkUrl` gave. */
  readonly agentFor: (url: EgressUrl) => Dispatcher
  /** Ends every connection, also those that are being made. */
  readonly close: () => Promise<void>
}

/**
 * More than workers ever have under way. Many receivers share a host (those of integration platforms do), and a bound that
 * the slow ones among them fill would hold up all others.
 */
const defaultMaxConnections = 4_096
const defaultIdleMillis = 15_000
/** How long a connection may be made for, milliseconds: longer than anybody waits for an answer. */
const connectMillis = 16_000
/** How much a receiver may say before its answer begins. */
const maxHeaderSize = 16_384
/** What one address of several may take to be connected to, milliseconds: half the world is 0.3 s away. */
const nextAddressAfter = 1_500

const refusal = (): EgressRefused =>
  new EgressRefused({
    reason: "The host has an address that is not public: its name has to lead to public addresses only."
  })

/**
 * Looks a name up for one connection and lets it go to the addresses that were checked, to no other: there is no second
 * look-up between check and connection that could say something else. One address that fails the check fails the name,
 * because which one is taken is up to chance.
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

/** An address in place of a name is not looked up, so it is checked here. */
const toPublic =
  (connect: buildConnector.connector): buildConnector.connector =>
  (options, callback) => {
    const { hostname, protocol } = options
    if (protocol === "https:" && (isIP(hostname) === 0 || isPublicAddress(hostname))) return connect(options, callback)
    return queueMicrotask(() => callback(refusal(), null))
  }

/** One connection at a time, which says of itself whether it has been used. */
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
  // How long all of a request may take is seen to by who sends it.
  const bounds = { headersTimeout: 0, bodyTimeout: 0, maxHeaderSize }
  const options = { ...bounds, connect, allowH2: false, keepAliveTimeout: idle, keepAliveMaxTimeout: idle }
  const factory = (origin: URL): Dispatcher => new Connection(origin, options)
  const connections = connectionsPerHost ?? defaultMaxConnections
  return new Pools((origin) => new Pool(origin, { ...options, connections, factory }))
}

/**
 * Connections that are reused, a pool for each host and port. `resolvePublic` serves everybody and is checked,
 * `resolveHere` the operator's exceptions. No proxy is used, whatever the environment says: it would connect unchecked.
 */
export const guardedAgents = (
  resolvers: { readonly public: Resolve; readonly here: Resolve },
  options: AgentOptions = {}
): GuardedAgents => {
  /**
   * Connections that are being made, which belong to no agent yet. Not a signal that all of them listen to: Node.js lets
   * a socket listen for ever, and so whoever gives the signal holds every socket there ever was.
   */
  const making = new Set<Socket>()
  const connector = (lookup: LookupFunction): buildConnector.connector => {
    const connect = buildConnector({
      lookup,
      allowH2: false,
      timeout: connectMillis,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: nextAddressAfter,
      // Said explicitly, so that no variable of the environment turns it off.
      rejectUnauthorized: true,
      ...(options.trust === undefined ? {} : { ca: [options.trust].flat() })
    })
    return (requested, callback) => {
      // The types say nothing of it.
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
