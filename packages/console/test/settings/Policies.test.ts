import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { describeConsole, scrollsSideways, violations, type Window, windows } from "../Harness.ts"
import { openSettings } from "./OpenSettings.ts"
import type { World } from "../World.ts"

const addPolicies = async ({ client, tenantId }: World): Promise<void> => {
  await client.guardrails.update(tenantId, {
    upsert: [{ id: "night", kind: "quiet_hours", from: "22:00", to: "06:00", days: ["mon"] }]
  })
}

await describeConsole("guardrails, blocked numbers and presets", addPolicies, ({ emptyPage, world }) => {
  const open = (noun: string, role?: "manager" | "admin", options?: Window): Promise<Page> =>
    openSettings(emptyPage, world(), noun, role, options)
  const guardrail = async (id: string) =>
    (await world().client.config.get(world().tenantId)).config.guardrails?.find((each) => each.id === id)

  it("adds a guardrail with the fields of its kind", async () => {
    const page = await open("Guardrails", "manager")
    await page.getByRole("button", { name: "Add guardrail" }).click()
    const dialog = page.getByRole("dialog", { name: "Add guardrail" })
    await dialog.getByLabel("Name").fill("night")
    await dialog.getByLabel("Phrases").waitFor()
    await dialog.getByLabel("Kind").selectOption("Lowest confidence")
    expect(await dialog.getByLabel("Phrases").count()).toBe(0)
    await dialog.getByLabel("Confidence").fill("0.7")
    await dialog.getByLabel("If it applies").selectOption("No reply is written")
    await dialog.getByRole("button", { name: "Add guardrail" }).click()
    await dialog.getByRole("alert").filter({ hasText: "exists already" }).waitFor()
    await dialog.getByLabel("Name").fill("sure")
    await dialog.getByRole("button", { name: "Add guardrail" }).click()
    await page.getByRole("row", { name: /sure.*Lowest confidence.*0\.7.*No reply.*Enabled/u }).waitFor()
    expect(await guardrail("sure")).toEqual({ id: "sure", kind: "min_confidence", min: 0.7, outcome: "block" })
  })

  it("changes, disables, enables and removes a guardrail", async () => {
    const page = await open("Guardrails", "manager")
    await page.getByRole("button", { name: "Edit: night" }).click()
    await page.getByRole("dialog").getByLabel("Until").fill("07:00")
    await page.getByRole("dialog").getByRole("button", { name: "Edit" }).click()
    await page.getByRole("row", { name: /night.*22:00 – 07:00/u }).waitFor()
    expect(await guardrail("night")).toMatchObject({ to: "07:00", days: ["mon"] })
    for (const [action, state] of [
      ["Disable", "Disabled"],
      ["Enable", "Enabled"]
    ] as const) {
      await page.getByRole("button", { name: `${action}: night` }).click()
      await page.getByRole("dialog").getByRole("button", { name: action }).click()
      await page.getByRole("row", { name: new RegExp(`night.*${state}`, "u") }).waitFor()
    }
    await page.getByRole("button", { name: "Remove: night" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
    await page.getByRole("row", { name: /night/u }).waitFor({ state: "detached" })
    expect(await guardrail("night")).toBeUndefined()
  })

  it("blocks and unblocks a number", async () => {
    const page = await open("Blocked numbers", "manager")
    await page.getByText("No blocked numbers.").waitFor()
    await page.getByRole("button", { name: "Block number" }).click()
    await page.getByRole("dialog").getByLabel("Phone number").fill("+12025550199")
    await page.getByRole("dialog").getByRole("button", { name: "Block number" }).click()
    await page.getByRole("row", { name: /\+12025550199/u }).waitFor()
    await page.getByRole("button", { name: "Unblock: +12025550199" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Unblock" }).click()
    await page.getByText("No blocked numbers.").waitFor()
    expect((await world().client.smsFilters.blocklist(world().tenantId)).blocklist).toEqual([])
  })

  it("applies a preset, and replaces changes of a person only on request", async () => {
    const { client, tenantId } = world()
    const { presets } = await client.config.presets()
    const preset = presets.at(-1) ?? expect.unreachable("The server has no presets.")
    await client.config.update(tenantId, { takeover_hours: 7 })
    const page = await open("Presets", "admin")
    await page.getByRole("button", { name: `Apply: ${preset.title}` }).click()
    const dialog = page.getByRole("dialog", { name: "Apply" })
    await dialog.getByRole("button", { name: "Apply" }).click()
    await dialog.getByRole("alert").waitFor()
    await dialog.getByLabel("If a person has changed").selectOption("Replace it")
    await dialog.getByRole("button", { name: "Apply" }).click()
    await dialog.waitFor({ state: "detached" })
    expect((await client.config.get(tenantId)).config.rules).toEqual(preset.config.rules)
  })

  it("hides the pages from agents, and the presets' buttons from managers", async () => {
    const agent = await open("Users")
    await agent.goto(`${world().url}/settings/guardrails`)
    await agent.getByRole("alert").filter({ hasText: "You may not see this" }).waitFor()
    const manager = await open("Presets", "manager")
    await manager.getByRole("table", { name: "Presets" }).waitFor()
    expect(await manager.getByRole("button", { name: /^Apply/u }).count()).toBe(0)
  })

  it("explains a failed list and reads it again", async () => {
    const page = await open("Presets", "manager")
    await page.route(/\/config\/presets/u, (route) => route.abort())
    await page.reload()
    await page.getByRole("alert").filter({ hasText: "cannot be reached" }).waitFor()
    await page.unroute(/\/config\/presets/u)
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByRole("table", { name: "Presets" }).waitFor()
  })

  it.each(windows)("breaks no rule of WCAG 2.2 AA at %s, and never scrolls sideways", async (_, options) => {
    const page = await open("Presets", "admin", options)
    await page.getByRole("table", { name: "Presets" }).waitFor()
    expect(await violations(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
    await page.getByRole("link", { name: "Guardrails" }).click()
    await page.getByRole("button", { name: "Add guardrail" }).click()
    await page.getByRole("dialog").waitFor()
    expect(await violations(page)).toEqual([])
  })
})
