import type { CallRecord } from "@leadloom/client"
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { describeConsole, scrollsSideways, violations, windows } from "./Harness.ts"
import { twoConversations, type World } from "./World.ts"

const lists = /\/api\/.*\/calls(?:\?|$)/u

/** Returns a missed and a recorded call with Priya. The server of the tests has no provider of calls. */
const callsOf = async ({ client, tenantId }: World): Promise<ReadonlyArray<CallRecord>> => {
  const [priya] = (await client.search.search(tenantId, { query: "inspection" })).conversations
  if (priya === undefined) return expect.unreachable("The message of Priya is missing.")
  const missed: CallRecord = {
    call_session_id: "call_1",
    contact_id: priya.contact_id,
    lead_id: null,
    provider: "twilio",
    direction: "inbound",
    from: "+12025550143",
    to: "+12025550100",
    agent_phone: null,
    transferred_to: null,
    status: "no_answer",
    reason: null,
    started_at: new Date().toISOString(),
    answered_at: null,
    ended_at: null,
    duration_seconds: null,
    recording: "none",
    recording_seconds: null,
    message_id: null
  }
  const recorded = { status: "completed", duration_seconds: 185, recording: "ready" } as const
  return [missed, { ...missed, ...recorded, call_session_id: "call_2", message_id: priya.message_id }]
}

const showCalls = async (page: Page, calls: ReadonlyArray<CallRecord>): Promise<void> => {
  await page.route(lists, (route) => {
    const status = new URL(route.request().url()).searchParams.get("status")
    const shown = calls.filter((call) => status === null || call.status === status)
    return route.fulfill({ json: { calls: shown, next_cursor: null } })
  })
}

await describeConsole("the calls", twoConversations, ({ signedIn, world }) => {
  it("shows missed and recorded calls with their transcript and recording", async () => {
    const page = await signedIn()
    await showCalls(page, await callsOf(world()))
    await page.getByRole("link", { name: "Calls", exact: true }).click()
    const rows = page.getByRole("table", { name: "Calls" }).getByRole("row")
    await rows.filter({ hasText: "Priya" }).filter({ hasText: "Missed" }).waitFor()
    const recorded = rows.filter({ hasText: "3:05" })
    await recorded.getByRole("button", { name: "Transcript of the call with Priya" }).click()
    const dialog = page.getByRole("dialog", { name: "Transcript of the call with Priya" })
    await dialog.getByText("Is the inspection still free?").waitFor()
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "detached" })
    await page.route(/\/calls\/\w+\/recording$/u, (route) =>
      route.fulfill({ contentType: "audio/mpeg", body: "sound" })
    )
    const download = page.waitForEvent("download")
    await recorded.getByRole("button", { name: "Save recording of the call with Priya" }).click()
    expect((await download).suggestedFilename()).toBe("Priya.mp3")
    await page.getByRole("combobox", { name: "Status" }).selectOption({ label: "Missed" })
    await recorded.waitFor({ state: "detached" })
  })

  it("creates the task to call back with one key", async () => {
    const { client, tenantId, url } = world()
    const page = await signedIn()
    await showCalls(page, await callsOf(world()))
    await page.goto(`${url}/calls`)
    await page.getByRole("link", { name: "Priya" }).first().waitFor()
    await page.keyboard.press("t")
    await page.getByText("Task created").waitFor()
    const { tasks } = await client.tasks.list(tenantId, { type: "callback" })
    expect(tasks).toMatchObject([{ title: "Call back Priya", assignee_id: expect.stringMatching(/^usr_/u) }])
  })

  it("explains an empty list, a forbidden and a failed one", async () => {
    const page = await signedIn()
    await page.goto(`${world().url}/calls`)
    await page.getByText("No calls.").waitFor()
    await page.route(lists, (route) =>
      route.fulfill({ status: 403, json: { error: { code: "FORBIDDEN", message: "No." } } })
    )
    await page.goto(`${world().url}/calls?direction=inbound`)
    await page.getByRole("alert").filter({ hasText: "may not see" }).waitFor()
    await page.unroute(lists)
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByText("No call matches these filters.").waitFor()
  })

  it.each(windows)("breaks no rule of WCAG 2.2 AA at %s, and never scrolls sideways", async (_, options) => {
    const page = await signedIn(options)
    await showCalls(page, await callsOf(world()))
    await page.goto(`${world().url}/calls`)
    await page.getByRole("link", { name: "Priya" }).first().waitFor()
    expect(await violations(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
  })
})
