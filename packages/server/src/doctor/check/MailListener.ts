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
/** A certificate that ends sooner should have been renewed. */
const renewalDays = 14
/** How long the greeting may take. Milliseconds. */
const timeoutMillis = 5_000

const reachable = (host: string): string => (host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host)

/** The first line that a mail server says; null when nobody says anything. */
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
    if (listen.port === 0) return warning("Mail is taken on any free port.", "Name the port in LEADLOOM_SMTP_LISTEN.")
    const line = yield* Effect.promise(() => greeting(listen))
    if (line === null && server?.status === 0) return healthy(`No server runs that would take mail on ${place}.`)
    if (line === null) {
      return problem(
        `Nobody takes mail on ${place}.`,
        "Start the server with this LEADLOOM_SMTP_LISTEN, or look at its log for why it does not listen."
      )
    }
    return line.startsWith("220")
      ? healthy(`Mail is taken on ${place}.`)
      : problem(`Whoever listens on ${place} does not take mail: ${line.slice(0, 200)}`, "See who has the port.")
  })

/** What is to be said of a certificate that ends then. Epoch milliseconds. */
export const judgeCertificate = (ends: number, now: number): Finding => {
  const day = new Date(ends).toISOString().slice(0, 10)
  if (ends <= now) {
    return problem(
      `The certificate in LEADLOOM_SMTP_TLS_CERT ended on ${day}.`,
      "Renew it and start the server anew: it reads it when it starts."
    )
  }
  return ends - now < renewalDays * dayMillis
    ? warning(`The certificate in LEADLOOM_SMTP_TLS_CERT ends on ${day}.`, "Renew it and start the server anew.")
    : healthy(`STARTTLS is offered with a certificate that is good until ${day}.`)
}

const tlsFinding = (tls: MailListen["tls"]): Effect.Effect<Finding> => {
  if (tls === null) {
    return Effect.succeed(
      warning("Mail arrives in the clear.", "Set LEADLOOM_SMTP_TLS_CERT and LEADLOOM_SMTP_TLS_KEY to offer STARTTLS.")
    )
  }
  return Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    return yield* Effect.tryPromise(async () => {
      const cert = new X509Certificate(await readFile(tls.certFile))
      const isPair = cert.checkPrivateKey(createPrivateKey(await readFile(tls.keyFile)))
      return isPair
        ? judgeCertificate(Date.parse(cert.validTo), now)
        : problem("The key in LEADLOOM_SMTP_TLS_KEY is not that of the certificate.", "Give both of one certificate.")
    })
  }).pipe(
    Effect.catch(({ cause }) =>
      Effect.succeed(
        problem(
          `The certificate or its key cannot be read: ${systemCode(cause) || String(cause)}.`,
          "Correct LEADLOOM_SMTP_TLS_CERT and LEADLOOM_SMTP_TLS_KEY: files in PEM that the server's user may read."
        )
      )
    )
  )
}

/** Mail can arrive, where a listener is configured. */
export const mailListener: Check = {
  name: "mail listener",
  run: ({ config, server }) => {
    const listen = config?.smtpListen ?? null
    if (listen === null) return Effect.succeed([healthy("LEADLOOM_SMTP_LISTEN is not set: no mail arrives by SMTP.")])
    return Effect.all([portFinding(listen, server), tlsFinding(listen.tls)])
  }
}
