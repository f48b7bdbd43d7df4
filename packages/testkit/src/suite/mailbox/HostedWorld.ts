import type { MailProviderInMemory } from "../../memory/HostedMail.ts"
import type { HostedAccount, HostedMessage, HostedMailEvent } from "@leadloom/core/internal/domain/email/HostedMail"
import { finishSignIn } from "@leadloom/core/internal/workflow/mailbox/FinishSignIn"
import { startSignIn } from "@leadloom/core/internal/workflow/mailbox/StartSignIn"
import { mimeSource } from "@leadloom/core/internal/domain/email/MailSource"
import { MailParser } from "@leadloom/core/internal/port/provider/MailParser"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Clock, Effect } from "effect"
import { type MailText, rawMail, type Scene, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { newestConversations } from "../NewestConversations.ts"

/** The provider's data of the test account. */
export const account: HostedAccount = {
  providerGrantId: "provider-grant-1",
  provider: "google",
  email: "sales@acme.com",
  valid: true
}

/** The tenant and principal of the sign-in. */
export const begin = { tenantId: "acme", principal: "user:jo" }

/** Returns the state parameter that the provider sends back. */
export const stateIn = (url: string): string => new URL(url).searchParams.get("state") ?? ""

/** Signs in: the account's owner visits the provider and returns to this server. */
export const signIn = Effect.gen(function* () {
  const { url } = yield* startSignIn(begin.tenantId, begin.principal, "google")
  return yield* finishSignIn({ ...begin, code: "good", state: stateIn(url) })
})

/** A provider event about a new mail. */
export const arrived = (providerMessageId: string, receivedAt: number | null = null): HostedMailEvent => ({
  _tag: "MessageArrived",
  providerGrantId: account.providerGrantId,
  providerMessageId,
  receivedAt
})

/** Adds a mail to the account. */
export const deliver = Effect.fnUntraced(function* (
  there: MailProviderInMemory,
  providerMessageId: string,
  mail: MailText,
  changes: Partial<HostedMessage> = {}
) {
  const parsed = yield* (yield* MailParser).parse(rawMail(mail), { flow: "test", mediaType: mimeSource })
  const message: HostedMessage = {
    providerMessageId,
    providerThreadId: `thread-${providerMessageId}`,
    mail: parsed,
    source: new Uint8Array(),
    sourceType: "application/json",
    attachments: [],
    receivedAt: yield* Clock.currentTimeMillis,
    aside: false,
    sent: null,
    ...changes
  }
  const mailbox = there.mailboxes.get(account.providerGrantId) ?? []
  there.mailboxes.set(account.providerGrantId, [...mailbox, message])
})

/** Returns all messages of the tenant. */
export const stored = Effect.gen(function* () {
  const conversations = yield* newestConversations("acme", 50)
  const messages = yield* Messages
  return (yield* Effect.forEach(conversations, ({ contactId }) => messages.ofContact("acme", contactId))).flat()
})

/** Adds tests with a mail provider, at which the code `good` gives access to the test account. */
export const hostedScenesOn =
  (store: StoreLayer): Scene =>
  (title, test) =>
    scenesOn(store, "hosted mail")(title, (doubles) => {
      const { mailbox } = doubles
      mailbox.codes.set("good", account)
      mailbox.accounts.set(account.providerGrantId, account)
      return test(doubles)
    })
