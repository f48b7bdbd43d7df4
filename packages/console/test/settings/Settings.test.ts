import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { describeConsole, eventually, scrollsSideways, violations, type Window, windows } from "../Harness.ts"
import { closedReceiver, type World } from "../World.ts"

const addPeople = async ({ client, tenantId }: World): Promise<void> => {
  await client.users.create(tenantId, { name: "Ben Ito", email: "ben@acme.example", role: "manager" })
}

await describeConsole("the settings", addPeople, ({ emptyPage, world }) => {
  const visit = async (noun: string, role?: "manager" | "admin", options?: Window): Promise<Page> => {
    const page = await emptyPage(options)
    await page.goto(await world().link(role))
    await page.getByRole("link", { name: "Settings" }).click()
    await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: noun }).click()
    return page
  }
  const open = async (...where: Parameters<typeof visit>): Promise<Page> => {
    const page = await visit(...where)
    await page.getByRole("table", { name: where[0] }).waitFor()
    return page
  }
  const userNamed = async (name: string) =>
    (await world().client.users.list(world().tenantId)).users.find((user) => user.name === name)

  it("adds, changes, deactivates and activates a user", async () => {
    const page = await open("Users", "admin")
    await page.getByRole("button", { name: "Add user" }).click()
    const dialog = page.getByRole("dialog", { name: "Add user" })
    await dialog.getByLabel("Name").fill("Cleo Diaz")
    await dialog.getByLabel("Email").fill("ben@acme.example")
    await dialog.getByRole("button", { name: "Add user" }).click()
    await dialog.getByRole("alert").filter({ hasText: "already has the address" }).waitFor()
    await dialog.getByLabel("Email").fill("cleo@acme.example")
    await dialog.getByRole("button", { name: "Add user" }).click()
    await page.getByRole("row", { name: /Cleo Diaz.*Agent/u }).waitFor()
    await page.getByRole("button", { name: "Edit: Cleo Diaz" }).click()
    await page.getByRole("dialog").getByLabel("Role").selectOption("Manager")
    await page.getByRole("dialog").getByRole("button", { name: "Edit" }).click()
    await page.getByRole("row", { name: /Cleo Diaz.*Manager/u }).waitFor()
    await page.getByRole("button", { name: "Deactivate: Cleo Diaz" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click()
    expect((await userNamed("Cleo Diaz"))?.active).toBe(true)
    await page.getByRole("button", { name: "Deactivate: Cleo Diaz" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Deactivate" }).click()
    await page.getByRole("button", { name: "Activate: Cleo Diaz", exact: true }).click()
    expect(await userNamed("Cleo Diaz")).toMatchObject({ active: false, role: "manager" })
    await page.getByRole("dialog").getByRole("button", { name: "Activate", exact: true }).click()
    await page.getByRole("button", { name: "Deactivate: Cleo Diaz" }).waitFor()
  })

  it("names the own account, which the only administrator cannot deactivate", async () => {
    const { client, tenantId, url } = world()
    const ada = await client.users.create(tenantId, { name: "Ada King", email: "ada@acme.example", role: "admin" })
    const { ticket } = await client.sessions.createTicket({ tenant_id: tenantId, user_id: ada.id })
    const page = await emptyPage()
    await page.goto(`${url}/sign-in#ticket=${ticket}`)
    await page.getByRole("navigation", { name: "Main" }).waitFor()
    await page.goto(`${url}/settings/users`)
    await page.getByRole("button", { name: "Deactivate: Ada King" }).click()
    const dialog = page.getByRole("dialog", { name: "Deactivate" })
    await dialog.getByText(/^This is your own account/u).waitFor()
    await dialog.getByRole("button", { name: "Deactivate" }).click()
    await dialog.getByRole("alert").filter({ hasText: "You are the only administrator." }).waitFor()
    await client.users.deactivate(tenantId, ada.id)
  })

  it("shows a new API key once, and revokes it", async () => {
    const page = await open("API keys", "admin")
    await page.getByRole("button", { name: "Create key" }).click()
    await page.getByRole("dialog").getByLabel("Name").fill("Website")
    await page.getByRole("dialog").getByLabel("Scopes").selectOption("Read")
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click()
    const dialog = page.getByRole("dialog", { name: "Copy the secret now" })
    expect(await dialog.getByLabel("Secret").inputValue()).toMatch(/^llk_/u)
    await dialog.getByRole("button", { name: "Done" }).click()
    await page.getByRole("row", { name: /Website.*read.*Active/u }).waitFor()
    expect(await page.getByRole("main").textContent()).not.toMatch(/llk_\w{12}/u)
    await page.getByRole("button", { name: "Revoke: Website" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click()
    await page.getByRole("row", { name: /Website/u }).waitFor({ state: "detached" })
    const { api_keys: keys } = await world().client.apiKeys.list(world().tenantId)
    expect(keys.map(({ name }) => name)).toEqual(["console"])
  })

  it("signs a person out by revoking the session", async () => {
    const { ticket } = await world().client.sessions.createTicket({
      tenant_id: world().tenantId,
      user_id: (await userNamed("Ben Ito"))?.id ?? ""
    })
    const page = await open("Sessions", "admin")
    await page.getByRole("button", { name: "Revoke: Ben Ito" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click()
    await page.getByRole("row", { name: /Ben Ito/u }).waitFor({ state: "detached" })
    await expect(world().client.sessions.mint({ ticket })).rejects.toMatchObject({ code: "UNAUTHORIZED" })
  })

  it("adds a webhook with a secret, shows its deliveries, sends one again, and deletes it", async () => {
    const { client, tenantId } = world()
    const page = await visit("Webhooks", "manager")
    await page.getByText("No webhooks.").waitFor()
    await page.getByRole("button", { name: "Add webhook" }).click()
    await page.getByRole("dialog").getByLabel("Address").fill(`http://${closedReceiver}/events`)
    await page.getByRole("dialog").getByLabel("contact.created").check()
    await page.getByRole("dialog").getByRole("button", { name: "Add webhook" }).click()
    expect(await page.getByRole("textbox", { name: "Secret" }).inputValue()).toMatch(/^whsec_/u)
    await page.getByRole("button", { name: "Done" }).click()
    await page.getByRole("button", { name: /^Test: /u }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Test" }).click()
    await page
      .getByRole("dialog")
      .getByRole("alert")
      .filter({ hasText: /^The test failed: .*did not answer/u })
      .waitFor()
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click()
    await client.contacts.create(tenantId, { email: "event@customer.example" })
    const [webhook] = (await client.webhooks.list(tenantId)).webhooks
    const attempts = async () =>
      (await client.webhooks.deliveries(tenantId, webhook?.id ?? "")).deliveries.flatMap((one) => one.attempts).length
    await eventually(attempts).toBeGreaterThan(0)
    const before = await attempts()
    await page.getByRole("link", { name: /^Deliveries to /u }).click()
    await page
      .getByRole("button", { name: /^Deliver again: contact.created/u })
      .first()
      .click()
    await page.getByRole("dialog").getByRole("button", { name: "Deliver again" }).click()
    await eventually(attempts).toBeGreaterThan(before)
    await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Webhooks" }).click()
    await page.getByRole("button", { name: /^Pause: /u }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Pause" }).click()
    await page.getByRole("row", { name: /Paused/u }).waitFor()
    await page.getByRole("button", { name: /^Delete: /u }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
    await page.getByText("No webhooks.").waitFor()
  })

  it("shows privileged actions with their actors", async () => {
    const page = await open("Audit trail", "admin")
    await page
      .getByRole("row", { name: /Users: create.*The operator/u })
      .first()
      .waitFor()
  })

  it("lets the operator create, open, archive and restore tenants", async () => {
    const page = await emptyPage()
    await page.goto(`${world().url}/sign-in`)
    await page.getByLabel("API key").fill(world().adminKey)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByRole("link", { name: "Settings" }).click()
    await page.getByRole("link", { name: "Tenants" }).click()
    await page.getByRole("button", { name: "Create tenant" }).click()
    await page.getByRole("dialog").getByLabel("Id").fill("globex")
    await page.getByRole("dialog").getByLabel("Name").fill("Globex")
    await page.getByRole("dialog").getByRole("button", { name: "Create tenant" }).click()
    await page.getByRole("button", { name: "Archive: Globex" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Archive" }).click()
    await page.getByRole("row", { name: /Globex/u }).waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Restore tenant" }).click()
    await page.getByRole("dialog").getByLabel("Id").fill("globex")
    await page.getByRole("dialog").getByRole("button", { name: "Restore tenant" }).click()
    await page.getByRole("button", { name: "Open: Globex" }).click()
    const read = page.waitForRequest(/\/tenants\/globex\/conversations/u)
    await page.getByRole("dialog").getByRole("button", { name: "Open" }).click()
    await read
    await page.getByText("No open conversations.").waitFor()
  })

  it("hides what the role may not see or do", async () => {
    const agent = await open("Users")
    const sections = agent.getByRole("navigation", { name: "Settings" }).getByRole("link")
    expect(await sections.allTextContents()).toEqual([
      "Users",
      "Teams",
      "Opt-outs",
      "Canned replies",
      "Macros",
      "Custom fields",
      "Pipelines"
    ])
    expect(await agent.getByRole("main").getByRole("button").count()).toBe(0)
    await agent.goto(`${world().url}/settings/api-keys`)
    await agent.getByRole("alert").filter({ hasText: "You may not see this" }).waitFor()
    const manager = await open("API keys", "manager")
    expect(await manager.getByRole("main").getByRole("button").count()).toBe(0)
  })

  it("explains a failed list and an unknown section", async () => {
    const page = await open("Users", "admin")
    await page.route(/\/users\?/u, (route) => route.abort())
    await page.reload()
    await page.getByRole("alert").filter({ hasText: "cannot be reached" }).waitFor()
    await page.unroute(/\/users\?/u)
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByRole("row", { name: /Ben Ito/u }).waitFor()
    await page.goto(`${world().url}/settings/unknown`)
    await page.getByRole("alert").filter({ hasText: "does not exist" }).waitFor()
  })

  it.each(windows)("breaks no rule of WCAG 2.2 AA at %s, and never scrolls sideways", async (_, options) => {
    const page = await open("Users", "admin", options)
    expect(await violations(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
    await page.getByRole("button", { name: "Add user" }).click()
    await page.getByRole("dialog", { name: "Add user" }).waitFor()
    expect(await violations(page)).toEqual([])
  })
})
