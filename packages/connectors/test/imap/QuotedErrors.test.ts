import { readFile } from "node:fs/promises"
import { it } from "@effect/vitest"
import type { MailServer } from "@leadloom/core/internal/domain/mailbox/MailServer"
import { publicOnly } from "@leadloom/core/internal/domain/webhook/EgressPolicy"
import type { MailboxLoginFailed } from "@leadloom/core/internal/port/provider/Mailboxes"
import { Effect, type Scope } from "effect"
import { expect } from "vitest"
import { verifyImap } from "../../src/imap/OpenMailbox.ts"
import { loginTo, openTo, standIn } from "./ImapTest.ts"

const guide = new URL("../../../../docs/how-to/connect-a-mailbox.md", import.meta.url)

/** The login that fails, with the port of its server. */
type Attempt = Effect.Effect<{ readonly failure: MailboxLoginFailed; readonly port: number }, unknown, Scope.Scope>

/** A login to a server that answers it with the words of a provider. */
const answered = (response: string): Attempt =>
  Effect.gen(function* () {
    const { faults, port } = yield* standIn()
    faults.login = response
    return { failure: yield* Effect.flip(openTo(loginTo(port))), port }
  })

const plain = (security: MailServer["security"]): Attempt =>
  Effect.gen(function* () {
    const { port } = yield* standIn({ hide: ["STARTTLS"] })
    return { failure: yield* Effect.flip(openTo(loginTo(port, { security }))), port }
  })

const selfSigned: Attempt = Effect.gen(function* () {
  const { port } = yield* standIn({ security: "tls" })
  const policy = { allowHosts: [{ host: "localhost", port }] }
  return { failure: yield* Effect.flip(verifyImap({ policy })(loginTo(port, { security: "tls" }))), port }
})

const wrongHost: Attempt = Effect.gen(function* () {
  const host = "imap.florst.example"
  const unknown = Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND" })
  const options = { policy: publicOnly, resolve: () => Promise.reject(unknown) }
  return { failure: yield* Effect.flip(verifyImap(options)(loginTo(993, { host, security: "tls" }))), port: 993 }
})

const wrongPort: Attempt = Effect.gen(function* () {
  const { close, port } = yield* standIn()
  yield* Effect.promise(close)
  return { failure: yield* Effect.flip(openTo(loginTo(port))), port }
})

const attempts: ReadonlyArray<readonly [title: string, Attempt]> = [
  ["Wrong password (Gmail)", answered("NO [AUTHENTICATIONFAILED] Invalid credentials (Failure)")],
  ["Wrong host", wrongHost],
  ["Wrong port", wrongPort],
  ["No TLS", plain("tls")],
  ["No STARTTLS", plain("starttls")],
  ["Self-signed certificate", selfSigned],
  [
    "IMAP disabled (Gmail)",
    answered(
      "NO [ALERT] Your account is not enabled for IMAP use. Please visit your Gmail settings page and enable your account for IMAP access. (Failure)"
    )
  ],
  [
    "App password required (Gmail)",
    answered(
      "NO [ALERT] Application-specific password required: https://support.google.com/accounts/answer/185833 (Failure)"
    )
  ]
]

it.live("the guide quotes each error as the server reports it", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const lines = yield* Effect.forEach(attempts, ([title, attempt]) =>
        Effect.map(attempt, ({ failure: { detail, problem, server }, port }) => {
          const quoted = detail.replaceAll(String(port), "993").replaceAll("::1", "127.0.0.1")
          return `# ${title}: ${server}, ${problem}\n${quoted}`
        })
      )
      const text = yield* Effect.promise(() => readFile(guide, "utf8"))
      const [block] = text.split("<!-- checked by packages/connectors/test/imap/QuotedErrors.test.ts -->").slice(1)
      expect(
        /```text\n([\s\S]*?)```/u
          .exec(block ?? "")?.[1]
          ?.trim()
          .split("\n")
      ).toEqual(lines.join("\n").split("\n"))
    })
  )
)
