import { Context, Effect, Layer } from "effect"
import type { ParserUnavailable } from "./MailParser.ts"
import type { HostedAccount, HostedMessage, HostedPage, HostedProvider } from "../../domain/email/HostedMail.ts"
import { notConfigured, type ProviderFailure, type ProviderFailureOf } from "../../domain/provider/ProviderFailure.ts"

/** A request to sign in to an email account at its provider. */
export interface SignInRequest {
  /** Null when the owner chooses the provider. */
  readonly provider: HostedProvider | null
  /** An opaque value, at most 256 characters. The provider returns it with the code. */
  readonly state: string
  /** The address that the provider proposes for the sign-in. */
  readonly email: string | null
}

export type HostedMailShape = {
  /** Fails when hosted accounts are not configured on this server. */
  readonly configured: Effect.Effect<void, ProviderFailureOf<"NotConfigured">>
  readonly signInUrl: (request: SignInRequest) => Effect.Effect<string, ProviderFailureOf<"NotConfigured">>
  /**
   * Exchanges an authorization code for an account. A code can be exchanged once, whether the exchange succeeds or
   * fails.
   */
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
 * Email accounts at external providers. A request is tried at most twice within seconds; the caller handles further
 * retries. `EmailTransport` sends mail.
 */
export class HostedMail extends Context.Service<HostedMail, HostedMailShape>()("core/port/provider/HostedMail") {
  /** A server without hosted accounts. `setting` names the missing configuration variable. */
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
