import type { Sequence, SequenceStep } from "@leadloom/client"
import type { Locator, Page, Request, Route } from "playwright-core"
import { expect, it, vi } from "vitest"
import { describeConsole, scrollsSideways, violations, windows } from "../Harness.ts"
import type { World } from "../World.ts"

const greet: SequenceStep = {
  name: "greet",
  kind: "task",
  delay: { amount: 0, unit: "minutes" },
  title: "Greet the contact"
}
const call: SequenceStep = { name: "call", kind: "task", delay: { amount: 1, unit: "days" }, title: "Call" }

/** Only a step that never runs exceeds this time. */
const waiting = { timeout: 60_000, interval: 50 }

let sequence: Sequence
let unused: Sequence

/** Enrols two contacts, for whom the first step runs. A segment contains them, and a rule starts another sequence. */
const fill = async ({ client, tenantId }: World): Promise<void> => {
  sequence = await client.sequences.create(tenantId, { name: "After quote", steps: [greet, call] })
  unused = await client.sequences.create(tenantId, { name: "Unused", steps: [greet] })
  for (const name of ["Ada", "Ben"]) {
    const { id } = await client.contacts.create(tenantId, { name, email: `${name}@customer.example` })
    const enrolled = await client.sequences.enrol(tenantId, sequence.id, { contact_id: id })
    await vi.waitFor(async () => {
      const { history } = await client.enrolments.get(tenantId, enrolled.id)
      expect(history).toHaveLength(1)
    }, waiting)
  }
  await client.segments.create(tenantId, { name: "Everybody", filters: {} })
  const rule = { id: "roofs", name: "Roofs", priority: 1, when: { all: [] } }
  const actions = [{ type: "start_sequence", sequence: sequence.id }] as const
  await client.config.update(tenantId, { rules: [{ ...rule, actions }] })
}

/** Answers the requests of simulations. */
type Answer = (route: Route, request: Request) => unknown

