import type { ConversationChange } from "@leadloom/client"
import type { Locator, Page } from "playwright-core"
import { expect, it } from "vitest"
import { describeConsole, eventually, violations } from "./Harness.ts"
import type { World } from "./World.ts"

/** More conversations than two pages of the list. */
const conversations = 120
/** The rows of a page of the list, as in the API. */
const pageSize = 50

/** These rows have the time of the first one of them. */
const simultaneous = [12, 13, 14, 15]

/** Returns the name of the contact in a row. The newest conversation is the first row. */
const nameAt = (row: number): string => `Row${row}`

const minutesOf = (row: number): number => (simultaneous.includes(row) ? (simultaneous[0] ?? row) : row)

const mailOf = (row: number, now: number): string =>
  `From: ${nameAt(row)} <row${row}@customer.example>\r\nTo: office@acme.example\r\nSubject: Roof ${row}\r\n` +
  `Message-ID: <row${row}@customer.example>\r\nDate: ${new Date(now - minutesOf(row) * 60_000).toUTCString()}\r\n` +
  `Content-Type: text/plain\r\n\r\nPlease repair my roof.\r\n`

const fill = async ({ client, tenantId }: World): Promise<void> => {
  const now = Date.now()
  const mails = Array.from({ length: conversations }, (_, row) => ({
    name: String(row),
    raw: Buffer.from(mailOf(row, now)).toString("base64")
  }))
  for (let from = 0; from < mails.length; from += 100)
    await client.import.email(tenantId, { historical: true, mails: mails.slice(from, from + 100) })
}

