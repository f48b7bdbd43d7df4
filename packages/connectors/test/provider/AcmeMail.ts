import { demandMailClearance, EmailTransport } from "@leadloom/core/internal/port/provider/EmailTransport"
import { Effect, Layer, Option, type Redacted, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { maybe } from "../../src/provider/Lenient.ts"
import type { Provider } from "../../src/provider/Provider.ts"
import { request } from "../../src/provider/ProviderClient.ts"

/** The settings of the account. */
export interface AcmeConfig {
  readonly baseUrl: string
  readonly token: Redacted.Redacted
}

const Accepted = Schema.Struct({ id: Schema.String })
const Problem = Schema.Struct({ code: maybe(Schema.String), message: maybe(Schema.String) })

const acmeProvider = ({ baseUrl, token }: AcmeConfig, http: HttpClient.HttpClient): Provider => ({
  service: "mail",
  name: "Acme",
  http,
  baseUrl,
  authorize: HttpClientRequest.bearerToken(token),
  secrets: [token],
  // Less than `handOverMillis`, so that the outcome is known before another server may claim the send.
  timeoutMillis: 20_000,
  maxBytes: 65_536,
  problemOf: (json, { status }) => {
    const problem = Option.getOrNull(Schema.decodeUnknownOption(Problem)(json))
    return { code: problem?.code ?? null, text: `${status} ${problem?.message ?? ""}` }
  }
})

/** Sends mail through Acme (https://acme.example/docs). */
export const layer = (config: AcmeConfig): Layer.Layer<EmailTransport, never, HttpClient.HttpClient> =>
  Layer.effect(
    EmailTransport,
    Effect.map(HttpClient.HttpClient, (http) => {
      const provider = acmeProvider(config, http)
      return EmailTransport.of({
        send: Effect.fnUntraced(function* (outgoing, clearance) {
          yield* demandMailClearance(outgoing, clearance)
          const { bcc, cc, from, html, inReplyTo, internetMessageId, references, subject, text, to } = outgoing.mail
          const headers = { "Message-ID": internetMessageId, "In-Reply-To": inReplyTo, References: references }
          const json = { from, to, cc, bcc, subject, text, html, headers }
          const message = { method: "POST", path: ["messages"], what: "message", json } as const
          const { id } = yield* request(provider, message, Accepted)
          return { left: true, response: `accepted as ${id}`, refused: [], assigned: null }
        })
      })
    })
  )
