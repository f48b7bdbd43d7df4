import type { Rule } from "@leadloom/client"
import { expect, it } from "vitest"
import { describeConsole, scrollsSideways, violations, windows } from "./Harness.ts"
import type { World } from "./World.ts"

const rules: ReadonlyArray<Rule> = [
  {
    id: "quotes",
    name: "Quotes by text",
    priority: 1,
    when: { fact: "message.text", op: "contains", value: "roof" },
    actions: [
      { type: "tag", tag: "quote" },
      { type: "reply", template: "A new roof starts at $9,000.", mode: "draft" }
    ]
  },
  {
    id: "mail",
    name: "Roofs by mail",
    priority: 2,
    when: {
      all: [
        { fact: "message.text", op: "contains", value: "roof" },
        { fact: "message.channel", op: "eq", value: "email" }
      ]
    },
    actions: [{ type: "tag", tag: "mail" }]
  },
  {
    id: "night",
    name: "Hot leads by chat",
    priority: 3,
    when: {
      all: [
        { fact: "message.channel", op: "eq", value: "chat" },
        { fact: "score.tier", op: "eq", value: "hot" }
      ]
    },
    actions: [{ type: "suppress_reply" }]
  }
]

const config = { classifier: "keywords" as const, rules, guardrails: [{ id: "money", kind: "no_prices" as const }] }

/** Lets Priya ask for a roof and Omar thank. Each request waits for its run. */
const twoRuns = async ({ client, tenantId }: World): Promise<void> => {
  await client.config.update(tenantId, config)
  const messages = [
    ["Priya", "+12025550143", "How much is a new roof?"],
    ["Omar", "+12025550188", "Thank you!"]
  ] as const
  for (const [name, phone, message] of messages)
    await client.pipeline.run(tenantId, { message, channel: "sms", contact: { name, phone } })
}

await describeConsole("the decisions", twoRuns, ({ signedIn, world }) => {
  const signalOf = async (name: string): Promise<string> => {
    const { runs } = await world().client.pipeline.listRuns(world().tenantId)
    return runs.find((run) => run.contact_name === name)?.signal_id ?? expect.unreachable(`no run of ${name}`)
  }

  it("lists the runs with contact, channel, message, result and reason, and filters them by contact", async () => {
    const page = await signedIn()
    await page.getByRole("link", { name: "Decisions" }).click()
    const priya = page.getByRole("row").filter({ hasText: "Priya" })
    await priya.waitFor()
    const shown = await priya.innerText()
    for (const part of ["SMS", "How much is a new roof?", "Draft for approval", "amount of money"])
      expect(shown).toContain(part)
    expect(await page.getByRole("row").filter({ hasText: "Omar" }).innerText()).toContain("No reply")
    await priya.getByRole("link", { name: "Priya" }).click()
    await page.getByText("Only messages of one contact are shown.").waitFor()
    expect(await page.getByRole("row").filter({ hasText: "Omar" }).count()).toBe(0)
    await page.getByRole("link", { name: "Clear filters" }).click()
    await page.getByRole("row").filter({ hasText: "Omar" }).waitFor()
  })

  it("tells a run as a story: message, recognition, rules, guardrails, decision and result", async () => {
    const page = await signedIn()
    await page.goto(`${world().url}/decisions/${await signalOf("Priya")}`)
    const region = (name: string) => page.getByRole("region", { name })
    await region("1. Message").getByText("How much is a new roof?").waitFor()
    // The answer stands above the story that leads to it.
    expect(await page.getByRole("main").innerText()).toMatch(/It is sent when a person approves it\.[^]*1\. Message/u)
    await region("Recognition").getByText("so the new contact Priya was created").waitFor()
    const ruleTexts = await region("3. Rules").innerText()
    expect(ruleTexts).toMatch(/Matched rules[^]*Quotes by text[^]*Nearly matched rules[^]*Roofs by mail/u)
    expect(ruleTexts).toContain("“the channel is “email”” was needed, but the value is “sms”.")
    expect(ruleTexts).not.toMatch(/Nearly matched rules[^]*Hot leads by chat[^]*Show/u)
    await region("Guardrails").getByText("wants a person to approve the reply").waitFor()
    await region("Guardrails").getByText("contains_price").waitFor()
    await region("Result").getByText("It is sent when a person approves it.").waitFor()
    await region("Result").getByText("A new roof starts at $9,000.").waitFor()
    expect(ruleTexts).toContain("Quotes by text Matched. The text contains")
    await page.getByText("Show technical details: facts, steps and codes").click()
    await region("Steps").getByText("person_approves").first().waitFor()
    await region("Language model").getByText("the decision cost nothing").waitFor()
    await region("Facts").getByRole("cell", { name: "The channel message.channel" }).waitFor()
  })

  it("replays a run with the current rules, and shows what differs", async () => {
    const page = await signedIn()
    await page.goto(`${world().url}/decisions/${await signalOf("Priya")}`)
    const replay = page.getByRole("region", { name: "What would happen today?" })
    await replay.getByRole("button").click()
    await replay.getByText("lead to the same decision").waitFor()
    await world().client.config.update(world().tenantId, { rules: rules.slice(1) })
    await replay.getByRole("button").click()
    await replay.getByText("lead to another decision").waitFor()
    const diff = replay.getByRole("figure", { name: "Matched rules" })
    expect(await diff.textContent()).toMatch(/− Removed: +"name": "Quotes by text"/u)
    await world().client.config.update(world().tenantId, { rules })
  })

  it("leads from a message to its run and back to the conversation", async () => {
    const page = await signedIn()
    await page.getByRole("link", { name: /Priya/u }).click()
    await page.getByRole("link", { name: "Why?" }).click()
    await page.getByRole("heading", { name: "Decision about the message of Priya" }).waitFor()
    await page.getByRole("link", { name: "Open the conversation" }).click()
    await page.getByRole("textbox", { name: "Reply" }).waitFor()
  })

  it("explains a message without a run, an empty list, a refusal, and a failure with a retry", async () => {
    const page = await signedIn()
    await page.goto(`${world().url}/decisions/sig_00000000000000000000000000`)
    await page.getByRole("alert").filter({ hasText: "has not decided about this message" }).waitFor()
    await page.goto(`${world().url}/decisions?contactId=con_00000000000000000000000000`)
    await page.getByText("No run matches these filters.").waitFor()
    const refusal = { error: { code: "FORBIDDEN", message: "No." } }
    await page.route(/\/pipeline\/runs\?/u, (route) => route.fulfill({ status: 403, json: refusal }))
    await page.goto(`${world().url}/decisions`)
    await page.getByRole("alert").filter({ hasText: "You may not see this" }).waitFor()
    await page.unroute(/\/pipeline\/runs\?/u)
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByRole("row").filter({ hasText: "Priya" }).waitFor()
  })

  it.each(windows)("breaks no rule of WCAG 2.2 AA at %s, and never scrolls sideways", async (_, options) => {
    const page = await signedIn(options)
    await page.goto(`${world().url}/decisions`)
    await page.getByRole("row").filter({ hasText: "Priya" }).waitFor()
    expect(await violations(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
    await page.goto(`${world().url}/decisions/${await signalOf("Priya")}`)
    await page.getByText(/^Show technical details/u).click()
    await page.getByRole("button", { name: "Try with the current rules" }).click()
    await page.getByText("lead to the same decision").waitFor()
    expect(await violations(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
  })
})
