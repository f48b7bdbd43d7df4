import { assert, it } from "@effect/vitest"
import { certificate } from "@leadloom/testkit/mail/Certificate"
import { dovecotMissing } from "@leadloom/testkit/imap/Dovecot"
import { startDovecotWorld, worldAccounts } from "@leadloom/testkit/imap/ImapWorld"
import { loginOf } from "@leadloom/testkit/suite/mailbox/ImapBox"
import { Effect } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"
import { describe } from "vitest"
import { openMailbox } from "../../src/imap/OpenMailbox.ts"

const username = worldAccounts[0] ?? ""

/** A token introspection (RFC 7662) that knows one token. */
const introspection = Effect.acquireRelease(
  Effect.promise(async () => {
    const server = createServer((request, response) => {
      const active = new URL(request.url ?? "/", "http://localhost").searchParams.get("token") === "good-token"
      response.writeHead(200, { "content-type": "application/json" })
      response.end(JSON.stringify(active ? { active, email: username } : { active }))
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    return server
  }),
  (server) => Effect.sync(() => void server.close())
)

const missing = dovecotMissing()
describe.skipIf(missing !== null)(`XOAUTH2 on Dovecot${missing === null ? "" : ` (${missing})`}`, () => {
  it.live("accepts an access token, and quotes the response to an expired one", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const address = (yield* introspection).address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        const world = yield* Effect.acquireRelease(
          Effect.promise(() => startDovecotWorld(`http://127.0.0.1:${port}/introspect`)),
          (server) => Effect.promise(() => server.close())
        )
        const policy = { allowHosts: [{ host: "localhost", port: world.tlsPort }] }
        const open = openMailbox({ policy, trust: certificate })
        const mailbox = yield* open(loginOf(world, username, "tls", { _tag: "AccessToken", token: "good-token" }))
        assert.isNotEmpty(yield* mailbox.folders)
        const rejected = loginOf(world, username, "tls", { _tag: "AccessToken", token: "expired-token" })
        const failure = yield* Effect.flip(open(rejected))
        assert.strictEqual(failure.problem, "login")
        assert.include(failure.detail, "[AUTHENTICATIONFAILED]")
        assert.notInclude(failure.detail, "expired-token")
      })
    )
  )
})
