import type { Sequence, SequenceStep } from "@leadloom/client"
import type { Page } from "playwright-core"
import { beforeEach, expect, it } from "vitest"
import { describeConsole, scrollsSideways, violations, type Window, windows } from "../Harness.ts"

const hello: SequenceStep = {
  name: "hello",
  kind: "send",
  channel: "email",
  delay: { amount: 2, unit: "days" },
  subject: "Your quote",
  body: "Hello {{ contact.first_name }}"
}
const call: SequenceStep = { name: "call", kind: "task", delay: { amount: 1, unit: "days" }, title: "Call" }

await describeConsole(
  "the editor of sequences",
  async () => undefined,
  ({ signedIn, signedInWith, world }) => {
    let sequence: Sequence
    let number = 0

    const current = (): Promise<Sequence> => world().client.sequences.get(world().tenantId, sequence.id)

    // Every test has its own sequence.
    beforeEach(async () => {
      const body = { name: `After quote ${++number}`, steps: [hello, call] as const }
      sequence = await world().client.sequences.create(world().tenantId, body)
    })

    /** Opens the editor with the key of the operator, because a one-time link has the rights of an agent. */
    const openEditor = async (options?: Window): Promise<Page> => {
      const page = await signedInWith(world().adminKey, options)
      await page.goto(`${world().url}/sequences/${sequence.id}?tab=edit`)
      await page.getByRole("group", { name: "Step 1: hello" }).waitFor()
      return page
    }

    const save = async (page: Page, version: number): Promise<void> => {
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await page.getByText(`Saved. The sequence has version ${version}.`).waitFor()
    }

    it("creates a sequence with a form", async () => {
      const page = await signedInWith(world().adminKey)
      await page.goto(`${world().url}/sequences`)
      await page.getByRole("link", { name: "New sequence" }).click()
      await page.getByLabel("Name of the sequence").fill("After a visit")
      await page.getByLabel("The lead is won, lost or archived").check()
      const first = page.getByRole("group", { name: /^Step 1: /u })
      await first.getByLabel("Name", { exact: true }).fill("thanks")
      await first.getByLabel("Action").selectOption({ label: "Send" })
      await first.getByLabel("Delay").fill("3")
      await first.getByLabel("Unit").selectOption({ label: "Hours" })
      await first.getByLabel("Subject").fill("Thank you")
      await first.getByLabel("Text").fill("It was good to meet you.")
      await first.getByLabel("Only at certain hours").check()
      await first.getByLabel("Friday").uncheck()
      await first.getByLabel("Until").fill("16:30")
      await page.getByRole("button", { name: "Add a step" }).click()
      const second = page.getByRole("group", { name: /^Step 2: /u })
      await second.getByLabel("Title of the task").fill("Call them")
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await page.getByText("Sequence created.").waitFor()
      await page.getByRole("heading", { name: "After a visit", level: 1 }).waitFor()
      const { sequences } = await world().client.sequences.list(world().tenantId)
      expect(sequences.find(({ name }) => name === "After a visit")).toMatchObject({
        stop_on: ["lead_closed"],
        steps: [
          {
            name: "thanks",
            kind: "send",
            channel: "email",
            delay: { amount: 3, unit: "hours" },
            window: [{ days: ["mon", "tue", "wed", "thu"], from: "09:00", to: "16:30" }],
            subject: "Thank you",
            body: "It was good to meet you."
          },
          { name: "step-2", kind: "task", delay: { amount: 1, unit: "days" }, title: "Call them" }
        ]
      })
    })

    it("edits texts, the other channel, the end of a wait, the limits and the holdout group", async () => {
      const { client, tenantId } = world()
      await client.fields.create(tenantId, { key: "visit_on", label: "Visit", type: "date" })
      const page = await openEditor()
      const first = page.getByRole("group", { name: "Step 1: hello" })
      await first.getByRole("button", { name: "Test another text" }).click()
      await first.getByLabel("Weight of the first one").fill("3")
      const variant = first.getByRole("group", { name: /^Variant /u })
      await variant.getByLabel("Name in the results").fill("short")
      await variant.getByLabel("Subject").fill("Hi")
      await variant.getByLabel("Text").fill("Hi!")
      await first.getByLabel("Use SMS if the contact cannot be reached by Email").check()
      await first.getByRole("group", { name: "Instead by SMS" }).getByLabel("Text").fill("Hello by text")
      const second = page.getByRole("group", { name: "Step 2: call" })
      await second.getByLabel("Action").selectOption({ label: "Wait" })
      await second.getByLabel("End of the wait").selectOption({ label: "At a time of day after the delay" })
      await second.getByLabel("Time", { exact: true }).fill("25:00")
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await page.getByRole("alert").filter({ hasText: "steps.1.until" }).waitFor()
      await second.getByLabel("End of the wait").selectOption({ label: "At a date of the contact" })
      await second.getByLabel("Date field").selectOption({ label: "Visit" })
      await second.getByLabel("Days from the date").fill("-1")
      await second.getByLabel("If the date is missing or has passed").selectOption({ label: "Continue at once" })
      const limits = page.getByRole("group", { name: "Limits" })
      await limits.getByLabel("Contacts without messages, in percent").fill("10")
      await limits.getByLabel("Pause at spam reports, in percent").fill("")
      await limits.getByLabel("Pause at opt-outs, in percent").fill("2.5")
      await limits.getByLabel("From this number of messages").fill("20")
      await save(page, 2)
      const saved = await current()
      expect(saved).toMatchObject({
        holdout_percent: 10,
        limits: { bounce_percent: 5, complaint_percent: null, opt_out_percent: 2.5, min_messages: 20 }
      })
      const fallback = [{ channel: "sms", body: "Hello by text" }]
      const variants = [{ name: "short", subject: "Hi", body: "Hi!" }]
      const until = { field: "visit_on", days: -1, otherwise: "continue" }
      expect(saved.steps).toEqual([
        { ...hello, weight: 3, variants, fallback },
        { name: "call", kind: "wait", delay: call.delay, until }
      ])
      await first.getByLabel("Channel").selectOption({ label: "SMS" })
      await first.getByRole("group", { name: "Instead by Email" }).getByLabel("Subject").fill("Your quote")
      await save(page, 3)
      const { subject: _, ...text } = hello
      const others = {
        variants: [{ name: "short", body: "Hi!" }],
        fallback: [{ channel: "email", subject: "Your quote" }]
      }
      expect((await current()).steps[0]).toEqual({ ...text, channel: "sms", weight: 3, ...others })
      await first.getByRole("button", { name: "Remove the variant short" }).click()
      await first.getByLabel(/Use Email if/u).uncheck()
      await save(page, 4)
      expect((await current()).steps[0]).toEqual({ ...text, channel: "sms" })
    })

    it("changes, adds, reorders by keyboard and removes steps, as a new version", async () => {
      const page = await openEditor()
      await page.getByRole("group", { name: "Step 1: hello" }).getByLabel("Text").fill("Hello again")
      await page.getByRole("button", { name: "Add a step" }).click()
      await page.getByRole("button", { name: "Remove step 2: call" }).click()
      await page.getByRole("button", { name: "Move step 1 down: hello" }).focus()
      await page.keyboard.press("Enter")
      const moved = page.getByRole("button", { name: "Move step 2 down: hello" })
      expect(await moved.evaluate((button) => button === document.activeElement)).toBe(true)
      expect(await current()).toEqual(sequence)
      await save(page, 2)
      expect((await current()).steps).toMatchObject([{ name: "step-3" }, { name: "hello", body: "Hello again" }])
      expect(await page.getByText("You have unsaved changes.").count()).toBe(0)
    })

    it("keeps running enrolments in their version, unless the person moves them", async () => {
      const { client, tenantId } = world()
      const contact = await client.contacts.create(tenantId, { name: "Jo", email: `jo${number}@customer.example` })
      const { id } = await client.sequences.enrol(tenantId, sequence.id, { contact_id: contact.id })
      const page = await openEditor()
      const title = page.getByRole("group", { name: "Step 2: call" }).getByLabel("Title of the task")
      await title.fill("Call now")
      await save(page, 2)
      await title.fill("Call soon")
      await page.getByLabel("Running enrolments change to the new version").check()
      await save(page, 3)
      await title.fill("Call later")
      await page.getByLabel("Running enrolments change to the new version").waitFor()
      await save(page, 4)
      // Skipping plans the next step.
      expect((await client.enrolments.skip(tenantId, id)).version).toBe(3)
    })

    it("validates the JSON of a sequence, and shows what the server rejects", async () => {
      const page = await openEditor()
      await page.getByRole("tab", { name: "JSON" }).click()
      const json = page.getByLabel("Sequence as JSON")
      const former = await json.inputValue()
      for (const invalid of ["{", "[]", former.replace('"amount"', '"number"'), former.replace('"task"', '"tasks"')]) {
        await json.fill(invalid)
        await page.getByRole("alert").filter({ hasText: "This is not a valid sequence" }).waitFor()
        expect(await page.getByRole("button", { name: "Use this JSON" }).isDisabled()).toBe(true)
      }
      await json.fill(former.replace('"call"', '"hello"'))
      await page.getByRole("button", { name: "Use this JSON" }).click()
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await page.getByRole("alert").filter({ hasText: "steps.1.name" }).waitFor()
      expect(await current()).toEqual(sequence)
      await page.getByRole("button", { name: "Discard the changes" }).click()
      await page.getByText("You have unsaved changes.").waitFor({ state: "detached" })
    })

    it("keeps the edit after a concurrent change, and saves it on the newer version", async () => {
      const { client, tenantId } = world()
      const page = await openEditor()
      await page.getByLabel("The lead moves to another stage").check()
      await client.sequences.update(tenantId, sequence.id, { name: "Renamed", steps: [hello] })
      await page.getByRole("button", { name: "Save", exact: true }).click()
      const notice = page.getByRole("alert").filter({ hasText: "Another person has saved version 2" })
      await notice.getByText("Removed:").first().waitFor()
      expect(await page.getByLabel("The lead moves to another stage").isChecked()).toBe(true)
      expect((await current()).stop_on).toEqual([])
      await notice.getByRole("button", { name: "Continue with my changes" }).click()
      await save(page, 3)
      // The changes of the other person stay.
      expect(await current()).toMatchObject({ name: "Renamed", steps: [hello], stop_on: ["stage_changed"] })
    })

    it("discards the edit for the version of another person", async () => {
      const page = await openEditor()
      await page.getByLabel("The lead moves to another stage").check()
      await world().client.sequences.update(world().tenantId, sequence.id, { steps: [hello] })
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await page.getByRole("button", { name: "Discard mine and load the new version" }).click()
      await page.getByRole("group", { name: "Step 2: call" }).waitFor({ state: "detached" })
      expect(await page.getByText("You have unsaved changes.").count()).toBe(0)
      await page.getByText("Version 2").waitFor()
    })

    it("deletes a sequence after a confirmation only", async () => {
      const page = await openEditor()
      const row = page.getByRole("row").filter({ hasText: sequence.name })
      await page.getByRole("button", { name: "Delete sequence" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click()
      expect(await current()).toEqual(sequence)
      await page.getByRole("button", { name: "Delete sequence" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Delete sequence" }).click()
      await page.getByText("Sequence deleted").waitFor()
      await page.getByRole("heading", { name: "Sequences", level: 1 }).waitFor()
      expect(await row.count()).toBe(0)
      await expect(current()).rejects.toMatchObject({ code: "NOT_FOUND" })
    })

    it("hides the editor from agents", async () => {
      const page = await signedIn()
      await page.goto(`${world().url}/sequences`)
      await page.getByRole("link", { name: sequence.name, exact: true }).waitFor()
      expect(await page.getByRole("link", { name: "New sequence" }).count()).toBe(0)
      await page.goto(`${world().url}/sequences/${sequence.id}?tab=edit`)
      await page.getByRole("region", { name: "Steps in order" }).waitFor()
      expect(await page.getByRole("tab", { name: "Edit" }).count()).toBe(0)
      expect(await page.getByRole("button", { name: "Delete sequence" }).count()).toBe(0)
      await page.goto(`${world().url}/sequences/new`)
      await page.getByRole("alert").filter({ hasText: "You may not see this" }).waitFor()
    })

    it.each(windows)("breaks no rule of WCAG 2.2 AA at %s, and never scrolls sideways", async (_, options) => {
      const page = await openEditor(options)
      const check = async (): Promise<void> => {
        expect(await violations(page)).toEqual([])
        expect(await scrollsSideways(page)).toBe(false)
      }
      const first = page.getByRole("group", { name: "Step 1: hello" })
      await first.getByLabel("Only at certain hours").check()
      await first.getByRole("button", { name: "Test another text" }).click()
      await first.getByLabel("Use SMS if the contact cannot be reached by Email").check()
      await check()
      await world().client.sequences.update(world().tenantId, sequence.id, { steps: [call] })
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await page.getByRole("alert").filter({ hasText: "Another person has saved" }).waitFor()
      await page.getByRole("tab", { name: "JSON" }).click()
      await page.getByLabel("Sequence as JSON").waitFor()
      await check()
    })
  }
)
