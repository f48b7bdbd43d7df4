import type { Lead } from "@leadloom/client"
import { expect, it } from "vitest"
import { describeConsole, eventually, scrollsSideways, sendTwice, violations, windows } from "./Harness.ts"
import type { World } from "./World.ts"

const titles = ["Flat roof", "Gutter"] as const

const leadNamed = async ({ client, tenantId }: World, subject: string): Promise<Lead> => {
  const { leads } = await client.leads.list(tenantId)
  return leads.find((lead) => lead.subject === subject) ?? expect.unreachable(`There is no lead ${subject}.`)
}

const fill = async ({ client, tenantId }: World): Promise<void> => {
  for (const [index, subject] of titles.entries()) {
    const contact = { name: `Contact ${index}`, email: `contact${index}@customer.example` }
    // In cents.
    const value = 100_000 * (index + 1)
    await client.leads.create(tenantId, { contact, subject, value, currency: "USD", assignee: "nina@acme.example" })
  }
}

await describeConsole("the leads", fill, ({ signedIn, world }) => {
  it("lists the leads with their contacts, filters and sorts them", async () => {
    const page = await signedIn()
    await page.getByRole("link", { name: "Leads", exact: true }).click()
    const rows = page.getByRole("table", { name: "Leads" }).getByRole("row")
    await rows.filter({ hasText: "Flat roof" }).filter({ hasText: "Contact 0" }).waitFor()
    await page.getByRole("button", { name: "Value" }).click()
    await eventually(() => rows.nth(1).textContent()).toContain("Gutter")
    await page.getByRole("button", { name: "Value" }).click()
    await eventually(() => rows.nth(1).textContent()).toContain("Flat roof")
    await page.getByRole("combobox", { name: "State", exact: true }).selectOption("won")
    await page.getByText("No lead matches these filters.").waitFor()
    await page.getByRole("button", { name: "Clear filters" }).click()
    await rows.filter({ hasText: "Gutter" }).waitFor()
  })

  it("moves a lead on the board, with the sums of both stages", async () => {
    const page = await signedIn()
    await page.goto(`${world().url}/leads?view=board`)
    const stage = (name: string) => page.getByRole("region", { name, exact: true })
    await stage("Open").getByRole("link", { name: "Flat roof" }).waitFor()
    await stage("Open").getByText("2 · $3,000", { exact: true }).waitFor()
    await page.getByLabel("Stage of Flat roof").selectOption({ label: "Engaged" })
    await stage("Engaged").getByRole("link", { name: "Flat roof" }).waitFor()
    await stage("Engaged").getByText("1 · $1,000", { exact: true }).waitFor()
    await stage("Open").getByText("1 · $2,000", { exact: true }).waitFor()
    expect((await leadNamed(world(), "Flat roof")).state).toBe("engaged")
    await stage("Engaged").getByRole("listitem").dragTo(stage("Qualified"))
    await stage("Qualified").getByRole("link", { name: "Flat roof" }).waitFor()
    await stage("Qualified").getByText("1 · $1,000", { exact: true }).waitFor()
    // A qualified lead does not return to `open`.
    await stage("Qualified").getByRole("listitem").dragTo(stage("Open"))
    await page
      .getByText("A lead in the state Qualified cannot move to Open. Its next state can be: Won, Lost, Archived.")
      .waitFor()
    await page.getByLabel("Stage of Flat roof").getByText("Open (not from Qualified)").waitFor({ state: "attached" })
    await stage("Qualified").getByRole("listitem").dragTo(stage("Lost"))
    const dialog = page.getByRole("dialog", { name: "Why is this lead lost?" })
    await dialog.getByRole("button", { name: "Cancel" }).click()
    await stage("Qualified").getByRole("link", { name: "Flat roof" }).waitFor()
    expect((await leadNamed(world(), "Flat roof")).state).toBe("qualified")
    // The card stays until the server accepts the loss, because it contains the dialog.
    await page.getByLabel("Stage of Flat roof").selectOption({ label: "Lost" })
    await dialog.getByLabel("Loss reason").fill("No answer")
    await sendTwice(dialog, { path: /\/stage$/u, field: "loss_reason", button: "Mark as lost" })
    await stage("Lost").getByRole("link", { name: "Flat roof" }).waitFor()
    const { id, loss_reason: reason } = await leadNamed(world(), "Flat roof")
    expect(reason).toBe("No answer")
    const { client, tenantId } = world()
    for (const state of ["open", "engaged", "qualified"] as const)
      await client.leads.transition(tenantId, id, { state })
  })

  it("asks for the reason of a loss, and restores a lead that the server refuses to move", async () => {
    const { url } = world()
    const page = await signedIn()
    const { id } = await leadNamed(world(), "Flat roof")
    await page.goto(`${url}/leads/${id}`)
    const state = page.getByRole("combobox", { name: "State" })
    await eventually(() => state.inputValue()).toBe("qualified")
    const refused = /\/leads\/\w+\/transition$/u
    await page.route(refused, (route) =>
      route.fulfill({ status: 403, json: { error: { code: "FORBIDDEN", message: "No." } } })
    )
    await state.selectOption("won")
    await page.getByText(/^Not saved: /u).waitFor()
    await eventually(() => state.inputValue()).toBe("qualified")
    await page.unroute(refused)
    await state.selectOption("lost")
    const dialog = page.getByRole("dialog", { name: "Why is this lead lost?" })
    await dialog.getByLabel("Loss reason").fill("Too expensive")
    await sendTwice(dialog, { path: refused, field: "loss_reason", button: "Mark as lost" })
    await page.getByText("Loss reason: Too expensive").waitFor()
    expect(await leadNamed(world(), "Flat roof")).toMatchObject({ state: "lost", loss_reason: "Too expensive" })
  })

  it("changes the deal, and shows a change of another person without a reload", async () => {
    const { client, tenantId, url } = world()
    const page = await signedIn()
    const { id } = await leadNamed(world(), "Gutter")
    await page.goto(`${url}/leads/${id}`)
    await page.getByLabel("Value").fill("2500.5")
    await page.getByLabel("Expected close").fill("2026-12-24")
    await page.getByLabel("Tags").fill("winter")
    // A person who is no user of the tenant stays the owner.
    await eventually(() => page.getByLabel("Owner").locator("option:checked").innerText()).toBe("nina@acme.example")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Saved", { exact: true }).waitFor()
    await expect
      .poll(() => leadNamed(world(), "Gutter"))
      .toMatchObject({
        value: 250_050,
        expected_close_on: "2026-12-24",
        tags: ["winter"],
        assignee: "nina@acme.example"
      })
    await client.leads.transition(tenantId, id, { state: "engaged" })
    const state = page.getByRole("combobox", { name: "State" })
    await eventually(() => state.inputValue()).toBe("engaged")
    await page.getByLabel("Tags").fill("not saved yet")
    await client.leads.transition(tenantId, id, { state: "qualified" })
    await eventually(() => state.inputValue()).toBe("qualified")
    expect(await page.getByLabel("Tags").inputValue()).toBe("not saved yet")
  })

  it("explains an unknown lead, and reads a failed list again", async () => {
    const page = await signedIn()
    await page.goto(`${world().url}/leads/lead_00000000000000000000000000`)
    await page.getByRole("alert").filter({ hasText: "does not exist" }).waitFor()
    await page.route(/\/api\/.*\/leads\?/u, (route) => route.abort())
    await page.goto(`${world().url}/leads?tier=none`)
    await page.getByRole("alert").filter({ hasText: "cannot be reached" }).waitFor()
    await page.unroute(/\/api\/.*\/leads\?/u)
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByRole("link", { name: "Gutter" }).waitFor()
  })

  it.each(windows)("breaks no rule of WCAG 2.2 AA at %s, and never scrolls sideways", async (_, options) => {
    const page = await signedIn(options)
    const { id } = await leadNamed(world(), "Gutter")
    for (const path of ["/leads", "/leads?view=board", `/leads/${id}`]) {
      await page.goto(`${world().url}${path}`)
      await page.getByLabel("Stage of Gutter").waitFor()
      expect(await violations(page)).toEqual([])
      expect(await scrollsSideways(page)).toBe(false)
    }
  })
})
