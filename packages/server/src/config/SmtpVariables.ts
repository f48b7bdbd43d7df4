import { join } from "node:path"
import { defaultLimits, type SmtpLimits } from "@leadloom/connectors/internal/smtp/SmtpLimits"
import { proxyMistake } from "../http/middleware/ClientAddress.ts"
import type { Variables } from "./Variables.ts"

/** `trust-headers`: a mail server in front of this one verifies mail and records the results in the header. */
const authenticationModes = ["verify", "trust-headers", "off"] as const

export type MailAuthenticationMode = (typeof authenticationModes)[number]

/** The address and the limits of the SMTP listener. */
export interface MailListen {
  readonly host: string
  /** The port; 0 selects any free port. */
  readonly port: number
  /** The PEM files of certificate and key. If the value is null, STARTTLS is not offered. */
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null
  /** The limits that the operator has set. Other limits have the values of `defaultLimits`. */
  readonly limits: Partial<SmtpLimits>
  /**
   * The addresses and networks of the operator's own mail servers. The limits per client network do not apply to them.
   */
  readonly trustedNetworks: ReadonlyArray<string>
  /** The authentication of mail. */
  readonly authentication: MailAuthenticationMode
  /** The directory for the temporary files of mails that are being received. */
  readonly spoolDirectory: string
}

/** Parses `host:port`, with an IPv6 address in brackets; null if the text is invalid. */
const readPlace = (text: string): { readonly host: string; readonly port: number } | null => {
  const [, bracketed, plain, digits] = /^(?:\[([\da-f:.]+)\]|([^\s:[\]/@]+)):(\d{1,5})$/iu.exec(text) ?? []
  const host = bracketed ?? plain
  const port = Number(digits)
  return host === undefined || port > 65_535 ? null : { host, port }
}

const mebibyte = 1_048_576

/** Reads the limits. The parts of the spool that one network and one tenant may use grow with the size of the spool. */
const readLimits = ({ integer }: Variables): Partial<SmtpLimits> => {
  const spool = integer("LEADLOOM_SMTP_SPOOL_MIB", defaultLimits.spoolBytes / mebibyte, 64, 1_048_576) * mebibyte
  const part = (bytes: number): number =>
    Math.max(defaultLimits.mailBytes * 2, Math.floor((spool * bytes) / defaultLimits.spoolBytes))
  return {
    spoolBytes: spool,
    spoolBytesPerNetwork: part(defaultLimits.spoolBytesPerNetwork),
    spoolBytesPerTenant: part(defaultLimits.spoolBytesPerTenant),
    connections: integer("LEADLOOM_SMTP_CONNECTION_LIMIT", defaultLimits.connections, 1, 100_000),
    connectionsPerNetwork: integer(
      "LEADLOOM_SMTP_CLIENT_CONNECTION_LIMIT",
      defaultLimits.connectionsPerNetwork,
      1,
      100_000
    ),
    minDataRate: integer("LEADLOOM_SMTP_MIN_DATA_RATE", defaultLimits.minDataRate, 0, 1_000_000),
    mailsPerMinutePerTenant: integer(
      "LEADLOOM_SMTP_TENANT_MESSAGE_RATE",
      defaultLimits.mailsPerMinutePerTenant,
      1,
      1_000_000
    )
  }
}

const readTrustedNetworks = ({ text, wrong }: Variables): ReadonlyArray<string> => {
  const entries = (text("LEADLOOM_SMTP_TRUSTED_NETWORKS") ?? "").split(",").map((entry) => entry.trim().toLowerCase())
  const given = entries.filter((entry) => entry !== "")
  for (const entry of given) {
    const mistake = proxyMistake(entry)
    if (mistake !== null) wrong("LEADLOOM_SMTP_TRUSTED_NETWORKS", `is wrong: ${mistake}`, null)
  }
  return given
}

/** Reads the settings of the SMTP listener; null if it is disabled. */
export const readMailListen = (variables: Variables, dataDir: string): MailListen | null => {
  const { choice, text, wrong } = variables
  const [listen, certFile, keyFile] = [
    text("LEADLOOM_SMTP_LISTEN"),
    text("LEADLOOM_SMTP_TLS_CERT"),
    text("LEADLOOM_SMTP_TLS_KEY")
  ]
  if ((certFile === null) !== (keyFile === null)) {
    const missing = certFile === null ? "LEADLOOM_SMTP_TLS_CERT" : "LEADLOOM_SMTP_TLS_KEY"
    wrong(missing, "is missing. Set certificate and key together.", null)
  }
  const limits = readLimits(variables)
  const trustedNetworks = readTrustedNetworks(variables)
  const authentication = choice("LEADLOOM_MAIL_AUTHENTICATION", authenticationModes, "verify")
  if (listen === null) return null
  const place = readPlace(listen)
  if (place === null) return wrong("LEADLOOM_SMTP_LISTEN", `must have the form 0.0.0.0:25, not "${listen}".`, null)
  const tls = certFile === null || keyFile === null ? null : { certFile, keyFile }
  return { ...place, tls, limits, trustedNetworks, authentication, spoolDirectory: join(dataDir, "spool") }
}
