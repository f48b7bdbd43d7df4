import { expect, it } from "vitest"
import { describeConsole, eventually, openPalette, scrollsSideways, sendTwice, violations, windows } from "./Harness.ts"
import { twoConversations, type World } from "./World.ts"

const fill = async (world: World): Promise<void> => {
  await twoConversations(world)
  await world.receiveText("Omar", "+12025550188", "Please call me back.")
  const { tenantId } = world
  await world.client.views.create(tenantId, { name: "Texts", shared: true, filters: { channel: "sms" } })
}

await describeConsole("the list", fill, ({ signedIn, world }) => {
  const states = async () => {
    const { conversations } = await world().client.conversations.list(world().tenantId)
    return Object.fromEntries(conversations.map(({ contact_name, state }) => [contact_name, state]))
  }

  it("selects conversations with keys, changes them with one request, and says how many", async () => {
    const page = await signedIn()
    await page.getByRole("link", { name: /Maria/u }).click()
    await page.getByRole("heading", { level: 1, name: /Maria/u }).waitFor()
    await page.keyboard.press("x")
    await page.getByText("1 selected").waitFor()
    await page.getByRole("checkbox", { name: "Select Priya" }).click()
    await page.getByText("2 selected").waitFor()
    const unread = page.getByLabel(/unread message/u)
    await eventually(() => unread.count()).toBe(2)
    const closeBoth = async (): Promise<void> => {
      await page.keyboard.press("e")
      const dialog = page.getByRole("dialog", { name: "Close 2 conversations?" })
      await dialog.getByRole("button", { name: "Close all" }).click()
      await page.getByText("2 conversations changed").waitFor()
      await eventually(states).toEqual({ Maria: "closed", Priya: "closed", Omar: "open" })
    }
    await closeBoth()
    await page.keyboard.press("z")
    await page.getByText("Changes undone").waitFor()
    await eventually(states).toEqual({ Maria: "open", Priya: "open", Omar: "open" })
    await eventually(() => unread.count()).toBe(2)
    await page.getByRole("checkbox", { name: "Select Maria" }).click()
    await page.getByRole("checkbox", { name: "Select Priya" }).click()
    await page.getByText("2 selected").waitFor()
    await closeBoth()
    expect(await page.getByRole("group", { name: "Selected conversations" }).count()).toBe(0)
    // The list shows open conversations only.
    await page.keyboard.press("Control+a")
    await page.getByText("1 selected").waitFor()
    await page.keyboard.press("e")
    await eventually(states).toEqual({ Maria: "closed", Priya: "closed", Omar: "closed" })
    await page.getByRole("button", { name: "Show snoozed and closed ones" }).click()
    await eventually(() => page.getByText("closed", { exact: true }).count()).toBe(3)
    await page.keyboard.press("Control+a")
    await page.getByText("3 selected").waitFor()
    await page.getByRole("button", { name: "Reopen all" }).click()
    await eventually(states).toEqual({ Maria: "open", Priya: "open", Omar: "open" })
  })

  it("assigns one conversation and several ones to a colleague or a team, and filters by them", async () => {
    const { client, tenantId } = world()
    const kim = await client.users.create(tenantId, { name: "Kim Colleague", email: "kim@acme.example" })
    const team = await client.teams.create(tenantId, { name: "Roofers", member_ids: [] })
    const owners = async () => {
      const { conversations } = await client.conversations.list(tenantId)
      return Object.fromEntries(conversations.map((row) => [row.contact_name, [row.assignee_id, row.team_id]]))
    }
    const page = await signedIn()
    await page.getByRole("link", { name: /Omar/u }).click()
    await page.getByRole("heading", { level: 1, name: /Omar/u }).waitFor()
    const choose = async (words: string): Promise<void> => {
      await page.keyboard.press("Shift+I")
      const dialog = page.getByRole("dialog", { name: "Assign to a person or a team" })
      await dialog.getByRole("combobox").fill(words)
      await dialog.getByRole("option", { name: words }).click()
    }
    await choose("Team Roofers")
    await page.getByRole("article").getByText("Open · Roofers").waitFor()
    await page.getByRole("checkbox", { name: "Select Maria" }).click()
    await page.getByRole("checkbox", { name: "Select Priya" }).click()
    await page.getByText("2 selected").waitFor()
    await choose("Kim Colleague")
    await page.getByText("2 conversations changed").waitFor()
    expect(await owners()).toEqual({ Maria: [kim.id, null], Priya: [kim.id, null], Omar: [null, team.id] })
    await page.getByRole("button", { name: "Undo" }).click()
    await eventually(owners).toEqual({ Maria: [null, null], Priya: [null, null], Omar: [null, team.id] })
    await page.getByRole("checkbox", { name: "Select Maria" }).click()
    await page.getByRole("checkbox", { name: "Select Priya" }).click()
    await page.getByText("2 selected").waitFor()
    await choose("Kim Colleague")
    await eventually(owners).toEqual({ Maria: [kim.id, null], Priya: [kim.id, null], Omar: [null, team.id] })
    await page.getByLabel("Assignee").selectOption("Kim Colleague")
    await eventually(() => page.getByRole("checkbox", { name: /^Select/u }).count()).toBe(2)
    await page.getByLabel("Assignee").selectOption("")
    await page.getByLabel("Team", { exact: true }).selectOption("Roofers")
    await eventually(() => page.getByRole("checkbox", { name: /^Select/u }).count()).toBe(1)
  })

  it("keeps what was selected while a change was on its way", async () => {
    const page = await signedIn()
    const answered = Promise.withResolvers<void>()
    await page.route(/\/conversations\/bulk$/u, async (route) => {
      const response = await route.fetch()
      await answered.promise
      await route.fulfill({ response })
    })
    await page.getByRole("checkbox", { name: "Select Maria" }).click()
    await page.keyboard.press("e")
    await eventually(states).toEqual({ Maria: "closed", Priya: "open", Omar: "open" })
    await page.keyboard.press("Control+a")
    await page.getByText("2 selected").waitFor()
    answered.resolve()
    await page.getByText("1 conversation changed").waitFor()
    expect(await page.getByText("2 selected").isVisible()).toBe(true)
    await page.unroute(/\/conversations\/bulk$/u)
    await page.getByLabel("State").selectOption("any")
    await page.getByRole("checkbox", { name: "Select Maria" }).click()
    await page.getByRole("button", { name: "Reopen all" }).click()
    await eventually(states).toEqual({ Maria: "open", Priya: "open", Omar: "open" })
  })

  it("leaves Ctrl+A to the fields, and keeps the selection after a refusal", async () => {
    const page = await signedIn()
    await page.getByRole("link", { name: /Maria/u }).waitFor()
    await page.getByRole("searchbox").fill("roof")
    await page.getByRole("searchbox").press("Control+a")
    expect(await page.getByText(/selected$/u).count()).toBe(0)
    await page.route(/\/conversations\/bulk$/u, (route) =>
      route.fulfill({ status: 403, json: { error: { code: "FORBIDDEN", message: "No." } } })
    )
    await page.getByRole("checkbox", { name: "Select Maria" }).click()
    await page.getByRole("button", { name: "Close all" }).click()
    await page.getByText(/^Not saved: /u).waitFor()
    await page.getByText("1 selected").waitFor()
    await page.getByRole("link", { name: /Maria/u }).focus()
    await page.keyboard.press("Escape")
    await eventually(() => page.getByText(/selected$/u).count()).toBe(0)
  })

  it("opens a view with two keys, saves the filters as a view, and deletes it", async () => {
    const page = await signedIn()
    await page.getByRole("combobox", { name: "View" }).waitFor()
    await page.keyboard.press("g")
    await page.keyboard.press("1")
    await eventually(() => new URL(page.url()).search).toBe("?state=any&channel=sms")
    await eventually(() => page.getByRole("link", { name: /Maria/u }).count()).toBe(0)
    await page.getByLabel("Unread only").check()
    await page.getByRole("button", { name: "Save as view" }).click()
    const saving = page.getByRole("dialog", { name: "Save as view" })
    await saving.getByLabel("Name").pressSequentially("Mi")
    const asked = page.getByRole("dialog", { name: "Discard what you have typed?" })
    for (const isAsked of [true, false, true]) {
      await page.keyboard.press("Escape")
      await asked.waitFor({ state: isAsked ? "visible" : "detached" })
    }
    await asked.getByRole("button", { name: "Continue typing" }).click()
    expect(await saving.getByLabel("Name").inputValue()).toBe("Mi")
    await page.getByLabel("Name of the view").fill("Unread texts")
    await sendTwice(saving, { path: /\/views$/u, field: "name", button: "Save as view" })
    await saving.waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Delete view" }).waitFor()
    const names = async () => (await world().client.views.list(world().tenantId)).views.map(({ name }) => name)
    // The view is private, so that only its owner sees it.
    expect(await names()).toEqual(["Texts"])
    await page.getByRole("combobox", { name: "View" }).getByText("Unread texts").waitFor({ state: "attached" })
    await page.getByRole("button", { name: "Delete view" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Delete view" }).click()
    await page.getByRole("button", { name: "Save as view" }).waitFor()
  })

  it("lists the keys, and turns single letters off for good", async () => {
    const page = await signedIn()
    await page.getByRole("link", { name: /Maria/u }).click()
    await page.getByRole("heading", { level: 1, name: /Maria/u }).waitFor()
    await page.keyboard.press("?")
    const dialog = page.getByRole("dialog", { name: "Keys" })
    await dialog.getByText("Next unread conversation").waitFor()
    await dialog.getByText("Ctrl+Enter", { exact: true }).waitFor()
    await dialog.getByText("Snooze").waitFor()
    expect(await violations(page)).toEqual([])
    await dialog.getByLabel("Use keys without Ctrl").uncheck()
    await dialog.getByRole("button", { name: "Close" }).click()
    await page.reload()
    await page.getByRole("button", { name: "Snooze" }).waitFor()
    await page.keyboard.press("b")
    await openPalette(page)
    expect(await page.getByRole("dialog").count()).toBe(1)
    await page.keyboard.type("show keys")
    await page.keyboard.press("Enter")
    await dialog.getByLabel("Use keys without Ctrl").check()
    await page.keyboard.press("Escape")
    await eventually(() => dialog.count()).toBe(0)
    await page.keyboard.press("b")
    await page.getByRole("dialog", { name: "Snooze until" }).waitFor()
  })

  it.each(windows)(
    "breaks no rule of WCAG 2.2 AA with a selection at %s, and never scrolls sideways",
    async (_, options) => {
      const page = await signedIn(options)
      await page.getByRole("checkbox", { name: "Select Maria" }).click()
      await page.getByText("1 selected").waitFor()
      expect(await violations(page)).toEqual([])
      expect(await scrollsSideways(page)).toBe(false)
    }
  )
})