await describeConsole("the simulation of sequences", fill, ({ signedIn, signedInWith, world }) => {
  const openSimulation = async (page: Page, { id }: Sequence = sequence): Promise<Locator> => {
    await page.goto(`${world().url}/sequences/${id}?tab=simulation`)
    const part = page.getByRole("region", { name: "Simulation" })
    await part.getByRole("button", { name: "Start the simulation" }).waitFor()
    return part
  }

  const managed = (options = {}): Promise<Page> => signedInWith(world().adminKey, options)

  const start = (part: Locator): Promise<void> => part.getByRole("button", { name: "Start the simulation" }).click()

  const rowOf = (part: Locator, name: string): Locator =>
    part.getByRole("table", { name: "Contacts of the simulation" }).getByRole("row").filter({ hasText: name })

  it("shows what each contact would have got and when, next to what happened", async () => {
    const part = await openSimulation(await managed())
    await start(part)
    await part.getByText("2 contacts simulated. 0 contacts differ from what really happened.").waitFor()
    const cells = rowOf(part, "Ada").getByRole("cell")
    for (const place of [1, 2]) {
      await cells.nth(place).getByText("Active").waitFor()
      await cells
        .nth(place)
        .getByText(/^greet: task created, /u)
        .waitFor()
      await cells
        .nth(place)
        .getByText(/^next: call, /u)
        .waitFor()
    }
    expect(await cells.nth(3).innerText()).toBe("same")
    const totals = part.getByRole("table", { name: "Numbers of the simulation" })
    await totals.getByRole("row", { name: "Enrolments 2 2", exact: true }).waitFor()
    await rowOf(part, "Ben").getByRole("link", { name: "Ben" }).click()
    await part.page().getByRole("heading", { name: "Ben", level: 1 }).waitFor()
  })

  it("simulates unsaved steps, for the contacts of a segment, and saves nothing", async () => {
    const page = await managed()
    await page.goto(`${world().url}/sequences/${sequence.id}?tab=edit`)
    await page.getByRole("button", { name: "Remove step 2: call" }).click()
    await page.getByRole("tab", { name: "Simulation" }).click()
    const part = page.getByRole("region", { name: "Simulation" })
    await part.getByText("The simulation uses your unsaved steps and conditions.").waitFor()
    await start(part)
    await part.getByText("2 contacts simulated. 2 contacts differ from what really happened.").waitFor()
    await rowOf(part, "Ada").getByText("Completed").waitFor()
    await rowOf(part, "Ada").getByText("differs").waitFor()
    await part.getByLabel("Who enters").selectOption({ label: "The contacts of a segment" })
    expect(await part.getByRole("button", { name: "Start the simulation" }).isDisabled()).toBe(true)
    await part.getByLabel("Segment").selectOption({ label: "Everybody" })
    await start(part)
    await part.getByText(/^2 contacts simulated/u).waitFor()
    await part.getByLabel("Who enters").selectOption({ label: "The contacts whose messages a rule matches" })
    await part.getByLabel("Rule").selectOption({ label: "Roofs" })
    await start(part)
    // Nobody has written, so that the rule lets nobody enter.
    await rowOf(part, "Ada").getByText("Would not have entered").waitFor()
    const { steps } = await world().client.sequences.get(world().tenantId, sequence.id)
    expect(steps).toEqual([greet, call])
  })

  it("reads further contacts with a button, of the same period", async () => {
    const page = await managed()
    const bodies: Array<Readonly<Record<string, unknown>>> = []
    await page.route(/\/simulations$/u, (route, request) => {
      const body = { ...request.postDataJSON(), limit: 1 }
      bodies.push(body)
      return route.continue({ postData: JSON.stringify(body) })
    })
    const part = await openSimulation(page)
    await start(part)
    await part.getByText("1 contact shown.").waitFor()
    await part.getByRole("button", { name: "Show more contacts" }).press("Enter")
    await part.getByText("2 contacts shown.").waitFor()
    await rowOf(part, "Ada").waitFor()
    await rowOf(part, "Ben").waitFor()
    expect(await part.getByRole("button", { name: "Show more contacts" }).count()).toBe(0)
    expect(bodies[1]?.["since"]).toBe(bodies[0]?.["since"])
    expect(bodies[1]?.["until"]).toMatch(/Z$/u)
  })

  it("explains an empty and a slow simulation, a failure and an outage, and continues after each", async () => {
    const page = await managed()
    let answer: Answer = (route) => route.continue()
    await page.route(/\/simulations$/u, (route, request) => void answer(route, request))
    const part = await openSimulation(page, unused)
    await start(part)
    await part.getByText("Nobody enters the sequence in this period.").waitFor()
    answer = () => undefined
    await start(part)
    await part.getByRole("progressbar").waitFor()
    expect(await part.getByRole("button", { name: "Start the simulation" }).isDisabled()).toBe(true)
    await part.getByRole("button", { name: "Stop", exact: true }).press("Enter")
    await part.getByText("The simulation was stopped.").waitFor()
    answer = (route) =>
      route.fulfill({ status: 400, json: { error: { code: "BAD_REQUEST", message: "The segment is unknown." } } })
    await start(part)
    await part.getByRole("alert").filter({ hasText: "The segment is unknown." }).waitFor()
    answer = (route) => route.abort("internetdisconnected")
    await start(part)
    await part.getByRole("alert").filter({ hasText: "cannot be reached" }).waitFor({ timeout: 120_000 })
    answer = (route) => route.continue()
    await start(part)
    await part.getByText("Nobody enters the sequence in this period.").waitFor()
    expect(await part.getByRole("alert").count()).toBe(0)
  })

  it("says which limits cut a simulation", async () => {
    const page = await managed()
    await page.route(/\/simulations$/u, async (route) => {
      const response = await route.fetch()
      const cut = { more: true, undecided: 4, simulated_until: "2026-11-01T08:00:00.000Z" }
      await route.fulfill({ response, json: { ...(await response.json()), ...cut } })
    })
    const part = await openSimulation(page)
    await part.getByLabel("At most").selectOption({ label: "500 contacts" })
    await start(part)
    await part.getByText("The first 500 were simulated").waitFor()
    await part.getByText("because it needs too many decisions").waitFor()
    await part.getByText("4 messages were left out").waitFor()
  })

  it("is hidden from agents", async () => {
    const page = await signedIn()
    await page.goto(`${world().url}/sequences/${sequence.id}?tab=simulation`)
    await page.getByRole("region", { name: "Steps in order" }).waitFor()
    expect(await page.getByRole("tab", { name: "Simulation" }).count()).toBe(0)
  })

  it.each(windows)("breaks no rule of WCAG 2.2 AA at %s, and never scrolls sideways", async (_, options) => {
    const page = await managed(options)
    const part = await openSimulation(page)
    await start(part)
    await rowOf(part, "Ada").waitFor()
    expect(await violations(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
  })
})
