import type { Sequence, SequenceStep } from "@leadloom/client"
import type { Page, Route } from "playwright-core"
import { expect, it, vi } from "vitest"
import { describeConsole, scrollsSideways, violations, windows } from "../Harness.ts"
import type { World } from "../World.ts"

const hello: SequenceStep = {
  name: "hello",
  kind: "send",
  channel: "email",
  delay: { amount: 0, unit: "minutes" },
  subject: "Your quote",
  body: "Hello {{ contact.first_name }}",
  weight: 3,
  variants: [{ name: "short", body: "Hi!" }],
  fallback: [{ channel: "sms", body: "Hello by text" }]
}
const remind: SequenceStep = {
  name: "remind",
  kind: "wait",
  delay: { amount: 1, unit: "days" },
  until: { field: "visit_on", days: -1, otherwise: "continue" }
}

/** Only a step that never runs exceeds this time. */
const waiting = { timeout: 60_000, interval: 50 }
/** The contacts of the sequence. The first one answers. */
const contacts = 3

const answerOf = (email: string): string =>
  `From: Jo <${email}>\r\nTo: office@acme.example\r\nSubject: Re: Your quote\r\nMessage-ID: <answer@customer.example>\r\n` +
  `Date: ${new Date().toUTCString()}\r\nContent-Type: text/plain\r\n\r\nYes, please.\r\n`

/** Returns a time zone in which it is about noon, so that quiet hours delay no email. */
const zoneOfNoon = (): string => {
  const offset = 12 - new Date().getUTCHours()
  // The names have the opposite sign (POSIX).
  return `Etc/GMT${offset > 0 ? "-" : "+"}${Math.abs(offset)}`
}

let sequence: Sequence

/** Sends a step to three contacts, of whom the first one answers, and holds nobody out. */
const fill = async ({ client, receiveRaw, tenantId }: World): Promise<void> => {
  await client.fields.create(tenantId, { key: "visit_on", label: "Visit", type: "date" })
  sequence = await client.sequences.create(tenantId, { name: "After quote", steps: [hello, remind] })
  for (let number = 0; number < contacts; number++) {
    const email = `jo${number}@customer.example`
    const attributes = { time_zone: zoneOfNoon() }
    const { id } = await client.contacts.create(tenantId, { name: `Jo ${number}`, email, attributes })
    await client.sequences.enrol(tenantId, sequence.id, { contact_id: id })
  }
  await vi.waitFor(async () => {
    const { results } = await client.sequences.results(tenantId, sequence.id)
    expect(results.reduce((sum, row) => sum + row.sent, 0)).toBe(contacts)
  }, waiting)
  await receiveRaw(answerOf("jo0@customer.example"))
  await vi.waitFor(async () => {
    const { enrolled } = await client.sequences.statistics(tenantId, sequence.id)
    expect(enrolled.answered).toBe(1)
  }, waiting)
}

