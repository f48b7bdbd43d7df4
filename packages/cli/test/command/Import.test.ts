import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { ImportMail, ImportResult } from "@leadloom/client"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { fakeTerminal, makeFolder, removeFolder, runOn } from "../FakeTerminal.ts"
import { adminKey, type RunningServer, spawnLeadloom, startServer, watch } from "../ServerProcess.ts"
import { failing, type Seen, startStub, type StubAnswer, type StubServer } from "../StubServer.ts"

let folder = ""
beforeEach(async () => {
  folder = await makeFolder()
})
afterEach(() => removeFolder(folder))

const mailOf = (id: string, headers = ""): string =>
  `From: Ada <ada@example.org>\nTo: hello@example.com\nDate: Mon, 2 Mar 2026 08:14:22 +0000\nMessage-ID: <${id}@example.org>\n${headers}Subject: About ${id}\n\nHello, this is ${id}.\n`

const importing = (url: string, args: ReadonlyArray<string>, given = {}) =>
  runOn(fakeTerminal(folder, { LEADLOOM_URL: url, LEADLOOM_ADMIN_KEY: adminKey }, given), ["import", ...args])

describe("leadloom import", () => {
  let home = ""
  let server: RunningServer | null = null
  beforeAll(async () => {
    home = await makeFolder()
    server = await startServer(join(home, "data"))
    const env = { LEADLOOM_URL: server.url, LEADLOOM_ADMIN_KEY: adminKey }
    for (const tenant of ["box", "live"]) {
      const args = ["tenants", "create", tenant, "--name", tenant, "--domain", `${tenant}.example`]
      await runOn(fakeTerminal(home, env), args)
    }
  })
  afterAll(async () => {
    await server?.stop()
    await removeFolder(home)
  })

  const makeMail = async (): Promise<string> => {
    const mail = join(folder, "mail")
    for (const part of ["box/cur", "box/new", "box/tmp"]) await mkdir(join(mail, part), { recursive: true })
    await writeFile(join(mail, "box/cur/1.host:2,S"), mailOf("first"))
    await writeFile(join(mail, "box/new/2.host"), mailOf("second", "In-Reply-To: <first@example.org>\n"))
    const line = "From ada@example.org Mon Mar  2 08:14:22 2026\n"
    const auto = mailOf("away", "Auto-Submitted: auto-replied\n")
    await writeFile(join(mail, "old.mbox"), `${line}${mailOf("third")}\n${line}${auto}\n`)
    await writeFile(join(mail, "copy.eml"), mailOf("first"))
    await writeFile(join(mail, "notes.txt"), "not mail")
    return mail
  }

  it("imports maildirs, mbox files and single mails, and prints a summary", async () => {
    const mail = await makeMail()
    const args = [mail, "--tenant", "box", "--concurrency", "1", "--json"]
    const ran = await importing(server?.url ?? "", args)
    expect(ran).toMatchObject({ exitCode: 0, err: "" })
    expect(JSON.parse(ran.out)).toMatchObject({
      arrivals: 5,
      outcomes: { message: 3, duplicate_of: 1, auto: 1 },
      failed: [],
      skipped: 0,
      ignored: 1,
      threads: 3,
      contacts: 1,
      interrupted: false
    })
    const again = await importing(server?.url ?? "", args)
    expect(JSON.parse(again.out)).toMatchObject({ arrivals: 0, outcomes: {}, skipped: 5 })
    await writeFile(join(mail, "late.eml"), mailOf("late"))
    expect(JSON.parse((await importing(server?.url ?? "", args)).out)).toMatchObject({ arrivals: 1, skipped: 5 })
    const restarted = await importing(server?.url ?? "", [...args, "--restart"])
    expect(JSON.parse(restarted.out)).toMatchObject({ arrivals: 6, outcomes: { duplicate_of: 6 }, skipped: 0 })
  })

  it("prints the summary as text", async () => {
    const mail = await makeMail()
    const ran = await importing(server?.url ?? "", [mail, "--tenant", "live", "--live"])
    expect(ran.out).toMatch(/^mails imported +5\n {2}new messages +3\n/u)
    expect(ran.out).toMatch(/threads +3\ncontacts +1\ntime +[\d.]+ s, [\d.]+ mails per second\n/u)
  })

  it("fails for an unknown tenant", async () => {
    const ran = await importing(server?.url ?? "", [await makeMail(), "--tenant", "nobody"])
    expect(ran.exitCode).toBe(5)
  })
})

