import { createClient, type Leadloom, type Message } from "@leadloom/client"
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { describeConsole, eventually, violations } from "./Harness.ts"
import { twoConversations, type World } from "./World.ts"

const thanks = {
  id: "rule_thanks",
  name: "Thanks",
  priority: 1,
  when: { fact: "message.text", op: "contains", value: "gutter" },
  actions: [{ type: "reply", template: "Thank you for asking." }]
} as const

const answerOf = (text: string, id: string): string =>
  `From: Maria <maria@customer.example>\r\nTo: office@acme.example\r\nSubject: Re: Roof of Maria\r\n` +
  `Message-ID: <${id}@customer.example>\r\nIn-Reply-To: <Maria@customer.example>\r\n` +
  `Date: ${new Date().toUTCString()}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}\r\n`

const receive = async ({ client, tenantId }: World, text: string, id: string): Promise<void> => {
  const raw = Buffer.from(answerOf(text, id)).toString("base64")
  await client.import.email(tenantId, { historical: false, mails: [{ name: id, raw }] })
}

const fill = async (world: World): Promise<void> => {
  await world.client.config.update(world.tenantId, { reply_mode: "draft", rules: [thanks] })
  await twoConversations(world)
  await world.receiveMail("Nora", '<p>Our logo</p><img src="https://images.customer.example/logo.png">')
}

