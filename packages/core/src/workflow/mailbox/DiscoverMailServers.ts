import { Clock, Effect } from "effect"
import type { RateLimitRule } from "../../domain/access/RateLimit.ts"
import { isEmail, normalizeEmail } from "../../domain/address/Address.ts"
import { EmailRequestInvalid } from "../../domain/email/Grant.ts"
import { asciiEmail } from "../../domain/email/Mailbox.ts"
import { discoveryRate, MailboxAttemptsReached, MailServersNotFound } from "../../domain/mailbox/MailboxLimits.ts"
import { ownerProviderOf } from "../../domain/mailbox/OwnerProvider.ts"
import { OAuthProviders } from "../../port/provider/OAuthProviders.ts"
import { Mailboxes } from "../../port/provider/Mailboxes.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { RateLimits } from "../../port/system/RateLimits.ts"
import { withSpan } from "../WithSpan.ts"

/** Counts one attempt. Fails with `MailboxAttemptsReached` above the limit. */
export const countAttempt = Effect.fnUntraced(function* (tenantId: string, key: string, rule: RateLimitRule) {
  const rate = yield* (yield* RateLimits).consume(tenantId, key, rule, yield* Clock.currentTimeMillis)
  if (!rate.allowed) return yield* new MailboxAttemptsReached({ rate })
})

/** Returns an address in its stored form. */
export const checkAddress = (text: string): Effect.Effect<string, EmailRequestInvalid> => {
  const email = asciiEmail(normalizeEmail(text))
  if (isEmail(email)) return Effect.succeed(email)
  return Effect.fail(new EmailRequestInvalid({ issues: [{ path: "email", message: "This is not an email address." }] }))
}

/**
 * Returns the suggested mail servers of an address. If its owner signs in at a provider instead of using a password,
 * `signIn` names the provider, and states whether the operator has a client there.
 */
export const discoverMailServers = Effect.fnUntraced(function* (tenantId: string, text: string) {
  yield* (yield* Tenants).get(tenantId)
  const email = yield* checkAddress(text)
  yield* countAttempt(tenantId, "mailbox_discovery", discoveryRate)
  const found = yield* (yield* Mailboxes).discover(email)
  if (found === null) return yield* new MailServersNotFound({ email })
  const provider = ownerProviderOf(found.imap.host)
  const { providers } = yield* OAuthProviders
  const signIn = provider === null ? null : { provider, available: providers.includes(provider) }
  return { ...found, email, signIn }
}, withSpan("discoverMailServers"))
