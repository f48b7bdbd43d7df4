import { createClient, type Leadloom } from "@leadloom/client"
import type { Locator, Page } from "playwright-core"
import { expect, it } from "vitest"
import { describeConsole, eventually, violations, windows } from "./Harness.ts"
import { twoConversations, type World } from "./World.ts"

const fill = async (world: World): Promise<void> => {
  await twoConversations(world)
  await world.client.cannedReplies.create(world.tenantId, {
    name: "Opening hours",
    shortcut: "oh",
    body: "Hello {{ contact.first_name }}, we open at 8."
  })
}

await describeConsole("the composer", fill, ({ signedIn, signedInWith, world }) => {
  const contactOf = async (name: string): Promise<string> => {
    const { conversations } = await world().client.conversations.list(world().tenantId)
    return conversations.find((row) => row.contact_name === name)?.contact_id ?? expect.unreachable(name)
  }
  const open = async (page: Page, name: string): Promise<Locator> => {
    await page.getByRole("link", { name: new RegExp(name, "u") }).click()
    const reply = page.getByRole("textbox", { name: "Reply" })
    await reply.waitFor()
    return reply
  }
  /** Returns a client that acts as a colleague. */
  const colleague = async (): Promise<Leadloom> => {
    const { users } = await world().client.users.list(world().tenantId)
    const kim =
      users.find(({ name }) => name === "Kim Colleague") ??
      (await world().client.users.create(world().tenantId, { name: "Kim Colleague", email: "kim@acme.example" }))
    return createClient({ baseUrl: world().url, credential: world().apiKey, actingUser: kim.id })
  }
  const drafts = async (name: string) =>
    (await world().client.drafts.list(world().tenantId, await contactOf(name))).drafts

  it("inserts a canned reply with the values of the contact, and counts the use", async () => {
    const page = await signedIn()
    const reply = await open(page, "Maria")
    await page.keyboard.press("r")
    await page.keyboard.press("/")
    await page.getByRole("dialog", { name: "Canned replies" }).waitFor()
    await page.keyboard.type("op")
    await page.getByRole("option", { name: /Opening hours/u }).waitFor()
    await page.keyboard.press("Enter")
    await eventually(() => reply.inputValue()).toBe("Hello Maria, we open at 8.")
    const { canned_replies } = await world().client.cannedReplies.list(world().tenantId)
    expect(canned_replies.map(({ uses }) => uses)).toEqual([1])
    await reply.fill("")
    await page.getByRole("button", { name: "Canned replies" }).click()
    await page.getByRole("option", { name: /Opening hours/u }).click()
    await eventually(() => reply.inputValue()).toBe("Hello Maria, we open at 8.")
    // The letters are keys outside a field. `e` would close the conversation.
    await page.keyboard.type(" See")
    expect(await reply.inputValue()).toBe("Hello Maria, we open at 8. See")
    await reply.fill("")
    await page.getByRole("button", { name: "Send later" }).click({ force: true })
    await page.getByText("Write a text first.").waitFor()
    await page.keyboard.type("e")
    expect(await reply.inputValue()).toBe("e")
    await reply.fill("")
    await eventually(() => drafts("Maria")).toEqual([])
  })

  it("keeps the keys that are typed while a palette is loading", async () => {
    await colleague()
    const page = await signedIn()
    const reply = await open(page, "Maria")
    const released = Promise.withResolvers<void>()
    await page.route(/\/assets\/Palette-[^/]*\.js$/u, async (route) => {
      await released.promise
      await route.continue()
    })
    await page.keyboard.press("Shift+N")
    const note = page.getByRole("textbox", { name: "Private note" })
    await note.waitFor()
    await page.keyboard.type("Ask @ki")
    released.resolve()
    const mention = page.getByRole("dialog", { name: "Mention a person" })
    await mention.waitFor()
    await eventually(() => mention.getByRole("combobox").inputValue()).toBe("ki")
    await page.keyboard.type("m")
    await page.keyboard.press("Enter")
    await eventually(() => note.inputValue()).toBe("Ask @Kim Colleague ")
    await note.fill("")
    await page.getByRole("button", { name: "Email", exact: true }).click()
    await reply.waitFor()
  })

  it("keeps the text of every mode, and never sends a note", async () => {
    const kim = await colleague()
    const page = await signedIn()
    const reply = await open(page, "Maria")
    await reply.fill("A reply in the making")
    await reply.blur()
    await page.keyboard.press("Shift+N")
    const note = page.getByRole("textbox", { name: "Private note" })
    await note.waitFor()
    expect(await page.getByRole("button", { name: "Send", exact: true }).count()).toBe(0)
    await page.keyboard.type("Ask ")
    await page.keyboard.press("@")
    await page.getByRole("dialog", { name: "Mention a person" }).waitFor()
    await page.keyboard.type("kim")
    await page.keyboard.press("Enter")
    await eventually(() => note.inputValue()).toBe("Ask @Kim Colleague ")
    await page.getByRole("button", { name: "Email", exact: true }).click()
    await eventually(() => reply.inputValue()).toBe("A reply in the making")
    await page.getByRole("button", { name: "Private note" }).click()
    await page.keyboard.type("e")
    expect(await note.inputValue()).toBe("Ask @Kim Colleague e")
    await page.keyboard.press("Backspace")
    await note.press("Control+Enter")
    await page.getByRole("listitem").filter({ hasText: "Private note" }).filter({ hasText: "Ask @Kim" }).waitFor()
    const { notes } = await kim.notes.list(world().tenantId, await contactOf("Maria"))
    expect(notes.map(({ mentions }) => mentions.length)).toEqual([1])
    expect(world().sent()).toEqual([])
    await page.getByRole("button", { name: "Email", exact: true }).click()
    await reply.fill("")
    await eventually(() => drafts("Maria")).toEqual([])
  })

  it("attaches, drops and removes files, keeps them in the draft, and explains the limits", async () => {
    const page = await signedIn()
    const reply = await open(page, "Maria")
    const files = page.getByRole("list", { name: "Attached files" })
    await page.getByLabel("Attach files").setInputFiles([
      { name: "plan.txt", mimeType: "text/plain", buffer: Buffer.from("the plan") },
      { name: "photo.png", mimeType: "image/png", buffer: Buffer.from("the photo") }
    ])
    await files.getByText("plan.txt").waitFor()
    await reply.evaluate((field) => {
      const data = new DataTransfer()
      data.items.add(new File(["the offer"], "offer.txt"))
      field.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }))
    })
    await files.getByText("offer.txt").waitFor()
    await page.getByRole("button", { name: "Remove photo.png" }).click()
    await reply.fill("See the plan.")
    await eventually(async () => (await drafts("Maria"))[0]?.attachments.length).toBe(2)
    await page.getByLabel("Attach files").setInputFiles(
      Array.from({ length: 24 }, (_, index) => ({
        name: `${index}`,
        mimeType: "text/plain",
        buffer: Buffer.from("x")
      }))
    )
    await page.getByText("A message has at most 25 files.").waitFor()
    await page.reload()
    await eventually(() => files.getByRole("listitem").count()).toBe(2)
    await files.getByRole("button").nth(1).click()
    await files.getByRole("button").first().click()
    await eventually(() => files.count()).toBe(0)
    await reply.fill("")
    await eventually(() => drafts("Maria")).toEqual([])
  })

  it("sends with an undo window, and puts text, files and recipients back on undo", async () => {
    const page = await signedIn()
    const reply = await open(page, "Maria")
    await page.getByText("Subject, Cc, Bcc").click()
    await page.getByLabel("Cc", { exact: true }).fill("boss@customer.example, nobody")
    await page.getByText("nobody is not an email address.").waitFor()
    await reply.fill("We come on Monday.")
    expect(await page.getByRole("button", { name: "Send", exact: true }).isDisabled()).toBe(true)
    await page.getByLabel("Cc", { exact: true }).fill("boss@customer.example")
    await page
      .getByLabel("Attach files")
      .setInputFiles({ name: "plan.txt", mimeType: "text/plain", buffer: Buffer.from("the plan") })
    await page.getByRole("list", { name: "Attached files" }).getByText("plan.txt").waitFor()
    await page.getByRole("button", { name: "Send", exact: true, disabled: false }).waitFor()
    await reply.press("Control+Enter")
    await page.getByRole("listitem").filter({ hasText: "Sending…" }).filter({ hasText: "Monday" }).waitFor()
    await page.getByRole("button", { name: "Undo" }).waitFor()
    expect(await reply.inputValue()).toBe("")
    const { scheduled } = await world().client.scheduled.list(world().tenantId)
    expect(scheduled.map(({ body, cc, undo }) => [body, cc.map(({ email }) => email), undo])).toEqual([
      ["We come on Monday.", ["boss@customer.example"], true]
    ])
    await reply.blur()
    await page.keyboard.press("z")
    await eventually(() => reply.inputValue()).toBe("We come on Monday.")
    await expect
      .poll(async () => (await drafts("Maria")).map(({ attachments, cc }) => [attachments.length, cc.length]))
      .toEqual([[1, 1]])
    expect((await world().client.scheduled.list(world().tenantId)).scheduled).toEqual([])
    expect(world().sent()).toEqual([])
    await page.getByRole("button", { name: "Remove plan.txt" }).click()
    await page.getByLabel("Cc", { exact: true }).fill("")
    await reply.fill("")
    await eventually(() => drafts("Maria")).toEqual([])
  })

  it("offers the senders of several accounts, and none of a single one", async () => {
    const page = await signedIn()
    const reply = await open(page, "Maria")
    await page.getByText("Subject, Cc, Bcc").click()
    await page.getByLabel("Cc", { exact: true }).waitFor()
    const sender = page.getByLabel("From", { exact: true })
    expect(await sender.count()).toBe(0)
    const [email, alias] = ["office@acme.example", "quotes@acme.example"]
    const accounts = [
      { grant_id: "grant_1", grant_email: email, aliases: [] },
      { grant_id: "grant_2", grant_email: "sales@acme.example", aliases: [alias] }
    ]
    await page.route(/\/email\/aliases$/u, (route) =>
      route.fulfill({ json: { grant_email: email, aliases: [], accounts } })
    )
    await page.reload()
    await page.getByText("Subject, Cc, Bcc").click()
    await sender.selectOption(alias)
    await reply.fill("Ours is the best offer.")
    await eventually(async () => (await drafts("Maria")).map(({ from }) => from?.email)).toEqual([alias])
    await sender.selectOption("")
    await eventually(async () => (await drafts("Maria")).map(({ from }) => from)).toEqual([null])
    await reply.fill("")
    await eventually(() => drafts("Maria")).toEqual([])
  })

  it("sends at a typed time, and changes, moves and cancels the scheduled message", async () => {
    const page = await signedIn()
    const reply = await open(page, "Maria")
    await reply.fill("Good morning")
    await reply.press("Control+Shift+Enter")
    const dialog = page.getByRole("dialog", { name: "Send later" })
    await dialog.getByLabel("Time", { exact: true }).fill("some day")
    await dialog.getByText("This is not a time.").waitFor()
    await dialog.getByLabel("Time", { exact: true }).fill("tomorrow at 10:15")
    await dialog.getByLabel("Time zone").selectOption("tenant")
    await dialog.getByLabel("Time zone").press("Enter")
    await dialog.getByRole("button", { name: "Schedule" }).click()
    const item = page.getByRole("listitem").filter({ hasText: "Scheduled for" })
    await item.getByText("Good morning").waitFor()
    const only = async () => (await world().client.scheduled.list(world().tenantId)).scheduled[0]
    expect((await only())?.send_at).toMatch(/T10:15:00/u)
    await item.getByRole("button", { name: "Edit text" }).click()
    await item.getByRole("textbox").fill("Good day")
    await item.getByRole("button", { name: "Save" }).click()
    await item.getByText("Good day").waitFor()
    await item.getByRole("button", { name: "Change time" }).click()
    await page.getByLabel("Time", { exact: true }).fill("in 3 days at 11:00")
    await page.getByLabel("Time zone").selectOption("tenant")
    await page.getByRole("button", { name: "Schedule" }).click()
    await eventually(async () => (await only())?.send_at).toMatch(/T11:00:00/u)
    await item.getByRole("button", { name: "Cancel sending" }).click()
    await eventually(() => item.count()).toBe(0)
    expect(await only()).toBeUndefined()
  })

  it("stops a reply when a colleague has written meanwhile, and sends it with the second try", async () => {
    const kim = await colleague()
    const page = await signedIn()
    const reply = await open(page, "Maria")
    await reply.fill("I answer first.")
    await kim.notes.create(world().tenantId, await contactOf("Maria"), { body: "I have called her." })
    await reply.press("Control+Enter")
    await page.getByText(/^Another person has answered/u).waitFor()
    expect(await reply.inputValue()).toBe("I answer first.")
    await page.getByRole("listitem").filter({ hasText: "I have called her." }).waitFor()
    await reply.press("Control+Enter")
    await page.getByRole("button", { name: "Undo" }).click()
    await eventually(() => reply.inputValue()).toBe("I answer first.")
    await reply.fill("")
    await eventually(() => drafts("Maria")).toEqual([])
  })

  it("keeps a text whose draft another person has changed, as a separate draft", async () => {
    const kim = await colleague()
    const page = await signedIn()
    const reply = await open(page, "Maria")
    await reply.fill("My text")
    await eventually(async () => (await drafts("Maria")).length).toBe(1)
    const [draft] = await drafts("Maria")
    const { contact_id, draft_id, version } = draft ?? expect.unreachable("There is no draft.")
    await kim.drafts.update(world().tenantId, contact_id, draft_id, { body: "Kim's text", version })
    await reply.fill("My longer text")
    await page.getByText(/^Another person has changed or sent this draft/u).waitFor()
    expect(await reply.inputValue()).toBe("My longer text")
    await reply.fill("My longest text")
    await page.getByText("Draft saved").waitFor()
    expect((await drafts("Maria")).map(({ body }) => body)).toEqual(["Kim's text", "My longest text"])
    for (const one of await drafts("Maria")) await kim.drafts.remove(world().tenantId, contact_id, one.draft_id)
  })

  it("reopens the conversation with the undo of a message that closed it, and takes a double click as one", async () => {
    const page = await signedIn()
    const reply = await open(page, "Maria")
    const stateOf = async () =>
      (await world().client.conversations.list(world().tenantId)).conversations.find(
        ({ contact_name }) => contact_name === "Maria"
      )?.state
    await reply.fill("Closed with this.")
    await page.getByRole("button", { name: "Send and close" }).dblclick()
    await eventually(stateOf).toBe("closed")
    expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(1)
    await page.getByRole("button", { name: "Undo" }).click()
    await eventually(() => reply.inputValue()).toBe("Closed with this.")
    await eventually(stateOf).toBe("open")
    await reply.fill("")
    await eventually(() => drafts("Maria")).toEqual([])
  })

  it("counts the segments of a text, and sends none that is too long", async () => {
    const page = await signedIn()
    const reply = await open(page, "Priya")
    await page.getByText("0 characters", { exact: true }).waitFor()
    await reply.fill("a".repeat(160))
    await page.getByText("160 characters, 1 segment").waitFor()
    await reply.fill(`${"a".repeat(160)}ж`)
    await page.getByText("161 characters, 3 segments").waitFor()
    await reply.fill("a".repeat(1_602))
    await page.getByText("A text has at most 1600 characters. Remove 2 characters.").first().waitFor()
    await reply.press("Control+Enter")
    expect(await page.getByText("Sending…").count()).toBe(0)
    expect((await reply.inputValue()).length).toBe(1_602)
    await reply.fill("")
    await eventually(() => drafts("Priya")).toEqual([])
  })

  it("shows the delivery of a message, and why it failed", async () => {
    const { client, tenantId } = world()
    await client.conversations.send(tenantId, await contactOf("Maria"), { channel: "email", body: "On its way" })
    const page = await signedIn()
    await open(page, "Maria")
    await page
      .getByRole("listitem")
      .filter({ hasText: "On its way" })
      .filter({ hasText: /Email.*Sent/u })
      .waitFor()
    // The panel counts a message that is sent while it is open.
    const facts = page.getByRole("complementary", { name: "Contact" }).locator("dl > div")
    const counted = async () => Number(await facts.filter({ hasText: "Messages" }).locator("dd").textContent())
    const before = await counted()
    await client.conversations.send(tenantId, await contactOf("Maria"), { channel: "email", body: "One more" })
    await eventually(counted).toBe(before + 1)
  })

  it("returns a text that could not be sent after its undo window, and names the page that connects an account", async () => {
    const { adminKey, client, tenantId, url } = world()
    const contactId = await contactOf("Maria")
    const sender = await signedIn()
    const written = await open(sender, "Maria")
    await written.fill("We could not send this.")
    await written.press("Control+Enter")
    await sender.getByRole("button", { name: "Undo" }).waitFor()
    const { grants } = await client.email.listGrants(tenantId)
    for (const { grant_id } of grants) await client.email.disconnect(tenantId, grant_id)
    await sender
      .getByText("no email account is connected. The text is in the composer again.")
      .waitFor({ timeout: 60_000 })
    expect(await written.inputValue()).toBe("We could not send this.")
    const send = async (page: Page): Promise<void> => {
      await page.goto(`${url}/inbox/${contactId}`)
      const reply = page.getByRole("textbox", { name: "Reply" })
      await reply.fill("We will call you.")
      await reply.press("Control+Enter")
    }
    const page = await signedIn()
    await send(page)
    await page.getByText("Not sent: No email account is connected. Ask an admin to connect one").waitFor()
    const managed = await signedInWith(adminKey)
    await send(managed)
    await managed.getByText("Not sent: No email account is connected. Connect one under").waitFor()
    expect(await violations(managed)).toEqual([])
    await managed
      .getByRole("region", { name: "Notifications" })
      .getByRole("link", { name: "Settings, Email account" })
      .click()
    await managed.getByText("No email account is connected. Leadloom sends and receives email").waitFor()
    await client.email.connect(tenantId, { provider: "smtp", email: "office@acme.example", name: "Acme" })
    for (const { draft_id } of await drafts("Maria")) await client.drafts.remove(tenantId, contactId, draft_id)
  })

  it.each(windows)("breaks no rule of WCAG 2.2 AA with a note at %s", async (_, options) => {
    const page = await signedIn(options)
    // A narrow window shows the other parts of the composer with the focus.
    await (await open(page, "Maria")).focus()
    await page.getByRole("button", { name: "Private note" }).click()
    await page.getByRole("textbox", { name: "Private note" }).waitFor()
    expect(await violations(page)).toEqual([])
  })
})