await describeConsole("closing conversations of a long list", fill, ({ signedIn, world }) => {
  const allRows = async () => {
    const rows = []
    for await (const row of world().client.conversations.list(world().tenantId)) rows.push(row)
    return rows
  }

  /** Returns the contacts of rows, by the number in their names. */
  const idsOf = async (...rows: ReadonlyArray<number>) => {
    const all = await allRows()
    return rows.map((row) => {
      const found = all.find(({ contact_name }) => contact_name === nameAt(row))
      return found?.contact_id ?? expect.unreachable(`There is no ${nameAt(row)}.`)
    })
  }

  const closed = async (): Promise<ReadonlyArray<string | null>> =>
    (await allRows()).filter(({ state }) => state === "closed").map(({ contact_name }) => contact_name)

  const change = async (rows: ReadonlyArray<number>, changed: ConversationChange): Promise<void> => {
    await world().client.inbox.bulk(world().tenantId, { contact_ids: await idsOf(...rows), change: changed })
  }

  const isShown = (page: Page, row: number): Promise<void> =>
    page.getByRole("heading", { level: 1, name: nameAt(row), exact: true }).waitFor()

  const linkOf = (page: Page, row: number): Locator =>
    page.getByRole("link", { name: new RegExp(`${nameAt(row)}\\b`, "u") })

  /** Opens a conversation beside the list of all states, or of the open ones. */
  const open = async (page: Page, row: number, search = "?state=any"): Promise<void> => {
    const [contactId] = await idsOf(row)
    await page.goto(`${world().url}/inbox/${contactId}${search}`)
    await isShown(page, row)
  }

  it("shows the next conversation after each key, with and without a selection", async () => {
    const page = await signedIn()
    // The list is read after the stream has started.
    await linkOf(page, 0).waitFor()
    let streams = 0
    page.on("request", (request) => {
      if (request.url().includes("/events/stream")) streams++
    })
    await linkOf(page, 0).click()
    await isShown(page, 0)
    for (const next of [1, 2, 3]) {
      await page.keyboard.press("e")
      await isShown(page, next)
    }
    await eventually(closed).toEqual([nameAt(0), nameAt(1), nameAt(2)])
    await page.keyboard.press("x")
    await page.getByRole("checkbox", { name: `Select ${nameAt(4)}`, exact: true }).click()
    await page.getByText("2 selected").waitFor()
    await page.keyboard.press("e")
    await page.getByRole("dialog").getByRole("button", { name: "Close all" }).click()
    await page.getByText("2 conversations changed").waitFor()
    // The selection was closed. The open conversation stays, and the next key reopens it.
    await isShown(page, 3)
    await page.keyboard.press("e")
    await page.getByRole("button", { name: "Close", exact: true }).waitFor()
    await page.keyboard.press("e")
    // The list of open conversations does not contain the fourth one any more.
    await isShown(page, 5)
    await eventually(closed).toEqual([0, 1, 2, 3, 4].map(nameAt))
    // Another conversation does not start the stream again, which would lose the events between both.
    expect(streams).toBe(0)
    await change([0, 1, 2, 3, 4], { state: "open" })
  })

  it("keeps the order of conversations with the same time", async () => {
    const names = (await allRows()).flatMap(({ contact_name: name }) => name ?? [])
    const rows = names.map((name) => Number(name.slice("Row".length)))
    const inOrder = rows.filter((row) => simultaneous.includes(row))
    expect(inOrder).toHaveLength(simultaneous.length)
    const page = await signedIn()
    await linkOf(page, inOrder[0] ?? 0).click()
    for (const row of inOrder) {
      await isShown(page, row)
      await page.keyboard.press("e")
    }
    await isShown(page, 16)
    await eventually(closed).toEqual(inOrder.map(nameAt))
    await change(inOrder, { state: "open" })
  })

  it("does not open a closed conversation again that an earlier change has put back into the list", async () => {
    const [third = 0, last = 0] = simultaneous.toReversed().slice(2)
    const page = await signedIn()
    const sent = Promise.withResolvers<void>()
    const [contactId = ""] = await idsOf(third)
    await page.route(`**/conversations/${contactId}`, async (route) => {
      if (route.request().method() === "PATCH") await sent.promise
      await route.continue()
    })
    await open(page, third, "")
    await linkOf(page, 18).waitFor()
    await page.keyboard.press("e")
    await isShown(page, last)
    // On the server it is still open, and has the same time as the open one.
    await change([third], { tags: ["early"] })
    await change([18], { state: "closed" })
    await linkOf(page, 18).waitFor({ state: "detached" })
    await page.keyboard.press("e")
    await isShown(page, 16)
    sent.resolve()
    await eventually(closed).toEqual([third, last, 18].map(nameAt))
    await change([third, last, 18], { state: "open" })
  })

  it("keeps a closed conversation out of a list whose next page was on its way", async () => {
    const page = await signedIn()
    const [asked, listed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route(/\/conversations\?.*cursor=/u, async (route) => {
      const response = await route.fetch()
      asked.resolve()
      await listed.promise
      await route.fulfill({ response })
    })
    await open(page, 25, "")
    await asked.promise
    await page.keyboard.press("e")
    await isShown(page, 26)
    await linkOf(page, 25).waitFor({ state: "detached" })
    const shown = page.waitForResponse(/\/conversations\?.*cursor=/u)
    listed.resolve()
    await (await shown).finished()
    // The page has applied the response before it receives that of a later request.
    await page.evaluate(async () => (await fetch("/health")).text())
    await page.keyboard.press("k")
    await isShown(page, 24)
    expect(await linkOf(page, 25).count()).toBe(0)
    await change([25], { state: "open" })
  })

  it("closes once, and does not reopen, if the key is pressed again before the next conversation is shown", async () => {
    const page = await signedIn()
    const listed = Promise.withResolvers<void>()
    await page.route(/\/conversations(?:\?|$)/u, async (route) => {
      await listed.promise
      await route.continue()
    })
    await open(page, 10)
    let changes = 0
    page.on("request", (request) => {
      if (request.method() === "PATCH") changes++
    })
    // Both keys arrive before the page is rendered again, as keys that a person presses at once.
    await page.evaluate(() => {
      for (const _ of [1, 2]) document.dispatchEvent(new KeyboardEvent("keydown", { key: "e", bubbles: true }))
    })
    await eventually(closed).toEqual([nameAt(10)])
    // The list is not read, so the closed conversation stays until it is. The key does not reopen it.
    await page.getByRole("button", { name: "Reopen" }).waitFor()
    await page.keyboard.press("e")
    await isShown(page, 10)
    listed.resolve()
    await isShown(page, 11)
    expect(await closed()).toEqual([nameAt(10)])
    expect(changes).toBe(1)
    await page.keyboard.press("k")
    await page.getByRole("button", { name: "Reopen" }).waitFor()
    await page.keyboard.press("e")
    await eventually(closed).toEqual([])
  })

  it("stays closed when the response that marks it as read arrives later", async () => {
    await change([20], { unread: true })
    const page = await signedIn()
    // An event would show the state of the server again.
    await page.route(/\/events\/stream/u, (route) => route.abort())
    const [contactId = ""] = await idsOf(20)
    const [answered, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route(`**/conversations/${contactId}/read`, async (route) => {
      const response = await route.fetch()
      asked.resolve()
      await answered.promise
      await route.fulfill({ response })
    })
    await open(page, 20)
    await linkOf(page, 20).waitFor()
    await asked.promise
    await page.keyboard.press("e")
    await isShown(page, 21)
    await eventually(closed).toEqual([nameAt(20)])
    const marked = page.waitForResponse(`**/conversations/${contactId}/read`)
    answered.resolve()
    await marked
    // The page has applied the response before it receives that of a later request.
    await page.evaluate(async () => (await fetch("/health")).text())
    await page.keyboard.press("k")
    await isShown(page, 20)
    await page.getByRole("button", { name: "Reopen" }).waitFor()
    await change([20], { state: "open" })
  })

  it("continues at the same place of a list that the open conversation has left", async () => {
    await change([30, 31, 32, 33, 34], { unread: true, tags: ["late"] })
    const page = await signedIn()
    await page.goto(`${world().url}/inbox?unread=true&tags=late`)
    await linkOf(page, 32).click()
    await isShown(page, 32)
    // It is read now.
    await linkOf(page, 32).waitFor({ state: "detached" })
    await page.keyboard.press("e")
    await isShown(page, 33)
    await linkOf(page, 33).waitFor({ state: "detached" })
    await page.keyboard.press("k")
    await isShown(page, 31)
    await linkOf(page, 31).waitFor({ state: "detached" })
    await page.keyboard.press("j")
    await isShown(page, 34)
    // The conversations before it stay unread, and none follows.
    await page.keyboard.press("e")
    await page.getByText("Choose a conversation").waitFor()
    await eventually(closed).toEqual([nameAt(32), nameAt(34)])
    await change([32, 34], { state: "open" })
  })

  it("says that the next page of a list cannot be read, and reads it when the person wants it", async () => {
    const page = await signedIn()
    // This page reads no list.
    await page.goto(`${world().url}/search`)
    const problem = page.getByRole("alert").filter({ hasText: "More cannot be shown: The server failed." })
    let reads = 0
    await page.route(/\/(?:conversations\?|enriched)/u, (route) => {
      const isFirstPage = !`${route.request().url()} ${route.request().postData()}`.includes("cursor")
      if (isFirstPage) return route.continue()
      reads++
      return route.fulfill({ status: 500, json: { error: { code: "INTERNAL", message: "The server failed." } } })
    })
    /** Checks that neither a rendering nor another key reads the page again. */
    const isReadOnce = async (): Promise<void> => {
      await problem.waitFor()
      await page.evaluate(async () => (await fetch("/health")).text())
      expect(reads).toBe(1)
    }
    await open(page, 40)
    await isReadOnce()
    await page.keyboard.press("j")
    await isShown(page, 41)
    await isReadOnce()
    expect(await violations(page)).toEqual([])
    await problem.getByRole("button", { name: "Try again" }).click()
    await eventually(() => reads).toBe(2)
    await problem.waitFor()
    reads = 0
    await page.getByRole("link", { name: "Contacts", exact: true }).click()
    await page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor()
    await isReadOnce()
    await page.unroute(/\/(?:conversations\?|enriched)/u)
    await problem.getByRole("button", { name: "Try again" }).click()
    await problem.waitFor({ state: "detached" })
    const table = page.getByRole("table", { name: "Contacts" })
    await eventually(() => table.getAttribute("aria-rowcount")).toBe(String(conversations + 1))
  })

  it("goes on behind the loaded page in a narrow window, which does not show the list", async () => {
    const page = await signedIn({ width: 360 })
    const more = page.waitForResponse(/\/conversations\?.*cursor=/u)
    await open(page, pageSize - 2)
    await more
    await page.keyboard.press("e")
    await isShown(page, pageSize - 1)
    await page.keyboard.press("e")
    await isShown(page, pageSize)
    await eventually(closed).toEqual([pageSize - 2, pageSize - 1].map(nameAt))
  })
})
