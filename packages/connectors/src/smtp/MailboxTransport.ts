import { type ProviderFailure, signedOut, unavailable } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { demandMailClearance, EmailTransport } from "@leadloom/core/internal/port/provider/EmailTransport"
import type { MailboxLogin } from "@leadloom/core/internal/domain/mailbox/MailServer"
import type { MailboxLoginFailed } from "@leadloom/core/internal/port/provider/Mailboxes"
import { OAuthProviders } from "@leadloom/core/internal/port/provider/OAuthProviders"
import { MailboxAccounts } from "@leadloom/core/internal/port/repository/conversation/MailboxAccounts"
import { Vault } from "@leadloom/core/internal/port/system/Vault"
import { unsealFailure } from "@leadloom/core/internal/workflow/mailbox/AccessTokens"
import { withMailboxLogin } from "@leadloom/core/internal/workflow/mailbox/MailboxLogins"
import { Context, Effect, Layer } from "effect"
import type { MailHostOptions } from "../imap/MailHost.ts"
import { mailboxRelay } from "./MailboxRelay.ts"
import type { SmtpDialogueFailure, SmtpTimeouts } from "./SmtpDialogue.ts"
import { defaultTimeouts, failureOf, handToRelay } from "./SmtpTransport.ts"

/** The codes with which a server rejects the login itself, so that only its owner can correct it (RFC 4954). */
const loginRefused: ReadonlyArray<number> = [534, 535]

/** Maps the failure of a dialogue like the relay's, but a refused login concerns the owner of the mailbox. */
const mailboxFailureOf = (failure: SmtpDialogueFailure): ProviderFailure =>
  failure.code !== null && loginRefused.includes(failure.code) ? signedOut("mail", failure.reason) : failureOf(failure)

/** A server that is unknown or not permitted at present. No mail was sent, so a later attempt is safe. */
const notReached = ({ detail, problem }: MailboxLoginFailed): ProviderFailure =>
  unavailable("mail", problem === "refused_host" ? "the SMTP server of the mailbox is not permitted" : detail)

/** Sends the mail of a mailbox through the mailbox's own SMTP server, with one connection per mail. */
export const layer = (
  hosts: MailHostOptions,
  timeouts: SmtpTimeouts = defaultTimeouts
): Layer.Layer<EmailTransport, never, MailboxAccounts | OAuthProviders | Vault> =>
  Layer.effect(
    EmailTransport,
    Effect.gen(function* () {
      const accounts = yield* MailboxAccounts
      const services = Context.pick(
        MailboxAccounts,
        OAuthProviders,
        Vault
      )(yield* Effect.context<MailboxAccounts | OAuthProviders | Vault>())
      return EmailTransport.of({
        send: Effect.fn("MailboxTransport.send")(function* (outgoing, clearance) {
          yield* demandMailClearance(outgoing, clearance)
          const { grant } = outgoing
          const account = yield* accounts
            .find(grant.tenantId, grant.grantId)
            .pipe(Effect.mapError(({ reason }) => unavailable("mail", reason)))
          if (account === null) return yield* signedOut("mail", "the login of the mailbox is not stored")
          const handOver = Effect.fnUntraced(function* (login: MailboxLogin) {
            const relay = yield* mailboxRelay(login, hosts).pipe(Effect.mapError(notReached))
            return yield* handToRelay(relay, outgoing, timeouts, mailboxFailureOf)
          })
          // The server rejects a login before it receives the mail, so a second attempt sends the mail once.
          const isRefused = ({ reason }: ProviderFailure): boolean => reason._tag === "SignedOut"
          return yield* withMailboxLogin({ grant, account }, handOver, isRefused).pipe(
            Effect.catchTags({
              UnsealFailed: (failure) => Effect.fail(unsealFailure(failure)),
              StoreUnavailable: ({ reason }) => Effect.fail(unavailable("mail", reason))
            }),
            Effect.provideContext(services)
          )
        })
      })
    })
  )