describe("an import with failures", () => {
  let stub: StubServer | null = null
  afterEach(async () => {
    await stub?.close()
    stub = null
  })

  const resultOf = (mail: ImportMail, outcome: ImportResult["outcome"]): ImportResult => {
    const nothing = { contact_id: null, lead_id: null, thread_id: null, signal_id: null }
    return { name: mail.name, outcome, message_id: null, detail: outcome === "failed" ? "No sender" : null, ...nothing }
  }
  const mailsOf = (seen: Seen): ReadonlyArray<ImportMail> => (seen.body as { mails: ReadonlyArray<ImportMail> }).mails
  const taking = (
    seen: Seen,
    outcome: (mail: ImportMail) => ImportResult["outcome"] = () => "message"
  ): StubAnswer => ({
    status: 200,
    body: { results: mailsOf(seen).map((mail) => resultOf(mail, outcome(mail))) }
  })
  const start = async (answer: (seen: Seen) => StubAnswer | Promise<StubAnswer>): Promise<StubServer> => {
    stub = await startStub(answer)
    return stub
  }
  const putMails = async (count: number): Promise<string> => {
    const mail = join(folder, "mail")
    await mkdir(mail, { recursive: true })
    for (let number = 0; number < count; number++) await writeFile(join(mail, `${number}.eml`), mailOf(String(number)))
    return mail
  }
  const namesSent = (server: StubServer): ReadonlyArray<string> =>
    server.seen.flatMap(mailsOf).map((mail) => mail.name.split("/").at(-1) ?? "")

  it("lists failed mails, exits with 1 and retries them in the next run", async () => {
    const mail = await putMails(3)
    const server = await start((seen) => taking(seen, ({ name }) => (name.endsWith("1.eml") ? "failed" : "message")))
    const ran = await importing(server.url, [mail, "--tenant", "acme"])
    expect(ran.exitCode).toBe(1)
    expect(ran.out).toMatch(/Failed:\n {2}.*1\.eml: No sender\n/u)
    expect(ran.err).toContain("1 mail was not imported")
    await importing(server.url, [mail, "--tenant", "acme"])
    expect(namesSent(server)).toEqual(["0.eml", "1.eml", "2.eml", "1.eml"])
  })

  it("continues after a failure of the server", async () => {
    const mail = await putMails(5)
    let requests = 0
    const server = await start((seen) => (++requests === 3 ? failing(500, "INTERNAL") : taking(seen)))
    const args = [mail, "--tenant", "acme", "--batch", "1", "--concurrency", "1"]
    const broken = await importing(server.url, args)
    expect(broken.exitCode).toBe(1)
    expect(broken.out).toMatch(/mails imported +2/u)
    expect((await importing(server.url, args)).out).toMatch(/mails imported +3\n(?:.*\n)*imported earlier +2/u)
    expect(namesSent(server)).toEqual(["0.eml", "1.eml", "2.eml", "2.eml", "3.eml", "4.eml"])
  })

  it("waits for the end of a rate limit without sending a mail twice", async () => {
    const mail = await putMails(2)
    let requests = 0
    const server = await start((seen) => (++requests === 1 ? failing(429, "RATE_LIMITED") : taking(seen)))
    expect((await importing(server.url, [mail, "--tenant", "acme"])).exitCode).toBe(0)
    expect(server.seen).toHaveLength(2)
  })

  it("halves a batch that is too large, down to a single mail", async () => {
    const mail = await putMails(4)
    const isTooLarge = (seen: Seen): boolean =>
      mailsOf(seen).length > 2 || mailsOf(seen).some(({ name }) => name.endsWith("3.eml"))
    const server = await start((seen) => (isTooLarge(seen) ? failing(413, "PAYLOAD_TOO_LARGE") : taking(seen)))
    const ran = await importing(server.url, [mail, "--tenant", "acme"])
    expect(ran.exitCode).toBe(1)
    expect(ran.out).toMatch(/new messages +3\n {2}failed +1\n/u)
    expect(ran.out).toContain("3.eml: The mail is larger than the server accepts.")
  })

  it("respects the number of concurrent batches and sends each mail once", async () => {
    const mail = await putMails(12)
    let now = 0
    let max = 0
    const server = await start(async (seen) => {
      max = Math.max(max, ++now)
      await new Promise((resolve) => setImmediate(resolve))
      now--
      return taking(seen)
    })
    await importing(server.url, [mail, "--tenant", "acme", "--batch", "1", "--concurrency", "3"])
    expect(max).toBeLessThanOrEqual(3)
    expect(namesSent(server).toSorted()).toEqual([...new Set(namesSent(server))].toSorted())
    expect(namesSent(server)).toHaveLength(12)
  })

  it("stops on Ctrl-C after the batch in flight and exits with 130", async () => {
    const mail = await putMails(6)
    const controller = new AbortController()
    const server = await start((seen) => {
      if (server.seen.length === 2) controller.abort()
      return taking(seen)
    })
    const args = [mail, "--tenant", "acme", "--batch", "1", "--concurrency", "1"]
    const ran = await importing(server.url, args, { signal: controller.signal })
    expect(ran).toMatchObject({ exitCode: 130, err: "" })
    expect(ran.out).toMatch(/mails imported +2\n(?:.*\n)*Stopped\. Run the same command again to continue\.\n/u)
    expect((await importing(server.url, args)).out).toMatch(/mails imported +4/u)
  })

  it("handles the signal of a real terminal", async () => {
    const mail = await putMails(3)
    let child: ReturnType<typeof spawnLeadloom> | null = null
    const server = await start((seen) => {
      child?.kill("SIGINT")
      return taking(seen)
    })
    const env = { LEADLOOM_URL: server.url, LEADLOOM_ADMIN_KEY: adminKey, XDG_STATE_HOME: folder }
    const args = ["import", mail, "--tenant", "acme", "--batch", "1", "--concurrency", "1", "--json"]
    child = spawnLeadloom(args, env)
    const watched = watch(child)
    expect(await watched.ends).toBe(130)
    expect(JSON.parse(watched.output().out)).toMatchObject({ interrupted: true })
  })

  it("imports mail as history unless --live is set", async () => {
    const mail = await putMails(1)
    const server = await start(taking)
    await importing(server.url, [mail, "--tenant", "acme"])
    await importing(server.url, [mail, "--tenant", "acme", "--live", "--restart"])
    expect(server.seen.map((seen) => (seen.body as { historical: boolean }).historical)).toEqual([true, false])
    const raw = Buffer.from(mailsOf(server.seen[0] as Seen)[0]?.raw ?? "", "base64")
    expect(raw).toEqual(await readFile(join(mail, "0.eml")))
  })
})
