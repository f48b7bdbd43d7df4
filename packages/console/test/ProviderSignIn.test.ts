import { startOpenIdProvider } from "@leadloom/testkit/oidc/OpenIdProvider"
import type { Page } from "playwright-core"
import { afterAll, expect, it } from "vitest"
import { describeConsole, scrollsSideways, violations, windows } from "./Harness.ts"
import { twoConversations, type World } from "./World.ts"

const provider = await startOpenIdProvider({
  ann: { role: "agent", tenants: ["acme"], name: "Ann", email: "ann@acme.example", email_verified: true },
  max: { role: "manager", tenants: ["acme", "branch"] },
  root: { role: "superuser", tenants: [] },
  lost: { role: "agent", tenants: ["unknown"] },
  guest: {}
})
afterAll(() => provider.close())

const settings = {
  LEADLOOM_OIDC_ISSUER: provider.issuer,
  LEADLOOM_OIDC_AUDIENCE: provider.clientId,
  LEADLOOM_OIDC_CONSOLE_CLIENT_ID: provider.clientId,
  LEADLOOM_LOG_LEVEL: "debug"
}

const fill = async (world: World): Promise<void> => {
  await twoConversations(world)
  await world.client.tenants.create({ tenant_id: "branch", name: "Branch" })
}

const button = (page: Page) => page.getByRole("button", { name: "Sign in with your organisation" })
const choice = (page: Page) => page.getByRole("heading", { name: "Choose a tenant" })
const alert = (page: Page, text: RegExp): Promise<void> => page.getByRole("alert").filter({ hasText: text }).waitFor()
const inside = (page: Page): Promise<void> => page.getByRole("navigation", { name: "Main" }).waitFor()
const authorizationUrl = `${provider.issuer}/auth?*`
const tokenUrl = `${provider.issuer}/token`

/** Changes a parameter of the request that opens the page of the provider. */
const change = (page: Page, name: string, value: string): Promise<unknown> =>
  page.route(authorizationUrl, (route) => {
    const url = new URL(route.request().url())
    url.searchParams.set(name, value)
    return route.continue({ url: url.href })
  })

/** The tab's storage as text. */
const storageOf = (page: Page): Promise<string> => page.evaluate(() => JSON.stringify([sessionStorage, localStorage]))

