import { createPrivateKey, X509Certificate } from "node:crypto"
import { readFile } from "node:fs/promises"
import { connect } from "node:net"
import { Clock, Effect } from "effect"
import type { MailListen } from "../../config/SmtpVariables.ts"
import { systemCode } from "../../startup/StartupFailed.ts"
import type { Check } from "../Check.ts"
import { healthy, type Finding, problem, warning } from "../Finding.ts"
import type { ServerProbe } from "../ServerProbe.ts"

const dayMillis = 86_400_000
/** The number of days before expiry from which a warning is reported. Certificates are normally renewed earlier. */
const renewalDays = 14
/** The timeout for the greeting of the mail server in milliseconds. */
const timeoutMillis = 5_000

const reachable = (host: string): string => (host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host)

/** Returns the first line of a mail server; null if no server answers. */
const greeting = ({ host, port }: MailListen): Promise<string | null> =>
  new Promise((resolve) => {
    const socket = connect({ host: reachable(host), port, timeout: timeoutMillis })
    const end = (line: string | null): void => {
      socket.destroy()
      resolve(line)
    }
    socket.once("data", (chunk) => end(String(chunk).split("\r\n")[0] ?? ""))
    socket.once("timeout", () => end(null))
    socket.once("error", () => end(null))
    socket.once("close", () => end(null))
  })

const portFinding = (listen: MailListen, server: ServerProbe | null): Effect.Effect<Finding> =>
  Effect.gen(function* () {
    const place = `${listen.host}:${listen.port}`
    if (listen.port === 0)
      return warning("The mail listener uses any free port.", "Set a fixed port in LEADLOOM_SMTP_LISTEN.")
    const line = yield* Effect.promise(() => greeting(listen))
    if (line === null && server?.status === 0)
      return healthy(`The server is not running, so no mail is accepted on ${place}.`)
    if (line === null) {
      return problem(
        `No mail listener answers on ${place}.`,
        "Restart the server with this LEADLOOM_SMTP_LISTEN. If the listener still does not answer, read the server's log."
      )
    }
    return line.startsWith("220")
      ? healthy(`The mail listener answers on ${place}.`)
      : problem(
          `Another program on ${place} does not accept mail: ${line.slice(0, 200)}`,
          "Find out which program uses the port."
        )
  })

/** Judges the expiry of a certificate. Both times are epoch milliseconds. */
export const judgeCertificate = (ends: number, now: number): Finding => {
  const day = new Date(ends).toISOString().slice(0, 10)
  if (ends <= now) {
    return problem(
      `The certificate in LEADLOOM_SMTP_TLS_CERT expired on ${day}.`,
      "Renew the certificate and restart the server. The server reads the certificate only at startup."
    )
  }
  return ends - now < renewalDays * dayMillis
    ? warning(
        `The certificate in LEADLOOM_SMTP_TLS_CERT expires on ${day}.`,
        "Renew the certificate and restart the server."
      )
    : healthy(`STARTTLS is offered with a certificate that is valid until ${day}.`)
}

const tlsFinding = (tls: MailListen["tls"]): Effect.Effect<Finding> => {
  if (tls === null) {
    return Effect.succeed(
      warning("Mail arrives unencrypted.", "Set LEADLOOM_SMTP_TLS_CERT and LEADLOOM_SMTP_TLS_KEY to offer STARTTLS.")
    )
  }
  return Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    return yield* Effect.tryPromise(async () => {
      const cert = new X509Certificate(await readFile(tls.certFile))
      const isPair = cert.checkPrivateKey(createPrivateKey(await readFile(tls.keyFile)))
      return isPair
        ? judgeCertificate(Date.parse(cert.validTo), now)
        : problem(
            "The key in LEADLOOM_SMTP_TLS_KEY does not belong to the certificate.",
            "Set both variables to files of one certificate."
          )
    })
  }).pipe(
    Effect.catch(({ cause }) =>
      Effect.succeed(
        problem(
          `The certificate or its key is not readable: ${systemCode(cause) || String(cause)}.`,
          "Set LEADLOOM_SMTP_TLS_CERT and LEADLOOM_SMTP_TLS_KEY to PEM files that the server's user can read."
        )
      )
    )
  )
}

/** Checks port and certificate of the mail listener, if one is configured. */
export const mailListener: Check = {
  name: "mail listener",
  run: ({ config, server }) => {
    const listen = config?.smtpListen ?? null
    if (listen === null) return Effect.succeed([healthy("LEADLOOM_SMTP_LISTEN is not set: no mail arrives by SMTP.")])
    return Effect.all([portFinding(listen, server), tlsFinding(listen.tls)])
  }
}
