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

/** Where the owner of an account is sent to let this server in. */
export interface SignInRequest {
  /** Null: the owner chooses. */
  readonly provider: HostedProvider | null
  /** Comes back with the code, at most 256 characters. */
  readonly state: string
  /** The address that the owner is asked to sign in as. */
  readonly email: string | null
}

type Shape = {
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
 * Accounts that somebody else hosts, whoever speaks to them for us. Requests are tried once or twice within seconds;
 * more patience is the caller's. Sending is `EmailTransport`.
 */
export class HostedMail extends Context.Service<HostedMail, Shape>()("core/port/provider/HostedMail") {
  /** Speaks to a provider in memory. */
  static readonly memory = (provider: ProviderInMemory): Layer.Layer<HostedMail> =>
    Layer.succeed(HostedMail, inMemory(provider))

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
