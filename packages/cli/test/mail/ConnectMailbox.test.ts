import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { Terminal } from "../../src/Terminal.ts"
import { fakeTerminal, makeFolder, removeFolder, runOn } from "../FakeTerminal.ts"
import { startStub, type StubServer } from "../StubServer.ts"

const email = "ann@acme.com"
const password = "correct horse battery"
const imap = { host: "imap.acme.com", port: 993, security: "tls" }
const smtp = { host: "smtp.acme.com", port: 587, security: "starttls" }
const found = { email, username: "ann", imap, smtp, origin: "autoconfig of acme.com" }
const grant = {
  grant_id: "grant_1",
  provider: "imap",
  email,
  name: null,
  status: "active",
  aliases: [],
  signature: null
}

let home = ""
let stub: StubServer
beforeAll(async () => {
  home = await makeFolder()
  await writeFile(join(home, "password"), `${password}\n`)
})
beforeEach(async () => {
  stub = await startStub(({ method }) =>
    method === "GET" ? { status: 200, body: found } : { status: 201, body: grant }
  )
})
afterEach(() => stub.close())
afterAll(() => removeFolder(home))

const connect = async (args: ReadonlyArray<string>, given: Partial<Terminal> = {}) => {
  const terminal = fakeTerminal(home, { LEADLOOM_URL: stub.url, LEADLOOM_ADMIN_KEY: "operator" }, given)
  return runOn(terminal, ["email", "connect", email, "--tenant", "acme", "--provider", "imap", ...args])
}

/** The requests that connect a mailbox. */
const connections = () => stub.seen.filter(({ method }) => method === "POST")

/** A terminal with a user who gives these answers, and the questions that the user saw. */
const userWith = (answer: string, secret = password) => {
  const questions: Array<string> = []
  const reply = (text: string) => (question: string) => {
    questions.push(question)
    return Promise.resolve(text)
  }
  return { questions, given: { ask: reply(answer), askSecret: reply(secret) } }
}

const ownServers = ["--imap", "imap.acme.com:993", "--smtp", "smtp.acme.com:587"]

describe("email connect --provider imap", () => {
  it("shows the discovered servers, asks before it uses them, and prompts for the password", async () => {
    const { given, questions } = userWith("yes")
    const ran = await connect([], given)
    expect(ran.exitCode).toBe(0)
    expect(questions).toEqual(["Log in to these servers? [y/N] ", `Password of ${email}: `])
    for (const text of ["imap.acme.com:993, tls", "smtp.acme.com:587, starttls", "ann", found.origin])
      expect(ran.err).toContain(text)
    expect(connections()).toMatchObject([
      {
        path: "/api/v1/tenants/acme/email/connect",
        body: { provider: "imap", email, username: "ann", password, imap, smtp }
      }
    ])
    expect(connections()[0]?.body).not.toHaveProperty("sets_flags")
    expect(ran.out).toContain("grant_1")
    expect(`${ran.out}${ran.err}`).not.toContain(password)
  })

  it.each(["", "n", "no", "yesterday"])("sends no password when the answer is %j", async (answer) => {
    const { given, questions } = userWith(answer)
    const ran = await connect([], given)
    expect(ran).toMatchObject({ exitCode: 2, out: "", err: expect.stringContaining("--imap and --smtp") })
    expect(questions).toHaveLength(1)
    expect(connections()).toEqual([])
  })

  it("needs neither discovery nor a question when both servers are given", async () => {
    const { given, questions } = userWith("n")
    expect((await connect([...ownServers, "--since-days", "7", "--no-flags"], given)).exitCode).toBe(0)
    expect(questions).toEqual([`Password of ${email}: `])
    expect(stub.seen).toMatchObject([{ body: { imap, smtp, since_days: 7, sets_flags: false } }])
  })

  it("reads the password from a file or from standard input, without a prompt", async () => {
    const { given, questions } = userWith("y", "typed")
    expect((await connect([...ownServers, "--password-file", join(home, "password")], given)).exitCode).toBe(0)
    const readInput = () => Promise.resolve(`${password}\n`)
    expect((await connect([...ownServers, "--password-file", "-"], { ...given, readInput })).exitCode).toBe(0)
    expect(questions).toEqual([])
    expect(connections()).toMatchObject([{ body: { password } }, { body: { password } }])
  })

  it("refuses an empty and a missing password file, and asks nobody instead", async () => {
    const { given, questions } = userWith("y", "typed")
    await writeFile(join(home, "empty"), " \n")
    const empty = await connect([...ownServers, "--password-file", join(home, "empty")], given)
    expect(empty).toMatchObject({ exitCode: 2, err: expect.stringContaining("is empty") })
    const input = { ...given, readInput: () => Promise.resolve("\n") }
    const nothing = await connect([...ownServers, "--password-file", "-"], input)
    expect(nothing).toMatchObject({ exitCode: 2, err: expect.stringContaining("Standard input is empty") })
    const missing = await connect([...ownServers, "--password-file", join(home, "missing")], given)
    expect(missing.exitCode).not.toBe(0)
    expect(questions).toEqual([])
    expect(stub.seen).toEqual([])
  })

  it("refuses to connect without a password when nobody is at the terminal", async () => {
    const ran = await connect(ownServers)
    expect(ran).toMatchObject({ exitCode: 2, out: "", err: expect.stringContaining("--password-file <path>") })
    const { given } = userWith("y", "")
    expect(await connect(ownServers, given)).toMatchObject({ exitCode: 2 })
    expect(stub.seen).toEqual([])
  })

  it("has no option for the password itself, because other users see arguments", async () => {
    const ran = await connect([...ownServers, "--password", password])
    expect(ran.exitCode).toBe(2)
    expect(stub.seen).toEqual([])
  })

  it("shows the discovered servers and uses them when no user is at the terminal", async () => {
    const ran = await connect(["--password-file", join(home, "password"), "--imap", "mail.acme.com:143"])
    expect(ran.exitCode).toBe(0)
    expect(ran.err).toContain("mail.acme.com:143, starttls")
    const given = { host: "mail.acme.com", port: 143, security: "starttls" }
    expect(connections()).toMatchObject([{ body: { imap: given, smtp, username: "ann", password } }])
  })

  it.each(["imap.acme.com", "imap.acme.com:0", "imap.acme.com:993/ssl", ":993"])(
    "rejects the server %s",
    async (text) => {
      expect(await connect(["--imap", text])).toMatchObject({
        exitCode: 2,
        err: expect.stringContaining("Must be like")
      })
      expect(stub.seen).toEqual([])
    }
  )
})