await describeConsole("the results of sequences", fill, ({ signedIn, signedInWith, world }) => {
  const openTab = async (page: Page, tab: string): Promise<void> => {
    await page.goto(`${world().url}/sequences/${sequence.id}?tab=${tab}`)
    await page.getByRole("heading", { name: "After quote", level: 1 }).waitFor()
  }

  const cellsOf = async (page: Page, table: string): Promise<ReadonlyArray<ReadonlyArray<string>>> => {
    const rows = page.getByRole("table", { name: table }).locator("tbody tr")
    await rows.first().waitFor()
    return rows.evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent ?? ""))
    )
  }

  it("counts sent and answered messages by step and text, and compares the groups", async () => {
    const page = await signedIn()
    await openTab(page, "results")
    const steps = await cellsOf(page, "Answers by step and text")
    const sum = (column: number): number => steps.reduce((total, row) => total + Number(row[column]), 0)
    expect(steps.map(([step]) => step)).toEqual(steps.map(() => "hello"))
    expect([sum(2), sum(3)]).toEqual([contacts, 1])
    await page.getByText("Counted from the newest 3 enrolments.").waitFor()
    expect(await cellsOf(page, "Effect of the sequence")).toEqual([
      ["With the sequence", "3", "1 (33.3%)", "0 (0%)"],
      ["Holdout group", "0", "0", "0"]
    ])
    await page.getByText("Nobody is in the holdout group").waitFor()
    const week = page.getByRole("region", { name: "The last seven days" })
    await week.getByText("0 (0%, limit 5 %)").first().waitFor()
  })

  it("shows the emails with an opened link if links are tracked", async () => {
    const page = await signedIn()
    const results = [{ step: "hello", variant: null, sent: 3, answered: 1, opened: 2 }]
    await page.route(/\/results$/u, (route) => route.fulfill({ json: { enrolments: 3, results } }))
    await openTab(page, "results")
    expect(await cellsOf(page, "Answers by step and text")).toEqual([
      ["hello", "Text of the step", "3", "1", "33.3%", "2 (66.7%)"]
    ])
  })

  it("explains empty results, a slow response, a failure and an outage, and recovers", async () => {
    const { client, tenantId, url } = world()
    const { id } = await client.sequences.create(tenantId, { name: "Unused", steps: [hello] })
    const page = await signedIn()
    let answer: (route: Route) => Promise<void> = (route) => route.continue()
    const isAsked = Promise.withResolvers<void>()
    const isAnswered = Promise.withResolvers<void>()
    await page.route(/\/(?:results|statistics)$/u, (route) => answer(route))
    answer = async (route) => {
      isAsked.resolve()
      await isAnswered.promise
      await route.fulfill({ status: 500, json: { error: { code: "INTERNAL", message: "The server failed." } } })
    }
    await page.goto(`${url}/sequences/${id}?tab=results`)
    await isAsked.promise
    const content = page.getByRole("tabpanel")
    await content.getByText("Loading…").first().waitFor()
    isAnswered.resolve()
    await content.getByRole("alert").filter({ hasText: "The server failed" }).nth(1).waitFor({ timeout: 120_000 })
    // A click removes its button, so all buttons are clicked at once.
    const retryAll = (): Promise<void> =>
      content
        .getByRole("button", { name: "Try again" })
        .evaluateAll((buttons) => buttons.forEach((button) => Reflect.get(button, "click").call(button)))
    answer = (route) => route.abort("internetdisconnected")
    await retryAll()
    await content.getByRole("alert").filter({ hasText: "cannot be reached" }).nth(1).waitFor({ timeout: 120_000 })
    answer = (route) => route.continue()
    await retryAll()
    await content.getByText("No message was sent yet.").waitFor()
    await content.getByText("Nobody was enrolled yet.").waitFor()
  })

  it("pauses and resumes a sequence, and shows agents and other windows the reason at once", async () => {
    const page = await signedInWith(world().adminKey)
    await openTab(page, "steps")
    const agent = await page.context().newPage()
    await agent.goto(await world().link())
    await agent.getByRole("navigation", { name: "Main" }).waitFor()
    await openTab(agent, "steps")
    await agent.getByRole("region", { name: "Steps in order" }).waitFor()
    expect(await agent.getByRole("button", { name: "Pause the sequence" }).count()).toBe(0)
    await page.getByRole("button", { name: "Pause the sequence" }).press("Enter")
    await page.getByRole("dialog").getByText("No step of any enrolment runs").waitFor()
    await page.getByRole("dialog").getByRole("button", { name: "Pause the sequence" }).click()
    await page.getByText("The sequence is paused.").waitFor()
    const paused = agent.getByRole("region", { name: "Paused" })
    await paused.getByText(/^Paused since .* A person paused it: .+\.$/u).waitFor()
    expect(await paused.getByRole("button").count()).toBe(0)
    await agent.getByRole("link", { name: "Sequences" }).click()
    await agent.getByRole("row").filter({ hasText: "After quote" }).getByRole("cell", { name: "Paused" }).waitFor()
    await agent.goBack()
    await paused.waitFor()
    await page.getByRole("button", { name: "Resume the sequence" }).click()
    await page.getByText("The sequence continues.").waitFor()
    await paused.waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Pause the sequence" }).waitFor()
  })

  it("explains a pause because of a limit", async () => {
    const page = await signedInWith(world().adminKey)
    await page.route(/\/sequences\/seq_\w+$/u, async (route) => {
      const response = await route.fetch()
      const pause = { paused_at: "2026-11-01T08:00:00.000Z", pause_reason: "bounces", pause_detail: "3 of 50 bounced" }
      await route.fulfill({ response, json: { ...(await response.json()), ...pause } })
    })
    await openTab(page, "steps")
    await page.getByText("Too many emails bounced: 3 of 50 bounced.").waitFor()
    await page.getByText("Check the addresses and the texts before you resume it.").waitFor()
  })

  it("shows the texts, the other channel, the end of a wait, the limits and the holdout group", async () => {
    const page = await signedIn()
    await openTab(page, "steps")
    const steps = page.getByRole("region", { name: "Steps in order" }).getByRole("listitem")
    for (const part of [
      "control: 75 % of the contacts",
      "short: 25 % of the contacts",
      "If this is not possible: Send a text"
    ])
      await steps.nth(0).getByText(part).waitFor()
    await steps
      .nth(1)
      .getByText("Until the date in visit_on (1 day before, 09:00); without the date, the next step")
      .waitFor()
    const facts = page.getByRole("region", { name: "Limits and versions" })
    await facts.getByText("None: all contacts get the messages").waitFor()
    await facts.getByText("At 0.3 % spam reports").waitFor()
    await facts.getByText("From 50 messages in seven days").waitFor()
  })

  it.each(windows)("breaks no rule of WCAG 2.2 AA at %s, and never scrolls sideways", async (_, options) => {
    const page = await signedIn(options)
    await openTab(page, "results")
    await page.getByRole("table", { name: "Effect of the sequence" }).waitFor()
    expect(await violations(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
    await page.getByRole("tab", { name: "Steps" }).click()
    await page.getByRole("region", { name: "Steps in order" }).waitFor()
    expect(await violations(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
  })
})
