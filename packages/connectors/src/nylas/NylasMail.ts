// Hosted email accounts through Nylas: sign-in, reading, sending and provider events. Delivery rules are in
// `core/workflow/sending`. Tests: `packages/connectors/test/nylas`.
import { normalizeEmail } from "@leadloom/core/domain/address/Address"
import {
  type HostedAccount,
  type HostedFailure,
  type HostedListing,
  type HostedPage,
  HostedRefused,
  hostedProviders
} from "@leadloom/core/domain/email/HostedMail"
import { HostedMail, type SignInRequest } from "@leadloom/core/port/provider/HostedMail"
import { MailParser } from "@leadloom/core/port/provider/MailParser"
import { Clock, Effect, Layer, Redacted, Schema } from "effect"
import { HttpClient } from "effect/http"
import { maybe } from "../http/Lenient.ts"
import { present } from "../http/Present.ts"
import { MessageEnvelope, MessagePage } from "./MessageJson.ts"
import { sendRequest, decode } from "./SendNylasRequest.ts"
import { endpoint, type NylasConfig } from "./NylasConfig.ts"
import { layerFetch } from "../http/Fetch.ts"
import type { NylasAnswer, NylasCall } from "./NylasHttp.ts"
import { jsonSource, millisOf, readMessage } from "./ReadMessage.ts"

/** The timeouts by kind of request in milliseconds. A read is attempted at most twice. */
const timeouts = { quick: 10_000, exchange: 20_000, mail: 20_000, attachment: 60_000 }

/** The maximum number of messages per page; the provider's limit. */
const pageSize = 200

const GrantEnvelope = Schema.Struct({
  data: Schema.Struct({
    id: maybe(Schema.String),
    email: maybe(Schema.String),
    provider: maybe(Schema.String),
    grant_status: maybe(Schema.String)
  })
})

/** The response is not wrapped in `data`. Its tokens are not decoded, because the API key is sufficient. */
const TokenAnswer = Schema.Struct({
  grant_id: maybe(Schema.String),
  email: maybe(Schema.String),
  provider: maybe(Schema.String)
})

const providerOf = (name: string | null | undefined): HostedAccount["provider"] | null =>
  hostedProviders.find((known) => known === name?.toLowerCase()) ?? null

const accountOf = (
  providerGrantId: string,
  json: { readonly email?: string | null; readonly provider?: string | null },
  valid: boolean
): Effect.Effect<HostedAccount, HostedRefused> => {
  const provider = providerOf(json.provider)
  const email = normalizeEmail(json.email ?? "")
  if (provider !== null && email.includes("@")) return Effect.succeed({ providerGrantId, provider, email, valid })
  const reason =
    provider === null
      ? `accounts of the family ${json.provider ?? "unknown"} cannot be connected, only those of ${hostedProviders.join(" and ")}`
      : "the provider returned no address of this account"
  return Effect.fail(new HostedRefused({ reason }))
}

/**
 * Returns the URL at which the owner signs in. It requests no tokens (`access_type=online`), because requests carry the
 * API key.
 */
export const signInUrl = (config: NylasConfig, { email, provider, state }: SignInRequest): string => {
  const query = new URLSearchParams({
    client_id: config.clientId,
    redirect_uri: config.redirectUri,
    response_type: "code",
    access_type: "online",
    state: state.toWellFormed()
  })
  if (provider !== null) query.set("provider", provider)
  if (email !== null) query.set("login_hint", email)
  return `${endpoint(config, ["connect", "auth"]) ?? ""}?${query.toString()}`
}

const tokenCall = (config: NylasConfig, code: string): NylasCall => ({
  method: "POST",
  steps: ["connect", "token"],
  keyless: true,
  body: {
    grant_type: "authorization_code",
    code,
    client_id: config.clientId,
    client_secret: Redacted.value(config.apiKey),
    redirect_uri: config.redirectUri
  },
  timeoutMillis: timeouts.exchange
})

/** Returns a decoder of a response with a message. Untrusted content goes to the parser processes. */
const messageIn =
  (parser: MailParser["Service"], providerGrantId: string, providerMessageId: string) => (answer: NylasAnswer) =>
    Effect.gen(function* () {
      const { data } = yield* decode(MessageEnvelope, answer)
      const mail = yield* parser.parse(answer.body, { flow: providerGrantId, mediaType: jsonSource })
      return readMessage(data, mail, answer.body, providerMessageId, yield* Clock.currentTimeMillis)
    })

