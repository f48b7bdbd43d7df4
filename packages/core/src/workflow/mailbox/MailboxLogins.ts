import { Effect, Schema } from "effect"
import type { Grant } from "../../domain/email/Grant.ts"
import { type MailboxAccount, mailboxSealContext, type MailboxSecret } from "../../domain/mailbox/MailboxAccount.ts"
import type { MailboxCredential, MailboxLogin } from "../../domain/mailbox/MailServer.ts"
import { signedOut } from "../../domain/provider/ProviderFailure.ts"
import { Vault } from "../../port/system/Vault.ts"

const SecretJson = Schema.fromJsonString(
  Schema.Union([
    Schema.Struct({ kind: Schema.Literal("password"), password: Schema.String }),
    Schema.Struct({
      kind: Schema.Literal("oauth"),
      provider: Schema.Literals(["google", "microsoft"]),
      refreshToken: Schema.String,
      accessToken: Schema.String,
      expiresAt: Schema.Number
    })
  ])
)

const readSecret = Schema.decodeUnknownEffect(SecretJson)

/** Seals the secret of an account for storage. */
export const sealMailboxSecret = (
  vault: Vault["Service"],
  { grantId, tenantId }: Pick<MailboxAccount, "grantId" | "tenantId">,
  secret: MailboxSecret
): string => vault.seal(JSON.stringify(secret), mailboxSealContext(tenantId, grantId))

const credentialOf = (secret: MailboxSecret): MailboxCredential =>
  secret.kind === "password"
    ? { _tag: "Password", password: secret.password }
    : { _tag: "AccessToken", token: secret.accessToken }

/**
 * Returns the login of a connected mailbox. Fails with `SignedOut` when the secret cannot be opened: the owner must
 * then connect the mailbox again.
 */
export const mailboxLogin = Effect.fnUntraced(function* (
  { email }: Pick<Grant, "email">,
  { grantId, imap, secret, smtp, tenantId, username }: MailboxAccount
) {
  const text = yield* (yield* Vault)
    .open(secret, mailboxSealContext(tenantId, grantId))
    .pipe(Effect.mapError(({ reason }) => signedOut("mail", `the stored password cannot be opened: ${reason}`)))
  const opened = yield* readSecret(text).pipe(
    Effect.mapError(() => signedOut("mail", "the stored password has an unknown form"))
  )
  const login: MailboxLogin = { email, username, imap, smtp, credential: credentialOf(opened) }
  return login
})
