import { assert, it } from "@effect/vitest"
import type { LoginProblem, MailboxLoginFailed } from "@leadloom/core/internal/port/provider/Mailboxes"
import { Effect, type Scope } from "effect"
import { once } from "node:events"
import { createServer, type Socket } from "node:net"
import { describe } from "vitest"
import { verifyImap } from "../../src/imap/OpenMailbox.ts"
import { loginTo, openTo, standIn } from "./ImapTest.ts"

/** A server that sends a greeting and answers each line with the given text. */
const plainServer = (greeting: string, answer: string): Effect.Effect<number, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const sockets = new Set<Socket>()
        const server = createServer((socket) => {
          sockets.add(socket.on("error", () => undefined))
          socket.write(greeting)
          socket.on("data", () => socket.write(answer))
        }).listen(0, "localhost")
        await once(server, "listening")
        return { server, sockets }
      }),
      ({ server, sockets }) =>
        Effect.sync(() => {
          for (const socket of sockets) socket.destroy()
          server.close()
        })
    ),
    ({ server }) => {
      const address = server.address()
      return typeof address === "object" && address !== null ? address.port : 0
    }
  )

const shows = (failure: MailboxLoginFailed, problem: LoginProblem, ...words: ReadonlyArray<string>): void => {
  assert.deepStrictEqual([failure.server, failure.problem], ["imap", problem])
  for (const word of words) assert.include(failure.detail, word)
  assert.notInclude(failure.detail, "secret")
}

/**
 * Responses of providers to a login; the sources are in `LoginProblem.ts`. Those of Yahoo and iCloud are
 * not verified; their response codes are those of RFC 5530. The last column is the demanded delay.
 */
const responses: ReadonlyArray<readonly [provider: string, response: string, LoginProblem, number?]> = [
  ["Gmail", "NO [AUTHENTICATIONFAILED] Invalid credentials (Failure)", "login"],
  [
    "Gmail",
    "NO [ALERT] Application-specific password required: https://support.google.com/accounts/answer/185833 (Failure)",
    "app_password"
  ],
  ["Gmail", "NO [WEBALERT https://accounts.google.com/signin/continue?sarp=1] Web login required.", "app_password"],
  ["Gmail", "NO [ALERT] Please log in via your web browser: https://support.google.com/mail (Failure)", "app_password"],
  [
    "Gmail",
    "NO [ALERT] Your account is not enabled for IMAP use. Please visit your Gmail settings page and enable your account for IMAP access. (Failure)",
    "disabled"
  ],
  ["Gmail", "NO [ALERT] Too many simultaneous connections. (Failure)", "unavailable", 60_000],
  ["Gmail", "NO [OVERQUOTA] Account exceeded command or bandwidth limits. (Failure)", "unavailable", 900_000],
  ["Microsoft 365", "BAD User is authenticated but not connected.", "disabled"],
  ["Microsoft 365", "NO LOGIN failed. LogonDenied-BasicAuthBlocked", "app_password"],
  ["Exchange", "NO LOGIN failed.", "login"],
  ["Yahoo", "NO [AUTHENTICATIONFAILED] LOGIN Invalid credentials", "login"],
  ["Yahoo", "NO [LIMIT] LOGIN Rate limit hit.", "unavailable", 300_000],
  ["Yahoo", "NO [UNAVAILABLE] LOGIN Server error - Please try again later", "unavailable", 60_000],
  ["iCloud", "BAD [UNAVAILABLE] Service temporarily unavailable", "unavailable", 60_000],
  ["iCloud", "NO [AUTHENTICATIONFAILED] Authentication failed", "login"],
  ["any", "NO [THROTTLED] Slow down", "unavailable", 120_000],
  ["any", "NO [INUSE] Mailbox is in use", "unavailable", 15_000],
  ["any", "NO [EXPIRED] The password has expired", "login"],
  ["any", "NO [PRIVACYREQUIRED] Use TLS", "tls"],
  ["any", "NO [CONTACTADMIN] IMAP is switched off", "disabled"]
]

