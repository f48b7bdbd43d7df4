import type { Rule, Trigger } from "@leadloom/client"
import type { Page } from "playwright-core"
import { beforeEach, expect, it } from "vitest"
import { describeConsole, scrollsSideways, violations, windows } from "./Harness.ts"
import type { World } from "./World.ts"

const rules: ReadonlyArray<Rule> = [
  {
    id: "roofs",
    name: "Roofs",
    priority: 1,
    when: { all: [{ fact: "message.text", op: "contains", value: "roof" }] },
    actions: [{ type: "tag", tag: "roof" }]
  },
  {
    id: "thanks",
    name: "Thanks",
    priority: 2,
    when: {
      any: [
        { fact: "message.text", op: "has_word", value: "thanks" },
        { not: { fact: "message.channel", op: "eq", value: "sms" } }
      ]
    },
    actions: [{ type: "suppress_reply" }]
  }
]

/** Saves two rules and lets Priya ask for a roof. */
const withRules = async ({ client, tenantId }: World): Promise<void> => {
  await client.config.update(tenantId, { classifier: "keywords", rules }, { comment: "First rules" })
  await client.pipeline.run(tenantId, {
    message: "How much is a new roof?",
    channel: "sms",
    contact: { name: "Priya" }
  })
}

await describeConsole("the rules", withRules, ({ signedIn, signedInWith, world }) => {
  /** Opens the rules with the key of the operator, because a one-time link has the rights of an agent. */
  const openRules = async (options = {}): Promise<Page> => {
    const page = await signedInWith(world().adminKey, options)
    await page.goto(`${world().url}/rules`)
    await page.getByRole("listitem").filter({ hasText: "Roofs" }).waitFor()
    return page
  }

  const saved = async (): Promise<ReadonlyArray<Rule>> =>
    (await world().client.config.get(world().tenantId)).config.rules

  const save = async (page: Page, comment: string): Promise<void> => {
    await page.getByLabel("Why do you change the rules?").fill(comment)
    await page.getByRole("button", { name: "Save as a new version" }).click()
    await page.getByText(/^Saved as version \d+\./u).waitFor()
  }

  // Every test starts with the same rules.
  beforeEach(() => world().client.config.update(world().tenantId, { rules }))

  it("shows each rule as a sentence", async () => {
    const page = await openRules()
    await page.getByText("When the text contains “roof”, then add the tag “roof”.").waitFor()
    await page
      .getByText(
        "When (the text contains the word “thanks” or it is not the case that the channel is “sms”), then do not reply."
      )
      .waitFor()
  })

  it("edits a rule as sentences, tries it live on a recent message, and saves it with a comment", async () => {
    const page = await openRules()
    await page.getByRole("button", { name: "Edit Roofs" }).click()
    const editor = page.getByRole("group", { name: "Rule Roofs" })
    await editor.getByRole("button", { name: "Add a condition" }).click()
    await editor.getByLabel("Fact").nth(1).selectOption("message.channel")
    await editor.getByLabel("Operator").nth(1).selectOption("eq")
    await editor.getByLabel("Value").nth(1).selectOption("email")
    const recent = page.getByLabel("A recent message")
    await recent.selectOption({ index: 1 })
    const trial = page.getByRole("region", { name: "Try the rules" })
    await trial.getByText("the value is “sms”").waitFor()
    await editor.getByLabel("Value").nth(1).selectOption("sms")
    await trial.getByText("Actions: add a tag.").waitFor()
    expect(await saved()).toEqual(rules)
    await save(page, "Only texts")
    expect((await saved())[0]?.when).toEqual({
      all: [
        { fact: "message.text", op: "contains", value: "roof" },
        { fact: "message.channel", op: "eq", value: "sms" }
      ]
    })
  })

  it("shows the trigger of a rule, and keeps it", async () => {
    const chase: Rule = {
      id: "chase",
      name: "Chase",
      priority: 3,
      trigger: { type: "no_answer", after_minutes: 2_880 },
      when: { all: [] },
      actions: [{ type: "tag", tag: "silent" }]
    }
    await world().client.config.update(world().tenantId, { rules: [...rules, chase] })
    const page = await openRules()
    await page.getByText("When the contact has not answered for 2 days, then add the tag “silent”.").waitFor()
    await page.getByRole("button", { name: "Edit Chase" }).click()
    const editor = page.getByRole("group", { name: "Rule Chase" })
    expect(await editor.getByLabel("Trigger").inputValue()).toBe("no_answer")
    expect(await editor.getByLabel("Minutes until the rule runs").inputValue()).toBe("2880")
    await editor.getByLabel("Name").fill("Chase quotes")
    await save(page, "A better name")
    expect((await saved())[2]).toEqual({ ...chase, name: "Chase quotes" })
  })

  it("shows the triggers that are changes as sentences", async () => {
    const { client, tenantId } = world()
    await client.fields.create(tenantId, { key: "visit_on", label: "Visit", type: "date" })
    await client.fields.create(tenantId, { entity: "lead", key: "offer_ends", label: "Offer ends", type: "date" })
    const triggers = [
      [
        { type: "lead_state_changed", from: "open", to: "engaged" },
        "the state of the lead changes from open to engaged"
      ],
      [
        { type: "lead_state_changed", to: "open", after_minutes: 120 },
        "the state of the lead changes to open, 2 hours later"
      ],
      [{ type: "lead_stage_changed" }, "the stage of the lead changes"],
      [{ type: "tag_added", tag: "vip" }, "the contact gets the tag vip"],
      [{ type: "tag_removed", tag: "vip" }, "the contact loses the tag vip"],
      [{ type: "field_changed", field: "visit_on" }, "the field visit_on of the contact changes"],
      [{ type: "field_changed", entity: "lead", field: "offer_ends" }, "the field offer_ends of the lead changes"],
      [
        { type: "date_reached", entity: "lead", field: "offer_ends" },
        "the date in offer_ends of the lead is reached (09:00)"
      ],
      [{ type: "date_reached", field: "visit_on", days: -1 }, "the date in visit_on is reached (1 day before, 09:00)"],
      [{ type: "date_reached", field: "visit_on", at: "17:30" }, "the date in visit_on is reached (17:30)"],
      [{ type: "link_opened" }, "the contact opens a link"],
      [
        { type: "link_opened", url_prefix: "https://acme.com/prices", after_minutes: 60 },
        "the contact opens a link to https://acme.com/prices…, 1 hour later"
      ],
      [{ type: "score_reached", score: 70 }, "the score of the lead rises to 70"],
      [{ type: "schedule", cron: "0 9 * * 1" }, "the schedule 0 9 * * 1 fires for the contact"],
      [{ type: "manual" }, "somebody starts the rule for the contact"],
      [{ type: "task_due", task_type: "callback", after_minutes: 1_440 }, "a task is due (Call back), 1 day later"]
    ] as const satisfies ReadonlyArray<readonly [Trigger, string]>
    const changed = triggers.map(([trigger], index): Rule => ({
      id: `rule_${index}`,
      name: `Rule ${index}`,
      priority: index,
      trigger,
      when: { all: [] },
      actions: [{ type: "tag", tag: `seen ${index}` }]
    }))
    await client.config.update(tenantId, { rules: [...rules, ...changed] })
    const page = await openRules()
    for (const [index, [, sentence]] of triggers.entries())
      await page.getByText(`When ${sentence}, then add the tag “seen ${index}”.`).waitFor()
  })

  it("adds, reorders by keyboard, turns off and removes rules", async () => {
    const page = await openRules()
    await page.getByRole("button", { name: "Add a rule" }).click()
    await page.getByRole("group", { name: "Rule New rule" }).getByLabel("Value").first().fill("gutter")
    const down = page.getByRole("button", { name: "Move Roofs down" })
    await down.focus()
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    expect(await down.evaluate((button) => button === document.activeElement)).toBe(true)
    await page.getByRole("checkbox", { name: "Roofs is on" }).uncheck()
    await page.getByRole("button", { name: "Remove Thanks" }).click()
    await save(page, "Gutters first")
    expect((await saved()).map(({ enabled, id }) => [id, enabled])).toEqual([
      ["rule_1", undefined],
      ["roofs", false]
    ])
  })

  it("validates the JSON of a rule, and shows what the server rejects", async () => {
    const page = await openRules()
    await page.getByRole("button", { name: "Edit Roofs" }).click()
    await page.getByRole("tab", { name: "JSON" }).click()
    const json = page.getByLabel("Rule as JSON")
    const former = await json.inputValue()
    await json.fill("{")
    await page.getByRole("alert").filter({ hasText: "This is not a valid rule" }).waitFor()
    expect(await page.getByRole("button", { name: "Use this JSON" }).isDisabled()).toBe(true)
    await json.fill(former.replace("message.text", "message.nothing"))
    await page.getByRole("button", { name: "Use this JSON" }).click()
    await page.getByLabel("Why do you change the rules?").fill("A mistake")
    await page.getByRole("button", { name: "Save as a new version" }).click()
    await page.getByRole("alert").filter({ hasText: "rules.0.when.all.0.fact" }).waitFor()
    expect(await saved()).toEqual(rules)
  })

  it("keeps the edit after a concurrent change, and saves it on the newer version", async () => {
    const page = await openRules()
    await page.getByRole("checkbox", { name: "Roofs is on" }).uncheck()
    await world().client.config.update(world().tenantId, { rules: rules.slice(0, 1) })
    await page.getByLabel("Why do you change the rules?").fill("Off")
    await page.getByRole("button", { name: "Save as a new version" }).click()
    const notice = page.getByRole("alert").filter({ hasText: "Another person has saved version" })
    await notice.getByText("Removed:").first().waitFor()
    expect(await page.getByRole("checkbox", { name: "Roofs is on" }).isChecked()).toBe(false)
    await notice.getByRole("button", { name: "Continue with my rules" }).click()
    await save(page, "Off")
    expect((await saved()).map(({ enabled, id }) => [id, enabled])).toEqual([
      ["roofs", false],
      ["thanks", undefined]
    ])
  })

  it("back-tests the edited rules, shows messages that change, and asks before it loses the edit", async () => {
    const page = await openRules()
    await page.getByRole("button", { name: "Remove Roofs" }).click()
    await page.getByRole("tab", { name: "Back-test" }).click()
    await page.getByRole("button", { name: "Start the back-test" }).click()
    await page.getByText("1 message was decided again. 1 decision changes.").waitFor()
    const row = page.getByRole("row").filter({ hasText: "Messages that match “Roofs”" })
    expect((await row.getByRole("cell").allInnerTexts()).slice(1, 4)).toEqual(["1", "0", "1"])
    await row.getByRole("button", { name: "Priya: How much is a new roof?" }).click()
    const example = page.getByRole("dialog", { name: "Message of Priya" })
    await example.getByText("Matched.").waitFor()
    await example.getByRole("link", { name: "Open the decision" }).click()
    const question = page.getByRole("dialog", { name: "Leave without saving?" })
    await question.getByRole("button", { name: "Stay on this page" }).click()
    await page.getByText("You have unsaved changes.").waitFor()
    await page.getByRole("link", { name: "Leads", exact: true }).click()
    await question.getByRole("button", { name: "Leave without saving" }).click()
    await page.getByText("You have unsaved changes.").waitFor({ state: "detached" })
    expect(await saved()).toEqual(rules)
  })

  it("says that a back-test is out of date after a save, and saves once with a double click", async () => {
    const page = await openRules()
    await page.getByRole("button", { name: "Remove Roofs" }).click()
    await page.getByRole("tab", { name: "Back-test" }).click()
    await page.getByRole("button", { name: "Start the back-test" }).click()
    await page.getByText("1 message was decided again. 1 decision changes.").waitFor()
    await page.getByLabel("Why do you change the rules?").fill("No roofs")
    await page.getByRole("button", { name: "Save as a new version" }).dblclick()
    await page.getByText("The rules have changed since this back-test. Start it again.").waitFor()
    expect(await page.getByText("1 message was decided again.").count()).toBe(0)
    await page.getByText(/^Saved as version/u).waitFor()
    expect(await page.getByText(/another person/iu).count()).toBe(0)
    await world().client.config.update(world().tenantId, { rules })
  })

  it("lists the versions with comments, shows their differences, and restores one", async () => {
    const { client, tenantId } = world()
    const { version } = await client.config.update(tenantId, { rules }, { comment: "Both rules" })
    await client.config.update(tenantId, { rules: rules.slice(0, 1) }, { comment: "Roofs only" })
    const page = await openRules()
    await page.getByRole("tab", { name: "History" }).click()
    await page.getByRole("row").filter({ hasText: "Both rules" }).waitFor()
    const changed = page.getByRole("row").filter({ hasText: "Roofs only" })
    await changed.filter({ hasText: "The operator" }).filter({ hasText: "Rule “Thanks” removed" }).waitFor()
    await changed.getByRole("button", { name: `Show version ${version + 1}` }).click()
    await page
      .getByRole("region", { name: `Version ${version + 1}` })
      .getByText("Rule “Thanks” removed")
      .waitFor()
    await page.getByRole("button", { name: "Back to the versions" }).click()
    await page.getByRole("region", { name: `Version ${version + 1}` }).waitFor({ state: "detached" })
    await page.getByRole("button", { name: `Show version ${version}`, exact: true }).click()
    await page
      .getByRole("region", { name: `Version ${version}` })
      .getByText("Rule “Thanks” added")
      .waitFor()
    await page.getByText("Show the changes as JSON").first().click()
    const diff = page.getByRole("figure", { name: `Rules of version ${version}, compared with version ${version + 1}` })
    expect(await diff.textContent()).toMatch(/\+ Added: +"id": "thanks"/u)
    await page.getByRole("button", { name: `Restore the rules of version ${version}` }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click()
    await page
      .getByRole("row")
      .filter({ hasText: `Restored the rules of version ${version}` })
      .waitFor()
    expect(await saved()).toEqual(rules)
  })

  it("explains a refusal, and a failure with a retry", async () => {
    const page = await signedIn()
    await page.getByRole("link", { name: "Decisions" }).waitFor()
    expect(await page.getByRole("link", { name: "Rules" }).count()).toBe(0)
    await page.goto(`${world().url}/rules`)
    await page.getByRole("alert").filter({ hasText: "You may not see this" }).waitFor()
    const manager = await openRules()
    await manager.route(/\/config\//u, (route) => route.abort())
    await manager.goto(`${world().url}/rules`)
    await manager.getByRole("alert").filter({ hasText: "cannot be reached" }).waitFor()
    await manager.unroute(/\/config\//u)
    await manager.getByRole("button", { name: "Try again" }).click()
    await manager.getByRole("listitem").filter({ hasText: "Roofs" }).waitFor()
  })

  it.each(windows)("breaks no rule of WCAG 2.2 AA at %s, and never scrolls sideways", async (_, options) => {
    const page = await openRules(options)
    await page.getByRole("button", { name: "Edit Thanks" }).click()
    await page.getByRole("button", { name: "Add a group" }).first().click()
    expect(await violations(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
    await page.getByRole("tab", { name: "History" }).click()
    await page
      .getByRole("button", { name: /^Show version/u })
      .first()
      .waitFor()
    expect(await violations(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
  })
})
