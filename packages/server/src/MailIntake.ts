import { mkdir, readFile } from "node:fs/promises"
import { createSecureContext } from "node:tls"
import * as MailAuthVerifier from "@leadloom/connectors/internal/mailauth/MailAuthVerifier"
import { listen, type ListenOptions } from "@leadloom/connectors/internal/smtp/SmtpListener"
import { MailVerifier } from "@leadloom/core/internal/port/provider/MailVerifier"
import { MailParser } from "@leadloom/core/internal/port/provider/MailParser"
import { acceptRecipient, receiveMail } from "@leadloom/core/internal/workflow/intake/ReceiveMail"
import { Effect, Layer } from "effect"
import type { ServerConfig } from "./config/Config.ts"
import { trustedProxies } from "./http/middleware/ClientAddress.ts"
import type { MailAuthenticationMode, MailListen } from "./config/SmtpVariables.ts"
import { StartupFailed, systemCode } from "./startup/StartupFailed.ts"
import { CurrentWorker } from "./watchdog/RunningOperation.ts"
import { log } from "./LogEvents.ts"

const failed = (line: string) => new StartupFailed({ line })

const file = (variable: string, path: string) =>
  Effect.tryPromise({
    try: () => readFile(path),
    catch: (cause) => failed(`${variable}: failed to read the file ${path} (${systemCode(cause) || String(cause)}).`)
  })

/** Reads the certificate and the key, and checks that they form a pair. */
const loadTls = ({ certFile, keyFile }: NonNullable<MailListen["tls"]>) =>
  Effect.gen(function* () {
    const cert = yield* file("LEADLOOM_SMTP_TLS_CERT", certFile)
    const key = yield* file("LEADLOOM_SMTP_TLS_KEY", keyFile)
    yield* Effect.try({
      try: () => createSecureContext({ cert, key }),
      catch: (cause) =>
        failed(
          `LEADLOOM_SMTP_TLS_CERT, LEADLOOM_SMTP_TLS_KEY: ${certFile} and ${keyFile} are not a valid certificate with its key ` +
            `(${systemCode(cause) || String(cause)}).`
        )
    })
    return { cert, key }
  })

const makeSpool = (directory: string) =>
  Effect.tryPromise({
    try: () => mkdir(directory, { recursive: true, mode: 0o700 }),
    catch: (cause) =>
      failed(`LEADLOOM_DATA_DIR: failed to create ${directory} (${systemCode(cause) || String(cause)}).`)
  })

const listenLines: Readonly<Record<string, (place: string) => string>> = {
  EADDRINUSE: (place) => `${place} is in use. Stop the other mail server, or choose another address or port.`,
  EACCES: (place) => `this user may not listen on ${place}. Choose a port of 1024 or higher and forward port 25 to it.`,
  EADDRNOTAVAIL: (place) => `this machine does not have the address of ${place}. Choose an address of this machine.`,
  ENOTFOUND: (place) => `the host name of ${place} is unknown.`
}

const handler = { accept: acceptRecipient, receive: receiveMail }

const open = (options: ListenOptions) =>
  Effect.mapError(listen(options, handler), ({ cause }) => {
    const place = `${options.host}:${options.port}`
    const line = listenLines[systemCode(cause)]?.(place) ?? `failed to listen on ${place}: ${String(cause)}`
    return failed(`LEADLOOM_SMTP_LISTEN: ${line}`)
  })

const verifiers: Readonly<Record<MailAuthenticationMode, Layer.Layer<MailVerifier>>> = {
  verify: MailAuthVerifier.layer,
  "trust-headers": MailVerifier.layerTrustHeaders,
  off: MailVerifier.layerOff
}

/** Accepts mail over SMTP if the configuration enables it. The listener stops before the store closes. */
export const layer = ({ smtpListen }: Pick<ServerConfig, "smtpListen">) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      if (smtpListen === null) return
      const { host, limits, port, spoolDirectory, tls: files, trustedNetworks } = smtpListen
      const tls = files === null ? null : yield* loadTls(files)
      yield* makeSpool(spoolDirectory)
      const isTrusted = trustedProxies(trustedNetworks)
      const options = { host, port, tls, limits, isTrusted, spoolDirectory }
      yield* (yield* MailParser).keepReady
      const place = yield* Effect.provideService(open(options), CurrentWorker, "smtp")
      yield* log("smtp.listening", { address: `${place.host}:${place.port}`, starttls: tls !== null })
    })
  ).pipe(Layer.provide(verifiers[smtpListen?.authentication ?? "off"]))
