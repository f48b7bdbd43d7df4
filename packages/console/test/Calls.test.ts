import { isDeepStrictEqual } from "node:util"
import type { CallRecord } from "@leadloom/client"
import type { Page, Route } from "playwright-core"
import { expect, it } from "vitest"
import { describeConsole, eventually, scrollsSideways, violations, windows } from "./Harness.ts"
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

const showCalls = async (page: Page, calls: () => ReadonlyArray<CallRecord>): Promise<void> => {
  await page.route(lists, (route) => {
    const status = new URL(route.request().url()).searchParams.get("status")
    const shown = calls().filter((call) => status === null || call.status === status)
    return route.fulfill({ json: { calls: shown, next_cursor: null } })
  })
}

/** What a placed call has instead of the values of an earlier one. */
const placed = {
  call_session_id: "call_3",
  direction: "outbound",
  from: "+12025550100",
  to: "+12025550199",
  agent_phone: "+12025550111",
  status: "queued",
  duration_seconds: null,
  recording: "none",
  message_id: null
} as const

await describeConsole("the calls", twoConversations, ({ signedIn, signedInWith, world }) => {
  it("shows missed and recorded calls with their transcript and recording", async () => {
    const page = await signedIn()
    const calls = await callsOf(world())
    await showCalls(page, () => calls)
    await page.getByRole("link", { name: "Calls", exact: true }).click()
    const rows = page.getByRole("table", { name: "Calls" }).getByRole("row")
    await rows.filter({ hasText: "Priya" }).filter({ hasText: "Missed" }).waitFor()
    const missed = rows.filter({ hasText: "Missed" })
    expect(await missed.getByRole("link", { name: "+12025550143" }).getAttribute("href")).toBe("tel:+12025550143")
    expect(await missed.getByRole("button", { name: /^Transcript/u }).count()).toBe(0)
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

  it("creates the task to call back with one key, then opens it", async () => {
    const { client, tenantId, url } = world()
    const page = await signedIn()
    const calls = await callsOf(world())
    await showCalls(page, () => calls)
    await page.goto(`${url}/calls`)
    await page.getByRole("link", { name: "Priya" }).first().waitFor()
    const create = page.getByRole("button", { name: "Create callback task for Priya" })
    await eventually(() => create.first().isEnabled()).toBe(true)
    await page.keyboard.press("t")
    await page.getByText("Task created: Call back Priya").waitFor()
    await page.getByRole("link", { name: "Open callback task of Priya" }).first().waitFor()
    expect(await create.count()).toBe(0)
    await page.keyboard.press("t")
    await page.getByRole("heading", { name: "Call back Priya" }).waitFor()
    const { tasks } = await client.tasks.list(tenantId, { type: "callback" })
    expect(tasks).toMatchObject([{ title: "Call back Priya", assignee_id: expect.stringMatching(/^usr_/u) }])
    await page.goto(`${url}/tasks/${tasks[0]?.id}`)
    await page.getByRole("button", { name: "Call Priya" }).click()
    await page.getByRole("dialog", { name: "Call Priya" }).getByLabel("Your phone").waitFor()
    const manager = await signedInWith(world().adminKey)
    await manager.goto(`${url}/tasks/${tasks[0]?.id}`)
    await manager.getByRole("button", { name: "Call Priya" }).click()
    await manager.getByText(/^Required, with its country code/u).waitFor()
    const { key } = await client.apiKeys.create(tenantId, { name: "reader", scopes: ["read"] })
    const reader = await signedInWith(key)
    await reader.goto(`${url}/tasks/${tasks[0]?.id}`)
    await reader.getByRole("link", { name: "Open conversation" }).waitFor()
    expect(await reader.getByRole("button", { name: "Call Priya" }).count()).toBe(0)
  })

  it("opens the task of the missed call, and not an older one of the contact", async () => {
    const { client, tenantId, url } = world()
    const page = await signedIn()
    const calls = await callsOf(world())
    await showCalls(page, () => calls)
    const missed = { contact_id: calls[0]?.contact_id ?? "", due_at: new Date().toISOString() }
    const task = await client.tasks.create(tenantId, { type: "callback", title: "Missed call of Priya", ...missed })
    await page.goto(`${url}/calls`)
    await page.getByRole("link", { name: "Open callback task of Priya" }).first().waitFor()
    await page.keyboard.press("t")
    await page.getByRole("heading", { name: "Missed call of Priya" }).waitFor()
    await client.tasks.update(tenantId, task.id, { status: "done" })
  })

  it("calls a contact after a look at both numbers, follows the call, and transfers it", async () => {
    const { client, tenantId, url } = world()
    const page = await signedIn()
    const [, recorded] = await callsOf(world())
    const contactId = recorded?.contact_id ?? ""
    await client.contactIdentities.add(tenantId, contactId, { kind: "phone", value: "+12025550199" })
    const dialog = page.getByRole("dialog", { name: "Call Priya" })
    /** Opens the dialog with the button of the conversation, and chooses a number. */
    const order = async (number: string): Promise<void> => {
      await page.getByRole("group", { name: "Actions" }).getByRole("button", { name: "Call", exact: true }).click()
      await dialog.getByLabel("Number of the contact").selectOption(number)
      await dialog.getByText(`Your phone rings first. When you answer, ${number} is called.`).waitFor()
    }
    await page.goto(`${url}/inbox/${contactId}`)
    // This server has neither a number nor a provider.
    await order("+12025550143")
    await dialog.getByRole("button", { name: "Call +12025550143" }).click()
    await dialog.getByRole("alert").filter({ hasText: "The contact cannot be called:" }).waitFor()
    expect(await violations(page)).toEqual([])
    const orders: Array<readonly [key: string | undefined, body: unknown]> = []
    let answer: (route: Route) => Promise<void> = (route) => route.abort()
    await page.route(/\/calls\/outbound$/u, (route) => {
      orders.push([route.request().headers()["idempotency-key"], route.request().postDataJSON()])
      return answer(route)
    })
    await dialog.getByLabel("Your phone").fill("+12025550111")
    await dialog.getByRole("button", { name: "Call +12025550143" }).click()
    await dialog.getByRole("alert").filter({ hasText: "The call may have been placed." }).waitFor({ timeout: 60_000 })
    const missing = { path: "agent_phone", message: "Set `voice.forward_to`." }
    const invalid = { code: "BAD_REQUEST", message: "The request contains an invalid field.", details: [missing] }
    answer = (route) => route.fulfill({ status: 400, json: { error: invalid } })
    await dialog.getByRole("button", { name: "Call +12025550143" }).click()
    await dialog.getByRole("alert").filter({ hasText: "State your phone." }).waitFor()
    const until = new Date(Date.now() + 3_600_000).toISOString()
    const quiet = { code: "CONFLICT", message: "Not now.", details: { reasons: ["it is night"], until } }
    answer = (route) => route.fulfill({ status: 409, json: { error: quiet } })
    await dialog.getByRole("button", { name: "Call +12025550143" }).click()
    await dialog
      .getByRole("alert")
      .filter({ hasText: "it is night" })
      .filter({ hasText: "You can call after" })
      .waitFor()
    const call = { ...recorded, ...placed } as CallRecord
    let shown = call
    answer = (route) => route.fulfill({ status: 201, json: call })
    await showCalls(page, () => [shown])
    await dialog.getByLabel("Number of the contact").selectOption("+12025550199")
    await dialog.getByRole("button", { name: "Call +12025550199" }).click()
    await dialog.getByRole("status").filter({ hasText: "Your phone rings first." }).waitFor()
    // Repeated requests for the same call have the same key. Another call has another one.
    const first = orders[0]
    expect(first).toEqual([expect.any(String), { contact_id: contactId, agent_phone: "+12025550111" }])
    expect(orders.slice(1, -1).every((one) => isDeepStrictEqual(one, first))).toBe(true)
    expect(orders.at(-1)).toEqual([expect.any(String), { phone: "+12025550199", agent_phone: "+12025550111" }])
    expect(orders.at(-1)?.[0]).not.toBe(first?.[0])
    shown = { ...call, status: "in_progress" }
    await dialog.getByRole("status").filter({ hasText: "Connected." }).waitFor()
    await page.route(/\/calls\/call_3\/transfer$/u, (route) => {
      shown = { ...shown, transferred_to: route.request().postDataJSON().to }
      return route.fulfill({ json: shown })
    })
    await dialog.getByLabel("Transfer to").fill("+12025550122")
    await dialog.getByRole("button", { name: "Transfer" }).click()
    await dialog.getByText("Transferred to").and(page.locator("dt")).waitFor()
    expect(await violations(page)).toEqual([])
    shown = { ...shown, status: "completed", duration_seconds: 65 }
    await dialog.getByRole("status").filter({ hasText: "The call has ended." }).waitFor()
    await dialog.getByText("1:05").waitFor()
    await dialog.getByRole("button", { name: "Close" }).click()
    // The browser remembers the phone of the person.
    await page.goto(`${url}/contacts/${contactId}`)
    await page.getByRole("button", { name: "Call Priya" }).click()
    await eventually(() => dialog.getByLabel("Your phone").inputValue()).toBe("+12025550111")
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
    const calls = await callsOf(world())
    await showCalls(page, () => calls)
    await page.goto(`${world().url}/calls`)
    await page.getByRole("link", { name: "Priya" }).first().waitFor()
    expect(await violations(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
  })
})
