import { expect, it } from "vitest"
import { describeConsole, eventually, scrollsSideways, violations, windows, openPalette } from "./Harness.ts"
import { twoConversations } from "./World.ts"

await describeConsole("the inbox", twoConversations, ({ emptyPage, newPage, signedIn, world }) => {
  it("signs in with a link once, and takes the ticket out of the address", async () => {
    const page = await newPage()
    const link = await world().link()
    await page.goto(link)
    await page.getByRole("link", { name: /Maria/u }).waitFor()
    expect(page.url()).toBe(`${world().url}/inbox`)
    const again = await newPage()
    await again.goto(link)
    await again.getByRole("alert").filter({ hasText: "already used" }).waitFor()
  })

  it("signs in with a pasted key, keeps it for the tab only, and signs out", async () => {
    const page = await newPage()
    await page.goto(`${world().url}/`)
    await page.getByLabel("Tenant").fill(world().tenantId)
    await page.getByLabel("API key").fill(`${world().apiKey}x`)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByRole("alert").filter({ hasText: "does not accept" }).waitFor()
    await page.getByLabel("API key").fill(world().apiKey)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByRole("link", { name: /Priya/u }).waitFor()
    const other = await page.context().newPage()
    await other.goto(`${world().url}/inbox`)
    await other.getByRole("heading", { name: "Sign in to Leadloom" }).waitFor()
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("heading", { name: "Sign in to Leadloom" }).waitFor()
    expect(await page.evaluate(() => sessionStorage.length + localStorage.length + document.cookie.length)).toBe(0)
  })

  it("finds nothing of an earlier test in the window that the tests share", async () => {
    const page = await signedIn({ dark: true, width: 360 })
    await page.evaluate(() => {
      localStorage.setItem("left", "yes")
      document.cookie = "left=yes"
    })
    await page.route(`${world().url}/**`, (route) => route.abort())
    expect(await emptyPage()).toBe(page)
    await page.goto(`${world().url}/inbox`)
    await page.getByRole("heading", { name: "Sign in to Leadloom" }).waitFor()
    const left = await page.evaluate(() => {
      const length = sessionStorage.length + localStorage.length + document.cookie.length
      return { length, width: innerWidth, isDark: matchMedia("(prefers-color-scheme: dark)").matches }
    })
    expect(left).toEqual({ length: 0, width: 1_280, isDark: false })
  })

  it("shows the chosen colours instead of those of the system, also after a reload", async () => {
    const page = await signedIn()
    const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect(await colour()).toBe("rgb(255, 255, 255)")
    await page.getByRole("combobox", { name: "Appearance" }).selectOption("Dark")
    await eventually(colour).toBe("rgb(22, 24, 29)")
    await page.reload()
    await eventually(colour).toBe("rgb(22, 24, 29)")
    await openPalette(page)
    await page.getByRole("option", { name: "Appearance: System colours" }).click()
    await eventually(colour).toBe("rgb(255, 255, 255)")
    expect(await page.getByRole("combobox", { name: "Appearance" }).inputValue()).toBe("system")
  })

  it("opens a conversation, keeps a draft on the server, and sends it", async () => {
    const page = await signedIn()
    await page.getByRole("link", { name: /Maria/u }).click()
    const reply = page.getByRole("textbox", { name: "Reply" })
    await reply.waitFor()
    await page.keyboard.press("r")
    await page.keyboard.type("From 9,000, after a free inspection.")
    await page.getByText("Draft saved").waitFor()
    await page.reload()
    await eventually(() => reply.inputValue()).toBe("From 9,000, after a free inspection.")
    await reply.press("Control+Enter")
    await page.getByRole("listitem").filter({ hasText: "Sending…" }).filter({ hasText: "From 9,000" }).waitFor()
    await eventually(() => reply.inputValue()).toBe("")
  })

  it("gives the focus to the reply before the next key arrives", async () => {
    const page = await signedIn()
    await page.getByRole("link", { name: /Maria/u }).click()
    const reply = page.getByRole("textbox", { name: "Reply" })
    await reply.waitFor()
    const focused = await page.evaluate(() => {
      document.dispatchEvent(new KeyboardEvent("keydown", { key: "r", bubbles: true }))
      return document.activeElement?.tagName
    })
    expect(focused).toBe("TEXTAREA")
  })

  it("names a contact of whom only the number is known", async () => {
    await world().receiveText(undefined, "+12025550178", "How much is an inspection?")
    const page = await signedIn()
    await page.getByRole("link", { name: /\+12025550178/u }).click()
    await page.getByRole("heading", { level: 1, name: "+12025550178" }).waitFor()
  })

  it("keeps the text of a message that the server refuses, and says why", async () => {
    const page = await signedIn()
    await page.getByRole("link", { name: /Priya/u }).click()
    const reply = page.getByRole("textbox", { name: "Reply" })
    await reply.fill("Yes, it is free.")
    await page.getByRole("button", { name: "Send", exact: true }).click()
    // The server has no provider of texts.
    await page.getByText(/^Not sent: /u).waitFor()
    expect(await reply.inputValue()).toBe("Yes, it is free.")
    // The notice covers no control, also not on a phone.
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 })
      const covered = await page.getByRole("region", { name: "Notifications" }).evaluate((region) => {
        const { bottom, height, left, right, top } = region.getBoundingClientRect()
        const controls = [...document.querySelectorAll("a, button, select, textarea")].filter(
          (control) => !region.contains(control) && control.checkVisibility() && !control.matches("[href='#content']")
        )
        const isBelow = (box: DOMRect): boolean =>
          box.bottom > top + 1 && box.top < bottom - 1 && box.right > left && box.left < right
        return {
          height,
          names: controls.filter((one) => isBelow(one.getBoundingClientRect())).map((one) => one.outerHTML)
        }
      })
      expect(covered.height).toBeGreaterThan(20)
      expect(covered.names).toEqual([])
    }
  })

  it("shows a new message within the list without a reload", async () => {
    const page = await signedIn()
    await world().receiveText("Lena", "+12025550177", "Can you come on Friday?")
    await page.getByRole("link", { name: /Lena.*Can you come on Friday/u }).waitFor()
  })

  it("shows a message that arrives while the conversation is being read", async () => {
    const page = await signedIn()
    const [read, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let reads = 0
    await page.route(/\/conversations\/con_\w+\?/u, async (route) => {
      reads++
      const response = await route.fetch()
      read.resolve()
      await answered.promise
      await route.fulfill({ response })
    })
    await page.getByRole("link", { name: /Priya/u }).click()
    await read.promise
    await world().receiveText("Priya", "+12025550143", "On Monday?")
    await page.getByRole("link", { name: /Priya.*On Monday/u }).waitFor()
    expect(reads).toBe(1)
    answered.resolve()
    await page.getByRole("heading", { level: 1, name: "Priya" }).waitFor()
    // The read precedes this request, so no later event causes it.
    await page.evaluate(async () => (await fetch("/health")).text())
    expect(reads).toBeGreaterThan(1)
    await page.getByRole("main").getByText("On Monday?").waitFor()
  })

  it("reads a conversation again after an event only while it is shown, and otherwise when it is opened", async () => {
    const page = await signedIn()
    const link = page.getByRole("link", { name: /Priya/u })
    const main = page.getByRole("main")
    await link.click()
    await main.getByText("Is the inspection still free?").waitFor()
    const contactId = new URL(page.url()).pathname.split("/").at(-1) ?? ""
    await page.getByRole("link", { name: /Maria/u }).click()
    await main.getByRole("heading", { level: 1, name: "Maria" }).waitFor()
    let reads = 0
    page.on("request", (request) => {
      if (request.url().includes(`/conversations/${contactId}?`)) reads++
    })
    // The event of the read mark would read the conversation too.
    await page.route("**/read", (route) => route.abort())
    await world().receiveText("Priya", "+12025550143", "Or on Tuesday?")
    await page.getByRole("link", { name: /Priya.*Or on Tuesday/u }).waitFor()
    expect(reads).toBe(0)
    await link.click()
    await main.getByText("Or on Tuesday?").waitFor()
    expect(reads).toBeGreaterThan(0)
  })

  it("works with the keyboard: next unread, assign, tag, snooze, close, palette", async () => {
    await world().receiveText("Omar", "+12025550188", "Please call me back.")
    const page = await signedIn()
    await page.getByRole("link", { name: /Omar/u }).waitFor()
    await page.keyboard.press("n")
    await page.getByRole("heading", { level: 1 }).waitFor()
    const contactId = new URL(page.url()).pathname.split("/").at(-1) ?? ""
    const row = () => world().client.inbox.row(world().tenantId, contactId)
    await page.keyboard.press("i")
    await page.getByRole("button", { name: "Unassign" }).waitFor()
    await eventually(async () => (await row()).assignee_id).toMatch(/^usr_/u)
    await page.keyboard.press("l")
    await page.getByRole("dialog", { name: "Add or remove a tag" }).waitFor()
    await page.keyboard.type("roof")
    await page.keyboard.press("Enter")
    await eventually(async () => (await row()).tags).toEqual(["roof"])
    await page.keyboard.press("b")
    await page.getByRole("dialog", { name: "Snooze until" }).waitFor()
    await page.keyboard.press("Enter")
    await eventually(async () => (await row()).state).toBe("snoozed")
    await page.getByRole("button", { name: "Unsnooze" }).click()
    await eventually(async () => (await row()).state).toBe("open")
    await page.keyboard.press("b")
    await page.getByRole("dialog", { name: "Snooze until" }).getByRole("combobox").fill("in 3 days at 15:00")
    await page.getByRole("option", { name: /15:00/u }).waitFor()
    await page.keyboard.press("Enter")
    await eventually(async () => (await row()).state).toBe("snoozed")
    await page.keyboard.press("z")
    await eventually(async () => (await row()).state).toBe("open")
    await page.keyboard.press("e")
    await eventually(async () => (await row()).state).toBe("closed")
    await openPalette(page)
    await page.keyboard.type("sign out")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Sign in to Leadloom" }).waitFor()
  })

  it("restores a change that the server refuses, and says why", async () => {
    const page = await signedIn()
    await page.getByRole("link", { name: /Maria/u }).click()
    await page.getByRole("button", { name: "Assign to me" }).waitFor()
    const refusal = { error: { code: "FORBIDDEN", message: "No." } }
    await page.route(/\/conversations\/con_\w+$/u, (route) =>
      route.request().method() === "PATCH" ? route.fulfill({ status: 403, json: refusal }) : route.continue()
    )
    await page.getByRole("button", { name: "Assign to me" }).click()
    await page.getByText("Not saved: You may not see this.").waitFor()
    await page.getByRole("button", { name: "Assign to me" }).waitFor()
    // The failure does not concern another conversation.
    await page.getByRole("link", { name: /Priya/u }).click()
    await page.getByRole("heading", { level: 1, name: /Priya/u }).waitFor()
    await eventually(() => page.getByText("Not saved: You may not see this.").count()).toBe(0)
  })

  it("explains an empty list, a failed list and an unknown conversation", async () => {
    const page = await signedIn()
    await page.getByLabel("Tier").selectOption("hot")
    await page.getByText("No conversation matches these filters.").waitFor()
    await page.getByRole("button", { name: "Clear filters" }).click()
    await page.getByRole("link", { name: /Maria/u }).waitFor()
    await page.goto(`${world().url}/inbox/con_00000000000000000000000000`)
    await page.getByRole("alert").filter({ hasText: "does not exist" }).waitFor()
    await page.route(/\/conversations\?/u, (route) => route.abort())
    await page.goto(`${world().url}/inbox?state=open`)
    await page.getByRole("alert").filter({ hasText: "cannot be reached" }).waitFor()
    await page.unroute(/\/conversations\?/u)
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByRole("link", { name: /Maria/u }).waitFor()
  })

  it.each(windows)("breaks no rule of WCAG 2.2 AA at %s, and never scrolls sideways", async (_, options) => {
    const page = await signedIn(options)
    expect(await violations(page)).toEqual([])
    await page.getByRole("link", { name: /Maria/u }).click()
    // A narrow window shows the buttons with the focus.
    await page.getByRole("textbox", { name: "Reply" }).focus()
    await page.getByRole("button", { name: "Send", exact: true }).waitFor()
    expect(await violations(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
  })
})
