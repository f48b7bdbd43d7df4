import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { describeConsole, eventually } from "./Harness.ts"
import { twoConversations } from "./World.ts"

const expiryOf = (page: Page): Promise<number> =>
  page.evaluate(() => JSON.parse(sessionStorage.getItem("leadloom.session") ?? "{}").expiresAt)

await describeConsole("the session of a tab", twoConversations, ({ newPage, signedInWith, world }) => {
  const open = async (page: Page): Promise<void> => {
    await page.goto(await world().link())
    await page.getByRole("link", { name: /Maria/u }).waitFor()
  }

  it("is renewed while the person works, and not without activity", async () => {
    const page = await newPage()
    await page.clock.install()
    await open(page)
    const first = await expiryOf(page)
    await page.clock.fastForward("40:00")
    expect(await expiryOf(page)).toBe(first)
    const renewed = page.waitForResponse(/\/console-sessions\/renew$/u)
    await page.mouse.wheel(0, 10)
    await page.keyboard.press("j")
    await page.clock.fastForward("01:00")
    expect((await renewed).status()).toBe(200)
    await eventually(() => expiryOf(page)).toBeGreaterThan(first)
    await page.getByRole("link", { name: /Priya/u }).click()
    await page.getByRole("heading", { level: 1, name: /Priya/u }).waitFor()
  })

  it("ends on the server when the person signs out", async () => {
    const page = await newPage()
    await open(page)
    const { console_sessions: before } = await world().client.consoleSessions.list(world().tenantId)
    const dialog = page.getByRole("dialog", { name: "Sign out?" })
    await page.getByRole("button", { name: "Sign out" }).click()
    await dialog.getByText(/you need a new one/u).waitFor()
    await dialog.getByRole("button", { name: "Cancel" }).click()
    await page.getByRole("button", { name: "Sign out" }).click()
    await dialog.getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("heading", { name: "Sign in to Leadloom" }).waitFor()
    const { console_sessions: after } = await world().client.consoleSessions.list(world().tenantId)
    expect(after.length).toBe(before.length - 1)
  })

  it("starts with the link that the operator creates for a user", async () => {
    const { adminKey, client, tenantId, url } = world()
    await client.users.create(tenantId, { name: "Cleo Diaz", email: "cleo@acme.example" })
    const operator = await signedInWith(adminKey)
    await operator.goto(`${url}/settings/users`)
    await operator.getByRole("button", { name: "Create sign-in link: Cleo Diaz" }).click()
    await operator.getByRole("dialog").getByRole("button", { name: "Create sign-in link" }).click()
    const link = await operator.getByRole("textbox", { name: "Secret" }).inputValue()
    const page = await newPage()
    await page.goto(link)
    await page.getByRole("navigation", { name: "Main" }).getByText("Cleo Diaz").waitFor()
    await eventually(() => page.title()).toBe("Inbox – Leadloom")
  })

  it("ends in the tab when an admin revokes it", async () => {
    const page = await newPage()
    await open(page)
    const { console_sessions: sessions } = await world().client.consoleSessions.list(world().tenantId)
    for (const { id } of sessions) await world().client.consoleSessions.revoke(world().tenantId, id)
    await page.reload()
    await page.getByRole("alert").filter({ hasText: "session has ended" }).waitFor()
  })
})
