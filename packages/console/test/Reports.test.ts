import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { describeConsole, eventually, scrollsSideways, violations, windows } from "./Harness.ts"

const none = { average_seconds: null, median_seconds: null, p90_seconds: null, value: null, rate: null }
const head = { from: "2026-03-01", to: "2026-03-03", time_zone: "UTC", counted_until: "2026-03-03T12:00:00.000Z" }

const days = ["2026-03-01", "2026-03-02", "2026-03-03"]
const states = ["bounced", "delivered", "failed", "queued", "sent", "unknown"]

/** The rows of each report. The server counts with a delay of a minute, so the tests answer for it. */
const rows = {
  volume: [
    { ...none, group: "2026-03-01", metric: "received", detail: null, count: 40 },
    { ...none, group: "2026-03-03", metric: "received", detail: null, count: 80 },
    { ...none, group: "2026-03-03", metric: "sent", detail: "=cmd", count: 20 }
  ],
  response_times: [
    {
      ...none,
      group: "2026-03-01",
      metric: "first_response",
      detail: "agent",
      count: 4,
      average_seconds: 5_000,
      median_seconds: 5_400,
      p90_seconds: 90_000
    }
  ],
  resolution_times: [],
  automation: [
    { ...none, group: "2026-03-01", metric: "reply", detail: "done:from_template", count: 3 },
    { ...none, group: "2026-03-01", metric: "reply", detail: "skipped:no_rule_asks", count: 1 }
  ],
  conversion: [{ ...none, group: "pip_1", metric: "stage_entered", detail: "open", count: 7 }],
  tiers: [
    { ...none, group: "2026-03-01", metric: "tier", detail: null, count: 2 },
    { ...none, group: "2026-03-01", metric: "tier", detail: "hot", count: 5 }
  ],
  // So many rows that the table scrolls. No cell has a control.
  deliveries: days.flatMap((group) =>
    states.map((detail, index) => ({ ...none, group, metric: "delivery", detail, count: index + 1 }))
  )
}

/** The requests of reports. */
const requests = /\/api\/v1\/tenants\/\w+\/reports\//u

type Name = keyof typeof rows

const isName = (name: string): name is Name => name in rows

const nothing = (): Promise<void> => Promise.resolve()

