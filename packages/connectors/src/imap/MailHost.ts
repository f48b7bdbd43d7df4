import { isPublicAddress } from "@leadloom/core/internal/domain/webhook/EgressAddress"
import { type EgressPolicy, EgressRefused } from "@leadloom/core/internal/domain/webhook/EgressPolicy"
import { checkMailServer, type MailProtocol } from "@leadloom/core/internal/domain/mailbox/MailHostPolicy"
import type { MailServer } from "@leadloom/core/internal/domain/mailbox/MailServer"
import { isIP, type LookupFunction } from "node:net"
import { createSecureContext, type SecureContext } from "node:tls"
import { guardedLookup } from "../egress/GuardedAgents.ts"
import { type Resolve, resolveHere, resolvePublic } from "../egress/Resolve.ts"

/** The rules for connections to mail servers that tenants name. */
export interface MailHostOptions {
  /** The hosts and ports to which the operator permits unprotected connections and private addresses. */
  readonly policy: EgressPolicy
  /** The resolver for public hosts; its results are checked. Default: the name servers of this machine. */
  readonly resolve?: Resolve
  /** Trusted certificates in PEM, which replace those of Node.js. */
  readonly trust?: string | ReadonlyArray<string>
}

/** A mail server whose host, port and security are permitted. */
export interface CheckedMailHost {
  /** A name in lower case or an address without brackets. */
  readonly host: string
  /** Resolves the name for one connection, and permits only checked addresses (DNS rebinding). */
  readonly lookup: LookupFunction
  /** The TLS options. They verify the certificate. */
  readonly tls: { readonly rejectUnauthorized: true; readonly secureContext: SecureContext }
}

/** The contexts by options. Without them, each connection has a context of its own of about 25 KiB. */
const contexts = new WeakMap<MailHostOptions, SecureContext>()

const contextOf = (options: MailHostOptions): SecureContext => {
  const known = contexts.get(options)
  if (known !== undefined) return known
  const trust = options.trust === undefined ? {} : { ca: [options.trust].flat() }
  const context = createSecureContext({ minVersion: "TLSv1.2", ...trust })
  contexts.set(options, context)
  return context
}

/**
 * Checks a mail server that a tenant names. The host must be public and the connection must use TLS. Hosts that the
 * operator permits may have any address and security.
 */
export const checkMailHost = (
  options: MailHostOptions,
  server: MailServer,
  protocol: MailProtocol
): CheckedMailHost | EgressRefused => {
  const checked = checkMailServer(server, protocol, options.policy)
  if ("reason" in checked) return new EgressRefused({ reason: checked.reason })
  return {
    host: checked.host,
    lookup: checked.isAllowed
      ? guardedLookup(resolveHere, () => true)
      : guardedLookup(options.resolve ?? resolvePublic(), isPublicAddress),
    tls: {
      // The option is explicit, so that no environment variable can disable the verification of certificates.
      rejectUnauthorized: true,
      secureContext: contextOf(options)
    }
  }
}

/**
 * Returns one checked address of a mail server, for clients that accept no `lookup` function. The client must connect
 * to this address, and verify the certificate for the host. Rejects like the lookup of the connection would.
 */
export const addressOf = ({ host, lookup }: CheckedMailHost): Promise<string> =>
  isIP(host) > 0
    ? Promise.resolve(host)
    : new Promise((resolve, reject) => {
        lookup(host, { all: false }, (error, address) => (error === null ? resolve(String(address)) : reject(error)))
      })
