import { Data } from "effect"
import { type EgressHost, readHost } from "./EgressHost.ts"

/** A URL of a tenant's that this server does not call. */
export class EgressRefused extends Data.TaggedError("EgressRefused")<{
  /** For the tenant: what is wrong and what to do. Names no address that the tenant did not name. */
  readonly reason: string
}> {}

/** A host and port that the operator vouches for: plain HTTP and private addresses are fine there. */
export interface AllowedHost {
  /** As `EgressHost` writes it. */
  readonly host: string
  readonly port: number
}

/** Where requests may go whose URL a tenant has set. */
export interface EgressPolicy {
  /** Exceptions; everybody else has to be public and speak HTTPS. */
  readonly allowHosts: ReadonlyArray<AllowedHost>
}

/** Without exceptions. */
export const publicOnly: EgressPolicy = { allowHosts: [] }

/** Whether the operator has made an exception. */
export const isAllowed = (policy: EgressPolicy, { text }: EgressHost, port: number): boolean =>
  policy.allowHosts.some((each) => each.port === port && each.host === text)

const readEntry = (entry: string): AllowedHost | string => {
  if (entry.includes("/")) return `"${entry}" is a URL: write host and port only, like receiver.internal:8080`
  const [, host, digits] = /^(.*?):(\d{1,5})$/su.exec(entry) ?? []
  const port = Number(digits)
  if (host === undefined || (host.startsWith("[") && !host.endsWith("]"))) {
    return `"${entry}" has no port: write it like receiver.internal:8080 or [fd00::1]:8080`
  }
  if (port < 1 || port > 65_535) return `"${entry}" has no port from 1 to 65535`
  if (host.includes("*")) return `"${entry}" has a wildcard: name every host`
  const read = readHost(host)
  return "mistake" in read ? `"${entry}": ${read.mistake}` : { host: read.text, port }
}

/** Reads exceptions, `host:port` separated by commas, an IPv6 address in brackets; and what is wrong with the others. */
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
