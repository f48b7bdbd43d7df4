import { Context, Effect, Layer } from "effect"
import type { ParserUnavailable } from "./MailParser.ts"
import { ProviderNotConfigured } from "../../domain/email/Grant.ts"
import type {
  HostedAccount,
  HostedFailure,
  HostedMessage,
  HostedPage,
  HostedProvider
} from "../../domain/email/HostedMail.ts"

/** Where the owner of an account is sent to let this server in. */
export interface SignInRequest {
  /** Null: the owner chooses. */
  readonly provider: HostedProvider | null
  /** Comes back with the code, at most 256 characters. */
  readonly state: string
  /** The address that the owner is asked to sign in as. */
  readonly email: string | null
}

export type HostedMailShape = {
  /** Fails where this server has no such accounts. */
  readonly configured: Effect.Effect<void, ProviderNotConfigured>
  readonly signInUrl: (request: SignInRequest) => Effect.Effect<string, ProviderNotConfigured>
  /** Exchanges the code that the owner came back with. A code is good for one exchange, whatever comes of it. */
  readonly exchange: (code: string) => Effect.Effect<HostedAccount, HostedFailure | ProviderNotConfigured>
  /** The account behind a permission. */
  readonly account: (providerGrantId: string) => Effect.Effect<HostedAccount, HostedFailure | ProviderNotConfigured>
  /** Gives a permission back for good. One that is gone is given back. */
  readonly revoke: (providerGrantId: string) => Effect.Effect<void, HostedFailure | ProviderNotConfigured>
  readonly message: (
    providerGrantId: string,
    providerMessageId: string
  ) => Effect.Effect<HostedMessage, HostedFailure | ProviderNotConfigured | ParserUnavailable>
  /** Mail that came into the account after a time (epoch milliseconds), sent mail too; in no promised order. */
  readonly listSince: (
    providerGrantId: string,
    since: number,
    page: string | null
  ) => Effect.Effect<HostedPage, HostedFailure | ProviderNotConfigured>
  readonly attachment: (
    providerGrantId: string,
    providerMessageId: string,
    attachmentId: string
  ) => Effect.Effect<Uint8Array, HostedFailure | ProviderNotConfigured>
}

/**
 * Accounts that somebody else hosts, whoever speaks to them for us. Requests are tried once or twice within seconds;
 * more patience is the caller's. Sending is `EmailTransport`.
 */
export class HostedMail extends Context.Service<HostedMail, HostedMailShape>()("core/port/provider/HostedMail") {
  /** No such accounts here; `setting` is what an operator would have to set. */
  static readonly closed = (setting: string): Layer.Layer<HostedMail> => {
    const refuse = (provider: HostedProvider) => Effect.fail(new ProviderNotConfigured({ provider, setting }))
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
