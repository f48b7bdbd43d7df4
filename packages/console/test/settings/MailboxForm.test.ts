import { startImapStandIn } from "@leadloom/testkit/imap/ImapStandIn"
import { startSubmission } from "@leadloom/testkit/mail/SubmissionServer"
import type { Page } from "playwright-core"
import { afterAll, beforeEach, expect, it } from "vitest"
import { describeConsole, scrollsSideways, violations, type Window, windows } from "../Harness.ts"
import { openSettings } from "./OpenSettings.ts"

const password = "correct horse battery"
const known = "office.acme@gmail.com"
const unknown = "sales@acme.example"
const imapServer = "IMAP server (reads mail)"
const smtpServer = "SMTP server (sends mail)"

const imap = await startImapStandIn({ accounts: { [known]: password, [unknown]: password } })
const smtp = await startSubmission({ password })
afterAll(() => Promise.all([imap.close(), smtp.close()]))

const noData = () => Promise.resolve()
const env = { LEADLOOM_MAILBOX_ALLOW_HOSTS: `127.0.0.1:${imap.port},127.0.0.1:${smtp.port}` }

const fieldOf = (page: Page, server: string, label: string) =>
  page.getByRole("group", { name: server }).getByLabel(label, { exact: true })

/** Opens the second step for an address. */
const findServers = async (page: Page, address: string): Promise<void> => {
  await page.getByRole("button", { name: "Connect a mailbox" }).click()
  await page.getByLabel("Address of the mailbox").fill(address)
  await page.getByRole("button", { name: "Find the servers" }).click()
  await page.getByLabel("Username").waitFor()
}

/** Fills in the servers of the test and a password, and connects. */
const connect = async (page: Page, secret: string): Promise<void> => {
  for (const [server, { port }] of [
    [imapServer, imap],
    [smtpServer, smtp]
  ] as const) {
    await fieldOf(page, server, "Host").fill("127.0.0.1")
    await fieldOf(page, server, "Port").fill(String(port))
    await fieldOf(page, server, "Security").selectOption("none")
  }
  await page.getByLabel("Password").fill(secret)
  await page.getByRole("button", { name: "Connect", exact: true }).click()
}

