import type { Task, TasksListOptions } from "@leadloom/client"
import type { Route } from "playwright-core"
import { expect, it } from "vitest"
import { describeConsole, eventually, scrollsSideways, violations, windows } from "./Harness.ts"
import type { World } from "./World.ts"

/** The request that creates a task. */
const newTasks = /\/tasks$/u

const taskNamed = async (
  { client, tenantId }: World,
  title: string,
  status: NonNullable<TasksListOptions["status"]> = "open"
): Promise<Task | undefined> => {
  const { tasks } = await client.tasks.list(tenantId, { status })
  return tasks.find((task) => task.title === title)
}

const fill = async ({ client, tenantId }: World): Promise<void> => {
  const yesterday = new Date(Date.now() - 86_400_000).toISOString()
  await client.tasks.create(tenantId, { title: "Call the roofer", type: "callback", due_at: yesterday })
  await client.tasks.create(tenantId, { title: "Read the offer", type: "review", priority: "urgent" })
}

await describeConsole("the tasks", fill, ({ signedIn, world }) => {
  it("shows all tasks first, then mine, overdue ones and urgent ones", async () => {
    const page = await signedIn()
    await page.getByRole("link", { name: "Tasks", exact: true }).click()
    await page.getByRole("link", { name: "Call the roofer" }).waitFor()
    await page.getByRole("combobox", { name: "Owner" }).selectOption("Mine")
    await page.getByText("None of your tasks match these filters.").waitFor()
    await page.getByRole("button", { name: "Clear filters" }).click()
    const rows = page.getByRole("table", { name: "Tasks" }).getByRole("row")
    await rows.filter({ hasText: "Call the roofer" }).filter({ hasText: "overdue" }).waitFor()
    await page.getByRole("button", { name: "Priority" }).click()
    await eventually(() => rows.nth(1).textContent()).toContain("Read the offer")
    await page.getByRole("combobox", { name: "Due" }).selectOption("overdue")
    await rows.filter({ hasText: "Read the offer" }).waitFor({ state: "detached" })
    await rows.filter({ hasText: "Call the roofer" }).waitFor()
  })

  it("puts a new task without a due time behind the others, as the server does", async () => {
    const { client, tenantId, url } = world()
    const page = await signedIn()
    await page.goto(`${url}/tasks`)
    await page.getByRole("link", { name: "Call the roofer" }).waitFor()
    const { id } = await client.tasks.create(tenantId, { title: "Order the tiles", type: "review" })
    await page.getByRole("link", { name: "Order the tiles" }).waitFor()
    const titles = page.getByRole("table", { name: "Tasks" }).getByRole("link")
    const { tasks } = await client.tasks.list(tenantId)
    expect(tasks.at(-1)?.id).toBe(id)
    expect((await titles.allTextContents()).filter((title) => tasks.some((task) => task.title === title))).toEqual(
      tasks.map(({ title }) => title)
    )
    await client.tasks.update(tenantId, id, { status: "done" })
  })

  it("creates a task with a key, asks for the due time of a recurring one, and completes it", async () => {
    const page = await signedIn()
    await page.goto(`${world().url}/tasks`)
    await page.getByRole("link", { name: "Call the roofer" }).waitFor()
    await page.keyboard.press("c")
    const dialog = page.getByRole("dialog", { name: "New task" })
    await dialog.getByLabel("Title").fill("Water the plants")
    await dialog.getByLabel("Repeats").selectOption({ label: "Every week" })
    await dialog.getByRole("button", { name: "Save" }).click()
    await dialog.getByText("A task that repeats needs a due time.").waitFor()
    await dialog.getByLabel("Due").fill("2030-01-07T09:30")
    await dialog.getByLabel("Description").fill("Three litres.")
    await dialog.getByLabel("Title").fill("  ")
    const save = dialog.getByRole("button", { name: "Save" })
    await save.click()
    await dialog.getByRole("alert").filter({ hasText: "Not saved: title: " }).waitFor()
    expect(await dialog.getByLabel("Title").getAttribute("aria-invalid")).toBe("true")
    expect(await dialog.getByLabel("Description").inputValue()).toBe("Three litres.")
    expect(await violations(page)).toEqual([])
    await dialog.getByLabel("Title").fill("Water the plants")
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    await page.route(newTasks, async (route) => {
      await answered
      await route.continue()
    })
    await save.click()
    await eventually(() => save.isDisabled()).toBe(true)
    answer()
    await dialog.waitFor({ state: "detached" })
    const row = page.getByRole("row").filter({ hasText: "Water the plants" })
    await row.getByText("Repeats: Every week").waitFor()
    const created = await taskNamed(world(), "Water the plants")
    expect(created?.assignee_id).toMatch(/^usr_/u)
    await row.getByRole("button", { name: "Complete Water the plants" }).click()
    await page.getByText("Task completed").waitFor()
    expect(await taskNamed(world(), "Water the plants", "done")).toMatchObject({ id: created?.id })
    // The next occurrence appears.
    await row.waitFor()
  })

  it("leaves another dialog open after the answer to a closed one, and says what the server refused", async () => {
    const page = await signedIn()
    await page.goto(`${world().url}/tasks`)
    await page.getByRole("link", { name: "Call the roofer" }).waitFor()
    const dialog = page.getByRole("dialog", { name: "New task" })
    /** Sends a task, and closes its dialog before the server answers. */
    const sendAndClose = async (answer: (route: Route) => Promise<void>): Promise<() => void> => {
      const { promise: answered, resolve } = Promise.withResolvers<void>()
      await page.route(newTasks, (route) => answered.then(() => answer(route)), { times: 1 })
      await dialog.getByRole("button", { name: "Save" }).click()
      await eventually(() => dialog.getByRole("button", { name: "Save" }).isDisabled()).toBe(true)
      await dialog.press("Escape")
      await page.getByRole("button", { name: "Discard", exact: true }).click()
      await dialog.waitFor({ state: "detached" })
      return resolve
    }
    await page.keyboard.press("c")
    await dialog.getByLabel("Title").fill("Sweep the yard")
    const accept = await sendAndClose((route) => route.continue())
    await page.keyboard.press("c")
    await dialog.getByLabel("Title").fill("Rake the leaves")
    accept()
    await page.getByRole("link", { name: "Sweep the yard", includeHidden: true }).waitFor()
    expect(await dialog.getByLabel("Title").inputValue()).toBe("Rake the leaves")
    const error = { code: "CONFLICT", message: "No more tasks." }
    const refuse = await sendAndClose((route) => route.fulfill({ status: 409, json: { error } }))
    refuse()
    await page.getByText("Not saved: No more tasks.").waitFor()
  })

  it("snoozes a task, and restores it when the server refuses", async () => {
    const page = await signedIn()
    await page.goto(`${world().url}/tasks`)
    const row = page.getByRole("row").filter({ hasText: "Read the offer" })
    const tasks = /\/tasks\/\w+$/u
    await row.waitFor()
    await page.route(tasks, (route) =>
      route.fulfill({ status: 403, json: { error: { code: "FORBIDDEN", message: "No." } } })
    )
    await page.getByLabel("Snooze Read the offer").selectOption({ label: "Tomorrow morning" })
    await page.getByText(/^Not saved: /u).waitFor()
    await row.waitFor()
    await page.unroute(tasks)
    await page.getByLabel("Snooze Read the offer").selectOption({ label: "Tomorrow morning" })
    await row.waitFor({ state: "detached" })
    await eventually(() => taskNamed(world(), "Read the offer", "snoozed")).toBeDefined()
  })

  it("reschedules, assigns and comments on a task, and shows changes of others without a reload", async () => {
    const { client, tenantId, url } = world()
    const page = await signedIn()
    const task = (await taskNamed(world(), "Call the roofer")) ?? expect.unreachable("The task is missing.")
    await page.goto(`${url}/tasks/${task.id}`)
    await page.getByLabel("Due").fill("2030-02-01T08:00")
    await page.getByLabel("Owner").selectOption({ label: "Ann Agent" })
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Saved").waitFor()
    const due = await page.evaluate(() => new Date("2030-02-01T08:00").toISOString())
    const saved = await client.tasks.get(tenantId, task.id)
    expect(Date.parse(saved.due_at ?? "")).toBe(Date.parse(due))
    expect(saved.assignee_id).toMatch(/^usr_/u)
    await page.getByRole("textbox", { name: "Comment" }).fill("She is on holiday.")
    await page.getByRole("link", { name: "Calls", exact: true }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Stay on this page" }).click()
    await page.getByRole("button", { name: "Add comment" }).click()
    await page.getByRole("listitem").filter({ hasText: "Ann Agent" }).filter({ hasText: "on holiday" }).waitFor()
    await client.tasks.update(tenantId, task.id, { disposition: "Left a message" })
    await eventually(() => page.getByLabel("Outcome").inputValue()).toBe("Left a message")
  })

  it("names the contact of a task with its number, and saves the outcome with the completion", async () => {
    const { client, tenantId, url } = world()
    const contact = await client.contacts.create(tenantId, { name: "Priya", phone: "+12025550143" })
    const called = { title: "Call Priya", type: "callback", contact_id: contact.id } as const
    const { id } = await client.tasks.create(tenantId, called)
    const page = await signedIn()
    await page.goto(`${url}/tasks/${id}`)
    await page.getByRole("link", { name: "Priya" }).waitFor()
    expect(await page.getByRole("link", { name: "+12025550143" }).getAttribute("href")).toBe("tel:+12025550143")
    await page.getByLabel("Outcome").fill("She books the inspection.")
    const tasks = /\/tasks\/\w+$/u
    const error = { code: "CONFLICT", message: "Not now." }
    await page.route(tasks, (route) => route.fulfill({ status: 409, json: { error } }), { times: 1 })
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Not saved: Not now.").waitFor()
    // The refused outcome is still a change that newer values leave alone.
    await client.tasks.update(tenantId, id, { snooze_until: new Date(Date.now() + 3_600_000).toISOString() })
    await page.getByText(/^Snoozed until/u).waitFor()
    expect(await page.getByLabel("Outcome").inputValue()).toBe("She books the inspection.")
    await page.getByRole("link", { name: "Calls", exact: true }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Stay on this page" }).click()
    await page.getByRole("button", { name: "Complete Call Priya" }).click()
    await page.getByText("Task completed").waitFor()
    expect(await client.tasks.get(tenantId, id)).toMatchObject({
      status: "done",
      disposition: "She books the inspection."
    })
  })

  it("explains an unknown task, and reads a failed list again", async () => {
    const page = await signedIn()
    await page.goto(`${world().url}/tasks/task_00000000000000000000000000`)
    await page.getByRole("alert").filter({ hasText: "does not exist" }).waitFor()
    await page.route(/\/api\/.*\/tasks\?/u, (route) => route.abort())
    await page.goto(`${world().url}/tasks`)
    await page.getByRole("alert").filter({ hasText: "cannot be reached" }).waitFor()
    await page.unroute(/\/api\/.*\/tasks\?/u)
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByRole("link", { name: "Call the roofer" }).waitFor()
  })

  it.each(windows)("breaks no rule of WCAG 2.2 AA at %s, and never scrolls sideways", async (_, options) => {
    const page = await signedIn(options)
    const task = await taskNamed(world(), "Call the roofer")
    for (const path of ["/tasks", `/tasks/${task?.id}`]) {
      await page.goto(`${world().url}${path}`)
      await page.getByRole("button", { name: "Complete Call the roofer" }).waitFor()
      expect(await violations(page)).toEqual([])
      expect(await scrollsSideways(page)).toBe(false)
    }
    await page.goto(`${world().url}/tasks`)
    await page.getByRole("button", { name: "New task" }).click()
    await page.getByRole("dialog", { name: "New task" }).waitFor()
    expect(await violations(page)).toEqual([])
  })
})
