import { Context, Effect, Layer } from "effect"
import type { ParserUnavailable } from "./MailParser.ts"
import type { HostedAccount, HostedMessage, HostedPage, HostedProvider } from "../../domain/email/HostedMail.ts"
import { notConfigured, type ProviderFailure, type ProviderFailureOf } from "../../domain/provider/ProviderFailure.ts"

/** A request for the URL at which an owner signs in to an email account. */
export interface SignInRequest {
  /** The provider at which the owner signs in. Null when the owner chooses it during the sign-in. */
  readonly provider: HostedProvider | null
  /** An opaque text of at most 256 characters. The provider returns it together with the authorization code. */
  readonly state: string
  /** The address that the provider fills into the sign-in form; null for none. */
  readonly email: string | null
}

export type HostedMailShape = {
  /** Fails when hosted accounts are not configured on this server. */
  readonly configured: Effect.Effect<void, ProviderFailureOf<"NotConfigured">>
  readonly signInUrl: (request: SignInRequest) => Effect.Effect<string, ProviderFailureOf<"NotConfigured">>
  /** Exchanges an authorization code for an account. A code can be exchanged only once, even if the exchange fails. */
  readonly exchange: (code: string) => Effect.Effect<HostedAccount, ProviderFailure>
  /** Returns the account that a provider grant belongs to. */
  readonly account: (providerGrantId: string) => Effect.Effect<HostedAccount, ProviderFailure>
  /** Revokes a provider grant permanently. Succeeds when the grant no longer exists. */
  readonly revoke: (providerGrantId: string) => Effect.Effect<void, ProviderFailure>
  readonly message: (
    providerGrantId: string,
    providerMessageId: string
  ) => Effect.Effect<HostedMessage, ProviderFailure | ParserUnavailable>
  /** Lists mail that the account received or sent after `since` (epoch milliseconds). The order is not defined. */
  readonly listSince: (
    providerGrantId: string,
    since: number,
    page: string | null
  ) => Effect.Effect<HostedPage, ProviderFailure>
  readonly attachment: (
    providerGrantId: string,
    providerMessageId: string,
    attachmentId: string
  ) => Effect.Effect<Uint8Array, ProviderFailure>
}

/**
 * Email accounts at external providers. An adapter tries a request at most twice within seconds, and the caller handles
 * further retries. Sending mail belongs to `EmailTransport`.
 */
export class HostedMail extends Context.Service<HostedMail, HostedMailShape>()("core/port/provider/HostedMail") {
  /** The layer of a server without hosted accounts. `setting` names the missing configuration variable. */
  static readonly closed = (setting: string): Layer.Layer<HostedMail> => {
    const refuse = (provider: HostedProvider) => Effect.fail(notConfigured("mail", setting, provider))
    return Layer.succeed(HostedMail, {
      configured: refuse("google"),
      signInUrl: ({ provider }) => refuse(provider ?? "google"),
      exchange: () => refuse("google"),
      account: () => refuse("google"),
      revoke: () => refuse("google"),
      message: () => refuse("google"),
      listSince: () => refuse("google"),
      attachment: () => refuse("google")
    })
  }
}
