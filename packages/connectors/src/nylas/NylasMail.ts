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

/** How long each kind of request may take, milliseconds; reads are made twice at most. */
const timeouts = { quick: 10_000, exchange: 20_000, mail: 20_000, attachment: 60_000 }

/** Most messages of one page; the provider's bound. */
const pageSize = 200

const GrantEnvelope = Schema.Struct({
  data: Schema.Struct({
    id: maybe(Schema.String),
    email: maybe(Schema.String),
    provider: maybe(Schema.String),
    grant_status: maybe(Schema.String)
  })
})

/** Flat, not enveloped. What else it holds are tokens, which nobody needs who has the key: they are not even read. */
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
      : "the provider names no address of this account"
  return Effect.fail(new HostedRefused({ reason }))
}

/** The owner's browser goes there. No tokens are asked for (`access_type=online`): requests are signed with the key. */
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

/** Turns an answer with a message into one, parsed where content of strangers is. */
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
    if (grantId === "") return yield* new HostedRefused({ reason: "the provider names no account for this code" })
    // An answer that leaves half of it out is completed by asking.
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
      // Whole seconds, and the one that has begun may be counted out: better a mail twice than never.
      received_after: String(Math.max(0, Math.floor(since / 1_000) - 1)),
      limit: String(pageSize),
      // Without the bodies: 200 of them may be any size.
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

/** Hosted accounts through Nylas v3, over the `HttpClient` that is given. */
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

/** Hosted accounts through Nylas v3. */
export const layer = (config: NylasConfig): Layer.Layer<HostedMail, never, MailParser> =>
  Layer.provide(layerNoDeps(config), layerFetch)
