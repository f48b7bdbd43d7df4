import type { Contact, Enrolment, Sequence, SequenceStep } from "@leadloom/client"
import type { Locator, Page } from "playwright-core"
import { beforeEach, expect, it } from "vitest"
import { describeConsole, eventually, scrollsSideways, violations, windows } from "../Harness.ts"
import type { World } from "../World.ts"

const steps: readonly [SequenceStep, ...ReadonlyArray<SequenceStep>] = [
  {
    name: "reminder",
    kind: "send",
    channel: "email",
    delay: { amount: 2, unit: "days" },
    window: [{ days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], from: "09:00", to: "17:00" }],
    subject: "Your quote",
    body: "Hello {{ contact.first_name }}, do you have questions? {{ contact.company }}"
  },
  { name: "call", kind: "task", delay: { amount: 1, unit: "hours" }, title: "Call about the quote" }
]

/** A step that the server runs at once. */
const atOnce: SequenceStep = {
  name: "greet",
  kind: "task",
  delay: { amount: 0, unit: "minutes" },
  title: "Greet the contact"
}

interface Scene {
  readonly sequence: Sequence
  readonly contact: Contact
}

let scenes = 0

/** Creates a sequence and a contact that no other test uses. */
const newScene = async ({ client, tenantId }: World, first: ReadonlyArray<SequenceStep> = []): Promise<Scene> => {
  const number = ++scenes
  const [one = steps[0], ...others] = [...first, ...steps]
  const sequence = await client.sequences.create(tenantId, {
    name: `After quote ${number}`,
    steps: [one, ...others],
    stop_on: ["lead_closed"]
  })
  const contact = await client.contacts.create(tenantId, {
    name: `Jo Scene${number}`,
    email: `jo${number}@customer.example`
  })
  return { sequence, contact }
}

