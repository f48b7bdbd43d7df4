import * as http from "node:http"
import * as https from "node:https"
import { isIP, type LookupFunction, Socket } from "node:net"
import { isPublicAddress } from "@leadloom/core/webhook/EgressAddress"
import { EgressRefused } from "@leadloom/core/webhook/EgressPolicy"
import type { EgressUrl } from "@leadloom/core/webhook/EgressUrl"
import type { Resolve } from "./Resolve.ts"

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
  readonly agentFor: (url: EgressUrl) => http.Agent
  /** Ends every connection. */
  readonly close: () => void
}

/**
 * More than workers ever have under way. Many receivers share a host (those of integration platforms do), and a bound that
 * the slow ones among them fill would hold up all others.
 */
const usualConnections = 4_096
/** Unused ones are ended beyond it. */
const unusedPerHost = 256
const usualIdle = 15_000
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
class PublicAgent extends https.Agent {
  override createConnection(
    ...[options, callback]: Parameters<https.Agent["createConnection"]>
  ): ReturnType<https.Agent["createConnection"]> {
    const host = options.host ?? ""
    if (isIP(host) === 0 || isPublicAddress(host)) return super.createConnection(options, callback)
    // The socket is never looked at where there is an error.
    const none = new Socket()
    callback?.(refusal(), none)
    return null
  }
}

/**
 * Connections that are reused, a pool for each host and port. `resolvePublic` serves everybody and is checked,
 * `resolveHere` the operator's exceptions. No proxy is used, whatever the environment says: it would connect unchecked.
 */
export const guardedAgents = (
  resolvers: { readonly public: Resolve; readonly here: Resolve },
  options: AgentOptions = {}
): GuardedAgents => {
  const pool = {
    keepAlive: true,
    maxSockets: options.connectionsPerHost ?? usualConnections,
    maxFreeSockets: unusedPerHost,
    timeout: options.idleMillis ?? usualIdle,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressAfter
  }
  const tls = {
    // Said explicitly, so that no variable of the environment turns it off.
    rejectUnauthorized: true,
    ...(options.trust === undefined ? {} : { ca: [options.trust].flat() })
  }
  const here = guardedLookup(resolvers.here, () => true)
  const everybody = new PublicAgent({ ...pool, ...tls, lookup: guardedLookup(resolvers.public, isPublicAddress) })
  const exceptions = {
    secure: new https.Agent({ ...pool, ...tls, lookup: here }),
    plain: new http.Agent({ ...pool, lookup: here })
  }
  return {
    agentFor: ({ allowed, secure }) => {
      if (!allowed) return everybody
      return secure ? exceptions.secure : exceptions.plain
    },
    close: () => [everybody, exceptions.secure, exceptions.plain].forEach((agent) => agent.destroy())
  }
}
