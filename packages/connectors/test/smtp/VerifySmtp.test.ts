import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import type { MailboxLogin, MailServer } from "@leadloom/core/internal/domain/mailbox/MailServer"
import { certificate } from "@leadloom/testkit/mail/Certificate"
import { startSubmission, type SubmissionOptions, type SubmissionServer } from "@leadloom/testkit/mail/SubmissionServer"
import { Effect, Result } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import type { MailHostOptions } from "../../src/imap/MailHost.ts"
import { verifySmtp } from "../../src/smtp/VerifySmtp.ts"

let server: SubmissionServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const loginAt = (smtp: MailServer, password = "correct horse"): MailboxLogin => ({
  email: "ann@acme.example",
  username: "ann@acme.example",
  imap: { host: "localhost", port: 993, security: "tls" },
  smtp,
  credential: { _tag: "Password", password }
})

const allow = (host: string, port: number): MailHostOptions => ({ policy: { allowHosts: [{ host, port }] } })

const verify = async (login: MailboxLogin, options: MailHostOptions, millis = 5_000) => {
  const result = await Effect.runPromise(Effect.result(verifySmtp(login, options, millis)))
  return Result.isSuccess(result) ? null : result.failure
}

const start = async (options: SubmissionOptions) => {
  server = await startSubmission(options)
  return server.port
}

describe("the verification of an SMTP login", () => {
  it.each(["none", "starttls", "tls"] as const)("succeeds with the right password over %s", async (security) => {
    const port = await start({ security })
    const options = { ...allow("localhost", port), trust: certificate }
    expect(await verify(loginAt({ host: "localhost", port, security }), options)).toBeNull()
    expect(server?.logins()).toBe(1)
    expect(server?.mails).toEqual([])
  })

  it("quotes the response to a wrong password without the password", async () => {
    const port = await start({})
    const failure = await verify(
      loginAt({ host: "localhost", port, security: "none" }, "wrong horse"),
      allow("localhost", port)
    )
    expect(failure).toMatchObject({ server: "smtp", problem: "login" })
    expect(failure?.detail).toContain("535 5.7.8 Error: authentication failed: [secret]")
    expect(failure?.detail).not.toContain("wrong horse")
  })

  it.each([
    ["app_password", 534, "5.7.9 Application-specific password required. For more information, go to gmail"],
    ["app_password", 535, "5.7.139 Authentication unsuccessful, basic authentication is disabled."],
    ["disabled", 535, "5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant."],
    ["unavailable", 454, "4.7.0 Too many login attempts, please try again later."]
  ] as const)("reports %s for the reply %i %s", async (problem, code, text) => {
    const port = await start({ refusal: { code, text } })
    const failure = await verify(loginAt({ host: "localhost", port, security: "none" }), allow("localhost", port))
    expect(failure).toMatchObject({ server: "smtp", problem })
    expect(failure?.detail).toContain(text.slice(0, 40))
  })

  it.each(["tls", "starttls"] as const)("rejects a self-signed certificate over %s", async (security) => {
    const port = await start({ security })
    const failure = await verify(loginAt({ host: "localhost", port, security }), allow("localhost", port))
    expect(failure).toMatchObject({ server: "smtp", problem: "tls" })
    expect(server?.logins()).toBe(0)
  })

  it("sends no password when the server offers no STARTTLS", async () => {
    const port = await start({ security: "none" })
    const failure = await verify(loginAt({ host: "localhost", port, security: "starttls" }), allow("localhost", port))
    expect(failure).toMatchObject({ problem: "tls" })
    expect(server?.logins()).toBe(0)
  })

  it("reports a closed port as unreachable and another protocol as such", async () => {
    const port = await start({})
    await server?.close()
    server = undefined
    expect(
      await verify(loginAt({ host: "localhost", port, security: "none" }), allow("localhost", port))
    ).toMatchObject({
      problem: "unreachable"
    })
    const imap = createServer((socket) => void socket.end("* OK IMAP4rev1 ready\r\n"))
    await new Promise<void>((resolve) => imap.listen(0, "127.0.0.1", resolve))
    const at = (imap.address() as AddressInfo).port
    const failure = await verify(loginAt({ host: "localhost", port: at, security: "none" }), allow("localhost", at))
    imap.close()
    expect(failure).toMatchObject({ problem: "protocol" })
  })

  it("connects to no host that the operator does not permit, whether its port is open or not", async () => {
    const port = await start({})
    const options: MailHostOptions = {
      policy: { allowHosts: [] },
      resolve: () => Promise.resolve(["127.0.0.1"])
    }
    const places: ReadonlyArray<MailServer> = [
      { host: "127.0.0.1", port, security: "tls" },
      { host: "localhost", port: 587, security: "tls" },
      { host: "mail.acme.com", port: 587, security: "tls" },
      { host: "mail.acme.com", port: 465, security: "tls" }
    ]
    const failures = await Promise.all(places.map((place) => verify(loginAt(place), options)))
    expect(failures.map((failure) => failure?.problem)).toEqual(places.map(() => "refused_host"))
    expect(failures[2]?.detail).toBe(failures[3]?.detail)
    expect(server?.logins()).toBe(0)
  })
})