await describeConsole(
  "the sequences",
  async () => undefined,
  ({ signedIn, signedInWith, world }) => {
    let scene: Scene
    beforeEach(async () => {
      scene = await newScene(world())
    })

    const enrol = ({ contact, sequence }: Scene = scene): Promise<Enrolment> =>
      world().client.sequences.enrol(world().tenantId, sequence.id, { contact_id: contact.id })

    const read = ({ id }: Enrolment): Promise<Enrolment> => world().client.enrolments.get(world().tenantId, id)

    const enrolmentsOf = async ({ contact }: Scene = scene): Promise<ReadonlyArray<Enrolment>> =>
      (await world().client.enrolments.list(world().tenantId, { contactId: contact.id })).enrolments

    const openEnrolments = async (page: Page, { contact, sequence }: Scene = scene): Promise<Locator> => {
      await page.goto(`${world().url}/sequences/${sequence.id}?tab=enrolments`)
      const row = page.getByRole("row").filter({ hasText: contact.name ?? "" })
      await row.waitFor()
      return row
    }

    const chooseContact = async (page: Page, name: string): Promise<void> => {
      await page.getByRole("dialog", { name: "Choose a contact" }).waitFor()
      await page.keyboard.type(name)
      await page.getByRole("option", { name: new RegExp(name, "u") }).click()
    }

    it("lists the sequences, and shows steps, limits and conditions of one", async () => {
      const page = await signedIn()
      await page.getByRole("link", { name: "Sequences" }).click()
      await page.getByRole("link", { name: scene.sequence.name, exact: true }).click()
      await page.getByRole("heading", { name: scene.sequence.name, level: 1 }).waitFor()
      const shown = page.getByRole("region", { name: "Steps in order" }).getByRole("listitem")
      expect((await shown.nth(0).innerText()).split(/\n+/u)).toEqual([
        "reminder: Send an email. 2 days after the enrolment.",
        "Only mon, tue, wed, thu, fri, sat, sun 09:00–17:00, in the time zone of the contact.",
        "Your quote",
        "Hello {{ contact.first_name }}, do you have questions? {{ contact.company }}"
      ])
      await shown.nth(1).getByText("call: Create a task. 1 hour after the previous step.").waitFor()
      await page.getByRole("region", { name: "Stops early" }).getByText("The lead is won, lost or archived").waitFor()
      // An agent may not read the configuration.
      expect(await page.getByText("Messages per contact and day").count()).toBe(0)
    })

    it("shows managers the daily limit of messages", async () => {
      const page = await signedInWith(world().adminKey)
      await page.goto(`${world().url}/sequences/${scene.sequence.id}`)
      await page.getByText("1. All sequences together.").waitFor()
    })

    it("shows the state, the next step and its time, the version, and who enrolled the contact", async () => {
      const enrolled = await enrol()
      const row = await openEnrolments(await signedIn())
      const cells = row.getByRole("cell")
      expect(await cells.nth(1).innerText()).toBe("Active")
      expect(await cells.nth(2).innerText()).toMatch(/^reminder, /u)
      expect(await cells.nth(2).locator("time").getAttribute("datetime")).toBe(enrolled.next_at)
      expect(await cells.nth(3).innerText()).toBe("1")
      expect(await cells.nth(4).innerText()).toContain(enrolled.enrolled_by)
    })

    it("shows the outcomes so far, and changes of others without a reload", async () => {
      scene = await newScene(world(), [atOnce])
      const enrolled = await enrol()
      const page = await signedIn()
      const row = await openEnrolments(page)
      await row.getByText("1 outcome").click()
      await row.getByText("greet: task created").waitFor()
      await world().client.enrolments.stop(world().tenantId, enrolled.id)
      await row.getByText("Stopped: A person stopped it").waitFor()
      await row.getByRole("link", { name: "Open task" }).click()
      await page.getByRole("heading", { name: "Greet the contact" }).waitFor()
    })

    it("filters the enrolments by state, and keeps the filter in the address", async () => {
      await enrol()
      const page = await signedIn()
      const row = await openEnrolments(page)
      await page.getByRole("combobox", { name: "State" }).selectOption("paused")
      await page.getByText("No enrolment matches this filter.").waitFor()
      await page.reload()
      await page.getByText("No enrolment matches this filter.").waitFor()
      await page.getByRole("combobox", { name: "State" }).selectOption("active")
      await row.waitFor()
      // The row leaves the list of active ones.
      await row.getByRole("button", { name: "Pause" }).click()
      await row.waitFor({ state: "detached" })
    })

    it("pauses and resumes an enrolment at once", async () => {
      const enrolled = await enrol()
      const row = await openEnrolments(await signedIn())
      await row.getByRole("button", { name: `Pause: ${scene.contact.name}` }).click()
      await row.getByRole("cell", { name: "Paused", exact: true }).waitFor()
      expect((await read(enrolled)).state).toBe("paused")
      expect(await row.getByRole("button", { name: "Pause" }).count()).toBe(0)
      await row.getByRole("button", { name: `Resume: ${scene.contact.name}` }).click()
      await row.getByRole("cell", { name: "Active", exact: true }).waitFor()
      expect((await read(enrolled)).state).toBe("active")
    })

    it("skips a step and stops an enrolment after a confirmation only", async () => {
      const enrolled = await enrol()
      const page = await signedIn()
      const row = await openEnrolments(page)
      await row.getByRole("button", { name: "Skip step" }).click()
      await page.getByRole("dialog").getByText("The step “reminder” never runs").waitFor()
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click()
      expect((await read(enrolled)).step).toBe("reminder")
      await row.getByRole("button", { name: "Skip step" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Skip step" }).click()
      await row.getByText(/^call, /u).waitFor()
      expect((await read(enrolled)).step).toBe("call")
      await row.getByRole("button", { name: "Stop" }).click()
      expect((await read(enrolled)).state).toBe("active")
      await page.getByRole("dialog").getByRole("button", { name: "Stop" }).click()
      await row.getByText("Stopped: A person stopped it").waitFor()
      expect(await read(enrolled)).toMatchObject({ state: "stopped", stop_reason: "by_person" })
      expect(await row.getByRole("button").count()).toBe(0)
    })

    it("says why the server refuses a change, and keeps the row", async () => {
      await enrol()
      const page = await signedIn()
      const row = await openEnrolments(page)
      await page.route(/\/pause$/u, (route) =>
        route.fulfill({ status: 409, json: { error: { code: "CONFLICT", message: "The enrolment is completed." } } })
      )
      await row.getByRole("button", { name: "Pause" }).click()
      await page.getByText("Not saved: The enrolment is completed.").waitFor()
      await row.getByRole("cell", { name: "Active", exact: true }).waitFor()
    })

    it("previews the times and texts for a contact, and stores nothing", async () => {
      const page = await signedIn()
      await page.goto(`${world().url}/sequences/${scene.sequence.id}?tab=preview`)
      await page.getByRole("button", { name: "Choose a contact" }).click()
      await chooseContact(page, scene.contact.name ?? "")
      const planned = page.getByRole("list", { name: "What the contact would receive" }).getByRole("listitem")
      await planned.nth(0).getByText("Hello Jo, do you have questions?").waitFor()
      await planned.nth(0).getByText("Without a value: contact.company").waitFor()
      const times = await planned.locator("time").evaluateAll((all) => all.map((one) => one.getAttribute("datetime")))
      expect(times).toHaveLength(2)
      expect(Date.parse(times[1] ?? "") - Date.parse(times[0] ?? "")).toBe(3_600_000)
      expect(await enrolmentsOf()).toEqual([])
    })

    it("enrols a contact from the page of the sequence, after a look at the texts", async () => {
      const page = await signedIn()
      await page.goto(`${world().url}/sequences/${scene.sequence.id}?tab=enrolments`)
      await page.getByText("No enrolments. Nobody is in this sequence.").waitFor()
      await page.getByRole("button", { name: "Enrol a contact" }).click()
      await chooseContact(page, scene.contact.name ?? "")
      const dialog = page.getByRole("dialog", { name: `Enrol ${scene.contact.name}` })
      await dialog.getByText("Hello Jo, do you have questions?").waitFor()
      expect(await enrolmentsOf()).toEqual([])
      const error = { code: "CONFLICT", message: "Not now." }
      await page.route(/\/enrolments$/u, (route) => route.fulfill({ status: 409, json: { error } }), { times: 1 })
      await dialog.getByRole("button", { name: "Enrol" }).click()
      await dialog.getByRole("alert").filter({ hasText: "Not saved: Not now." }).waitFor()
      await dialog.getByRole("button", { name: "Enrol" }).click()
      await dialog.waitFor({ state: "detached" })
      await page
        .getByRole("row")
        .filter({ hasText: scene.contact.name ?? "" })
        .waitFor()
      expect(await enrolmentsOf()).toMatchObject([{ sequence_id: scene.sequence.id, state: "active" }])
    })

    it("enrols a contact from its page, and lists its sequences there", async () => {
      const page = await signedIn()
      await page.goto(`${world().url}/contacts/${scene.contact.id}?tab=sequences`)
      await page.getByText("No enrolments. This contact is in no sequence.").waitFor()
      await page.getByRole("button", { name: "Enrol in a sequence" }).click()
      const dialog = page.getByRole("dialog", { name: `Enrol ${scene.contact.name}` })
      expect(await dialog.getByRole("button", { name: "Enrol" }).isDisabled()).toBe(true)
      await dialog.getByLabel("Sequence").selectOption({ label: scene.sequence.name })
      await dialog.getByText("Hello Jo, do you have questions?").waitFor()
      await dialog.getByRole("button", { name: "Enrol" }).click()
      const row = page.getByRole("row").filter({ hasText: scene.sequence.name })
      await row.getByRole("button", { name: `Pause: ${scene.sequence.name}` }).click()
      await row.getByRole("cell", { name: "Paused", exact: true }).waitFor()
      await row.getByRole("link", { name: scene.sequence.name }).click()
      await page.getByRole("heading", { name: scene.sequence.name, level: 1 }).waitFor()
    })

    it("enrols the contact of a lead with this lead", async () => {
      const { client, tenantId, url } = world()
      const ofContact = { contact_id: scene.contact.id }
      const old = await client.leads.create(tenantId, { ...ofContact, subject: "Old roof" })
      await client.leads.create(tenantId, { ...ofContact, subject: "New roof" })
      const page = await signedIn()
      await page.goto(`${url}/leads/${old.id}`)
      await page.getByRole("button", { name: "Enrol in a sequence" }).click()
      await page.getByRole("dialog").getByLabel("Sequence").selectOption({ label: scene.sequence.name })
      await page.getByRole("dialog").getByRole("button", { name: "Enrol" }).click()
      await page.getByText(`${scene.contact.name} is in the sequence.`).waitFor()
      expect(await enrolmentsOf()).toMatchObject([{ lead_id: old.id }])
    })

    it("keeps the name of a deleted sequence out of the links", async () => {
      await enrol()
      await world().client.sequences.delete(world().tenantId, scene.sequence.id)
      const page = await signedIn()
      await page.goto(`${world().url}/contacts/${scene.contact.id}?tab=sequences`)
      const row = page.getByRole("row").filter({ hasText: "Deleted sequence" })
      await row.waitFor()
      expect(await row.getByRole("link").count()).toBe(0)
    })

    it("hides all changes from a key that only reads", async () => {
      await enrol()
      const { client, tenantId, url } = world()
      const { key } = await client.apiKeys.create(tenantId, { name: "reader", scopes: ["read"] })
      const page = await signedInWith(key)
      const row = await openEnrolments(page)
      expect(await row.getByRole("button").count()).toBe(0)
      expect(await page.getByRole("button", { name: "Enrol a contact" }).count()).toBe(0)
      await page.goto(`${url}/contacts/${scene.contact.id}`)
      await page.getByRole("tab", { name: "Sequences" }).waitFor()
      expect(await page.getByRole("button", { name: "Enrol in a sequence" }).count()).toBe(0)
    })

    it.each(windows)("breaks no rule of WCAG 2.2 AA at %s, and never scrolls sideways", async (_, options) => {
      scene = await newScene(world(), [atOnce])
      const enrolled = await enrol()
      await eventually(async () => (await read(enrolled)).history.length).toBe(1)
      const page = await signedIn(options)
      const check = async (): Promise<void> => {
        expect(await violations(page)).toEqual([])
        expect(await scrollsSideways(page)).toBe(false)
      }
      await page.goto(`${world().url}/sequences`)
      await page.getByRole("table", { name: "Sequences" }).waitFor()
      await check()
      await page.goto(`${world().url}/sequences/${scene.sequence.id}`)
      await page.getByRole("region", { name: "Steps in order" }).waitFor()
      await check()
      const row = await openEnrolments(page)
      await row.getByText("1 outcome").click()
      await check()
      await row.getByRole("button", { name: "Stop" }).click()
      await check()
      await page.goto(`${world().url}/contacts/${scene.contact.id}?tab=sequences`)
      await page.getByRole("button", { name: "Enrol in a sequence" }).click()
      await page.getByRole("dialog").getByLabel("Sequence").selectOption({ label: scene.sequence.name })
      await page.getByRole("dialog").getByText("Hello Jo, do you have questions?").waitFor()
      await check()
    })
  }
)
