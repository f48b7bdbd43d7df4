import { Context, Effect, Layer } from "effect"
import type { ParserUnavailable } from "./MailParser.ts"
import { ProviderNotConfigured } from "../../domain/email/Grant.ts"
import {
  type HostedAccount,
  type HostedFailure,
  HostedGone,
  type HostedMessage,
  type HostedPage,
  type HostedProvider
} from "../../domain/email/HostedMail.ts"

/** A request to sign in to an email account at its provider. */
export interface SignInRequest {
  /** Null when the owner chooses the provider. */
  readonly provider: HostedProvider | null
  /** An opaque value, at most 256 characters. The provider returns it with the code. */
  readonly state: string
  /** The address that the provider proposes for the sign-in. */
  readonly email: string | null
}

type Shape = {
  /** Fails when hosted accounts are not configured on this server. */
  readonly configured: Effect.Effect<void, ProviderNotConfigured>
  readonly signInUrl: (request: SignInRequest) => Effect.Effect<string, ProviderNotConfigured>
  /**
   * Exchanges an authorization code for an account. A code can be exchanged once, whether the exchange succeeds or
   * fails.
   */
  readonly exchange: (code: string) => Effect.Effect<HostedAccount, HostedFailure | ProviderNotConfigured>
  /** Returns the account that a provider grant belongs to. */
  readonly account: (providerGrantId: string) => Effect.Effect<HostedAccount, HostedFailure | ProviderNotConfigured>
  /** Revokes a provider grant permanently. Succeeds when the grant no longer exists. */
  readonly revoke: (providerGrantId: string) => Effect.Effect<void, HostedFailure | ProviderNotConfigured>
  readonly message: (
    providerGrantId: string,
    providerMessageId: string
  ) => Effect.Effect<HostedMessage, HostedFailure | ProviderNotConfigured | ParserUnavailable>
  /** Lists mail that the account received or sent after `since` (epoch milliseconds). The order is not defined. */
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

/** A provider in memory: what it knows, and what it answers while it is away. */
export interface ProviderInMemory {
  /** By the code that its owner comes back with. */
  readonly codes: Map<string, HostedAccount>
  readonly accounts: Map<string, HostedAccount>
  /** By the permission. */
  readonly mailboxes: Map<string, ReadonlyArray<HostedMessage>>
  readonly revoked: Array<string>
  failure: HostedFailure | null
}

/** A provider that knows nobody yet. */
export const providerInMemory = (): ProviderInMemory => ({
  codes: new Map(),
  accounts: new Map(),
  mailboxes: new Map(),
  revoked: [],
  failure: null
})

/** Mails on one page of a list in memory. */
export const memoryPage = 2

const inMemory = (provider: ProviderInMemory): Shape => {
  const respond = <A>(look: () => A | undefined, what: string): Effect.Effect<A, HostedFailure> =>
    Effect.suspend(() => {
      if (provider.failure !== null) return Effect.fail(provider.failure)
      const found = look()
      return found === undefined ? Effect.fail(new HostedGone({ what })) : Effect.succeed(found)
    })
  const mailbox = (providerGrantId: string) => provider.mailboxes.get(providerGrantId) ?? []
  return {
    configured: Effect.void,
    signInUrl: ({ email, provider: family, state }) =>
      Effect.succeed(`https://provider.example/auth?state=${state}&as=${email ?? ""}&provider=${family ?? ""}`),
    exchange: (code) => respond(() => provider.codes.get(code), "code"),
    account: (providerGrantId) => respond(() => provider.accounts.get(providerGrantId), "account"),
    revoke: (providerGrantId) => Effect.asVoid(respond(() => provider.revoked.push(providerGrantId), "account")),
    message: (providerGrantId, id) =>
      respond(() => mailbox(providerGrantId).find(({ providerMessageId }) => providerMessageId === id), "mail"),
    listSince: (providerGrantId, since, page) =>
      respond(() => {
        const start = Number(page ?? "0")
        const messages = mailbox(providerGrantId).filter(({ receivedAt }) => receivedAt > since)
        const end = start + memoryPage
        return { messages: messages.slice(start, end), next: end < messages.length ? String(end) : null }
      }, "account"),
    attachment: () => Effect.fail(new HostedGone({ what: "attachment" }))
  }
}

/**
 * Email accounts that a provider hosts. An adapter tries a request at most twice, within seconds; callers decide about
 * further retries. Sending is part of `EmailTransport`.
 */
export class HostedMail extends Context.Service<HostedMail, Shape>()("core/port/provider/HostedMail") {
  /** Speaks to a provider in memory. */
  static readonly memory = (provider: ProviderInMemory): Layer.Layer<HostedMail> =>
    Layer.succeed(HostedMail, inMemory(provider))

  /** A server without hosted accounts. `setting` names the missing configuration variable. */
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