describe("a rejected login", () => {
  for (const [provider, response, problem, delay] of responses) {
    it.live(`is ${problem} for ${provider}: ${response.slice(0, 60)}`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const server = yield* standIn()
          server.faults.login = response
          const failure = yield* Effect.flip(openTo(loginTo(server.port)))
          shows(failure, problem, response)
          assert.strictEqual(failure.retryAfterMillis, delay)
        })
      )
    )
  }
  it.live("contains no secret that the server repeats", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const server = yield* standIn()
        const credential = { _tag: "Password", password: "hunter2" } as const
        const sasl = Buffer.from("\0sales@example.com\0hunter2").toString("base64")
        server.faults.login = `NO LOGIN sales@example.com hunter2 ${sasl} rejected`
        const failure = yield* Effect.flip(openTo(loginTo(server.port, {}, credential)))
        assert.include(failure.detail, "NO LOGIN sales@example.com [secret] [secret] rejected")
      })
    )
  )
  it.live("accepts an access token with XOAUTH2, and reports a rejected one", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const server = yield* standIn()
        yield* openTo(loginTo(server.port, {}, { _tag: "AccessToken", token: "secret" }))
        const failure = yield* Effect.flip(openTo(loginTo(server.port, {}, { _tag: "AccessToken", token: "secret2" })))
        shows(failure, "login", "[AUTHENTICATIONFAILED]")
      })
    )
  )
})

describe("a connection", () => {
  it.live("reports a wrong host and a closed port", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const server = yield* standIn()
        yield* Effect.promise(() => server.close())
        const closed = yield* Effect.flip(openTo(loginTo(server.port)))
        shows(closed, "unreachable", "ECONNREFUSED", "Check host and port")
        const unknown = yield* Effect.flip(openTo(loginTo(993, { host: "imap.no-such-host.invalid" })))
        shows(unknown, "unreachable", "imap.no-such-host.invalid")
      })
    )
  )
  it.live("reports a server without TLS and without STARTTLS", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const server = yield* standIn({ hide: ["STARTTLS"] })
        const tls = yield* Effect.flip(openTo(loginTo(server.port, { security: "tls" })))
        shows(tls, "tls", "Check the port, the security")
        const starttls = yield* Effect.flip(openTo(loginTo(server.port, { security: "starttls" })))
        shows(starttls, "tls", "Server does not support STARTTLS")
        // The password was never sent.
        assert.notInclude(server.commands.join(" "), "AUTHENTICATE")
      })
    )
  )
  it.live("reports a self-signed certificate", () =>
    Effect.scoped(
      Effect.gen(function* () {
        for (const security of ["tls", "starttls"] as const) {
          const server = yield* standIn({ security })
          const login = loginTo(server.port, { security })
          const policy = { allowHosts: [{ host: "localhost", port: server.port }] }
          const untrusted = yield* Effect.flip(verifyImap({ policy })(login))
          shows(untrusted, "tls", "self-signed certificate", "DEPTH_ZERO_SELF_SIGNED_CERT")
        }
      })
    )
  )
  it.live("reports a login without TLS that the server does not accept", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const server = yield* standIn({ security: "starttls" })
        shows(yield* Effect.flip(openTo(loginTo(server.port))), "tls", "Login is disabled")
      })
    )
  )
  it.live("reports a server of another protocol or without a greeting", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const limits = { connectMillis: 300, loginMillis: 600 }
        const smtp = yield* plainServer("220 mail.example.com ESMTP\r\n", "500 unknown command\r\n")
        shows(yield* Effect.flip(openTo(loginTo(smtp), { limits })), "protocol", "does not speak IMAP")
        const silent = yield* plainServer("", "")
        shows(yield* Effect.flip(openTo(loginTo(silent), { limits })), "protocol", "GREETING_TIMEOUT")
        const stuck = yield* plainServer("* OK ready\r\n", "")
        shows(yield* Effect.flip(openTo(loginTo(stuck), { limits })), "unreachable", "within 0.6 seconds")
        const bye = yield* plainServer("* BYE Too many connections from your address\r\n", "")
        shows(yield* Effect.flip(openTo(loginTo(bye), { limits })), "unavailable", "Too many connections")
      })
    )
  )
  it.live("is closed when a login fails", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const server = yield* standIn()
        server.faults.login = "NO [AUTHENTICATIONFAILED] No"
        yield* Effect.flip(openTo(loginTo(server.port)))
        yield* Effect.promise(async () => {
          while (server.connections() > 0) await new Promise((resolve) => setImmediate(resolve))
        })
      })
    )
  )
})
