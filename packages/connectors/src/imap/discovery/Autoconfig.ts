import type { DiscoveredServers } from "@leadloom/core/internal/port/provider/Mailboxes"
import type { MailServer } from "@leadloom/core/internal/domain/mailbox/MailServer"
import { Parser } from "htmlparser2"

/** The servers of an autoconfig file, without its origin. */
export type FoundServers = Omit<DiscoveredServers, "origin">

/** One `incomingServer` or `outgoingServer` while it is read. */
interface ServerElement {
  readonly element: string
  readonly type: string
  readonly fields: Map<string, string>
}

/** The maximum number of elements. A file of a provider has about 50. */
const maxElements = 2_000
/** The maximum length of the text of one element, in characters. */
const maxTextLength = 500
const fieldNames = new Set(["hostname", "port", "sockettype", "username"])

/** Reads the server elements. The parser expands no entities, and the caller limits the size of the file. */
const serversOf = (xml: string): ReadonlyArray<ServerElement> => {
  const servers: Array<ServerElement> = []
  let current: ServerElement | null = null
  let field: string | null = null
  let elements = 0
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        elements += 1
        if (elements > maxElements) return parser.pause()
        const element = name.toLowerCase()
        if (element === "incomingserver" || element === "outgoingserver") {
          current = { element, type: (attributes["type"] ?? "").toLowerCase(), fields: new Map() }
          servers.push(current)
        }
        field = fieldNames.has(element) && current !== null ? element : null
      },
      ontext: (text) => {
        if (current === null || field === null) return
        const before = current.fields.get(field) ?? ""
        if (before.length < maxTextLength) current.fields.set(field, before + text)
      },
      onclosetag: (name) => {
        field = null
        const element = name.toLowerCase()
        if (element === "incomingserver" || element === "outgoingserver") current = null
      }
    },
    { xmlMode: true, decodeEntities: false }
  )
  parser.write(xml)
  return servers
}

const securities: Readonly<Record<string, MailServer["security"]>> = { ssl: "tls", tls: "tls", starttls: "starttls" }

/** Replaces the placeholders of the format. */
const fill = (text: string, email: string): string => {
  const at = email.lastIndexOf("@")
  return text
    .replaceAll("%EMAILADDRESS%", email)
    .replaceAll("%EMAILLOCALPART%", email.slice(0, at))
    .replaceAll("%EMAILDOMAIN%", email.slice(at + 1))
    .trim()
}

/** Returns a server with an encrypted connection; null for others, which passwords must not cross. */
const readServer = ({ fields }: ServerElement, email: string): MailServer | null => {
  const host = fill(fields.get("hostname") ?? "", email).toLowerCase()
  const port = Number(fields.get("port")?.trim())
  const security = securities[(fields.get("sockettype") ?? "").trim().toLowerCase()]
  const isValid = /^[a-z0-9._-]{1,253}$/u.test(host) && Number.isInteger(port) && port > 0 && port < 65_536
  return isValid && security !== undefined ? { host, port, security } : null
}

const firstOf = (servers: ReadonlyArray<ServerElement>, element: string, type: string, email: string) => {
  for (const each of servers) {
    const server = each.element === element && each.type === type ? readServer(each, email) : null
    if (server !== null) return { server, username: fill(each.fields.get("username") ?? "", email) }
  }
  return null
}

/**
 * Reads an autoconfig file of Thunderbird (`config-v1.1.xml`,
 * https://wiki.mozilla.org/Thunderbird:Autoconfiguration:ConfigFileFormat). Returns its first encrypted IMAP and SMTP
 * servers, or null if one of them is missing.
 */
export const readAutoconfig = (xml: string, email: string): FoundServers | null => {
  const servers = serversOf(xml)
  const imap = firstOf(servers, "incomingserver", "imap", email)
  const smtp = firstOf(servers, "outgoingserver", "smtp", email)
  if (imap === null || smtp === null) return null
  const username = imap.username === "" || imap.username.includes("%") ? email : imap.username
  return { imap: imap.server, smtp: smtp.server, username }
}
