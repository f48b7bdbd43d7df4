import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { describeConsole, scrollsSideways, violations, type Window, windows } from "../Harness.ts"
import { openSettings, submitDialog } from "./OpenSettings.ts"

const noData = () => Promise.resolve()

// The world has connected the relay of the server.
await describeConsole("the email account", noData, ({ emptyPage, world }) => {
  const open = (role?: "manager", options?: Window): Promise<Page> =>
    openSettings(emptyPage, world(), "Email account", role, options)
  const account = async () => (await world().client.email.listGrants(world().tenantId)).grants[0]

  it("shows the account, and changes its aliases and its signature", async () => {
    const page = await open("manager")
    const section = page.getByRole("region", { name: "Account", exact: true })
    for (const value of ["Relay of this server", "office@acme.example", "Active"]) {
      await section.getByText(value, { exact: true }).waitFor()
    }
    await page.getByRole("button", { name: "Edit aliases" }).click()
    await submitDialog(page, "Edit aliases", { Aliases: "sales@elsewhere.example" })
    await page.getByRole("dialog").getByRole("alert").waitFor()
    await submitDialog(page, "Edit aliases", { Aliases: "sales@acme.example\nhelp@acme.example" })
    await page.getByRole("region", { name: "Aliases" }).getByText("help@acme.example").waitFor()
    await page.getByRole("button", { name: "Edit signature" }).click()
    await submitDialog(page, "Edit signature", { Signature: "Acme Roofing\nDover" })
    await page.getByRole("region", { name: "Signature" }).getByText("Acme Roofing").waitFor()
    expect(await account()).toMatchObject({
      aliases: ["sales@acme.example", "help@acme.example"],
      signature: "Acme Roofing\nDover"
    })
    await page.getByRole("button", { name: "Edit signature" }).click()
    await submitDialog(page, "Edit signature", { Signature: "" })
    await page.getByText("No signature.").waitFor()
  })

  it("names an account whose sign-in has expired", async () => {
    const page = await open("manager")
    const grant = await account()
    await page.route(/\/email\/grants$/u, (route) =>
      route.fulfill({ json: { grants: [{ ...grant, status: "expired" }] } })
    )
    await page.reload()
    await page.getByRole("alert").filter({ hasText: "no longer accepts the sign-in" }).waitFor()
  })

  it("lists several accounts with their states, and changes the selected one", async () => {
    const page = await open("manager")
    const grant = await account()
    const other = { ...grant, grant_id: "grant_other", email: "sales@acme.example", status: "expired" }
    await page.route(/\/email\/grants$/u, (route) => route.fulfill({ json: { grants: [grant, other], limit: 3 } }))
    await page.reload()
    const list = page.getByRole("region", { name: "Accounts", exact: true })
    await list.getByText("Expired.").waitFor()
    await page.getByText("2 of 3 accounts are connected.").waitFor()
    expect(await page.getByRole("button", { name: "Send new email from this account" }).count()).toBe(0)
    await list.getByRole("button", { name: "sales@acme.example" }).click()
    await page.getByRole("alert").filter({ hasText: "no longer accepts the sign-in" }).waitFor()
    expect(await violations(page)).toEqual([])
    const chosen = page.waitForRequest(/\/email\/default-grant$/u)
    await page.getByRole("button", { name: "Send new email from this account" }).click()
    await submitDialog(page, "Send new email from this account", {})
    expect((await chosen).postDataJSON()).toEqual({ grant_id: "grant_other" })
  })

  it("explains a failed request and sends it again", async () => {
    const page = await open("manager")
    await page.route(/\/email\/grants$/u, (route) => route.abort())
    await page.reload()
    await page.getByRole("alert").filter({ hasText: "cannot be reached" }).waitFor()
    await page.unroute(/\/email\/grants$/u)
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByRole("button", { name: "Disconnect" }).waitFor()
  })

  it("hides the account from agents", async () => {
    const page = await openSettings(emptyPage, world(), "Teams")
    expect(await page.getByRole("link", { name: "Email account" }).count()).toBe(0)
    await page.goto(`${world().url}/settings/email-account`)
    await page.getByRole("alert").filter({ hasText: "You may not see this" }).waitFor()
  })

  it.each(windows)("breaks no rule of WCAG 2.2 AA at %s, and never scrolls sideways", async (_, options) => {
    const page = await open("manager", options)
    await page.getByRole("button", { name: "Edit signature" }).waitFor()
    expect(await violations(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
    await page.getByRole("button", { name: "Edit aliases" }).click()
    await page.getByRole("dialog").waitFor()
    expect(await violations(page)).toEqual([])
  })

  // The last test, because no other one has an account after it.
  it("disconnects the account, and connects the relay of the server again", async () => {
    const page = await open("manager")
    await page.getByRole("button", { name: "Disconnect" }).click()
    await submitDialog(page, "Disconnect", {})
    const connect = page.getByRole("region", { name: "Connect an account" })
    await connect.getByText("No email account is connected.").waitFor()
    expect(await account()).toBeUndefined()
    expect(await violations(page)).toEqual([])
    await connect.getByRole("button", { name: "Use the relay of this server" }).click()
    await submitDialog(page, "Use the relay of this server", {
      Address: "hello@acme.example",
      "Name of the sender": "Acme"
    })
    await page.getByRole("region", { name: "Account", exact: true }).getByText("hello@acme.example").waitFor()
    expect(await account()).toMatchObject({ provider: "smtp", email: "hello@acme.example", name: "Acme" })
  })
})
