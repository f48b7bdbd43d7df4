import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { certificate, certificateKey } from "@leadloom/testkit/mail/Certificate"
import { SMTPServer } from "smtp-server"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { judgeCertificate } from "../../src/doctor/check/MailListener.ts"
import { examine } from "../../src/doctor/Doctor.ts"
import { adminKey } from "../world/TestServer.ts"

let folder: string
let env: Record<string, string>
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "leadloom-doctor-"))
  env = {
    LEADLOOM_DATA_DIR: folder,
    LEADLOOM_ADMIN_KEY: adminKey,
    LEADLOOM_SESSION_SECRET: "a-secret-that-signs-sessions-of-tests",
    LEADLOOM_PORT: "0"
  }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe("the doctor on mail", () => {
  it("signs in to the mail relay without a mail and hides its password", async () => {
    let mails = 0
    const relay = new SMTPServer({
      disabledCommands: ["STARTTLS"],
      authOptional: true,
      onAuth: ({ password }, _, done) =>
        password === "right-pass" ? done(null, { user: "me" }) : done(new Error(`not ${password}`)),
      onMailFrom: (_, __, done) => {
        mails++
        done()
      }
    })
    await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", () => resolve()))
    const address = relay.server.address()
    const place = `127.0.0.1:${typeof address === "object" ? address?.port : 0}`
    const said = async (url: string) => {
      const findings = await examine({ ...env, LEADLOOM_SMTP_URL: url })
      expect(JSON.stringify(findings)).not.toMatch(/(?:right|wrong)-pass/u)
      return findings.find(({ check }) => check === "mail relay")
    }
    expect((await said(`smtp://me:right-pass@${place}`))?.found).toBe(
      `The relay ${place} answers and accepts the login.`
    )
    expect((await said(`smtp://${place}`))?.found).toBe(`The relay ${place} answers.`)
    expect(await said(`smtp://me:wrong-pass@${place}`)).toMatchObject({ level: "problem" })
    await new Promise<void>((resolve) => relay.close(() => resolve()))
    expect(await said(`smtp://me:right-pass@${place}`)).toMatchObject({
      level: "problem",
      found: expect.stringContaining("ECONNREFUSED")
    })
    expect(mails).toBe(0)
  })

  it("checks port and certificate of the mail listener", async () => {
    const received = async (
      changes: Readonly<Record<string, string>>,
      options: { readonly serverUrl?: string } = {}
    ) => {
      const findings = await examine({ ...env, ...changes }, options)
      return findings.filter(({ check }) => check === "mail listener").map(({ found, level }) => `${level} ${found}`)
    }
    const cert = join(folder, "cert.pem")
    const key = join(folder, "key.pem")
    writeFileSync(cert, certificate)
    writeFileSync(key, certificateKey)
    expect(await received({})).toEqual(["ok LEADLOOM_SMTP_LISTEN is not set: no mail arrives by SMTP."])
    const server = new SMTPServer({ authOptional: true, disabledCommands: ["STARTTLS"] })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))
    const address = server.server.address()
    const place = `127.0.0.1:${typeof address === "object" ? address?.port : 0}`
    const listening = { LEADLOOM_SMTP_LISTEN: place }
    const withTls = { ...listening, LEADLOOM_SMTP_TLS_CERT: cert, LEADLOOM_SMTP_TLS_KEY: key }
    expect(await received(listening)).toEqual([
      `ok The mail listener answers on ${place}.`,
      "warning Mail arrives unencrypted."
    ])
    expect((await received(withTls))[1]).toMatch(/^ok STARTTLS is offered with a certificate that is valid until 21/u)
    expect((await received({ ...withTls, LEADLOOM_SMTP_TLS_KEY: cert }))[1]).toMatch(/^problem .* is not readable/u)
    expect((await received({ ...withTls, LEADLOOM_SMTP_TLS_CERT: "/nowhere" }))[1]).toMatch(/^problem .*ENOENT/u)
    await new Promise<void>((resolve) => server.close(() => resolve()))
    expect((await received(withTls))[0]).toBe(`problem No mail listener answers on ${place}.`)
    const nobody = { serverUrl: "http://127.0.0.1:1" }
    expect((await received(withTls, nobody))[0]).toBe(
      `ok The server is not running, so no mail is accepted on ${place}.`
    )
    const now = Date.parse("2026-03-02T00:00:00Z")
    const levels = [now, now + 1, now + 13 * 86_400_000, now + 15 * 86_400_000].map(
      (ends) => judgeCertificate(ends, now).level
    )
    expect(levels).toEqual(["problem", "warning", "warning", "ok"])
  })
})
