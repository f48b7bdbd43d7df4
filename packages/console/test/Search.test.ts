import { expect, it } from "vitest"
import { describeConsole, eventually, scrollsSideways, violations, windows, openPalette } from "./Harness.ts"
import { twoConversations } from "./World.ts"

await describeConsole("the search", twoConversations, ({ signedIn, world }) => {
  it("finds contacts and messages, marks the matches, and opens the message in its conversation", async () => {
    const { client, tenantId } = world()
    // A worker updates the index after the messages were stored.
    const found = async () => (await client.search.search(tenantId, { query: "inspection" })).conversations.length
    await eventually(found).toBeGreaterThan(0)
    const page = await signedIn()
    await page.getByRole("link", { name: "Search", exact: true }).click()
    // The list of conversations has a search box too, and stays on the page until that of the search has loaded.
    await page.locator("input[type=search]:focus").fill("inspection")
    await page.keyboard.press("Enter")
    const messages = page.getByRole("region", { name: "Messages" })
    expect(await messages.locator("mark").first().textContent()).toMatch(/^inspection$/iu)
    await messages.getByRole("link", { name: "Priya" }).click()
    await page.getByRole("heading", { level: 1, name: "Priya" }).waitFor()
    const message = page.getByRole("main").getByRole("listitem").filter({ hasText: "Is the inspection still free?" })
    expect(await message.getAttribute("aria-current")).toBe("true")
    await page.goto(`${world().url}/search?q=maria`)
    await page.getByRole("region", { name: "Contacts" }).getByRole("link", { name: "Maria" }).click()
    await page.getByRole("heading", { level: 1, name: "Maria" }).waitFor()
  })

  it("opens a message that many newer ones follow, and reads on after a failed page", async () => {
    const { client, tenantId, url } = world()
    const mail = (index: number): string =>
      `From: Maria <maria@customer.example>\r\nTo: office@acme.example\r\nSubject: Number ${index}\r\n` +
      `Message-ID: <number-${index}@customer.example>\r\n` +
      `Date: ${new Date(1_700_000_000_000 + index * 60_000).toUTCString()}\r\n\r\n` +
      `Mail ${index} of many.\r\n`
    const mails = Array.from({ length: 110 }, (_, index) => ({
      name: String(index),
      raw: Buffer.from(mail(index)).toString("base64")
    }))
    for (const part of [mails.slice(0, 60), mails.slice(60)])
      await client.import.email(tenantId, { historical: true, mails: part })
    const { conversations } = await client.conversations.list(tenantId)
    const contactId = conversations.find((row) => row.contact_name === "Maria")?.contact_id ?? expect.unreachable()
    let oldest = await client.conversations.get(tenantId, contactId, { limit: 200 })
    while (oldest.next_cursor !== null)
      oldest = await client.conversations.get(tenantId, contactId, { cursor: oldest.next_cursor })
    const page = await signedIn()
    const olderPage = /\/conversations\/con_\w+\?.*cursor=/u
    await page.route(olderPage, (route) => route.abort())
    await page.goto(`${url}/inbox/${contactId}#${oldest.messages[0]?.id}`)
    await page.getByRole("alert").filter({ hasText: "cannot be reached" }).waitFor()
    await page.unroute(olderPage)
    await page.getByRole("button", { name: "Try again" }).click()
    const message = page.getByRole("main").getByRole("listitem").filter({ hasText: "Mail 0 of many." })
    await message.waitFor()
    expect(await message.getAttribute("aria-current")).toBe("true")
  })

  it("finds a private note, and opens it in its conversation", async () => {
    const { client, tenantId, url } = world()
    const { conversations } = await client.conversations.list(tenantId)
    const contactId = conversations.find((row) => row.contact_name === "Maria")?.contact_id ?? expect.unreachable()
    await client.notes.create(tenantId, contactId, { body: "Wants slate tiles." })
    const page = await signedIn()
    await page.goto(`${url}/search?q=slate`)
    await page.getByRole("region", { name: "Private notes" }).getByRole("link", { name: "Maria" }).click()
    await page.getByRole("heading", { level: 1, name: "Maria" }).waitFor()
    const note = page.getByRole("main").getByRole("listitem").filter({ hasText: "Wants slate tiles." })
    await note.waitFor()
    expect(await note.getAttribute("aria-current")).toBe("true")
  })

  it.each([
    ["a name", "pri"],
    ["four digits of a number", "0143"]
  ])("finds a contact in the palette by %s", async (_, typed) => {
    const page = await signedIn()
    await openPalette(page)
    await page.keyboard.type(typed)
    await page.getByRole("option", { name: /Priya.*\+12025550143/u }).waitFor()
    await page.keyboard.press("Enter")
    await eventually(() => new URL(page.url()).pathname).toMatch(/^\/contacts\/con_/u)
    await page.getByRole("heading", { level: 1, name: "Priya" }).waitFor()
  })

  it("searches from the palette, explains an empty result, and tries a failed search again", async () => {
    const page = await signedIn()
    await openPalette(page)
    await page.keyboard.type("zeppelin")
    await page.getByRole("option", { name: "Search for “zeppelin”" }).click()
    await page.getByText("Nothing matches “zeppelin”.").waitFor()
    await page.route(/\/api\/.*\/search$/u, (route) => route.abort())
    await page.getByRole("searchbox").fill("roof")
    await page.keyboard.press("Enter")
    await page.getByRole("alert").filter({ hasText: "cannot be reached" }).waitFor()
    await page.unroute(/\/api\/.*\/search$/u)
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByRole("region", { name: "Messages" }).waitFor()
  })

  it.each(windows)("breaks no rule of WCAG 2.2 AA at %s, and never scrolls sideways", async (_, options) => {
    const page = await signedIn(options)
    await page.goto(`${world().url}/search?q=maria`)
    await page.getByRole("region", { name: "Contacts" }).waitFor()
    expect(await violations(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
  })
})
