import { Context } from "effect"
import { type EgressHost, innerName, readHost } from "../webhook/EgressHost.ts"
import { isPublicAddress } from "../webhook/EgressAddress.ts"
import { type EgressPolicy, isAllowed } from "../webhook/EgressPolicy.ts"
import type { MailServer } from "./MailServer.ts"

/** The protocols of the two servers of a mailbox. */
export type MailProtocol = "imap" | "smtp"

/**
 * The privileged ports of mail servers: RFC 8314 section 3, RFC 6409 section 3.1, RFC 3501 section 2.1, and 25, which
 * some hosters offer for submission. Unprivileged ports are permitted too.
 */
const privilegedPorts: Readonly<Record<MailProtocol, ReadonlyArray<number>>> = {
  imap: [993, 143],
  smtp: [465, 587, 25]
}

const minUnprivilegedPort = 1_024

const isMailPort = (protocol: MailProtocol, port: number): boolean =>
  privilegedPorts[protocol].includes(port) || port >= minUnprivilegedPort

/** The hosts that the operator permits as mail servers in addition to public ones (`LEADLOOM_MAILBOX_ALLOW_HOSTS`). */
export class MailHosts extends Context.Service<MailHosts, EgressPolicy>()("core/domain/mailbox/MailHosts") {}

/** A permitted mail server. */
export interface PermittedHost {
  /** A name in lower case, or an address without brackets. */
  readonly host: string
  /** True for a host that the operator permits. Its addresses are not checked. Others must be public. */
  readonly isAllowed: boolean
}

/** A server that is not permitted. `reason` states the correction, and no fact about the network. */
export interface RefusedHost {
  readonly field: "host" | "port" | "security"
  readonly reason: string
}

const refuse = (field: RefusedHost["field"], reason: string): RefusedHost => ({
  field,
  reason: `${reason} The operator can permit single hosts with LEADLOOM_MAILBOX_ALLOW_HOSTS.`
})

/** Returns the reason why a host cannot be public; null if it may be public. */
const notPublic = ({ kind, text }: EgressHost): string | null => {
  if (kind === "name") return innerName(text)
  return isPublicAddress(text) ? null : "The address is not public. Use a public one."
}

/**
 * Checks a mail server that a tenant sets. It must be public, use a port of mail servers, and encrypt the connection.
 * None of this applies to hosts that the operator permits. The addresses of a name are checked at each connection.
 */
export const checkMailServer = (
  { host: written, port, security }: MailServer,
  protocol: MailProtocol,
  policy: EgressPolicy
): PermittedHost | RefusedHost => {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    return { field: "port", reason: "The port is invalid. Use a number from 1 to 65535." }
  }
  const host = readHost(written.includes(":") && !written.startsWith("[") ? `[${written}]` : written)
  if ("mistake" in host) return { field: "host", reason: host.mistake.replace("The URL", "The server") }
  if (isAllowed(policy, host, port)) return { host: host.text, isAllowed: true }
  const reason = notPublic(host)
  if (reason !== null) return refuse("host", reason)
  if (!isMailPort(protocol, port)) {
    return refuse(
      "port",
      `Port ${port} is not a port of mail servers. Use one of ${privilegedPorts[protocol].join(", ")}.`
    )
  }
  if (security === "none") return refuse("security", "A connection without TLS is not allowed. Use tls or starttls.")
  return { host: host.text, isAllowed: false }
}
