import { googleClient } from "@leadloom/connectors/internal/oauth/OAuthClient"
import { Context, Effect, Layer, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { readConfig } from "../../src/config/Config.ts"
import * as Log from "../../src/startup/Log.ts"
import * as Server from "../../src/Server.ts"
import { log } from "../../src/LogEvents.ts"

/** The environment of a server whose client at Google is registered at a stand-in. */
export const oauthVariables = {
  provider: "TEST_OAUTH_URL",
  redirectUri: "TEST_OAUTH_REDIRECT_URI",
  imapPort: "TEST_IMAP_PORT",
  smtpPort: "TEST_SMTP_PORT"
} as const

/** Runs a server whose owners of mailboxes sign in at a stand-in, until the process is stopped. */
const run = Effect.gen(function* () {
  const { env } = process
  const config = readConfig(env)
  if ("mistakes" in config) return yield* Effect.die(new Error(config.mistakes.join("\n")))
  const url = env[oauthVariables.provider] ?? ""
  const at = (port: string | undefined) => ({ host: "127.0.0.1", port: Number(port), security: "none" }) as const
  const client = {
    ...googleClient({
      clientId: "client-1",
      clientSecret: Redacted.make("secret-of-the-client"),
      redirectUri: env[oauthVariables.redirectUri] ?? ""
    }),
    issuer: url,
    authorizationUrl: `${url}/authorize`,
    tokenUrl: `${url}/token`,
    revocationUrl: `${url}/revoke`,
    imap: at(env[oauthVariables.imapPort]),
    smtp: at(env[oauthVariables.smtpPort])
  }
  const server = Server.layer({ ...config, oauthClients: [client] })
  return yield* Effect.gen(function* () {
    const context = yield* Layer.build(server)
    const address = HttpServer.formatAddress(Context.get(context, HttpServer.HttpServer).address)
    yield* log("server.listening", { url: address, data_dir: config.dataDir })
    return yield* Effect.never
  }).pipe(Effect.scoped, Effect.provide(Log.layer(config)))
})

if (import.meta.main) {
  const stopped = new AbortController()
  process.once("SIGTERM", () => stopped.abort())
  await Effect.runPromiseExit(run, { signal: stopped.signal })
}
