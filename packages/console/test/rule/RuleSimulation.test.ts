import type { Rule } from "@leadloom/client"
import type { Locator, Page, Request, Route } from "playwright-core"
import { expect, it, vi } from "vitest"
import { describeConsole, scrollsSideways, violations, type Window, windows } from "../Harness.ts"
import type { World } from "../World.ts"

const thanks: Rule = {
  id: "thanks",
  name: "Thanks",
  priority: 1,
  trigger: { type: "tag_added", tag: "won" },
  when: { all: [] },
  actions: [{ type: "tag", tag: "thanked" }]
}
const forMessages: Rule = {
  id: "roofs",
  name: "Roofs",
  priority: 2,
  when: { all: [] },
  actions: [{ type: "tag", tag: "roof" }]
}

/** Only a rule that never runs exceeds this time. */
const waiting = { timeout: 60_000, interval: 50 }

/** Adds the tag to two contacts, for whom the rule runs. */
const fill = async ({ client, tenantId }: World): Promise<void> => {
  await client.config.update(tenantId, { rules: [thanks, forMessages] })
  for (const name of ["Ada", "Ben"]) {
    const { id } = await client.contacts.create(tenantId, { name, email: `${name}@customer.example` })
    await client.contacts.update(tenantId, id, { tags: ["won"] })
    await vi.waitFor(async () => expect((await client.contacts.get(tenantId, id)).tags).toContain("thanked"), waiting)
  }
}

/** Answers the requests of simulations. */
type Answer = (route: Route, request: Request) => unknown

const path = /\/rule-simulations$/u

await describeConsole("the simulation of rules", fill, ({ signedInWith, world }) => {
  const openRules = async (options?: Window): Promise<Page> => {
    const page = await signedInWith(world().adminKey, options)
    await page.goto(`${world().url}/rules`)
    await page.getByRole("listitem").filter({ hasText: "Thanks" }).first().waitFor()
    return page
  }

  const simulationOf = async (page: Page): Promise<Locator> => {
    await page.getByRole("tab", { name: "Simulation" }).click()
    const part = page.getByRole("region", { name: "Simulation" })
    await part.getByRole("button", { name: "Start the simulation" }).waitFor()
    return part
  }

  const start = (part: Locator): Promise<void> => part.getByRole("button", { name: "Start the simulation" }).click()

  const rowOf = (part: Locator, name: string): Locator =>
    part.getByRole("table", { name: "Events of the simulation" }).getByRole("row").filter({ hasText: name })

  it("shows what a rule would have done next to its real runs, for saved and for edited rules", async () => {
    const page = await openRules()
    const part = await simulationOf(page)
    expect(await part.getByLabel("Rule").locator("option").allTextContents()).toEqual(["Thanks"])
    await part.getByText("Rules for messages are not offered here.").waitFor()
    await start(part)
    await part.getByText("2 events simulated. 0 events differ from what really happened. 2 events shown.").waitFor()
    const cells = rowOf(part, "Ada").getByRole("cell")
    for (const place of [1, 2])
      await cells
        .nth(place)
        .getByText(/^add a tag: done/u)
        .waitFor()
    expect(await cells.nth(3).innerText()).toBe("same")
    const totals = part.getByRole("table", { name: "Numbers of the simulation" })
    await totals.getByRole("row", { name: "Action: add a tag 2 2", exact: true }).waitFor()
    await page.getByRole("tab", { name: "Rules" }).click()
    await page.getByRole("button", { name: "Edit Thanks" }).click()
    const editor = page.getByRole("group", { name: "Rule Thanks" })
    await editor.getByRole("tab", { name: "JSON" }).click()
    const json = editor.getByLabel("Rule as JSON")
    await json.fill((await json.inputValue()).replace('"thanked"', '"grateful"'))
    await editor.getByRole("button", { name: "Use this JSON" }).click()
    await simulationOf(page)
    await part.getByText("The simulation uses your unsaved changes of this rule.").waitFor()
    await start(part)
    await part.getByText("2 events simulated. 2 events differ from what really happened.").waitFor()
    await rowOf(part, "Ben").getByText("differs").waitFor()
    expect((await world().client.config.get(world().tenantId)).config.rules).toEqual([thanks, forMessages])
  })

  it("reads further events of the same period, and says what limits the simulation", async () => {
    const page = await openRules()
    const bodies: Array<Readonly<Record<string, unknown>>> = []
    await page.route(path, async (route, request) => {
      const body = { ...request.postDataJSON(), limit: 1 }
      bodies.push(body)
      const response = await route.fetch({ postData: JSON.stringify(body) })
      const cut = { more: true, simulated_until: "2026-11-01T08:00:00.000Z", notes: ["The present names are used."] }
      await route.fulfill({ response, json: { ...(await response.json()), ...cut } })
    })
    const part = await simulationOf(page)
    await start(part)
    await part.getByText("1 event shown.").waitFor()
    await part.getByText("The period has more events than were simulated.").waitFor()
    await part.getByText("because it needs too many decisions").waitFor()
    await part.getByText("The present names are used.").waitFor()
    await part.getByRole("button", { name: "Show more events" }).click()
    await part.getByText("2 events shown.").waitFor()
    expect(await part.getByRole("button", { name: "Show more events" }).count()).toBe(0)
    expect(bodies[1]?.["since"]).toBe(bodies[0]?.["since"])
  })

  it("explains an empty and a slow simulation, a failure and an outage, and continues after each", async () => {
    const { client, tenantId } = world()
    await client.config.update(tenantId, {
      rules: [{ ...thanks, id: "unused", trigger: { type: "tag_added", tag: "x" } }]
    })
    const page = await openRules()
    let answer: Answer = (route) => route.continue()
    await page.route(path, (route, request) => void answer(route, request))
    const part = await simulationOf(page)
    await start(part)
    await part.getByText("Nothing in this period would have started the rule.").waitFor()
    answer = () => undefined
    await start(part)
    await part.getByRole("progressbar").waitFor()
    expect(await part.getByRole("button", { name: "Start the simulation" }).isDisabled()).toBe(true)
    await part.getByRole("button", { name: "Stop", exact: true }).press("Enter")
    await part.getByText("The simulation was stopped.").waitFor()
    answer = (route) =>
      route.fulfill({ status: 400, json: { error: { code: "BAD_REQUEST", message: "The field is unknown." } } })
    await start(part)
    await part.getByRole("alert").filter({ hasText: "The field is unknown." }).waitFor()
    answer = (route) => route.fulfill({ status: 403, json: { error: { code: "FORBIDDEN", message: "No." } } })
    await start(part)
    await part.getByRole("alert").filter({ hasText: "may not" }).waitFor()
    answer = (route) => route.continue()
    await start(part)
    await part.getByText("Nothing in this period would have started the rule.").waitFor()
    expect(await part.getByRole("alert").count()).toBe(0)
    await client.config.update(tenantId, { rules: [forMessages] })
    await page.goto(`${world().url}/rules`)
    await page.getByRole("tab", { name: "Simulation" }).click()
    await page.getByText("No rule has a trigger other than a message.").waitFor()
    await client.config.update(tenantId, { rules: [thanks, forMessages] })
  })

  it.each(windows)("breaks no rule of WCAG 2.2 AA at %s, and never scrolls sideways", async (_, options) => {
    const page = await openRules(options)
    const part = await simulationOf(page)
    await start(part)
    await rowOf(part, "Ada").waitFor()
    expect(await violations(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
  })
})
