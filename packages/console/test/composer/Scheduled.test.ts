import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { describeConsole, eventually, violations } from "../Harness.ts"
import { twoConversations } from "../World.ts"

await describeConsole("scheduled messages", twoConversations, ({ signedIn, world }) => {
  const contactOf = async (name: string): Promise<string> => {
    const { conversations } = await world().client.conversations.list(world().tenantId)
    return conversations.find((row) => row.contact_name === name)?.contact_id ?? expect.unreachable(name)
  }
  /** Schedules an email to Maria, and returns its id. */
  const schedule = async (body: string): Promise<string> => {
    const { client, tenantId } = world()
    const message = { channel: "email", body, send_at: new Date(Date.now() + 86_400_000).toISOString() } as const
    return (await client.conversations.send(tenantId, await contactOf("Maria"), message)).message_id
  }
  /** Opens the conversation, writes another text for the only scheduled message, and saves it. */
  const edit = async (page: Page, body: string, before: () => Promise<unknown>) => {
    await page.goto(`${world().url}/inbox/${await contactOf("Maria")}`)
    await page.getByRole("textbox", { name: "Reply" }).waitFor()
    await page.getByRole("button", { name: "Edit text" }).click()
    const field = page.getByRole("textbox", { name: "Text of the scheduled message" })
    await field.fill(body)
    await before()
    await page.getByRole("button", { name: "Save", exact: true }).click()
    return field
  }
  /** As `edit`, without the event stream. */
  const editUninformed = async (page: Page, body: string, before: () => Promise<unknown>) => {
    await page.route(/\/events\/stream/u, (route) => route.abort())
    return edit(page, body, before)
  }
  const bodies = async () => (await world().client.scheduled.list(world().tenantId)).scheduled.map(({ body }) => body)

  it("keeps a refused text with the reason, and saves it with the next attempt", async () => {
    const { client, tenantId } = world()
    const id = await schedule("Good morning")
    const page = await signedIn()
    const path = new RegExp(`/scheduled/${id}$`, "u")
    const field = await editUninformed(page, "Good day", () =>
      page.route(path, (route) =>
        route.fulfill({ status: 422, json: { error: { code: "UNPROCESSABLE", message: "The text is not allowed." } } })
      )
    )
    await page
      .getByRole("alert")
      .filter({ hasText: "Not saved: The text is not allowed. Your text is still" })
      .waitFor()
    expect(await field.inputValue()).toBe("Good day")
    expect(await violations(page)).toEqual([])
    await page.getByRole("link", { name: "Tasks", exact: true }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Stay on this page" }).click()
    await page.unroute(path)
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await field.waitFor({ state: "detached" })
    expect(await bodies()).toEqual(["Good day"])
    await client.scheduled.cancel(tenantId, id)
  })

  it("shows the text of a colleague before it is replaced", async () => {
    const { client, tenantId } = world()
    const id = await schedule("Good morning")
    const page = await signedIn()
    const field = await editUninformed(page, "Good day", () =>
      client.scheduled.update(tenantId, id, { body: "Good evening" })
    )
    await page.getByRole("alert").filter({ hasText: "Another person has changed the scheduled message." }).waitFor()
    await page.getByText("Good evening").waitFor()
    expect(await field.inputValue()).toBe("Good day")
    expect(await bodies()).toEqual(["Good evening"])
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await field.waitFor({ state: "detached" })
    expect(await bodies()).toEqual(["Good day"])
    await client.scheduled.cancel(tenantId, id)
  })

  it("does not replace the text of a colleague that has arrived in the meantime", async () => {
    const { client, tenantId } = world()
    const id = await schedule("Good morning")
    const page = await signedIn()
    const statuses: Array<number> = []
    await page.route(new RegExp(`/scheduled/${id}$`, "u"), async (route) => {
      const response = await route.fetch()
      if (route.request().method() === "PATCH") statuses.push(response.status())
      await route.fulfill({ response })
    })
    const field = await edit(page, "Good day", async () => {
      // The list is read after the stream has started.
      await page.getByRole("link", { name: /Maria/u }).first().waitFor()
      await client.scheduled.update(tenantId, id, { body: "Good evening" })
      await page.getByText("The message has this text now:").waitFor()
      await page.getByText("Good evening").waitFor()
    })
    await page.getByRole("alert").filter({ hasText: "Another person has changed the scheduled message." }).waitFor()
    expect(await field.inputValue()).toBe("Good day")
    expect(await bodies()).toEqual(["Good evening"])
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await field.waitFor({ state: "detached" })
    expect(await bodies()).toEqual(["Good day"])
    expect(statuses).toEqual([409, 200])
    await client.scheduled.cancel(tenantId, id)
  })

  it("keeps the text of a message that no longer waits, and puts it into the reply", async () => {
    const { client, tenantId } = world()
    const id = await schedule("Good morning")
    const page = await signedIn()
    const field = await editUninformed(page, "Good day", () => client.scheduled.cancel(tenantId, id))
    const item = page.getByRole("listitem").filter({ hasText: "No longer scheduled" })
    await item.getByRole("alert").filter({ hasText: "The message was cancelled. Your text was not saved." }).waitFor()
    expect(await field.inputValue()).toBe("Good day")
    expect(await item.getByRole("button").allTextContents()).toEqual(["Put into the reply", "Discard this text"])
    expect(await violations(page)).toEqual([])
    await item.getByRole("button", { name: "Put into the reply" }).click()
    await item.waitFor({ state: "detached" })
    await eventually(() => page.getByRole("textbox", { name: "Reply" }).inputValue()).toBe("Good day")
  })

  it("shows an HTML email as its recipient sees it, and keeps a refused time", async () => {
    const { client, tenantId, url } = world()
    const id = await schedule("<p>Good <b>morning</b></p><script>parent.document.title = 'run'</script>")
    const page = await signedIn()
    await page.goto(`${url}/inbox/${await contactOf("Maria")}`)
    const item = page.getByRole("listitem").filter({ has: page.getByRole("button", { name: "Edit text" }) })
    const mail = item.frameLocator("iframe")
    await mail.locator("b").getByText("morning").waitFor()
    expect(await mail.locator("body").innerHTML()).toBe("<p>Good <b>morning</b></p>")
    expect(await item.innerText()).not.toContain("<p>")
    expect(await violations(page)).toEqual([])
    await item.getByRole("button", { name: "Change time" }).click()
    const dialog = page.getByRole("dialog", { name: "Send later" })
    await dialog.getByLabel("Time", { exact: true }).fill("in 3 days")
    const error = { code: "CONFLICT", message: "Not now." }
    await page.route(new RegExp(`/scheduled/${id}$`, "u"), (route) => route.fulfill({ status: 409, json: { error } }), {
      times: 1
    })
    await dialog.getByRole("button", { name: "Schedule" }).click()
    await dialog.getByRole("alert").filter({ hasText: "Not saved: Not now." }).waitFor()
    expect(await dialog.getByLabel("Time", { exact: true }).inputValue()).toBe("in 3 days")
    await dialog.getByRole("button", { name: "Schedule" }).click()
    await dialog.waitFor({ state: "detached" })
    const { send_at: sendAt } = await client.scheduled.get(tenantId, id)
    expect(Date.parse(sendAt)).toBeGreaterThan(Date.now() + 2 * 86_400_000)
    // Its source is edited.
    await item.getByRole("button", { name: "Edit text" }).click()
    await eventually(() => page.getByRole("textbox", { name: "Text of the scheduled message" }).inputValue()).toContain(
      "<p>Good <b>morning</b></p>"
    )
    await client.scheduled.cancel(tenantId, id)
  })

  it("creates a task that shows the text of a message that could not be sent", async () => {
    const { client, tenantId, url } = world()
    const page = await signedIn()
    await page.goto(`${url}/tasks`)
    await page.getByText("No open tasks.").waitFor()
    const contactId = await contactOf("Maria")
    const body = `We come on Monday. ${"The crew brings the slate. ".repeat(200)}The end.`
    await client.conversations.send(tenantId, contactId, { channel: "email", body, undo_seconds: 1 })
    const { grants } = await client.email.listGrants(tenantId)
    for (const { grant_id } of grants) await client.email.disconnect(tenantId, grant_id)
    // The list is not loaded again.
    await page.getByRole("link", { name: /^A scheduled message could not be sent/u }).click()
    await page.getByText(/^We come on Monday\. /u).waitFor()
    expect(await page.getByText("The end.").count()).toBe(0)
    await page.getByRole("button", { name: "Show the complete text" }).click()
    await page.getByText("The end.").waitFor()
    expect(await violations(page)).toEqual([])
  })
})