const make = (config: NylasConfig, http: HttpClient.HttpClient, parser: MailParser["Service"]) => {
  const get = (
    steps: ReadonlyArray<string>,
    what: string,
    query: Readonly<Record<string, string>> = {},
    millis: number = timeouts.mail
  ) => sendRequest(http, config, { method: "GET", steps: ["grants", ...steps], query, timeoutMillis: millis }, what)

  const account = Effect.fn("NylasMail.account")(function* (providerGrantId: string) {
    const answer = yield* get([providerGrantId], `account ${providerGrantId}`, {}, timeouts.quick)
    const { data } = yield* decode(GrantEnvelope, answer)
    return yield* accountOf(data.id || providerGrantId, data, data.grant_status !== "invalid")
  })

  const exchange = Effect.fn("NylasMail.exchange")(function* (code: string) {
    const json = yield* decode(TokenAnswer, yield* sendRequest(http, config, tokenCall(config, code), "sign-in code"))
    const grantId = json.grant_id ?? ""
    if (grantId === "") return yield* new HostedRefused({ reason: "the provider returned no account for this code" })
    // Missing fields are fetched with a further request.
    return yield* json.email && json.provider ? accountOf(grantId, json, true) : account(grantId)
  })

  const revoke = (providerGrantId: string): Effect.Effect<void, HostedFailure> =>
    sendRequest(
      http,
      config,
      { method: "DELETE", steps: ["grants", providerGrantId], timeoutMillis: timeouts.exchange },
      `account ${providerGrantId}`
    ).pipe(
      Effect.asVoid,
      Effect.catchTag("HostedGone", () => Effect.void)
    )

  const message = Effect.fn("NylasMail.message")(function* (providerGrantId: string, providerMessageId: string) {
    const steps = [providerGrantId, "messages", providerMessageId]
    const answer = yield* get(steps, `mail ${providerMessageId}`, { fields: "include_headers" })
    return yield* messageIn(parser, providerGrantId, providerMessageId)(answer)
  })

  const listSince = Effect.fn("NylasMail.listSince")(function* (
    providerGrantId: string,
    since: number,
    page: string | null
  ) {
    const answer = yield* get([providerGrantId, "messages"], `account ${providerGrantId}`, {
      // The filter has whole seconds and may exclude the current one. One second earlier may return a mail twice, but
      // loses none.
      received_after: String(Math.max(0, Math.floor(since / 1_000) - 1)),
      limit: String(pageSize),
      // Bodies are left out, because 200 of them have no size limit.
      select: "id,date",
      ...(page === null ? {} : { page_token: page })
    })
    const { data, next_cursor } = yield* decode(MessagePage, answer)
    const messages = present(data).flatMap(({ date, id }): ReadonlyArray<HostedListing> =>
      id ? [{ providerMessageId: id, receivedAt: millisOf(date) ?? since }] : []
    )
    return { messages, next: next_cursor || null } satisfies HostedPage
  })

  const attachment = (providerGrantId: string, providerMessageId: string, attachmentId: string) =>
    get(
      [providerGrantId, "attachments", attachmentId, "download"],
      `attachment ${attachmentId} of mail ${providerMessageId}`,
      { message_id: providerMessageId },
      timeouts.attachment
    ).pipe(Effect.map(({ body }) => body))

  return { account, exchange, revoke, message, listSince, attachment }
}

/** Provides hosted accounts through Nylas v3, over the given `HttpClient`. */
export const layerNoDeps = (config: NylasConfig): Layer.Layer<HostedMail, never, HttpClient.HttpClient | MailParser> =>
  Layer.effect(
    HostedMail,
    Effect.gen(function* () {
      return {
        configured: Effect.void,
        signInUrl: (request: SignInRequest) => Effect.succeed(signInUrl(config, request)),
        ...make(config, yield* HttpClient.HttpClient, yield* MailParser)
      }
    })
  )

/** Provides hosted accounts through Nylas v3. */
export const layer = (config: NylasConfig): Layer.Layer<HostedMail, never, MailParser> =>
  Layer.provide(layerNoDeps(config), layerFetch)
