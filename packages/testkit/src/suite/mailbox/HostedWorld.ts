import { inMemoryHostedMail, type MailProviderInMemory, emptyMailProvider } from "../../memory/HostedMail.ts"
import { layer } from "@effect/vitest"
import type { HostedAccount, HostedMessage, HostedMailEvent } from "@leadloom/core/domain/email/HostedMail"
import { finishSignIn } from "@leadloom/core/workflow/mailbox/FinishSignIn"
import { startSignIn } from "@leadloom/core/workflow/mailbox/StartSignIn"
import { runJob } from "@leadloom/core/workflow/job/RunJob"
import { workDueJobs } from "@leadloom/core/workflow/job/WorkJobs"
import { Arrivals } from "@leadloom/core/port/repository/conversation/Arrivals"
import { Conversations } from "@leadloom/core/port/repository/conversation/Conversations"
import type { HostedMail } from "@leadloom/core/port/provider/HostedMail"
import { mimeSource } from "@leadloom/core/domain/email/MailSource"
import { MailParser } from "@leadloom/core/port/provider/MailParser"
import { Messages } from "@leadloom/core/port/repository/conversation/Messages"
import { Clock, Effect, Layer } from "effect"
import { around } from "../Doubles.ts"
import { type MailText, rawMail } from "../Scene.ts"
import type { Store, StoreLayer } from "../StoreLayer.ts"

/** The provider's data of the test account. */
export const account: HostedAccount = {
  providerGrantId: "provider-grant-1",
  provider: "google",
  email: "sales@acme.com",
  valid: true
}

/** A provider with the test account. The code `good` gives access to it. */
const provider = (): MailProviderInMemory => {
  const there = emptyMailProvider()
  there.codes.set("good", account)
  there.accounts.set(account.providerGrantId, account)
  return there
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
    ...changes
  }
  const mailbox = there.mailboxes.get(account.providerGrantId) ?? []
  there.mailboxes.set(account.providerGrantId, [...mailbox, message])
})

/** Runs jobs until none is due. */
export const workAll = Effect.gen(function* () {
  while ((yield* workDueJobs(runJob)) > 0);
})

/** Returns the counts of the inbound ledger. */
export const counts = Effect.flatMap(Arrivals, (arrivals) => arrivals.counts("acme"))

/** Returns all messages of the tenant. */
export const stored = Effect.gen(function* () {
  const conversations = yield* (yield* Conversations).page("acme", 50, null, null)
  const messages = yield* Messages
  return (yield* Effect.forEach(conversations, ({ contactId }) => messages.ofContact("acme", contactId))).flat()
})

/** The outbound mail of the tests. */
export const request = {
  to: [{ email: "jo@customer.example", name: null }],
  cc: [],
  bcc: [],
  subject: "Your roof",
  body: "On Monday.",
  from: null,
  replyToMessageId: null
}

/** Runs a test on a fresh store with an in-memory provider. */
export const makeScene =
  (store: StoreLayer) =>
  (
    title: string,
    test: (
      there: MailProviderInMemory
    ) => Effect.Effect<void, unknown, Layer.Success<typeof around> | HostedMail | Store>
  ): void => {
    const there = provider()
    const world = Layer.mergeAll(Layer.fresh(store), around, inMemoryHostedMail(there))
    layer(world)((it) => it.effect(title, () => test(there)))
  }
