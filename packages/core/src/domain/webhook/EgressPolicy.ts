import { TaggedError } from "../TaggedError.ts"
import { type EgressHost, readHost } from "./EgressHost.ts"

/** The server refuses to send requests to this URL of a tenant. */
export class EgressRefused extends TaggedError("EgressRefused")<{
  /**
   * The error and its correction, for the tenant. The text contains no address that the tenant does not already know.
   */
  readonly reason: string
}> {}

/** A host and port to which the operator permits plain HTTP and private addresses. */
export interface AllowedHost {
  /** The host in the format of `EgressHost`. */
  readonly host: string
  readonly port: number
}

/** The rules for requests to URLs that tenants set. */
export interface EgressPolicy {
  /** The permitted exceptions. All other hosts must be public and use HTTPS. */
  readonly allowHosts: ReadonlyArray<AllowedHost>
}

/** The policy without exceptions. */
export const publicOnly: EgressPolicy = { allowHosts: [] }

/** Returns true when the operator permits this host and port. */
export const isAllowed = (policy: EgressPolicy, { text }: EgressHost, port: number): boolean =>
  policy.allowHosts.some((each) => each.port === port && each.host === text)

const readEntry = (entry: string): AllowedHost | string => {
  if (entry.includes("/")) return `"${entry}" is a URL: write only host and port, for example receiver.internal:8080`
  const [, host, digits] = /^(.*?):(\d{1,5})$/su.exec(entry) ?? []
  const port = Number(digits)
  if (host === undefined || (host.startsWith("[") && !host.endsWith("]"))) {
    return `"${entry}" has no port: write it like receiver.internal:8080 or [fd00::1]:8080`
  }
  if (port < 1 || port > 65_535) return `"${entry}" has an invalid port: use a number from 1 to 65535`
  if (host.includes("*")) return `"${entry}" has a wildcard: list each host`
  const read = readHost(host)
  return "mistake" in read ? `"${entry}": ${read.mistake}` : { host: read.text, port }
}

/**
 * Parses the operator's exceptions: `host:port` separated by commas, with IPv6 addresses in brackets. Also returns the
 * errors of invalid entries.
 */
export const parseAllowHosts = (
  text: string
): { readonly hosts: ReadonlyArray<AllowedHost>; readonly mistakes: ReadonlyArray<string> } => {
  const read = text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .map(readEntry)
  return {
    hosts: read.filter((each) => typeof each !== "string"),
    mistakes: read.filter((each) => typeof each === "string")
  }
}
