import type { Page } from "playwright-core"
import type { Console, Window } from "../Harness.ts"
import type { World } from "../World.ts"

/** Opens a page of the settings, signed in with a role; without one, as an agent. */
export const openSettings = async (
  openPage: Console["newPage"],
  world: World,
  noun: string,
  role?: "manager" | "admin",
  options?: Window
): Promise<Page> => {
  const page = await openPage(options)
  await page.goto(await world.link(role))
  await page.getByRole("link", { name: "Settings" }).click()
  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: noun }).click()
  await page.getByRole("heading", { name: noun, level: 1 }).waitFor()
  return page
}

/** Fills in an open dialog by label, and sends it with the button of the same name. */
export const submitDialog = async (
  page: Page,
  title: string,
  values: Readonly<Record<string, string>>
): Promise<void> => {
  const dialog = page.getByRole("dialog", { name: title })
  await dialog.waitFor()
  for (const [label, value] of Object.entries(values)) {
    const control = dialog.getByLabel(label, { exact: true })
    const isSelect = (await control.evaluate((element) => element.tagName)) === "SELECT"
    await (isSelect ? control.selectOption(value) : control.fill(value))
  }
  await dialog.getByRole("button", { name: title }).click()
}