await describeConsole(
  "the form that connects a mailbox",
  noData,
  ({ emptyPage, world }) => {
    const open = (options?: Window) => openSettings(emptyPage, world(), "Email account", "manager", options)
    const grants = async () => (await world().client.email.listGrants(world().tenantId)).grants

    beforeEach(async () => {
      const { client, tenantId } = world()
      for (const { grant_id: id } of await grants()) await client.email.disconnect(tenantId, id)
    })

    it("shows the found servers before it uses them, and then the connected account", async () => {
      const page = await open()
      await findServers(page, known)
      await page.getByRole("status").filter({ hasText: "known provider: Google" }).waitFor()
      // The operator has no client at Google, so the page explains the password instead.
      await page.getByText("Google rejects the password of the account. Switch on 2-Step Verification").waitFor()
      expect(await page.getByRole("button", { name: /Sign in/u }).count()).toBe(0)
      expect(await fieldOf(page, imapServer, "Host").inputValue()).toBe("imap.gmail.com")
      expect(await fieldOf(page, smtpServer, "Port").inputValue()).toBe("465")
      expect(await page.getByLabel("Username").inputValue()).toBe(known)
      expect(await page.getByLabel("Days of mail to read first").inputValue()).toBe("30")
      expect(imap.commands).toEqual([])
      await page.getByLabel("Mark mail in the mailbox").uncheck()
      const sent = page.waitForRequest(/\/email\/connect$/u)
      await connect(page, password)
      expect((await sent).postDataJSON()).toMatchObject({ since_days: 30, sets_flags: false })
      const account = page.getByRole("region", { name: "Account", exact: true })
      await account.getByText(known, { exact: true }).waitFor()
      await account.getByText("Mailbox (IMAP)", { exact: true }).waitFor()
      const state = page.getByRole("region", { name: "Reading of the mailbox" })
      await state.getByRole("row", { name: "INBOX 0 Complete" }).waitFor()
      expect(await state.getByText("Junk").count()).toBe(0)
      expect(await grants()).toMatchObject([{ provider: "imap", email: known, status: "active" }])
    })

    it("connects an address without found servers, after a wrong password and a host that is not permitted", async () => {
      const page = await open()
      await findServers(page, unknown)
      await page
        .getByRole("status")
        .filter({ hasText: `Found no servers of ${unknown}` })
        .waitFor()
      expect(await fieldOf(page, imapServer, "Host").inputValue()).toBe("")
      await page.getByText("Usually 993 with TLS").waitFor()
      await connect(page, "wrong horse")
      const alert = page.getByRole("alert")
      for (const part of [
        `${imapServer}: the login failed.`,
        "Correct the username or the password.",
        "response was"
      ]) {
        await alert.filter({ hasText: part }).waitFor()
      }
      expect(await page.getByLabel("Password").inputValue()).toBe("")
      expect(await page.content()).not.toContain("wrong horse")
      expect(await violations(page)).toEqual([])
      expect(await grants()).toEqual([])
      await fieldOf(page, smtpServer, "Host").fill("10.0.0.1")
      await page.getByLabel("Password").fill(password)
      await page.getByRole("button", { name: "Connect", exact: true }).click()
      await expect.poll(() => fieldOf(page, smtpServer, "Host").getAttribute("aria-invalid")).toBe("true")
      await connect(page, password)
      await page.getByRole("region", { name: "Account", exact: true }).getByText(unknown, { exact: true }).waitFor()
    })

    it("explains an exhausted limit and a lost connection", async () => {
      const page = await open()
      await findServers(page, known)
      await page.route(/\/email\/connect$/u, (route) =>
        route.fulfill({
          status: 429,
          headers: { "retry-after": "600" },
          json: { error: { code: "RATE_LIMITED", message: "Too many" } }
        })
      )
      await connect(page, password)
      await page.getByRole("alert").filter({ hasText: "Try again in 10 minutes." }).waitFor()
      await page.unroute(/\/email\/connect$/u)
      await page.route(/\/email\/connect$/u, (route) => route.abort())
      await connect(page, password)
      await page.getByRole("alert").filter({ hasText: "cannot be reached" }).waitFor()
      expect(await grants()).toEqual([])
    })

    it("takes the new password of an expired mailbox, and keeps the account", async () => {
      const { client, tenantId } = world()
      const server = { host: "127.0.0.1", security: "none" } as const
      const { grant_id: id } = await client.email.connect(tenantId, {
        provider: "imap",
        email: known,
        name: "Acme",
        password,
        imap: { ...server, port: imap.port },
        smtp: { ...server, port: smtp.port }
      })
      const page = await open()
      const before = await grants()
      await page.route(/\/email\/grants$/u, (route) =>
        route.fulfill({ json: { grants: before.map((grant) => ({ ...grant, status: "expired" })) } })
      )
      await page.reload()
      await page.getByRole("alert").filter({ hasText: "no longer accepts the password" }).waitFor()
      await page.getByRole("button", { name: "Enter the new password" }).click()
      await page.getByRole("status").filter({ hasText: known }).waitFor()
      expect(await page.getByLabel("Days of mail to read first").count()).toBe(0)
      await page.unroute(/\/email\/grants$/u)
      await connect(page, password)
      await page.getByText("Active", { exact: true }).waitFor()
      expect(await grants()).toMatchObject([{ grant_id: id, name: "Acme", status: "active" }])
    })

    it.each(windows)("breaks no rule of WCAG 2.2 AA at %s, and never scrolls sideways", async (_, options) => {
      const page = await open(options)
      await page.getByRole("button", { name: "Connect a mailbox" }).click()
      expect(await violations(page)).toEqual([])
      await page.getByLabel("Address of the mailbox").fill(known)
      await page.getByRole("button", { name: "Find the servers" }).click()
      await page.getByLabel("Username").waitFor()
      expect(await violations(page)).toEqual([])
      expect(await scrollsSideways(page)).toBe(false)
    })
  },
  env
)
