import { Context } from "effect"
import { innerName, readHost } from "../webhook/EgressHost.ts"
import { isPublicAddress } from "../webhook/EgressAddress.ts"
import { type EgressPolicy, isAllowed } from "../webhook/EgressPolicy.ts"
import type { MailServer } from "./MailServer.ts"

/** The protocols of the two servers of a mailbox. */
export type MailProtocol = "imap" | "smtp"

/**
 * The ports of mail servers outside the network: RFC 8314 section 3, RFC 6409 section 3.1, RFC 3501 section 2.1, and
 * 25 and 2525, which many hosters offer for submission. Other ports would make the server a port scanner.
 */
export const mailPorts: Readonly<Record<MailProtocol, ReadonlyArray<number>>> = {
  imap: [993, 143],
  smtp: [465, 587, 25, 2525]
}

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

const operatorMayPermit = "The operator can permit it with LEADLOOM_MAILBOX_ALLOW_HOSTS."

/**
 * Checks a mail server that a tenant sets. It must be public, use a port of mail servers, and encrypt the connection.
 * None of this applies to hosts that the operator permits. The addresses of a name are checked at each connection.
 */
export const checkMailServer = (
  { host: written, port, security }: MailServer,
  protocol: MailProtocol,
  policy: EgressPolicy
): PermittedHost | RefusedHost => {
  const host = readHost(written.includes(":") && !written.startsWith("[") ? `[${written}]` : written)
  if ("mistake" in host) return { field: "host", reason: "This is not a host name. Send a name such as imap.example.com." }
  if (isAllowed(policy, host, port)) return { host: host.text, isAllowed: true }
  const isInner = host.kind === "name" ? innerName(host.text) !== null : !isPublicAddress(host.text)
  if (isInner) return { field: "host", reason: `This host is not public. ${operatorMayPermit}` }
  if (!mailPorts[protocol].includes(port)) {
    const ports = mailPorts[protocol].join(", ")
    return { field: "port", reason: `Port ${port} is not a port of mail servers. Use one of ${ports}. ${operatorMayPermit}` }
  }
  if (security === "none") {
    return { field: "security", reason: `A connection without encryption is not permitted. Use tls or starttls. ${operatorMayPermit}` }
  }
  return { host: host.text, isAllowed: false }
}