await describeConsole("an open conversation", fill, ({ signedIn, world }) => {
  const contactOf = async (name: string): Promise<string> => {
    const { conversations } = await world().client.conversations.list(world().tenantId)
    return conversations.find((row) => row.contact_name === name)?.contact_id ?? expect.unreachable(name)
  }
  const open = async (page: Page, name: string): Promise<void> => {
    await page.getByRole("link", { name: new RegExp(name, "u") }).click()
    await page.getByRole("heading", { level: 1, name: new RegExp(name, "u") }).waitFor()
  }
  /** Returns a client that acts as a colleague. */
  const colleague = async (): Promise<Leadloom> => {
    const user = { name: "Kim Colleague", email: "kim@acme.example" }
    const { id } = await world().client.users.create(world().tenantId, user)
    return createClient({ baseUrl: world().url, credential: world().apiKey, actingUser: id })
  }
  /** Changes the messages of a conversation on their way to the browser. */
  const change = (page: Page, changed: Partial<Message>) =>
    page.route(/\/conversations\/con_\w+\?/u, async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      await route.fulfill({
        response,
        json: { ...body, messages: body.messages.map((one: Message) => ({ ...one, ...changed })) }
      })
    })

  it("blocks remote images, shows them once through the proxy, and remembers the sender", async () => {
    const page = await signedIn()
    await open(page, "Nora")
    const image = page.frameLocator("iframe").locator("img")
    const shown = page.frameLocator("iframe").locator('img[src^="/api/v1/public/images/"]')
    await page.getByText("1 remote image is blocked.").waitFor()
    expect(await image.getAttribute("src")).toBeNull()
    await page.getByRole("button", { name: "Show images" }).click()
    await shown.waitFor({ state: "attached" })
    await page.reload()
    await page.getByRole("button", { name: "Always from this sender" }).click()
    await shown.waitFor({ state: "attached" })
    await page.reload()
    await shown.waitFor({ state: "attached" })
    expect(await page.getByText("1 remote image is blocked.").count()).toBe(0)
  })

  it("says why a mail belongs to its thread, splits the thread and undoes it", async () => {
    await receive(world(), "And the chimney?", "second")
    const page = await signedIn()
    await open(page, "Maria")
    const mail = page.getByRole("listitem").filter({ hasText: "And the chimney?" })
    await mail.getByText("Why in this thread?").click()
    await mail.getByText("The mail answers a message of this thread.").waitFor()
    expect(await violations(page)).toEqual([])
    await mail.getByRole("button", { name: "Start a new thread here" }).click()
    await mail.getByText("A person put the mail into this thread.").waitFor()
    await mail.getByLabel("Other thread").waitFor()
    await mail.getByRole("button", { name: "Undo the correction" }).click()
    await mail.getByText("The mail answers a message of this thread.").waitFor()
  })

  it("shows who else is here and who types, and reports the person", async () => {
    const [kim, contactId] = [await colleague(), await contactOf("Maria")]
    const page = await signedIn()
    await open(page, "Maria")
    const present = async () =>
      (await kim.inbox.presence(world().tenantId, contactId)).presence.map(({ name, state }) => [name, state])
    await eventually(present).toEqual([["Ann Agent", "viewing"]])
    await page.getByRole("textbox", { name: "Reply" }).fill("Hello")
    await eventually(present).toEqual([["Ann Agent", "typing"]])
    await page.getByRole("textbox", { name: "Reply" }).fill("")
    let reads = 0
    page.on("request", (request) => {
      if (request.url().includes(`/conversations/${contactId}?`)) reads++
    })
    await kim.inbox.reportPresence(world().tenantId, contactId, { state: "viewing" })
    await page.getByText("Kim Colleague is here").waitFor()
    await kim.inbox.reportPresence(world().tenantId, contactId, { state: "typing" })
    await page.getByRole("region", { name: "Reply" }).getByText("Kim Colleague is typing…").waitFor()
    await kim.inbox.reportPresence(world().tenantId, contactId, { state: "left" })
    await eventually(() => page.getByText("Kim Colleague is").count()).toBe(0)
    // A report of presence changes no message.
    expect(reads).toBe(0)
    await open(page, "Priya")
    await eventually(present).toEqual([])
  })

  it("approves the waiting reply with a key after an edit, and takes it back with another key", async () => {
    await receive(world(), "Do you clean the gutter?", "third")
    const page = await signedIn()
    await open(page, "Maria")
    const draft = page.getByRole("region", { name: "Reply that waits for approval" })
    await draft.getByText("Thank you for asking.").waitFor()
    await draft.getByRole("button", { name: "Edit first" }).click()
    await draft.getByRole("textbox").fill("We clean it on Friday.")
    await draft.getByRole("textbox").blur()
    await page.keyboard.press("a")
    await page.getByText("The message will be sent shortly.").waitFor()
    await eventually(() => draft.count()).toBe(0)
    await page.keyboard.press("z")
    await page.getByText("Not sent. The reply waits for approval again.").waitFor()
    // The edit stays after the undo, and while another conversation is open.
    await eventually(() => draft.getByRole("textbox").inputValue()).toBe("We clean it on Friday.")
    expect((await world().client.scheduled.list(world().tenantId)).scheduled).toEqual([])
    await open(page, "Priya")
    await open(page, "Maria")
    await eventually(() => draft.getByRole("textbox").inputValue()).toBe("We clean it on Friday.")
    await draft.getByRole("button", { name: "Cancel editing" }).click()
    await draft.getByText("Thank you for asking.").waitFor()
    await draft.getByRole("button", { name: "Edit first" }).click()
    await draft.locator("textarea:focus").fill("We clean it on Friday.")
    await draft.getByRole("textbox").blur()
    await page.keyboard.press("a")
    await page.getByRole("region", { name: "Messages" }).getByText("We clean it on Friday.").waitFor()
    const waiting = async () => {
      const { scheduled } = await world().client.scheduled.list(world().tenantId)
      return scheduled.map(({ body, undo }) => [body, undo])
    }
    await eventually(waiting).toEqual([["We clean it on Friday.", true]])
  })

  it("sends the reply to a form as an email with a subject, and does not offer it while another reply is sent", async () => {
    const { apiKey, client, tenantId } = world()
    const contact = { name: "Ada", email: "ada@customer.example" }
    await client.pipeline.run(tenantId, { message: "A new gutter?", contact }, { credential: apiKey })
    const page = await signedIn()
    await open(page, "Ada")
    const draft = page.getByRole("region", { name: "Reply that waits for approval" })
    const composer = page.getByRole("region", { name: "Reply", exact: true })
    const send = composer.getByRole("button", { name: "Send", exact: true })
    const waiting = async () =>
      (await client.scheduled.list(tenantId)).scheduled
        .filter(({ contact_id }) => contact_id === contactId)
        .map(({ body, subject, to }) => [body, subject, to.map(({ email }) => email)])
    const contactId = await contactOf("Ada")
    // There is no email to answer, so the composer asks for a subject.
    await composer.getByRole("textbox", { name: "Reply" }).fill("Yes, tomorrow.")
    expect(await send.isDisabled()).toBe(true)
    await composer.getByLabel("Subject").fill("Your gutter")
    await send.click()
    await draft.getByText("Another reply to this conversation is being sent.").waitFor()
    expect(await waiting()).toEqual([["Yes, tomorrow.", "Your gutter", []]])
    await page.keyboard.press("z")
    await eventually(() => composer.getByRole("textbox", { name: "Reply" }).inputValue()).toBe("Yes, tomorrow.")
    await eventually(waiting).toEqual([])
    await draft.getByText(/as an email to ada@customer.example/u).waitFor()
    await page.keyboard.press("a")
    await draft.locator("input:focus").fill("Your new gutter")
    expect(await violations(page)).toEqual([])
    await draft.getByRole("button", { name: "Approve and send" }).click()
    await eventually(waiting).toEqual([["Thank you for asking.", "Your new gutter", ["ada@customer.example"]]])
  })

  it("does not approve a reply to an outdated message, and asks before its task discards it", async () => {
    await receive(world(), "What about the gutter?", "fourth")
    const { client, tenantId, url } = world()
    const contactId = await contactOf("Maria")
    const page = await signedIn()
    const approvals: Array<string> = []
    page.on("request", (request) => void (request.url().endsWith("/approve-draft") && approvals.push(request.url())))
    await page.route(/\/conversations\/con_\w+\?/u, async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      const draft = body.pending_draft === null ? null : { ...body.pending_draft, head_message_id: "msg_older" }
      await route.fulfill({ response, json: { ...body, pending_draft: draft } })
    })
    await open(page, "Maria")
    const draft = page.getByRole("region", { name: "Reply that waits for approval" })
    await draft.getByText(/^A newer message has arrived/u).waitFor()
    await page.keyboard.press("a")
    expect(await draft.getByRole("button", { name: "Approve and send" }).isDisabled()).toBe(true)
    // A letter after a click on a button that cannot act is no key. `e` would close the conversation.
    await draft.getByRole("button", { name: "Approve and send" }).click({ force: true })
    await page.keyboard.press("e")
    expect((await client.conversations.get(tenantId, contactId)).conversation.state).toBe("open")
    // The end of the task would discard the reply, so it asks.
    const pending = async () => (await client.conversations.get(tenantId, contactId)).pending_draft
    await page.getByRole("link", { name: "Tasks", exact: true }).click()
    await page.getByRole("button", { name: "Complete Approve the reply to Maria" }).click()
    const asked = page.getByRole("dialog", { name: "A reply waits for approval" })
    expect(await violations(page)).toEqual([])
    await asked.getByRole("button", { name: "Cancel" }).click()
    expect(await pending()).not.toBeNull()
    await page.getByRole("button", { name: "Complete Approve the reply to Maria" }).click()
    await asked.getByRole("link", { name: "Open the conversation to approve it" }).click()
    await draft.getByText(/^A newer message has arrived/u).waitFor()
    expect(await pending()).not.toBeNull()
    await page.goto(`${url}/tasks`)
    await page.getByRole("link", { name: "Approve the reply to Maria" }).click()
    // The list, which has the same button, disappears with its dialog when the page of the task is loaded.
    await page.getByRole("heading", { level: 1, name: "Approve the reply to Maria" }).waitFor()
    await page.getByRole("button", { name: "Complete Approve the reply to Maria" }).click()
    await asked.getByRole("button", { name: "Discard the reply and complete" }).click()
    await eventually(pending).toBeNull()
    await asked.waitFor({ state: "detached" })
    expect(approvals).toEqual([])
  })

  it("opens the run that decided", async () => {
    const page = await signedIn()
    await open(page, "Maria")
    await page.keyboard.press("w")
    const { runs } = await world().client.pipeline.listRuns(world().tenantId, { contactId: await contactOf("Maria") })
    await eventually(() => new URL(page.url()).pathname).toBe(`/decisions/${runs[0]?.signal_id}`)
  })

  it("says why a message was not delivered", async () => {
    const page = await signedIn()
    await change(page, { delivery: "bounced", message_id: "msg_00000000000000000000000000" })
    const step = { at: new Date().toISOString(), step: "bounced", attempt: null, reason: "the mailbox is full" }
    await page.route(/\/messages\/msg_\w+$/u, (route) => route.fulfill({ json: { delivery_history: [step] } }))
    await open(page, "Priya")
    await page.getByText("Bounced: the mailbox is full").waitFor()
  })

  it("plays the recording of a call, with its transcript", async () => {
    const page = await signedIn()
    const messageId = "msg_00000000000000000000000001"
    await change(page, { channel: "voice", message_id: messageId, body: "Call of two minutes" })
    const call = { recording: "ready", message_id: messageId }
    await page.route(/\/calls\?/u, (route) => route.fulfill({ json: { calls: [call], next_cursor: null } }))
    await page.route(/\/recording$/u, (route) => route.fulfill({ contentType: "audio/wav", body: "sound" }))
    await open(page, "Priya")
    await page.getByText("Call of two minutes").first().waitFor()
    await page.getByRole("button", { name: "Play recording" }).click()
    await page.getByLabel("Recording of the call").waitFor()
  })
})
