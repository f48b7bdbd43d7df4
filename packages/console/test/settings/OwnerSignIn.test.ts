import { startImapStandIn } from "@leadloom/testkit/imap/ImapStandIn"
import { startSubmission } from "@leadloom/testkit/mail/SubmissionServer"
import { startOAuthStandIn } from "@leadloom/testkit/oidc/OAuthStandIn"
import type { Locator, Page } from "playwright-core"
import { afterAll, beforeEach, expect, it } from "vitest"
import { describeConsole, scrollsSideways, violations, type Window, windows } from "../Harness.ts"
import { openSettings } from "./OpenSettings.ts"

const email = "sales@acme.example"
const accounts: Record<string, string> = { [email]: "no token yet" }

const imap = await startImapStandIn({ accounts })
const provider = await startOAuthStandIn(email, (token) => {
  accounts[email] = token
})
const smtp = await startSubmission({ accessToken: () => accounts[email] ?? "" })
afterAll(() => Promise.all([imap.close(), smtp.close(), provider.close()]))

/** The registered redirect URI. The port of the console is not known before its server runs. */
const redirectUri = "https://leads.example/settings/email-account"

const env = {
  TEST_OAUTH_URL: provider.url,
  TEST_OAUTH_REDIRECT_URI: redirectUri,
  TEST_IMAP_PORT: String(imap.port),
  TEST_SMTP_PORT: String(smtp.port),
  LEADLOOM_WEBHOOK_ALLOW_HOSTS: `127.0.0.1:${provider.port}`,
  LEADLOOM_MAILBOX_ALLOW_HOSTS: `127.0.0.1:${imap.port},127.0.0.1:${smtp.port}`
}

const noData = () => Promise.resolve()

const signIn = (page: Page | Locator) => page.getByRole("button", { name: "Sign in with Google", exact: true })
const alert = (page: Page, text: string) => page.getByRole("alert").filter({ hasText: text })
const account = (page: Page) => page.getByRole("region", { name: "Account", exact: true })

