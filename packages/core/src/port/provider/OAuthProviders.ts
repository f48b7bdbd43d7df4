import { Context, Effect, Layer } from "effect"
import type { HostedProvider } from "../../domain/email/HostedMail.ts"
import type { OAuthTokens } from "../../domain/mailbox/MailboxAccount.ts"
import type { MailServer } from "../../domain/mailbox/MailServer.ts"
import { notConfigured, type ProviderFailure, type ProviderFailureOf } from "../../domain/provider/ProviderFailure.ts"

/** The secrets of one sign-in, which stay on the server. */
export interface OAuthSecrets {
  /** The value that the ID token must repeat (OpenID Connect Core 1.0, section 3.1.2.1). */
  readonly nonce: string
  /** The PKCE code verifier (RFC 7636). */
  readonly verifier: string
}

/** A request for the page on which the owner of a mailbox signs in. */
export interface OAuthRequest extends OAuthSecrets {
  readonly provider: HostedProvider
  readonly state: string
  /** The address that the provider fills into the sign-in form; null for none. */
  readonly email: string | null
}

/** A mailbox whose owner has signed in. It contains secrets and must not be logged. */
export interface SignedInMailbox {
  /** The address in the verified ID token, normalised. */
  readonly email: string
  readonly imap: MailServer
  readonly smtp: MailServer
  readonly tokens: OAuthTokens
}

export interface OAuthProvidersShape {
  /** The providers at which the operator has a client of its own. */
  readonly providers: ReadonlyArray<HostedProvider>
  /** The page to which a provider sends the owner back; null without a client there. */
  readonly redirectUriOf: (provider: HostedProvider) => string | null
  readonly signInUrl: (request: OAuthRequest) => Effect.Effect<string, ProviderFailureOf<"NotConfigured">>
  /**
   * Exchanges an authorization code for tokens, and verifies the ID token. Fails with `Refused` when the provider
   * rejects the code, when the ID token is not valid for this sign-in, and when the owner has not granted access to mail.
   */
  readonly exchange: (
    code: string,
    request: OAuthSecrets & { readonly provider: HostedProvider }
  ) => Effect.Effect<SignedInMailbox, ProviderFailure>
  /**
   * Exchanges a refresh token for new tokens. Fails with `SignedOut` only when the provider no longer accepts the
   * consent of the owner. Everything else is `Unavailable`, also a rejected client secret, because the owner cannot
   * correct it.
   */
  readonly refresh: (provider: HostedProvider, refreshToken: string) => Effect.Effect<OAuthTokens, ProviderFailure>
  /** Revokes the consent. Has no effect at a provider without a revocation endpoint. */
  readonly revoke: (provider: HostedProvider, refreshToken: string) => Effect.Effect<void, ProviderFailure>
}

/**
 * Google and Microsoft as OAuth providers of mailboxes, with the operator's own clients. Reading and sending mail belongs
 * to `Mailboxes` and `EmailTransport`, and accounts that an intermediary hosts to `HostedMail`.
 */
export class OAuthProviders extends Context.Service<OAuthProviders, OAuthProvidersShape>()(
  "core/port/provider/OAuthProviders"
) {
  /** Has no client at any provider. */
  static readonly layerNone: Layer.Layer<OAuthProviders> = Layer.sync(OAuthProviders, () => {
    const refuse = (provider: HostedProvider) => Effect.fail(clientMissing(provider))
    return OAuthProviders.of({
      providers: [],
      redirectUriOf: () => null,
      signInUrl: ({ provider }) => refuse(provider),
      exchange: (_, { provider }) => refuse(provider),
      refresh: refuse,
      revoke: refuse
    })
  })
}

/** Returns the failure for a provider at which the operator has no client. */
export const clientMissing = (provider: HostedProvider): ProviderFailureOf<"NotConfigured"> =>
  notConfigured("mail", `LEADLOOM_${provider.toUpperCase()}_CLIENT_ID`, provider)
