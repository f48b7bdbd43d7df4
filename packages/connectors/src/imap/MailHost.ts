import { innerName, readHost } from "@leadloom/core/internal/domain/webhook/EgressHost"
import { isPublicAddress } from "@leadloom/core/internal/domain/webhook/EgressAddress"
import { type EgressPolicy, EgressRefused, isAllowed } from "@leadloom/core/internal/domain/webhook/EgressPolicy"
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

/** The privileged ports of IMAP and SMTP (RFC 8314, RFC 6409, RFC 5321). */
const mailPorts = [25, 143, 465, 587, 993]

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

/** Returns the reason why a server cannot be public; null if it may be public. */
const notPublic = ({ port, security }: MailServer, host: string, isName: boolean): string | null => {
  if (security === "none") return "A connection without TLS is not allowed. Use tls or starttls."
  if (!mailPorts.includes(port) && port < 1_024) {
    return `Port ${port} is not allowed. Use 993 or 143 for IMAP, 465 or 587 for SMTP.`
  }
  if (isName) return innerName(host)
  return isPublicAddress(host) ? null : "The address is not public. Use a public one."
}

/**
 * Checks a mail server that a tenant names. The host must be public and the connection must use TLS. Hosts that the
 * operator permits may have any address and security.
 */
export const checkMailHost = (options: MailHostOptions, server: MailServer): CheckedMailHost | EgressRefused => {
  if (!Number.isInteger(server.port) || server.port < 1 || server.port > 65_535) {
    return new EgressRefused({ reason: "The port is invalid. Use a number from 1 to 65535." })
  }
  const host = readHost(server.host)
  if ("mistake" in host) return new EgressRefused({ reason: host.mistake.replace("The URL", "The server") })
  const isPermitted = isAllowed(options.policy, host, server.port)
  const reason = isPermitted ? null : notPublic(server, host.text, host.kind === "name")
  if (reason !== null) return new EgressRefused({ reason: `${reason} The operator can permit single hosts.` })
  return {
    host: host.text,
    lookup: isPermitted
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