await describeConsole(
  "the sign-in of the owner of a mailbox",
  noData,
  ({ newPage, world }) => {
    /**
     * Opens the page. The provider sends the browser to the registered URI, so the test signs the owner in and sends the
     * browser to the console at its own port instead. `change` changes the response of the provider.
     */
    const open = async (options?: Window, change: (response: URLSearchParams) => void = () => undefined) => {
      const page = await openSettings(newPage, world(), "Email account", "manager", options)
      await page.route(`${provider.url}/authorize?*`, async (route) => {
        const response = new URLSearchParams(await provider.signIn(route.request().url()))
        change(response)
        const address = `${world().url}/settings/email-account?${response}`.replaceAll("&", "&amp;")
        await route.fulfill({
          contentType: "text/html",
          body: `<!doctype html><meta http-equiv="refresh" content="0;url=${address}">`
        })
      })
      return page
    }
    const grants = async () => (await world().client.email.listGrants(world().tenantId)).grants

    beforeEach(async () => {
      const { client, tenantId } = world()
      for (const { grant_id: id } of await grants()) await client.email.disconnect(tenantId, id)
    })

    it("connects the mailbox, and keeps no code in the address, the storage or the log", async () => {
      const page = await open()
      const returned = page.waitForRequest(/\/settings\/email-account\?.*code=/u)
      await signIn(page).click()
      await account(page).getByText(email, { exact: true }).waitFor()
      const code = new URL((await returned).url()).searchParams.get("code") ?? ""
      expect(code.length).toBeGreaterThan(8)
      expect(page.url()).toBe(`${world().url}/settings/email-account`)
      expect(await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]))).not.toContain(code)
      expect(world().log()).not.toContain(code)
      expect(await grants()).toMatchObject([{ provider: "imap", email, status: "active" }])
      // The response is used once.
      await page.reload()
      await account(page).getByText(email, { exact: true }).waitFor()
      expect(await page.getByRole("alert").count()).toBe(0)
    })

    it("offers the sign-in for an address at Google, and a password on request", async () => {
      const page = await open()
      await page.getByRole("button", { name: "Connect a mailbox" }).click()
      await page.getByLabel("Address of the mailbox").fill("office.acme@gmail.com")
      await page.getByRole("button", { name: "Find the servers" }).click()
      const step = page.getByRole("region", { name: "Connect a mailbox" })
      await step.getByRole("status").filter({ hasText: "office.acme@gmail.com is at Google" }).waitFor()
      expect(await page.getByLabel("Password").count()).toBe(0)
      expect(await violations(page)).toEqual([])
      await step.getByRole("button", { name: "Enter a password instead" }).click()
      await page.getByLabel("Password").waitFor()
      await page.getByText("Google rejects the password of the account").waitFor()
      await page.getByRole("button", { name: "Use another address" }).click()
      // Microsoft accepts no passwords, and this operator has no client there.
      await page.getByRole("button", { name: "Connect a mailbox" }).click()
      await page.getByLabel("Address of the mailbox").fill("office.acme@outlook.com")
      await page.getByRole("button", { name: "Find the servers" }).click()
      await page.getByText("Ask the operator of this server to set up the sign-in at Microsoft.").waitFor()
      await page.getByRole("button", { name: "Use another address" }).click()
      await page.getByRole("button", { name: "Connect a mailbox" }).click()
      await page.getByLabel("Address of the mailbox").fill("office.acme@gmail.com")
      await page.getByRole("button", { name: "Find the servers" }).click()
      await signIn(step).click()
      await account(page).getByText(email, { exact: true }).waitFor()
    })

    it("explains a refused consent, and an outage of the provider", async () => {
      const page = await open(undefined, (response) => {
        response.delete("code")
        response.set("error", "access_denied")
      })
      await signIn(page).click()
      await alert(page, "received no consent").waitFor()
      expect(page.url()).toBe(`${world().url}/settings/email-account`)
      expect(await violations(page)).toEqual([])
      provider.behavior.answer = { status: 503, body: {} }
      const again = await open()
      await signIn(again).click()
      await alert(again, "Not connected").waitFor()
      provider.behavior.answer = null
      expect(await grants()).toEqual([])
    })

    it("rejects a response that this person has not requested", async () => {
      const page = await open(undefined, (response) => response.set("state", "of-somebody-else"))
      await signIn(page).click()
      await alert(page, "unknown, already used, or older than ten minutes").waitFor()
      // A manager of the same tenant starts a sign-in, and another person opens the response.
      const { url } = await world().client.email.authUrl(world().tenantId, { provider: "google" })
      const { code, state } = await provider.signIn(url)
      await page.goto(`${world().url}/settings/email-account?${new URLSearchParams({ code, state })}`)
      await alert(page, "unknown, already used, or older than ten minutes").waitFor()
      expect(await grants()).toEqual([])
    })

    it("lets the owner of an expired mailbox sign in again, and keeps the account", async () => {
      const page = await open()
      await signIn(page).click()
      await account(page).getByText(email, { exact: true }).waitFor()
      const before = await grants()
      await page.route(/\/email\/grants$/u, async (route) => {
        const json = { grants: before.map((grant) => ({ ...grant, status: "expired" })), console_sign_in: ["google"] }
        return route.fulfill({ json })
      })
      await page.reload()
      await alert(page, "no longer accepts the login").waitFor()
      const again = page.getByRole("button", { name: "Sign in with Google again" })
      await page.unroute(/\/email\/grants$/u)
      await again.focus()
      await page.keyboard.press("Enter")
      await account(page).getByText("Active", { exact: true }).waitFor()
      expect((await grants()).map(({ grant_id: id }) => id)).toEqual(before.map(({ grant_id: id }) => id))
    })

    it.each(windows)("explains an exhausted limit, and breaks no rule of WCAG 2.2 AA at %s", async (_, options) => {
      const page = await open(options)
      await signIn(page).waitFor()
      await page.route(/\/email\/auth-url/u, (route) =>
        route.fulfill({
          status: 429,
          headers: { "retry-after": "600" },
          json: { error: { code: "RATE_LIMITED", message: "Too many" } }
        })
      )
      await signIn(page).click()
      await alert(page, "Try again in 10 minutes.").waitFor()
      expect(await violations(page)).toEqual([])
      expect(await scrollsSideways(page)).toBe(false)
    })
  },
  env,
  "test/world/OAuthServer.ts"
)
