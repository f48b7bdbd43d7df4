import type { Grant } from "@leadloom/core/internal/domain/email/Grant"
import type { MailboxAccount } from "@leadloom/core/internal/domain/mailbox/MailboxAccount"
import { EmailTransport } from "@leadloom/core/internal/port/provider/EmailTransport"
import { OAuthProviders } from "@leadloom/core/internal/port/provider/OAuthProviders"
import { MailboxAccounts } from "@leadloom/core/internal/port/repository/conversation/MailboxAccounts"
import { Vault } from "@leadloom/core/internal/port/system/Vault"
import { sealMailboxSecret } from "@leadloom/core/internal/workflow/mailbox/AccessTokens"
import { startSubmission, type SubmissionOptions, type SubmissionServer } from "@leadloom/testkit/mail/SubmissionServer"
import { inMemoryVault } from "@leadloom/testkit/memory/Vault"
import { clearedMail } from "@leadloom/testkit/outbound/Cleared"
import { grantRecord, sendRecord } from "@leadloom/testkit/suite/Records"
import { Effect, Layer, Result } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import * as MailboxTransport from "../../src/smtp/MailboxTransport.ts"

let server: SubmissionServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const grant: Grant = { ...grantRecord("acme", 1), provider: "imap", email: "ann@acme.example" }
const { mail } = sendRecord("acme", 1)
const timeouts = { connect: 2_000, idle: 2_000, total: 5_000 }

/** Sends a mail through the server with a stored password. Returns the tag of the outcome. */
const sendWith = async (options: SubmissionOptions, password = "correct horse", hasAccount = true) => {
  const started = await startSubmission(options)
  server = started
  const { port } = started
  const smtp = { host: "127.0.0.1", port, security: "none" } as const
  const send = Effect.gen(function* () {
    const secret = sealMailboxSecret(yield* Vault, grant, { kind: "password", password })
    const { grantId, tenantId } = grant
    const times = { sinceAt: 0, createdAt: 0 }
    const account: MailboxAccount = {
      tenantId,
      grantId,
      username: "ann",
      imap: smtp,
      smtp,
      secret,
      setsFlags: true,
      ...times
    }
    const accounts = Layer.mock(MailboxAccounts, { find: () => Effect.succeed(hasAccount ? account : null) })
    const transport = MailboxTransport.layer({ policy: { allowHosts: [smtp] } }, timeouts)
    const outgoing = { grant, mail }
    return yield* Effect.flatMap(EmailTransport, (each) => each.send(outgoing, clearedMail(grant.tenantId, mail))).pipe(
      Effect.provide(Layer.provide(transport, [accounts, OAuthProviders.layerNone]))
    )
  })
  const result = await Effect.runPromise(Effect.result(send).pipe(Effect.provide(inMemoryVault)))
  return Result.isSuccess(result)
    ? { tag: "sent", reason: result.success.response }
    : { tag: result.failure.reason._tag, reason: result.failure.message }
}

describe("a mail of a mailbox", () => {
  it("is sent through the mailbox's own server with its login", async () => {
    expect(await sendWith({ username: "ann" })).toMatchObject({ tag: "sent" })
    expect(server?.mails).toMatchObject([{ user: "ann", from: mail.from.email }])
    expect(server?.mails[0]?.raw).toContain(`Message-ID: <${mail.internetMessageId}>`)
  })

  it("needs a new login when the server rejects the stored one", async () => {
    const outcome = await sendWith({}, "old password")
    expect(outcome).toMatchObject({ tag: "SignedOut" })
    expect(outcome.reason).not.toContain("old password")
    await server?.close()
    expect(await sendWith({}, "correct horse", false)).toMatchObject({ tag: "SignedOut" })
  })

  it.each([
    ["Unavailable", { refusal: { code: 454, text: "4.7.0 too many logins" } }],
    ["Refused", { afterData: 554 }],
    ["Unavailable", { afterData: 451 }],
    ["OutcomeUnknown", { afterData: "cut" }]
  ] as const)("is %s after %j", async (tag, options) => {
    expect(await sendWith(options)).toMatchObject({ tag })
  })
})
