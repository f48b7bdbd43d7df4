import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { describeConsole, scrollsSideways, violations, type Window, windows } from "../Harness.ts"
import { openSettings, submitDialog } from "./OpenSettings.ts"

const noData = () => Promise.resolve()

await describeConsole("the pages of the operator", noData, ({ emptyPage, world }) => {
  const open = async (noun: string, options?: Window): Promise<Page> => {
    const page = await emptyPage(options)
    await page.goto(`${world().url}/sign-in`)
    await page.getByLabel("API key").fill(world().adminKey)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByRole("link", { name: "Settings" }).click()
    await page.getByRole("link", { name: noun }).click()
    await page.getByRole("heading", { name: noun, level: 1 }).waitFor()
    return page
  }

  it("shows the version of the server, and explains a failed check", async () => {
    const { version } = await world().client.system.health()
    const page = await open("Server")
    await page.getByRole("region", { name: "Health" }).getByText(version, { exact: true }).waitFor()
    await page.route(/\/health$/u, (route) => route.abort())
    await page.reload()
    await page.getByRole("alert").filter({ hasText: "cannot be reached" }).waitFor()
    await page.unroute(/\/health$/u)
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByText("Ready").waitFor()
  })

  it("runs the doctor when it is asked, and shows problems first", async () => {
    const page = await open("Server")
    await page.route(/\/admin\/doctor$/u, (route) =>
      route.fulfill({
        json: {
          examined_at: "2026-03-02T18:10:00.000Z",
          findings: [
            { check: "clock", level: "ok", found: "The clocks agree.", advice: null },
            { check: "disk", level: "problem", found: "The disk is full.", advice: "Free space." }
          ]
        }
      })
    )
    await page.getByRole("button", { name: "Run the doctor" }).click()
    await page.getByText("Problems: 1, warnings: 0").waitFor()
    const rows = page.getByRole("list", { name: "Findings of the doctor" }).getByRole("listitem")
    expect(await rows.nth(0).innerText()).toMatch(/Problem disk\s+The disk is full\.\s+Next step: Free space\./u)
    // The real doctor of the server.
    await page.unroute(/\/admin\/doctor$/u)
    await page.getByRole("button", { name: "Run the doctor" }).click()
    await rows.filter({ hasText: "open files" }).first().waitFor()
  })

  it("shows the queues and the providers of the deployment", async () => {
    const page = await open("Queues")
    await page.getByRole("row", { name: /Pipeline 0/u }).waitFor()
    await page.route(/\/admin\/queues$/u, (route) =>
      route.fulfill({
        json: {
          queues: [{ queue: "sends", due: 7, oldest_due_at: "2026-03-02T18:10:00.000Z", failed: 2 }],
          jobs: [{ kind: "fetch", waiting: 5, failed: 3, oldest_created_at: "2026-03-02T18:10:00.000Z" }]
        }
      })
    )
    await page.getByRole("button", { name: "Read again" }).click()
    await page.getByRole("row", { name: /Sending 7 .+ 2/u }).waitFor()
    await page.getByRole("row", { name: /fetch 5 3/u }).waitFor()
    await page.getByRole("link", { name: "Providers" }).click()
    await page.getByRole("row", { name: /Language model Not configured/u }).waitFor()
    await page.getByRole("row", { name: /Email No request yet 0/u }).waitFor()
  })

  it("shows the key of a new source once, removes the source, and records both", async () => {
    const page = await open("Event sources")
    await page.getByText("No sources for all tenants.").waitFor()
    await page.getByRole("button", { name: "Add source" }).click()
    await submitDialog(page, "Add source", { Id: "calendar" })
    const dialog = page.getByRole("dialog", { name: "Copy the secret now" })
    expect(await dialog.getByLabel("Secret").inputValue()).not.toBe("")
    await dialog.getByRole("button", { name: "Done" }).click()
    await page.getByRole("button", { name: "Remove: calendar" }).click()
    await submitDialog(page, "Remove", {})
    await page.getByText("No sources for all tenants.").waitFor()
    await page.getByRole("link", { name: "Deployment audit" }).click()
    await page.getByRole("row", { name: /Sources: remove global.*calendar/u }).waitFor()
    await page.getByRole("row", { name: /Tenants: create.*acme/u }).waitFor()
  })

  it("assigns a phone number to a tenant, and releases it", async () => {
    const page = await open("Phone numbers")
    await page.getByText("No phone numbers.").waitFor()
    await page.getByRole("button", { name: "Assign number" }).click()
    await submitDialog(page, "Assign number", { "Phone number": "+12025550100", Tenant: "nobody" })
    await page.getByRole("dialog").getByRole("alert").waitFor()
    await submitDialog(page, "Assign number", { Tenant: "acme", "Default sender": "Yes" })
    await page.getByRole("row", { name: /\+12025550100 acme Yes/u }).waitFor()
    expect((await world().client.phoneNumbers.list()).phone_numbers).toMatchObject([
      { phone: "+12025550100", tenant_id: "acme", default: true }
    ])
    await page.getByRole("button", { name: "Release: +12025550100" }).click()
    await submitDialog(page, "Release", {})
    await page.getByText("No phone numbers.").waitFor()
  })

  it("is hidden from the admins of a tenant", async () => {
    const page = await openSettings(emptyPage, world(), "Users", "admin")
    for (const noun of ["server", "queues", "providers", "phone-numbers", "sources", "deployment-audit"]) {
      await page.goto(`${world().url}/settings/${noun}`)
      await page.getByRole("alert").filter({ hasText: "You may not see this" }).waitFor()
    }
  })

  it.each(windows)("breaks no rule of WCAG 2.2 AA at %s, and never scrolls sideways", async (_, options) => {
    const page = await open("Server", options)
    await page.getByText("Ready").waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole("button", { name: "Run the doctor" }).click()
    await page.getByText(/^Problems: /u).waitFor()
    expect(await violations(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
    await page.getByRole("link", { name: "Queues" }).click()
    await page.getByText("No jobs are waiting.").waitFor()
    expect(await violations(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
    await page.getByRole("link", { name: "Providers" }).click()
    await page.getByRole("row", { name: /Language model/u }).waitFor()
    expect(await violations(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
    await page.getByRole("link", { name: "Phone numbers" }).click()
    await page.getByText("No phone numbers.").waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole("link", { name: "Deployment audit" }).click()
    await page.getByRole("row", { name: /Tenants: create/u }).waitFor()
    expect(await violations(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
  })
})
