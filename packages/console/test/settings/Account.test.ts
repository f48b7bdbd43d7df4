import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { describeConsole, scrollsSideways, violations, type Window, windows } from "../Harness.ts"
import { openSettings, submitDialog } from "./OpenSettings.ts"
import type { World } from "../World.ts"

const addCredits = async ({ client, tenantId }: World): Promise<void> => {
  await client.billing.grant(tenantId, { amount: 250, reference: "contract-7", note: "Welcome" })
}

await describeConsole("the form and billing", addCredits, ({ emptyPage, world }) => {
  const open = (noun: string, role?: "manager" | "admin", options?: Window): Promise<Page> =>
    openSettings(emptyPage, world(), noun, role, options)

  it("changes the form, and shows its preview and its HTML", async () => {
    const page = await open("Form", "manager")
    const preview = page.getByRole("region", { name: "Preview", exact: true, includeHidden: true })
    await preview.getByText("Message").waitFor()
    await page.getByRole("button", { name: "Edit" }).click()
    const values = { State: "Accepts submissions", "Additional fields": 'roof "kind"', Verification: "None" }
    await submitDialog(page, "Edit", { ...values, Websites: "not an origin" })
    await page.getByRole("dialog").getByRole("alert").waitFor()
    await submitDialog(page, "Edit", { "Additional fields": "roof", Websites: "https://www.acme.example" })
    await page.getByText("https://www.acme.example").waitFor()
    await preview.getByText("roof").waitFor()
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
    await page.getByRole("button", { name: "Copy the HTML" }).click()
    await page.getByText("Copied", { exact: true }).waitFor()
    const html = await page.getByLabel("Copy this into your website").inputValue()
    expect(html).toContain(`action="${world().url}/api/v1/public/leads/acme"`)
    expect(html).toContain('<input name="roof" type="text">')
    const { public_form: form } = (await world().client.config.get(world().tenantId)).config
    expect(form).toMatchObject({ enabled: true, fields: ["roof"], allowed_origins: ["https://www.acme.example"] })
    expect(html).toContain(`<p hidden><input name="${form?.honeypot}"`)
  })

  it("lets only administrators switch the tracking of links, after the consent is explained", async () => {
    const manager = await open("Link tracking", "manager")
    await manager.getByText("Only administrators can change this setting.").waitFor()
    expect(await manager.getByRole("button", { name: /Switch link tracking/u }).count()).toBe(0)
    const page = await open("Link tracking", "admin")
    const isOn = async () => (await world().client.config.get(world().tenantId)).config.link_tracking
    const setting = page.getByRole("region", { name: "Setting", exact: true })
    await setting.getByText("Off", { exact: true }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole("button", { name: "Switch link tracking on" }).click()
    await page.getByRole("dialog").getByText("laws such as the GDPR may require consent").waitFor()
    await submitDialog(page, "Switch link tracking on", {})
    await setting.getByText("On", { exact: true }).waitFor()
    expect(await isOn()).toBe(true)
    await page.getByRole("button", { name: "Switch link tracking off" }).click()
    await submitDialog(page, "Switch link tracking off", {})
    await setting.getByText("Off", { exact: true }).waitFor()
    expect(await isOn()).toBe(false)
  })

  it("shows the plan, the usage and the credits, and activates a plan", async () => {
    const { actions } = await world().client.usage.get(world().tenantId)
    const page = await open("Billing", "admin")
    await page.getByText(`Actions: ${actions.used} of ${actions.cap.toLocaleString("en")}`).waitFor()
    await page.getByRole("row", { name: /Grant.*250.*250.*Welcome/u }).waitFor()
    await page.getByRole("button", { name: "Activate plan" }).click()
    await submitDialog(page, "Activate plan", { Plan: "Growth" })
    await page.getByRole("region", { name: "Plan" }).getByText("Growth").waitFor()
    expect(await world().client.billing.status({ tenantId: world().tenantId })).toMatchObject({ plan: "growth" })
    // Without a payment provider, nothing can be paid.
    expect(await page.getByRole("button", { name: "Buy credits" }).count()).toBe(0)
  })

  it("hides from managers and agents what they may not see", async () => {
    const manager = await open("Billing", "manager")
    await manager.getByRole("row", { name: /Grant/u }).waitFor()
    expect(await manager.getByRole("region", { name: "Usage in this month" }).count()).toBe(0)
    expect(await manager.getByRole("button", { name: "Activate plan" }).count()).toBe(0)
    const agent = await open("Users")
    for (const noun of ["form", "billing"]) {
      await agent.goto(`${world().url}/settings/${noun}`)
      await agent.getByRole("alert").filter({ hasText: "You may not see this" }).waitFor()
    }
  })

  it("explains a failed request and sends it again", async () => {
    const page = await open("Form", "manager")
    await page.route(/\/api\/v1\/config\//u, (route) => route.abort())
    await page.reload()
    await page.getByRole("alert").filter({ hasText: "cannot be reached" }).waitFor()
    await page.unroute(/\/api\/v1\/config\//u)
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByLabel("Copy this into your website").waitFor()
  })

  it.each(windows)("breaks no rule of WCAG 2.2 AA at %s, and never scrolls sideways", async (_, options) => {
    const page = await open("Form", "admin", options)
    await page.getByLabel("Copy this into your website").waitFor()
    expect(await violations(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
    await page.getByRole("link", { name: "Billing" }).click()
    await page.getByRole("row", { name: /Grant/u }).waitFor()
    await page.getByRole("meter", { name: "Actions" }).waitFor()
    expect(await violations(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
  })
})
