import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { describeConsole, scrollsSideways, violations, type Window, windows } from "../Harness.ts"
import { openSettings, submitDialog } from "./OpenSettings.ts"

await describeConsole(
  "texts, macros, fields and pipelines",
  () => Promise.resolve(),
  ({ emptyPage, world }) => {
    const open = (noun: string, role?: "manager" | "admin", options?: Window): Promise<Page> =>
      openSettings(emptyPage, world(), noun, role, options)
    const stageNames = async (pipeline: string) =>
      (await world().client.pipelines.list(world().tenantId)).pipelines
        .find(({ name }) => name === pipeline)
        ?.stages.map(({ name }) => name)

    it("adds, changes and removes a canned reply", async () => {
      const page = await open("Canned replies", "manager")
      await page.getByText("No canned replies.").waitFor()
      await page.getByRole("button", { name: "Add canned reply" }).click()
      await submitDialog(page, "Add canned reply", {
        Name: "Price list",
        Text: "Hello {{ contact.first_name",
        "Short form": "price"
      })
      await page.getByRole("dialog").getByRole("alert").filter({ hasText: "body: " }).waitFor()
      expect(await page.getByLabel("Text", { exact: true }).getAttribute("aria-invalid")).toBe("true")
      await page.keyboard.press("Escape")
      const asked = page.getByRole("dialog", { name: "Discard what you have typed?" })
      await asked.getByRole("button", { name: "Continue typing" }).click()
      expect(await page.getByRole("dialog").getByLabel("Name").inputValue()).toBe("Price list")
      await submitDialog(page, "Add canned reply", { Text: "Hello {{ contact.first_name }}" })
      await page.getByRole("row", { name: /Price list.*price/u }).waitFor()
      await page.getByRole("button", { name: "Edit: Price list" }).click()
      await submitDialog(page, "Edit", { "Short form": "", Folder: "Sales" })
      await page.getByRole("row", { name: /Price list.*Sales/u }).waitFor()
      const [reply] = (await world().client.cannedReplies.list(world().tenantId)).canned_replies
      expect(reply).toMatchObject({ body: "Hello {{ contact.first_name }}", folder: "Sales", shortcut: null })
      await page.getByRole("button", { name: "Remove: Price list" }).click()
      await submitDialog(page, "Remove", {})
      await page.getByText("No canned replies.").waitFor()
    })

    it("adds a macro with its steps in order, and renames and removes it", async () => {
      const page = await open("Macros", "manager")
      await page.getByRole("button", { name: "Add macro" }).click()
      await submitDialog(page, "Add macro", { Name: "Win" })
      await page.getByRole("dialog").getByRole("alert").filter({ hasText: "at least one action" }).waitFor()
      await submitDialog(page, "Add macro", { "Add this tag": "won", "Change the lead's state to": "Won" })
      await page.getByRole("row", { name: /Win.*Tag, Lead state/u }).waitFor()
      await page.getByRole("button", { name: "Rename: Win" }).click()
      await submitDialog(page, "Rename", { Name: "Celebrate" })
      await page.getByRole("row", { name: /Celebrate/u }).waitFor()
      const { macros } = await world().client.macros.list(world().tenantId)
      expect(macros.map(({ actions }) => actions)).toEqual([
        [
          { type: "tag", tag: "won" },
          { type: "transition", state: "won" }
        ]
      ])
      await page.getByRole("button", { name: "Remove: Celebrate" }).click()
      await submitDialog(page, "Remove", {})
      await page.getByText("No macros.").waitFor()
    })

    it("adds, changes, moves and removes the steps of a macro", async () => {
      const macro = await world().client.macros.create(world().tenantId, {
        name: "Chase",
        actions: [
          { type: "tag", tag: "chased" },
          { type: "create_task", task_type: "follow_up" }
        ]
      })
      const page = await open("Macros", "manager")
      await page.getByRole("link", { name: "Steps of Chase: Tag, Task" }).click()
      await page.getByRole("heading", { name: "Macro Chase" }).waitFor()
      const save = page.getByRole("button", { name: "Save" })
      expect(await save.isDisabled()).toBe(true)
      await page.getByLabel("Add an action").selectOption("change the state of the lead")
      await page.getByLabel("State", { exact: true }).selectOption("engaged")
      const up = page.getByRole("button", { name: "Move action 3 up: change the state of the lead" })
      await up.focus()
      await page.keyboard.press("Enter")
      await page.keyboard.press("Enter")
      await page.getByRole("button", { name: "Remove the action “create a task”" }).click()
      await page.getByLabel("Tag", { exact: true }).fill("")
      await save.click()
      await page.getByRole("alert").filter({ hasText: "actions" }).waitFor()
      await page.getByLabel("Tag", { exact: true }).fill("called")
      await save.click()
      await page.getByText("Saved").waitFor()
      expect((await world().client.macros.get(world().tenantId, macro.id)).actions).toEqual([
        { type: "transition", state: "engaged" },
        { type: "tag", tag: "called" }
      ])
      const agent = await open("Macros")
      await agent.getByRole("link", { name: "Steps of Chase" }).click()
      await agent.getByText("change the state of the lead to “engaged”").waitFor()
      expect(await agent.getByRole("button", { name: "Save" }).count()).toBe(0)
      await world().client.macros.delete(world().tenantId, macro.id)
    })

    it("adds, changes and removes a custom field with options", async () => {
      const page = await open("Custom fields", "manager")
      await page.getByRole("button", { name: "Add field" }).click()
      expect(await page.getByRole("dialog").getByLabel("Options").count()).toBe(0)
      await submitDialog(page, "Add field", {
        Label: "Roof",
        Key: "roof",
        Records: "Leads",
        Type: "One option",
        Options: "Flat\n\nSteep"
      })
      await page.getByRole("row", { name: /Roof.*Leads.*Flat, Steep/u }).waitFor()
      await page.getByRole("button", { name: "Edit: Roof" }).click()
      await submitDialog(page, "Edit", { Label: "Kind of roof", Required: "Yes", Options: "Flat\nSteep\nGreen" })
      await page.getByRole("row", { name: /Kind of roof.*Green.*Yes/u }).waitFor()
      const { fields } = await world().client.fields.list(world().tenantId)
      expect(fields).toMatchObject([
        { key: "roof", entity: "lead", options: ["Flat", "Steep", "Green"], required: true }
      ])
      await page.getByRole("button", { name: "Remove: Kind of roof" }).click()
      await submitDialog(page, "Remove", {})
      await page.getByText("No custom fields.").waitFor()
    })

    it("adds a pipeline, and adds, renames, moves and removes its stages", async () => {
      const page = await open("Pipelines", "manager")
      await page.getByRole("button", { name: "Add pipeline" }).click()
      await submitDialog(page, "Add pipeline", { Name: "Repairs" })
      const repairs = page.getByRole("row", { name: /Repairs/u })
      await repairs.waitFor()
      const before = (await stageNames("Repairs")) ?? []
      await page.getByRole("button", { name: "Add stage: Repairs" }).click()
      await submitDialog(page, "Add stage", { Name: "Visited", "State of its leads": "Engaged" })
      await repairs.filter({ hasText: "Visited" }).waitFor()
      await page.getByRole("button", { name: "Rename stage: Repairs" }).click()
      await submitDialog(page, "Rename stage", { Stage: "Visited", Name: "Inspected" })
      await repairs.filter({ hasText: "Inspected" }).waitFor()
      await page.getByRole("button", { name: "Move stage: Repairs", exact: true }).click()
      await submitDialog(page, "Move stage", { Stage: "Inspected", "New position": "2" })
      await repairs.filter({ hasText: new RegExp(`${before[0]}, Inspected, ${before[1]}`, "u") }).waitFor()
      expect(await stageNames("Repairs")).toEqual(before.toSpliced(1, 0, "Inspected"))
      await page.getByRole("button", { name: "Remove stage: Repairs" }).click()
      await submitDialog(page, "Remove stage", { Stage: "Inspected" })
      await repairs.filter({ hasNotText: "Inspected" }).waitFor()
      expect(await stageNames("Repairs")).toEqual(before)
      await page.getByRole("button", { name: "Remove: Repairs" }).click()
      await submitDialog(page, "Remove", {})
      await repairs.waitFor({ state: "detached" })
    })

    it("shows agents the lists without the buttons", async () => {
      const page = await open("Pipelines")
      await page.getByRole("table", { name: "Pipelines" }).waitFor()
      expect(await page.getByRole("main").getByRole("button").count()).toBe(0)
    })

    it("explains a failed list and reads it again", async () => {
      const page = await open("Pipelines", "manager")
      await page.route(/\/api\/.*\/pipelines$/u, (route) => route.abort())
      await page.reload()
      await page.getByRole("alert").filter({ hasText: "cannot be reached" }).waitFor()
      await page.unroute(/\/api\/.*\/pipelines$/u)
      await page.getByRole("button", { name: "Try again" }).click()
      await page.getByRole("table", { name: "Pipelines" }).waitFor()
    })

    it.each(windows)("breaks no rule of WCAG 2.2 AA at %s, and never scrolls sideways", async (_, options) => {
      const page = await open("Pipelines", "manager", options)
      await page.getByRole("table", { name: "Pipelines" }).waitFor()
      expect(await violations(page)).toEqual([])
      expect(await scrollsSideways(page)).toBe(false)
      await page.getByRole("link", { name: "Custom fields" }).click()
      await page.getByRole("button", { name: "Add field" }).click()
      await page.getByRole("dialog").waitFor()
      expect(await violations(page)).toEqual([])
      const fields = { name: "Chase", actions: [{ type: "create_task", task_type: "follow_up" }] } as const
      const { id } = await world().client.macros.create(world().tenantId, fields)
      await page.goto(`${world().url}/settings/macros/${id}`)
      await page.getByRole("button", { name: "Save" }).waitFor()
      expect(await violations(page)).toEqual([])
      expect(await scrollsSideways(page)).toBe(false)
    })
  }
)