await describeConsole(
  "the sign-in with an identity provider",
  fill,
  ({ newPage, world }) => {
    const start = async (person: string | null): Promise<Page> => {
      provider.setPerson(person)
      const page = await newPage()
      await page.goto(`${world().url}/inbox`)
      await button(page).waitFor()
      return page
    }

    /** Signs Ann in and returns the address with which the provider opened the console again. */
    const addressOfResponse = async (page: Page): Promise<string> => {
      const returned = page.waitForRequest(/\/sign-in\?.*code=/u)
      await button(page).click()
      await inside(page)
      return (await returned).url()
    }

    /** Starts a sign-in that stays on this page, and returns its state. */
    const stateOfUnfinished = async (page: Page): Promise<string> => {
      await page.route(authorizationUrl, (route) => route.fulfill({ status: 204 }))
      const requested = page.waitForRequest(authorizationUrl)
      await button(page).click()
      return new URL((await requested).url()).searchParams.get("state") ?? ""
    }

    it("starts a session with the role of the person, and keeps no token of the provider", async () => {
      const page = await start("ann")
      const granted = page.waitForResponse(tokenUrl)
      const tokenOf = granted.then(async (response) => String((await response.json()).id_token))
      const address = await addressOfResponse(page)
      await page.getByRole("link", { name: /Maria/u }).waitFor()
      const { console_sessions: sessions } = await world().client.consoleSessions.list("acme")
      const { users } = await world().client.users.list("acme")
      const ann = users.find(({ email }) => email === "ann@acme.example")
      expect(sessions.map(({ role, user_id: user }) => [role, user])).toEqual([["agent", ann?.id]])
      const code = new URL(address).searchParams.get("code") ?? ""
      for (const secret of [code, await tokenOf]) {
        expect(secret.length).toBeGreaterThan(20)
        expect(await storageOf(page)).not.toContain(secret)
        expect(JSON.stringify(await page.context().cookies())).not.toContain(secret)
        expect(page.url()).not.toContain(secret)
        expect(world().log()).not.toContain(secret)
      }
      expect(await storageOf(page)).not.toMatch(/verifier|nonce/u)
      await page.getByRole("button", { name: "Sign out" }).click()
      await button(page).waitFor()
      expect((await world().client.consoleSessions.list("acme")).console_sessions).toEqual([])
    })

    it("lets a person with several tenants choose one", async () => {
      const page = await start("max")
      await button(page).click()
      await choice(page).waitFor()
      await page.getByLabel("Tenant").selectOption("branch")
      await page.getByRole("button", { name: "Open" }).click()
      await inside(page)
      const { console_sessions: sessions } = await world().client.consoleSessions.list("branch")
      expect(sessions.map(({ role }) => role)).toEqual(["manager"])
    })

    it("gives a superuser a session of an admin, for a tenant that exists", async () => {
      const page = await start("root")
      await button(page).click()
      await choice(page).waitFor()
      await page.getByLabel("Tenant").fill("unknown")
      await page.getByRole("button", { name: "Open" }).click()
      await alert(page, /no tenant with this name/u)
      await page.getByLabel("Tenant").fill("acme")
      await page.getByRole("button", { name: "Open" }).click()
      await inside(page)
      const { console_sessions: sessions } = await world().client.consoleSessions.list("acme")
      expect(sessions.map(({ role }) => role)).toContain("admin")
    })

    it.each([
      ["without a role", "guest", /account has no access/u],
      ["of a tenant that does not exist", "lost", /no tenant with this name/u],
      ["who cancels", null, /cancelled or denied/u]
    ])("explains the refusal of a person %s", async (_, person, text) => {
      const page = await start(person)
      await button(page).click()
      await alert(page, text)
      expect(await storageOf(page)).toBe("[{},{}]")
    })

    it.each([
      ["state", "a-state-of-somebody-else", /did not start this sign-in/u],
      ["nonce", "a-nonce-of-somebody-else", /does not belong to this sign-in/u],
      ["code_challenge", "a".repeat(43), /expired or was used/u]
    ])("refuses a response for another %s", async (name, value, text) => {
      const page = await start("ann")
      await change(page, name, value)
      await button(page).click()
      await alert(page, text)
      expect(await storageOf(page)).toBe("[{},{}]")
    })

    it("refuses a response that was used before, also with the state of a new sign-in", async () => {
      const page = await start("ann")
      const used = new URL(await addressOfResponse(page))
      await page.getByRole("button", { name: "Sign out" }).click()
      await button(page).waitFor()
      await page.goto(used.href)
      await alert(page, /already finished/u)
      expect(page.url()).toBe(`${world().url}/sign-in`)
      used.searchParams.set("state", await stateOfUnfinished(page))
      await page.goto(used.href)
      await alert(page, /expired or was used/u)
    })

    it("refuses the response of another issuer", async () => {
      const page = await start("ann")
      const state = await stateOfUnfinished(page)
      await page.goto(`${world().url}/sign-in?code=a&state=${state}&iss=https://evil.test`)
      await alert(page, /does not belong to this sign-in/u)
    })

    it("shows no text of the address, and opens only its own pages", async () => {
      const page = await start("ann")
      const requested: Array<string> = []
      page.on("request", (request) => requested.push(new URL(request.url()).origin))
      const evil = "redirect=https://evil.test&return_to=//evil.test&redirect_uri=https://evil.test"
      await page.goto(`${world().url}/sign-in?error=access_denied&error_description=Call+evil.test&${evil}`)
      await alert(page, /did not start this sign-in/u)
      expect(await page.locator("body").innerText()).not.toContain("evil")
      await page.goto(`${world().url}/sign-in?${evil}`)
      await button(page).click()
      await inside(page)
      expect(new URL(page.url()).pathname).toBe("/inbox")
      expect(new Set(requested)).toEqual(new Set([provider.issuer, world().url]))
    })

    it("explains that the provider cannot be reached, and then works again", async () => {
      const page = await start("ann")
      await page.route(tokenUrl, (route) => route.abort())
      await button(page).click()
      await alert(page, /cannot be reached/u)
      await page.unroute(tokenUrl)
      await button(page).click()
      await inside(page)
    })

    it.each(windows)("follows WCAG 2.2 AA: %s", async (_, options) => {
      provider.setPerson("max")
      const page = await newPage(options)
      await page.goto(`${world().url}/sign-in`)
      await button(page).waitFor()
      expect(await violations(page)).toEqual([])
      expect(await scrollsSideways(page)).toBe(false)
      await button(page).focus()
      await page.keyboard.press("Enter")
      await choice(page).waitFor()
      expect(await violations(page)).toEqual([])
    })
  },
  settings
)
