import { assert, it } from "@effect/vitest"
import { EgressRefused } from "@leadloom/core/internal/domain/webhook/EgressPolicy"
import { Effect } from "effect"
import { describe } from "vitest"
import { addressOf, checkMailHost, type MailHostOptions } from "../../src/imap/MailHost.ts"
import { loginTo, openTo, standIn } from "./ImapTest.ts"

const policy = { allowHosts: [{ host: "mail.internal", port: 143 }] }

const check = (
  host: string,
  port: number,
  security: "tls" | "starttls" | "none",
  options: Partial<MailHostOptions> = {}
) => checkMailHost({ policy, ...options }, { host, port, security }, "imap")

describe("the host of a mail server", () => {
  const refusals = [
    ["127.0.0.1", 993, "tls", "not public"],
    ["10.1.2.3", 993, "tls", "not public"],
    ["169.254.169.254", 993, "tls", "not public"],
    ["[::1]", 993, "tls", "not public"],
    ["[fd00::1]", 993, "tls", "not public"],
    ["0x7f000001", 993, "tls", "is a number"],
    ["localhost", 993, "tls", "local network"],
    ["mail.internal", 993, "tls", "mail.internal"],
    ["imap.example.com", 143, "none", "without TLS"],
    ["imap.example.com", 22, "tls", "Port 22"],
    ["imap.example.com", 0, "tls", "from 1 to 65535"],
    ["imap.example.com", 993.5, "tls", "from 1 to 65535"],
    ["", 993, "tls", "has no host"],
    ["user@imap.example.com", 993, "tls", "invalid characters"]
  ] as const
  for (const [host, port, security, words] of refusals) {
    it(`is refused: ${host}:${port} with ${security}`, () => {
      const found = check(host, port, security)
      assert.instanceOf(found, EgressRefused)
      if (found instanceof EgressRefused && words !== "mail.internal") assert.include(found.reason, words)
    })
  }
  it("may have any address and security if the operator permits its host and port", () => {
    assert.notInstanceOf(check("mail.internal", 143, "none"), EgressRefused)
    assert.notInstanceOf(check("MAIL.internal", 143, "none"), EgressRefused)
    assert.instanceOf(check("mail.internal", 144, "none"), EgressRefused)
  })
  it.effect("is refused when one of its addresses is inside the network", () =>
    Effect.promise(async () => {
      const resolve = async () => ["93.184.216.34", "10.0.0.1"]
      const found = check("imap.example.com", 993, "tls", { resolve })
      assert.notInstanceOf(found, EgressRefused)
      if (found instanceof EgressRefused) return
      const refusal = await addressOf(found).catch((error: unknown) => error)
      assert.instanceOf(refusal, EgressRefused)
      const other = check("imap.example.com", 993, "tls", { resolve: async () => ["93.184.216.34"] })
      if (!(other instanceof EgressRefused)) assert.strictEqual(await addressOf(other), "93.184.216.34")
    })
  )
  it.live("is checked at each connection, so a changed name does not reach this machine", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const server = yield* standIn({ security: "tls" })
        const login = loginTo(server.port, { host: "imap.example.com", security: "tls" })
        const resolve = async () => ["127.0.0.1"]
        const failure = yield* Effect.flip(openTo(login, { policy: { allowHosts: [] }, resolve }))
        assert.strictEqual(failure.problem, "refused_host")
        assert.include(failure.detail, "public addresses only")
        assert.strictEqual(server.connections(), 0)
      })
    )
  )
})
