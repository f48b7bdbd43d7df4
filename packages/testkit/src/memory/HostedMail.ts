import * as ProviderFailure from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { Effect, Layer } from "effect"
import type { HostedAccount, HostedMessage } from "@leadloom/core/internal/domain/email/HostedMail"
import { HostedMail, type HostedMailShape } from "@leadloom/core/internal/port/provider/HostedMail"

/** The state of a mail provider in memory. */
export interface MailProviderInMemory {
  /** Accounts by authorization code. */
  readonly codes: Map<string, HostedAccount>
  readonly accounts: Map<string, HostedAccount>
  /** Messages by provider grant. */
  readonly mailboxes: Map<string, ReadonlyArray<HostedMessage>>
  readonly revoked: Array<string>
  failure: ProviderFailure.ProviderFailure | null
}

/** Creates a provider without accounts. */
export const emptyMailProvider = (): MailProviderInMemory => ({
  codes: new Map(),
  accounts: new Map(),
  mailboxes: new Map(),
  revoked: [],
  failure: null
})

/** The number of mails on one page. */
export const memoryPage = 2

const makeHostedMail = (provider: MailProviderInMemory): HostedMailShape => {
  const respond = <A>(look: () => A | undefined, what: string): Effect.Effect<A, ProviderFailure.ProviderFailure> =>
    Effect.suspend(() => {
      if (provider.failure !== null) return Effect.fail(provider.failure)
      const found = look()
      return found === undefined ? Effect.fail(ProviderFailure.gone("mail", what)) : Effect.succeed(found)
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
    attachment: () => Effect.fail(ProviderFailure.gone("mail", "attachment"))
  }
}

/** Provides `HostedMail` on a state in memory. */
export const inMemoryHostedMail = (provider: MailProviderInMemory): Layer.Layer<HostedMail> =>
  Layer.succeed(HostedMail, makeHostedMail(provider))
