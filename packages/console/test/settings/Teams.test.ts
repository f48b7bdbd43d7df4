import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { describeConsole, scrollsSideways, violations, type Window, windows } from "../Harness.ts"
import { openSettings, submitDialog } from "./OpenSettings.ts"
import type { World } from "../World.ts"

/** Adds two people, and a contact who has opted out. */
const addPeople = async ({ client, receiveText, tenantId }: World): Promise<void> => {
  await client.users.create(tenantId, { name: "Bea Brick", email: "bea@acme.example" })
  await client.users.create(tenantId, { name: "Cem Clay", email: "cem@acme.example" })
  await receiveText("Priya", "+12025550143", "Please stop.")
  const { contact } = await client.contacts.resolve(tenantId, { phone: "+12025550143" })
  const [identity] = (await client.contactConsent.get(tenantId, contact.id)).consents
  const record = { identity_id: identity?.identity_id ?? "", status: "opted_out", source: "writing" } as const
  await client.contactConsent.record(tenantId, contact.id, record)
}

await describeConsole("teams and opt-outs", addPeople, ({ emptyPage, world }) => {
  const open = (noun: string, role?: "manager" | "admin", options?: Window): Promise<Page> =>
    openSettings(emptyPage, world(), noun, role, options)
  const consentOf = async (identity: { readonly email: string } | { readonly phone: string }) => {
    const { client, tenantId } = world()
    const { contact } = await client.contacts.resolve(tenantId, identity)
    return (await client.contactConsent.get(tenantId, contact.id)).consents.map(({ records, status }) => [
      status,
      records[0]?.source,
      records[0]?.proof
    ])
  }

  it("adds a team, changes its name and members, and removes it", async () => {
    const page = await open("Teams", "manager")
    await page.getByText("No teams.").waitFor()
    await page.getByRole("button", { name: "Add team" }).click()
    await submitDialog(page, "Add team", { Name: "Roofers" })
    await page.getByRole("row", { name: /Roofers/u }).waitFor()
    await page.getByRole("button", { name: "Edit: Roofers" }).click()
    for (const name of ["Bea Brick", "Cem Clay"]) await page.getByRole("checkbox", { name }).check()
    await submitDialog(page, "Edit", { Name: "Roof team" })
    await page.getByRole("row", { name: /Roof team.*Bea Brick, Cem Clay/u }).waitFor()
    await page.getByRole("button", { name: "Edit: Roof team" }).click()
    expect(await page.getByRole("checkbox", { name: "Cem Clay" }).isChecked()).toBe(true)
    await page.getByRole("checkbox", { name: "Bea Brick" }).uncheck()
    await submitDialog(page, "Edit", {})
    await page.getByRole("row", { name: /Roof team Cem Clay/u }).waitFor()
    const { client, tenantId } = world()
    const names = new Map((await client.users.list(tenantId)).users.map(({ id, name }) => [id, name]))
    const { teams } = await client.teams.list(tenantId)
    expect(teams.map(({ member_ids: ids }) => ids.map((id) => names.get(id)))).toEqual([["Cem Clay"]])
    await page.getByRole("button", { name: "Add team" }).click()
    await submitDialog(page, "Add team", { Name: "Roof team" })
    await page.getByRole("dialog").getByRole("alert").waitFor()
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click()
    await page.getByRole("button", { name: "Remove: Roof team" }).click()
    await submitDialog(page, "Remove", {})
    await page.getByText("No teams.").waitFor()
  })

  it("lists opt-outs, records them for known and new addresses, and lifts them with a proof", async () => {
    const page = await open("Opt-outs", "manager")
    await page.getByRole("row", { name: /\+12025550143 Priya SMS, Voice In writing/u }).waitFor()
    await page.getByRole("button", { name: "Record opt-out" }).click()
    await submitDialog(page, "Record opt-out", { "Address or number": "nobody" })
    await page.getByRole("dialog").getByRole("alert").waitFor()
    await submitDialog(page, "Record opt-out", {
      "Address or number": "Otto@customer.example",
      Declared: "in writing",
      Proof: "No more ads"
    })
    await page.getByRole("row", { name: /otto@customer\.example.*Email In writing/iu }).waitFor()
    expect(await consentOf({ email: "otto@customer.example" })).toEqual([["opted_out", "writing", "No more ads"]])
    await page.getByRole("button", { name: "Lift: +12025550143" }).click()
    await submitDialog(page, "Lift", { Declared: "in a call", Proof: "Asked for texts again" })
    await page.getByRole("row", { name: /12025550143/u }).waitFor({ state: "detached" })
    expect(await consentOf({ phone: "+12025550143" })).toEqual([["opted_in", "call", "Asked for texts again"]])
    await page.getByRole("button", { name: "Record opt-out" }).click()
    await submitDialog(page, "Record opt-out", { "Address or number": "(202) 555-0143" })
    await page.getByRole("row", { name: /12025550143.*To a person/u }).waitFor()
    await page.getByRole("link", { name: "Priya" }).click()
    await page.getByRole("region", { name: "Consent" }).getByText("Opted out", { exact: true }).waitFor()
  })

  it("shows agents the teams without buttons", async () => {
    const page = await open("Teams")
    await page.getByText("No teams.").waitFor()
    expect(await page.getByRole("main").getByRole("button").count()).toBe(0)
  })

  it("explains a failed list of opt-outs and reads it again", async () => {
    const page = await open("Opt-outs", "manager")
    await page.route(/\/consent$/u, (route) => route.abort())
    await page.reload()
    await page.getByRole("alert").filter({ hasText: "cannot be reached" }).waitFor()
    await page.unroute(/\/consent$/u)
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByRole("table", { name: "Opt-outs" }).waitFor()
  })

  it.each(windows)("breaks no rule of WCAG 2.2 AA at %s, and never scrolls sideways", async (_, options) => {
    const { client, tenantId } = world()
    const { id } = await client.teams.create(tenantId, { name: "Roofers" })
    const page = await open("Teams", "manager", options)
    await page.getByRole("button", { name: "Edit: Roofers" }).click()
    await page.getByRole("checkbox", { name: "Cem Clay" }).waitFor()
    expect(await violations(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
    await page.goto(`${world().url}/settings/opt-outs`)
    await page.getByRole("button", { name: "Lift: +12025550143" }).waitFor()
    expect(await violations(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
    await client.teams.remove(tenantId, id)
  })
})
