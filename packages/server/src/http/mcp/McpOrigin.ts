import { isIP } from "node:net"

/** Returns the host of a `Host` header without the port; null if it is invalid. */
const hostOf = (header: string): string | null => URL.parse(`http://${header}`)?.hostname ?? null

/** Returns whether a name cannot be registered by an attacker: an address, `localhost`, or a name without a dot. */
const isLocalName = (host: string): boolean =>
  isIP(host.replace(/^\[(.*)\]$/u, "$1")) !== 0 || !host.includes(".") || host.endsWith(".localhost")

/**
 * Returns the reason to reject a request because of DNS rebinding, in which a page of an attacker reaches this server
 * under a domain of the attacker; null if the request is acceptable. `Host` must be an address, a local name or the
 * host of `LEADLOOM_PUBLIC_URL`. `Origin` is sent by browsers and must be the origin of `LEADLOOM_PUBLIC_URL`. See
 * "Security" of the streamable HTTP transport (MCP 2025-06-18).
 */
export const rebindingReason = (
  headers: { readonly host?: string | undefined; readonly origin?: string | undefined },
  publicUrl: string | null
): string | null => {
  const known = publicUrl === null ? null : URL.parse(publicUrl)
  if (headers.origin !== undefined && headers.origin !== known?.origin)
    return "This origin is not permitted. Requests of browsers must come from LEADLOOM_PUBLIC_URL."
  if (headers.host === undefined) return null
  const host = hostOf(headers.host)
  if (host !== null && (isLocalName(host) || host === known?.hostname)) return null
  return "This host name is not permitted. Set LEADLOOM_PUBLIC_URL to the URL of this server."
}
