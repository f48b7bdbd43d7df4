import { defaultVerdict, layerFetch, maybe, type Provider, requestFromProvider } from "@leadloom/connectors"
import {
  type Address,
  demandMailClearance,
  EmailTransport,
  handOverMillis,
  type OutgoingMail,
  type TransportReceipt
} from "@leadloom/core"
import { Effect, Layer, Option, type Redacted, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"

/** The access to the mail API. */
export interface MailApi {
  /** The base URL, without a trailing slash. */
  readonly url: string
  readonly token: Redacted.Redacted
}

/** The response to an accepted mail. */
const Accepted = Schema.Struct({ id: Schema.String })

const decodeProblem = Schema.decodeUnknownOption(Schema.Struct({ message: maybe(Schema.String) }))

/** Describes the API for the provider client, which bounds time and size and removes the token from all texts. */
const providerOf = ({ token, url }: MailApi, http: HttpClient.HttpClient): Provider => ({
  service: "mail",
  name: "the mail API",
  http,
  baseUrl: url,
  authorize: HttpClientRequest.bearerToken(token),
  secrets: [token],
  // The server expects an outcome within `handOverMillis`, and needs time to store it.
  timeoutMillis: handOverMillis - 2_000,
  maxBytes: 65_536,
  problemOf: (json, { status }) => {
    const { message } = Option.getOrElse(decodeProblem(json), (): { message?: string | null } => ({}))
    return { code: null, text: `${status} ${message ?? ""}`.trimEnd() }
  },
  // A wrong token is a mistake of the operator, so the mail waits. `SignedOut` would disconnect the tenant's account.
  verdictOf: (status) => (status === 401 || status === 403 ? "Unavailable" : defaultVerdict(status))
})

const mailbox = ({ email, name }: Address): string => (name === null ? email : `${JSON.stringify(name)} <${email}>`)

/** Returns the body of the request. The headers link the mail to its thread in the contact's mail program. */
const bodyOf = (mail: OutgoingMail) => ({
  from: mailbox(mail.from),
  to: mail.to.map(mailbox),
  cc: mail.cc.map(mailbox),
  bcc: mail.bcc.map(mailbox),
  subject: mail.subject,
  text: mail.text,
  html: mail.html,
  headers: {
    "Message-ID": `<${mail.internetMessageId}>`,
    ...(mail.inReplyTo === null ? {} : { "In-Reply-To": `<${mail.inReplyTo}>` }),
    ...(mail.references.length === 0 ? {} : { References: mail.references.map((id) => `<${id}>`).join(" ") }),
    ...(mail.automatic ? { "Auto-Submitted": "auto-replied" } : {})
  }
})

/** Sends the mail of all tenants through an HTTP API. */
export const mailApiTransport = (api: MailApi): Layer.Layer<EmailTransport> =>
  Layer.effect(
    EmailTransport,
    Effect.map(HttpClient.HttpClient, (http) => {
      const provider = providerOf(api, http)
      return EmailTransport.of({
        send: Effect.fn("MailApiTransport.send")(function* (outgoing, clearance) {
          yield* demandMailClearance(outgoing, clearance)
          const request = { method: "POST", path: ["emails"], what: "mail", json: bodyOf(outgoing.mail) } as const
          const { id } = yield* requestFromProvider(provider, request, Accepted)
          const receipt: TransportReceipt = {
            left: true,
            response: `accepted as ${id}`,
            refused: [],
            // The API keeps our Message-ID, so the mail has no other names.
            assigned: null
          }
          return receipt
        })
      })
    })
  ).pipe(Layer.provide(layerFetch))
