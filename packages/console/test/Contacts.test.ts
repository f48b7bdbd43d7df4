import { expect, it } from "vitest"
import { describeConsole, eventually, scrollsSideways, violations, windows } from "./Harness.ts"
import { twoConversations, type World } from "./World.ts"

const contactNamed = async (world: World, name: string) => {
  const { contacts } = await world.client.contacts.list(world.tenantId)
  return contacts.find((contact) => contact.name === name) ?? expect.unreachable(`There is no ${name}.`)
}

/** Adds a custom field, a company, and Anton, whose mail names the number of Priya. */
const fill = async (world: World): Promise<void> => {
  const { client, tenantId } = world
  await twoConversations(world)
  await client.fields.create(tenantId, { entity: "contact", key: "roof", label: "Roof type", type: "text" })
  await client.companies.create(tenantId, { name: "Roofs Ltd" })
  await client.contacts.create(tenantId, { name: "Anton", email: "anton@customer.example" })
  const contact = { email: "anton@customer.example", phone: "+12025550143" }
  await client.pipeline.run(tenantId, { message: "This is my number too.", channel: "sms", contact })
}

await describeConsole("the contacts", fill, ({ signedIn, signedInWith, world }) => {
  it("filters and sorts the list, stores the filters as a segment, and deletes it", async () => {
    const page = await signedIn()
    await page.getByRole("link", { name: "Contacts", exact: true }).click()
    const rows = page.getByRole("table", { name: "Contacts" }).getByRole("row")
    await rows.filter({ hasText: "Maria" }).waitFor()
    await page.getByRole("button", { name: "Name" }).click()
    await eventually(() => rows.nth(1).textContent()).toContain("Anton")
    expect(await page.getByRole("columnheader", { name: "Name" }).getAttribute("aria-sort")).toBe("ascending")
    await page.getByLabel("Channel").selectOption("sms")
    await rows.filter({ hasText: "Maria" }).waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Save as segment" }).click()
    await page.getByLabel("Name of the segment").fill("By text")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await eventually(() => new URL(page.url()).search).toMatch(/segment=seg_/u)
    await rows.filter({ hasText: "Priya" }).waitFor()
    await page.getByRole("button", { name: "Delete segment" }).click()
    await page.getByRole("button", { name: "Remove" }).click()
    await rows.filter({ hasText: "Maria" }).waitFor()
    expect((await world().client.segments.list(world().tenantId)).segments).toEqual([])
  })

  it("changes the profile, a custom field and the company", async () => {
    const page = await signedIn()
    const { id } = await contactNamed(world(), "Maria")
    await page.goto(`${world().url}/contacts/${id}`)
    await page.getByLabel("Tags").fill("roof, spring")
    await page.getByLabel("Roof type").fill("Slate")
    await page.getByLabel("Company record").selectOption({ label: "Roofs Ltd" })
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Saved").waitFor()
    const saved = await contactNamed(world(), "Maria")
    expect(saved).toMatchObject({ tags: ["roof", "spring"], custom_fields: { roof: "Slate" } })
    expect(saved.company_id).not.toBeNull()
  })

  it("adds an address, makes it primary, verifies it, and removes it", async () => {
    const page = await signedIn()
    const { id } = await contactNamed(world(), "Maria")
    await page.goto(`${world().url}/contacts/${id}?tab=identities`)
    await page.getByLabel("Address or number").fill("maria@home.example")
    await page.getByRole("button", { name: "Add", exact: true }).click()
    const card = page
      .getByRole("region", { name: "Addresses and numbers" })
      .getByRole("listitem")
      .filter({ hasText: "maria@home.example" })
    await card.getByRole("button", { name: /primary/u }).click()
    await card.getByText("Primary", { exact: true }).waitFor()
    await card.getByRole("button", { name: /as verified/u }).click()
    await card.getByText("Verified", { exact: true }).waitFor()
    expect((await world().client.contacts.get(world().tenantId, id)).email).toBe("maria@home.example")
    await card.getByRole("button", { name: /^Remove/u }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
    await card.waitFor({ state: "detached" })
  })

  it("records an opt-out and lifts it with a proof", async () => {
    const page = await signedIn()
    const { id } = await contactNamed(world(), "Priya")
    await page.goto(`${world().url}/contacts/${id}?tab=identities`)
    const consent = page.getByRole("region", { name: "Consent" })
    await consent.getByRole("button", { name: /Record opt-out/u }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click()
    await consent.getByText("Opted out", { exact: true }).waitFor()
    await consent.getByRole("button", { name: /Lift opt-out/u }).click()
    await page.getByLabel("Proof").fill("She asked for texts again.")
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click()
    await consent.getByText("Opted in", { exact: true }).waitFor()
    await consent.getByText("“She asked for texts again.”").waitFor()
    // A number gets no emails, so it has no links.
    expect(await consent.getByRole("button", { name: /tracked links/u }).count()).toBe(0)
  })

  it("records an objection to tracked links, which leaves the consent to messages", async () => {
    const { client, tenantId, url } = world()
    const page = await signedIn()
    const { id } = await contactNamed(world(), "Maria")
    await page.goto(`${url}/contacts/${id}?tab=identities`)
    const card = page
      .getByRole("region", { name: "Consent" })
      .getByRole("listitem")
      .filter({ hasText: "maria@" })
      .first()
    await card.getByRole("button", { name: /^Record objection to tracked links for maria@/u }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click()
    await card.getByText(/^No tracked links, person/u).waitFor()
    const { consents } = await client.contactConsent.get(tenantId, id)
    expect(consents).toContainEqual(
      expect.objectContaining({ status: "unknown", tracking: expect.objectContaining({ status: "opted_out" }) })
    )
    await card.getByRole("button", { name: /^Permit tracked links/u }).click()
    await page.getByLabel("Proof").fill("She asked for offers.")
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click()
    await card.getByText(/^Tracked links permitted, person/u).waitFor()
  })

  it("shows the timeline, and new messages without a reload", async () => {
    const page = await signedIn()
    const { id } = await contactNamed(world(), "Priya")
    await page.goto(`${world().url}/contacts/${id}`)
    await page.getByRole("tab", { name: "Profile" }).press("ArrowRight")
    const timeline = page.getByRole("tabpanel", { name: "Timeline" })
    await timeline.getByText("Is the inspection still free?").waitFor()
    await world().receiveText("Priya", "+12025550143", "And on Sunday?")
    await timeline.getByText("And on Sunday?").waitFor()
  })

  it("merges probable duplicates and undoes the merge", async () => {
    const page = await signedIn()
    await page.goto(`${world().url}/contacts/duplicates`)
    await page.getByRole("button", { name: /^Merge/u }).click()
    await page.getByText("Contacts merged").waitFor()
    await page.getByText("No probable duplicates.").waitFor()
    const { contacts } = await world().client.contacts.list(world().tenantId)
    const merged = contacts.filter(({ name }) => name === "Anton" || name === "Priya")
    expect(merged).toHaveLength(1)
    await page.goto(`${world().url}/contacts/${merged[0]?.id}?tab=merges`)
    await page.getByRole("button", { name: /^Undo the merge/u }).click()
    await eventually(async () => (await world().client.contacts.list(world().tenantId)).contacts.length).toBe(3)
  })

  it("hides export and erasure from people without the permission", async () => {
    const page = await signedIn()
    const { id } = await contactNamed(world(), "Maria")
    await page.goto(`${world().url}/contacts/${id}`)
    await page.getByRole("button", { name: "Archive" }).waitFor()
    expect(await page.getByRole("button", { name: "Erase" }).count()).toBe(0)
    expect(await page.getByRole("button", { name: "Export" }).count()).toBe(0)
  })

  it("exports a contact, and erases it only after its name is typed", async () => {
    const { client, tenantId, url } = world()
    const { id } = await client.contacts.create(tenantId, { name: "Short Stay" })
    const page = await signedInWith(world().adminKey)
    await page.goto(`${url}/contacts/${id}`)
    const download = page.waitForEvent("download")
    await page.getByRole("button", { name: "Export" }).click()
    expect((await download).suggestedFilename()).toBe("Short Stay.tar")
    await page.getByRole("button", { name: "Erase" }).click()
    const dialog = page.getByRole("dialog", { name: "Erase this contact" })
    expect(await dialog.getByRole("button", { name: "Erase" }).isDisabled()).toBe(true)
    await dialog.getByLabel("Type Short Stay to confirm").fill("Short Stay")
    await dialog.getByRole("button", { name: "Erase" }).click()
    await page.getByText("Contact erased").waitFor()
    await expect(client.contacts.get(tenantId, id)).rejects.toMatchObject({ code: "NOT_FOUND" })
  })

  it("explains an empty list, an unknown contact, a forbidden list and a failed request", async () => {
    const page = await signedIn()
    await page.goto(`${world().url}/contacts?tier=hot`)
    await page.getByText("No contact matches these filters.").waitFor()
    await page.getByRole("button", { name: "Clear filters" }).click()
    await page.getByRole("link", { name: "Maria" }).waitFor()
    await page.goto(`${world().url}/contacts/con_00000000000000000000000000`)
    await page.getByRole("alert").filter({ hasText: "does not exist" }).waitFor()
    const lists = /\/contacts\/enriched/u
    await page.route(lists, (route) =>
      route.fulfill({ status: 403, json: { error: { code: "FORBIDDEN", message: "No." } } })
    )
    await page.goto(`${world().url}/contacts`)
    await page.getByRole("alert").filter({ hasText: "may not see" }).waitFor()
    await page.unroute(lists)
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByRole("link", { name: "Maria" }).waitFor()
  })

  it.each(windows)("breaks no rule of WCAG 2.2 AA at %s, and never scrolls sideways", async (_, options) => {
    const page = await signedIn(options)
    const { id } = await contactNamed(world(), "Priya")
    await page.goto(`${world().url}/contacts`)
    await page.getByRole("link", { name: "Maria" }).waitFor()
    expect(await violations(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
    for (const tab of ["profile", "timeline", "identities", "leads", "merges"]) {
      await page.goto(`${world().url}/contacts/${id}?tab=${tab}`)
      await page.getByRole("tabpanel").getByRole("region").first().waitFor()
      expect(await violations(page)).toEqual([])
      expect(await scrollsSideways(page)).toBe(false)
    }
  })
})