await describeConsole("the reports", nothing, ({ signedIn, signedInWith, world }) => {
  const openReports = async (options = {}): Promise<{ readonly page: Page; readonly queries: Array<string> }> => {
    const page = await signedInWith(world().adminKey, options)
    const queries: Array<string> = []
    await page.route(requests, async (route) => {
      const url = new URL(route.request().url())
      const name = url.pathname.split("/").at(-1) ?? ""
      queries.push(`${name}${url.search}`)
      const group = url.searchParams.get("group_by") ?? "day"
      await route.fulfill({ json: { ...head, name, group_by: group, rows: isName(name) ? rows[name] : [] } })
    })
    await page.getByRole("link", { name: "Reports" }).click()
    await page.getByRole("region", { name: "Volume" }).getByRole("img").waitFor()
    return { page, queries }
  }

  it("draws each report, and shows the same numbers in a table", async () => {
    const { page } = await openReports()
    const volume = page.getByRole("region", { name: "Volume" })
    const points = await volume.locator("circle title").allTextContents()
    expect(points).toEqual([
      "2026-03-01, Received: 40",
      "2026-03-02, Received: 0",
      "2026-03-03, Received: 80",
      "2026-03-01, Sent: 0",
      "2026-03-02, Sent: 0",
      "2026-03-03, Sent: 20"
    ])
    const table = volume.getByRole("table", { name: "Data of the report Volume" })
    await table.getByRole("row", { name: "2026-03-03 Received 80" }).waitFor()
    const response = page.getByRole("region", { name: "First response" })
    await response.getByRole("row", { name: /1.5 hr.*1 day/u }).waitFor()
    expect(await response.locator("circle title").allTextContents()).toEqual([
      "2026-03-01, First response by a person: 1.5 hr"
    ])
    const automation = page.getByRole("region", { name: "Automation" })
    expect(await automation.locator("circle title").first().textContent()).toBe("2026-03-01, Automation rate: 75%")
    await page.getByRole("region", { name: "Resolution" }).getByText("Nothing was counted").waitFor()
    await page.getByRole("region", { name: "Conversion" }).locator("rect").first().waitFor()
  })

  it("draws the tiers of new leads, and deliveries by their result", async () => {
    const { page } = await openReports()
    const tiers = page.getByRole("region", { name: "Tiers" })
    const points = await tiers.locator("circle title").allTextContents()
    expect(points.filter((point) => point.startsWith("2026-03-01"))).toEqual([
      "2026-03-01, Cold: 0",
      "2026-03-01, Warm: 0",
      "2026-03-01, Hot: 5",
      "2026-03-01, No score: 2"
    ])
    await tiers.getByRole("row", { name: "2026-03-01 New leads No score 2" }).waitFor()
    const deliveries = page.getByRole("region", { name: "Deliveries" })
    const results = await deliveries.locator("circle title").allTextContents()
    expect(results.filter((point) => point.startsWith("2026-03-02"))).toEqual([
      "2026-03-02, Sent or delivered: 7",
      "2026-03-02, Waiting or unknown: 10",
      "2026-03-02, Failed or bounced: 4"
    ])
    await deliveries.getByRole("row", { name: "2026-03-02 Messages to contacts Bounced 1" }).waitFor()
  })

  it("scrolls a long table without controls with keys", async () => {
    const { page } = await openReports()
    const name = "Data of the report Deliveries"
    const scroller = page.getByRole("group", { name })
    await scroller.focus()
    await page.keyboard.press("End")
    await eventually(() => scroller.evaluate((element) => element.scrollTop)).toBeGreaterThan(0)
    const short = page.getByRole("region", { name: "Tiers" }).getByRole("table")
    await short.waitFor()
    expect(await page.getByRole("group", { name: "Data of the report Tiers" }).count()).toBe(0)
  })

  it("filters by period, group and channel, and keeps the filters in the address", async () => {
    const { page, queries } = await openReports()
    await page.getByLabel("Group by").selectOption("channel")
    await page.getByLabel("Channel").selectOption("sms")
    await page.getByLabel("From", { exact: true }).fill("2026-03-01")
    await eventually(() => queries).toContain("volume?from=2026-03-01&group_by=channel&channel=sms")
    await eventually(() => queries).toContain("conversion?from=2026-03-01&group_by=pipeline&channel=sms")
    await page.reload()
    expect(await page.getByLabel("Channel").inputValue()).toBe("sms")
    await page.getByRole("region", { name: "Volume" }).locator("rect").first().waitFor()
  })

  it("downloads a report as CSV that a spreadsheet does not evaluate", async () => {
    const { page } = await openReports()
    const waiting = page.waitForEvent("download")
    await page.getByRole("button", { name: "Download Volume as CSV" }).click()
    const file = await waiting
    expect(file.suggestedFilename()).toBe("volume-2026-03-01-2026-03-03.csv")
    const lines = readFileSync(await file.path(), "utf8").split("\r\n")
    expect(lines[0]).toBe("group,metric,detail,count,average_seconds,median_seconds,p90_seconds,value,rate")
    expect(lines[3]).toBe("2026-03-03,sent,'=cmd,20,,,,,")
  })

  it("reads the reports of the server, explains a refusal, and a failure with a retry", async () => {
    const agent = await signedIn()
    await agent.goto(`${world().url}/reports`)
    await agent.getByRole("alert").filter({ hasText: "You may not see this" }).first().waitFor()
    const { page } = await openReports()
    await page.unroute(requests)
    await page.route(requests, (route) => route.abort())
    await page.reload()
    const volume = page.getByRole("region", { name: "Volume" })
    await volume.getByRole("alert").filter({ hasText: "cannot be reached" }).waitFor()
    await page.unroute(requests)
    await volume.getByRole("button", { name: "Try again" }).click()
    await volume.getByText("Nothing was counted in this period.").waitFor()
  })

  it.each(windows)("breaks no rule of WCAG 2.2 AA at %s, and never scrolls sideways", async (_, options) => {
    const { page } = await openReports(options)
    expect(await violations(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
  })
})
