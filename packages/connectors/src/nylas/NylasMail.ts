// Hosted email accounts through Nylas: sign-in, reading, sending and provider events. Delivery rules are in
// `core/workflow/sending`. Tests: `packages/connectors/test/nylas`.
import { normalizeEmail } from "@leadloom/core/internal/domain/address/Address"
import {
  type HostedAccount,
  type HostedListing,
  type HostedPage,
  hostedProviders
} from "@leadloom/core/internal/domain/email/HostedMail"
import { type ProviderFailure, refused, unavailable } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { HostedMail, type SignInRequest } from "@leadloom/core/internal/port/provider/HostedMail"
import { MailParser } from "@leadloom/core/internal/port/provider/MailParser"
import { Clock, Effect, Layer, Redacted, Schema } from "effect"
import { HttpClient } from "effect/http"
import { urlOf } from "../provider/Exchange.ts"
import { layerFetch } from "../provider/Fetch.ts"
import { maybe } from "../provider/Lenient.ts"
import { present } from "../provider/Present.ts"
import type { Provider, ProviderRequest } from "../provider/Provider.ts"
import { decode, request, send } from "../provider/ProviderClient.ts"
import { MessageEnvelope, MessagePage } from "./MessageJson.ts"
import { type NylasConfig, nylasProvider } from "./NylasConfig.ts"
import { jsonSource, millisOf, readMessage } from "./ReadMessage.ts"

/** The timeouts by kind of request in milliseconds. A read is attempted twice at most. */
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

/** The response is not wrapped in `data`. Its tokens are not decoded, because requests use the API key. */
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
): Effect.Effect<HostedAccount, ProviderFailure> => {
  const provider = providerOf(json.provider)
  const email = normalizeEmail(json.email ?? "")
  if (provider !== null && email.includes("@")) return Effect.succeed({ providerGrantId, provider, email, valid })
  const reason =
    provider === null
      ? `accounts of the family ${json.provider ?? "unknown"} cannot be connected, only those of ${hostedProviders.join(" and ")}`
      : "the provider returned no address of this account"
  return Effect.fail(refused("mail", reason))
}

/**
 * Returns the URL at which the owner signs in. The URL requests no refresh token (`access_type=online`), because
 * requests carry the API key.
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
  return `${urlOf(config.apiUrl, ["v3", "connect", "auth"]) ?? ""}?${query.toString()}`
}

/**
 * Reports a lost response to a sign-in or a revocation as `Unavailable`, so that the caller may try again. A repetition
 * does no harm: the provider refuses a used code, and a revocation may be repeated.
 */
const noOutcome = <A>(sent: Effect.Effect<A, ProviderFailure>): Effect.Effect<A, ProviderFailure> =>
  Effect.catchReason(sent, "ProviderFailure", "OutcomeUnknown", ({ detail }) =>
    Effect.fail(unavailable("mail", detail))
  )

/**
 * Returns the request that exchanges a sign-in code, which is valid once. The body contains the API key, so the header
 * does not.
 */
const exchangeRequest = ({ apiKey, clientId, redirectUri }: NylasConfig, code: string): ProviderRequest => ({
  method: "POST",
  path: ["connect", "token"],
  what: "sign-in code",
  token: null,
  json: {
    grant_type: "authorization_code",
    code,
    client_id: clientId,
    client_secret: Redacted.value(apiKey),
    redirect_uri: redirectUri
  },
  timeoutMillis: timeouts.exchange
})

const listQuery = (since: number, page: string | null): Readonly<Record<string, string>> => ({
  // The filter compares whole seconds and may exclude the given one. A start one second earlier may return a mail
  // twice, but misses none.
  received_after: String(Math.max(0, Math.floor(since / 1_000) - 1)),
  limit: String(pageSize),
  // Bodies are left out, because the total size of 200 bodies has no limit.
  select: "id,date",
  ...(page === null ? {} : { page_token: page })
})

const make = (config: NylasConfig, provider: Provider, parser: MailParser["Service"]) => {
  const read = (
    path: ReadonlyArray<string>,
    what: string,
    query: Readonly<Record<string, string>> = {},
    timeoutMillis: number = timeouts.mail
  ): ProviderRequest => ({ method: "GET", path: ["grants", ...path], what, query, timeoutMillis })

  const account = Effect.fn("NylasMail.account")(function* (providerGrantId: string) {
    const call = read([providerGrantId], `account ${providerGrantId}`, {}, timeouts.quick)
    const { data } = yield* request(provider, call, GrantEnvelope)
    return yield* accountOf(data.id || providerGrantId, data, data.grant_status !== "invalid")
  })

  const exchange = Effect.fn("NylasMail.exchange")(function* (code: string) {
    const json = yield* noOutcome(request(provider, exchangeRequest(config, code), TokenAnswer))
    const grantId = json.grant_id ?? ""
    if (grantId === "") return yield* refused("mail", "the provider returned no account for this code")
    // Missing fields are fetched with a further request.
    return yield* json.email && json.provider ? accountOf(grantId, json, true) : account(grantId)
  })

  const revoke = (providerGrantId: string): Effect.Effect<void, ProviderFailure> =>
    noOutcome(
      send(provider, {
        method: "DELETE",
        path: ["grants", providerGrantId],
        what: `account ${providerGrantId}`,
        timeoutMillis: timeouts.exchange
      })
    ).pipe(
      Effect.asVoid,
      Effect.catchReason("ProviderFailure", "Gone", () => Effect.void)
    )

  const message = Effect.fn("NylasMail.message")(function* (providerGrantId: string, providerMessageId: string) {
    const path = [providerGrantId, "messages", providerMessageId]
    const call = read(path, `mail ${providerMessageId}`, { fields: "include_headers" })
    const response = yield* send(provider, call)
    const { data } = yield* decode(provider, call, MessageEnvelope, response)
    // Untrusted content is parsed in the parse processes.
    const mail = yield* parser.parse(response.body, { flow: providerGrantId, mediaType: jsonSource })
    return readMessage(data, mail, response.body, providerMessageId, yield* Clock.currentTimeMillis)
  })

  const listSince = Effect.fn("NylasMail.listSince")(function* (
    providerGrantId: string,
    since: number,
    page: string | null
  ) {
    const call = read([providerGrantId, "messages"], `account ${providerGrantId}`, listQuery(since, page))
    const { data, next_cursor } = yield* request(provider, call, MessagePage)
    const messages = present(data).flatMap(({ date, id }): ReadonlyArray<HostedListing> =>
      id ? [{ providerMessageId: id, receivedAt: millisOf(date) ?? since }] : []
    )
    return { messages, next: next_cursor || null } satisfies HostedPage
  })

  const attachment = (providerGrantId: string, providerMessageId: string, attachmentId: string) => {
    const path = [providerGrantId, "attachments", attachmentId, "download"]
    const what = `attachment ${attachmentId} of mail ${providerMessageId}`
    const call = read(path, what, { message_id: providerMessageId }, timeouts.attachment)
    return Effect.map(send(provider, call), ({ body }) => body)
  }

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
        ...make(config, nylasProvider(config, yield* HttpClient.HttpClient), yield* MailParser)
      }
    })
  )

/** Provides hosted accounts through Nylas v3. */
export const layer = (config: NylasConfig): Layer.Layer<HostedMail, never, MailParser> =>
  Layer.provide(layerNoDeps(config), layerFetch)
