import type { Rule } from "@leadloom/client"
import type { Locator, Page } from "playwright-core"
import { beforeEach, expect, it } from "vitest"
import { describeConsole, scrollsSideways, violations, type Window, windows } from "../Harness.ts"
import { closedReceiver, type World } from "../World.ts"

const thanks: Rule = {
  id: "thanks",
  name: "Thanks",
  priority: 1,
  trigger: { type: "manual" },
  when: { all: [{ fact: "contact.tags", op: "not_includes", value: "thanked" }] },
  actions: [{ type: "tag", tag: "thanked" }]
}

const fill = async ({ client, tenantId }: World): Promise<void> => {
  await client.segments.create(tenantId, { name: "Everybody", filters: {} })
  await client.cannedReplies.create(tenantId, { name: "Newsletter", body: "News for {{ contact.first_name }}" })
  await client.contacts.create(tenantId, { name: "Ada Lovelace", email: "ada@customer.example" })
}

await describeConsole("the triggers of rules", fill, ({ signedInWith, world }) => {
  beforeEach(() => world().client.config.update(world().tenantId, { rules: [thanks] }))

  const optionsOf = (select: Locator): Promise<ReadonlyArray<string>> =>
    select.locator("option").evaluateAll((options) => options.map((option) => option.getAttribute("value") ?? ""))

  /** Opens the rules with the key of the operator, because a one-time link has the rights of an agent. */
  const openRules = async (options?: Window): Promise<Page> => {
    const page = await signedInWith(world().adminKey, options)
    await page.goto(`${world().url}/rules`)
    await page.getByRole("listitem").filter({ hasText: "Thanks" }).first().waitFor()
    return page
  }

  const saved = async (): Promise<ReadonlyArray<Rule>> =>
    (await world().client.config.get(world().tenantId)).config.rules

  const save = async (page: Page): Promise<void> => {
    // The notice of an earlier save may still be visible.
    const { version } = await world().client.config.get(world().tenantId)
    await page.getByLabel("Why do you change the rules?").fill("A test")
    await page.getByRole("button", { name: "Save as a new version" }).click()
    await page.getByText(`Saved as version ${version + 1}.`).waitFor()
  }

  it("edits a schedule that sends a message, without JSON", async () => {
    const page = await openRules()
    await page.getByRole("button", { name: "Add a rule" }).click()
    const editor = page.getByRole("group", { name: "Rule New rule" })
    expect(await editor.getByLabel("Add an action").getByText("send a message").count()).toBe(0)
    await editor.getByLabel("Trigger").selectOption({ label: "a time is reached" })
    await editor.getByLabel("Time as a cron expression").fill("0 8 * * 5")
    await editor.getByLabel("Segment").selectOption({ label: "Everybody" })
    await editor.getByLabel("Add an action").selectOption({ label: "send a message" })
    await editor.getByRole("button", { name: "Remove the action “add a tag”" }).click()
    await editor.getByLabel("Subject").fill("News")
    await editor.getByLabel("Text", { exact: true }).fill("Hello {{ contact.first_name }}")
    await page.getByText("When the schedule 0 8 * * 5 fires for the contact, then send an email.").waitFor()
    await editor.getByRole("button", { name: "Add a condition" }).click()
    const { facts } = await world().client.rules.catalogue(world().tenantId)
    const offered = facts.filter(({ name, needs_message: needs }) => !needs && !name.includes(".custom_fields."))
    expect(await optionsOf(editor.getByLabel("Fact"))).toEqual([
      ...offered.map(({ name }) => name),
      "contact.custom_fields."
    ])
    await editor.getByLabel("Value").fill("customer")
    await save(page)
    const { segments } = await world().client.segments.list(world().tenantId)
    const trigger = { type: "schedule", cron: "0 8 * * 5", segment: segments[0]?.id }
    const send = { type: "send_template", channel: "email", subject: "News", body: "Hello {{ contact.first_name }}" }
    const when = { all: [{ fact: "contact.tags", op: "includes", value: "customer" }] }
    expect((await saved())[1]).toMatchObject({ trigger, when, actions: [send] })
    await editor.getByLabel("Content").selectOption({ label: "A canned reply" })
    await editor.getByLabel("Canned reply", { exact: true }).selectOption({ label: "Newsletter" })
    await editor.getByLabel("Channel").selectOption({ label: "SMS" })
    await editor.getByLabel("Use Email if the contact cannot be reached by SMS").check()
    await save(page)
    const { canned_replies: replies } = await world().client.cannedReplies.list(world().tenantId)
    const other = { canned_reply: replies[0]?.id, fallback: [{ channel: "email" }] }
    expect((await saved())[1]?.actions).toEqual([{ type: "send_template", channel: "sms", ...other }])
  })

  it("changes the trigger of a rule, and explains what the server rejects", async () => {
    const page = await openRules()
    await page.getByRole("button", { name: "Edit Thanks" }).click()
    const editor = page.getByRole("group", { name: "Rule Thanks" })
    await editor.getByLabel("Trigger").selectOption({ label: "the state of the lead changes" })
    await editor.getByLabel("To", { exact: true }).selectOption({ label: "won" })
    await editor.getByLabel("Minutes until the rule runs").fill("60")
    await save(page)
    const trigger = { type: "lead_state_changed", to: "won", after_minutes: 60 }
    expect(await saved()).toEqual([{ ...thanks, trigger }])
    await editor.getByLabel("Trigger").selectOption({ label: "a time is reached" })
    await editor.getByLabel("Time as a cron expression").fill("every day")
    await page.getByLabel("Why do you change the rules?").fill("A mistake")
    await page.getByRole("button", { name: "Save as a new version" }).click()
    await page.getByRole("alert").filter({ hasText: "rules.0.trigger" }).waitFor()
    await editor.getByLabel("Trigger").selectOption({ label: "a message arrives" })
    await page.getByText("When the tags of the contact does not include “thanked”, then add the tag").waitFor()
    await editor.getByLabel("Fact").selectOption({ label: "the subject" })
    expect(await optionsOf(editor.getByLabel("Fact"))).toContain("message.text")
    // A condition that no longer suits stays, and says why the server rejects it.
    await editor.getByLabel("Trigger").selectOption({ label: "somebody starts the rule" })
    expect(await editor.getByLabel("Fact").inputValue()).toBe("message.subject")
    await editor.getByText("the subject (only for rules about messages)").waitFor({ state: "attached" })
    expect(await optionsOf(editor.getByLabel("Fact"))).not.toContain("message.text")
  })

  it("forwards the email and calls a webhook whose response it stores, without JSON", async () => {
    const { client, tenantId } = world()
    await client.fields.create(tenantId, { key: "plan", label: "Plan", type: "text" })
    const webhook = await client.webhooks.create(tenantId, { url: `https://${closedReceiver}/hook` })
    const page = await openRules()
    await page.getByRole("button", { name: "Add a rule" }).click()
    const editor = page.getByRole("group", { name: "Rule New rule" })
    await editor.getByLabel("Value").fill("claim")
    await editor.getByLabel("Add an action").selectOption({ label: "forward the email" })
    await editor.getByRole("button", { name: "Remove the action “add a tag”" }).click()
    await page.getByLabel("Why do you change the rules?").fill("No address yet")
    await page.getByRole("button", { name: "Save as a new version" }).click()
    await page.getByRole("alert").filter({ hasText: "rules.1.actions.0.to" }).waitFor()
    await editor.getByLabel("Forward to").pressSequentially("claims@insurer.example\n\nsecond@insurer.example")
    await editor.getByLabel("Text above the email").fill("A claim")
    await editor.getByLabel("Add an action").selectOption({ label: "call a webhook" })
    await editor.getByLabel("URL").fill("https://crm.example/plan")
    await editor.getByLabel("Webhook whose secret signs the request").selectOption({ label: webhook.url })
    await editor.getByLabel("Store a value of the response").selectOption({ label: "Plan" })
    await editor.getByLabel("Place of Plan in the response").fill("/customer/plan")
    expect(await violations(page)).toEqual([])
    await save(page)
    const forward = { type: "forward", to: ["claims@insurer.example", "second@insurer.example"], body: "A claim" }
    const call = { type: "call_webhook", url: "https://crm.example/plan", webhook_id: webhook.id }
    expect((await saved())[1]?.actions).toEqual([forward, { ...call, store: { plan: "/customer/plan" } }])
    await editor.getByRole("button", { name: "Do not store Plan" }).click()
    await editor.getByLabel("Text above the email").fill("")
    await save(page)
    expect((await saved())[1]?.actions).toEqual([{ type: "forward", to: forward.to }, call])
  })

  it("edits triggers for an opened link and for a field of the lead", async () => {
    const { client, tenantId } = world()
    await client.fields.create(tenantId, { entity: "lead", key: "budget", label: "Budget", type: "text" })
    const steps = [
      { name: "greet", kind: "task" as const, delay: { amount: 0, unit: "minutes" as const }, title: "Greet" }
    ] as const
    const sequence = await client.sequences.create(tenantId, { name: "Quotes", steps })
    const page = await openRules()
    await page.getByRole("button", { name: "Edit Thanks" }).click()
    const editor = page.getByRole("group", { name: "Rule Thanks" })
    await editor.getByLabel("Trigger").selectOption({ label: "the contact opens a link" })
    await editor.getByLabel("Sequence").selectOption({ label: "Quotes" })
    await editor.getByLabel("Beginning of the URL").fill("https://acme.example/prices")
    await save(page)
    const opened = { type: "link_opened", sequence: sequence.id, url_prefix: "https://acme.example/prices" }
    expect((await saved())[0]?.trigger).toEqual(opened)
    await editor.getByLabel("Trigger").selectOption({ label: "a field changes" })
    await editor.getByLabel("Field of").selectOption({ label: "the lead" })
    await editor.getByLabel("Key of the field").fill("budget")
    await save(page)
    expect((await saved())[0]?.trigger).toEqual({ type: "field_changed", entity: "lead", field: "budget" })
    await editor.getByLabel("Field of").selectOption({ label: "The contact" })
    await page.getByText("When the field budget of the contact changes").waitFor()
  })

  it("starts a saved rule for a contact by keyboard, and shows what it did", async () => {
    const page = await openRules()
    const row = page.getByRole("listitem").filter({ hasText: "Thanks" })
    const start = async (): Promise<void> => {
      await row.getByRole("button", { name: "Start Thanks for a contact" }).press("Enter")
      await page.getByRole("dialog", { name: "Choose a contact" }).waitFor()
      await page.keyboard.type("Lovelace")
      await page.getByRole("option", { name: /Ada Lovelace/u }).waitFor()
      await page.keyboard.press("Enter")
    }
    await start()
    await row.getByText("For Ada Lovelace: the rule ran.").waitFor()
    await row.getByText(/^add a tag: done, /u).waitFor()
    const { contacts } = await world().client.contacts.list(world().tenantId)
    expect(contacts[0]?.tags).toEqual(["thanked"])
    await start()
    await row.getByText("For Ada Lovelace: the conditions were not met.").waitFor()
    await page.route(/\/rules\/thanks\/runs$/u, (route) =>
      route.fulfill({ status: 409, json: { error: { code: "CONFLICT", message: "The rule is disabled." } } })
    )
    await start()
    await row.getByRole("alert").filter({ hasText: "The rule is disabled." }).waitFor()
    // An unsaved rule cannot be started, because the server runs the saved one.
    await row.getByRole("button", { name: "Edit Thanks" }).click()
    await page.getByRole("group", { name: "Rule Thanks" }).getByLabel("Name").fill("Thank you")
    await page.getByRole("button", { name: "Start for a contact" }).waitFor({ state: "detached" })
    expect(await page.getByRole("button", { name: /^Start .* for a contact$/u }).count()).toBe(0)
  })

  it.each(windows)("breaks no rule of WCAG 2.2 AA at %s, and never scrolls sideways", async (_, options) => {
    const page = await openRules(options)
    await page.getByRole("button", { name: "Edit Thanks" }).click()
    const editor = page.getByRole("group", { name: "Rule Thanks" })
    await editor.getByLabel("Trigger").selectOption({ label: "a time is reached" })
    await editor.getByLabel("Add an action").selectOption({ label: "send a message" })
    await editor.getByLabel(/Use SMS if/u).check()
    expect(await violations(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
  })
})
