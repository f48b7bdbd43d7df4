import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { repository } from "@leadloom/testkit/Sources"
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { buildConsole } from "../../../.scripts/build.ts"
import { spawnLeadloom, watch } from "../../cli/test/ServerProcess.ts"
import { recordFaults, sharedBrowser } from "./Browser.ts"

const started = await sharedBrowser()
const reason = "problem" in started ? `, which is missing: ${started.problem}` : ""

/** Starts the demo as `npm start` does, and opens the printed link in a new window. */
const withDemo = async (work: (page: Page) => Promise<void>): Promise<void> => {
  if ("problem" in started) return
  expect(await buildConsole(repository)).toMatchObject({ ok: true })
  const folder = mkdtempSync(join(tmpdir(), "leadloom-morning-"))
  const child = spawnLeadloom(["serve", "--demo", "--port", "0", "--data-dir", join(folder, "data")])
  const watched = watch(child)
  const context = await started.browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    const [, link = ""] = await watched.says(/^Console (\S+)/mu)
    const page = await context.newPage()
    const faults = await recordFaults(page)
    await page.goto(link)
    await work(page)
    expect(faults.list()).toEqual([])
  } finally {
    await context.close()
    child.kill("SIGINT")
    await watched.ends
    rmSync(folder, { recursive: true, force: true })
  }
}

const open = async (page: Page, name: RegExp): Promise<void> => {
  await page.getByRole("link", { name: "Inbox", exact: true }).click()
  await page.getByRole("list").getByRole("link", { name }).first().click()
  await page.getByRole("heading", { level: 1, name }).waitFor()
}

/** The work of a morning, in the order of the day. Each step uses only names that a person sees or hears. */
const steps: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  "answers the next unread conversation with keys": async (page) => {
    await page.getByRole("region", { name: "Conversations" }).getByRole("link").first().waitFor()
    await page.keyboard.press("n")
    await page.getByRole("heading", { level: 1 }).waitFor()
    await page.getByRole("button", { name: "Send", exact: true }).waitFor()
    await page.keyboard.press("r")
    await page.keyboard.type("We come this afternoon.")
    await page.keyboard.press("Control+Enter")
    await page.getByRole("region", { name: "Notifications" }).getByRole("button", { name: "Undo" }).first().waitFor()
    await page.getByRole("region", { name: "Messages" }).getByText("We come this afternoon.").waitFor()
  },
  "approves the reply of the assistant with a key": async (page) => {
    await open(page, /Mar.a/u)
    const draft = page.getByRole("region", { name: "Reply that waits for approval" })
    const approve = draft.getByRole("button", { name: "Approve" })
    await approve.waitFor()
    // The reply is in view without scrolling.
    await expect.poll(() => approve.evaluate((button) => button.getBoundingClientRect().bottom)).toBeLessThan(600)
    await page.keyboard.press("a")
    await draft.waitFor({ state: "detached" })
    await page.getByRole("region", { name: "Notifications" }).getByRole("button", { name: "Undo" }).last().waitFor()
    expect(await page.getByText(/^Not sent/u).count()).toBe(0)
  },
  "opens the task to call back after the missed call": async (page) => {
    await page.getByRole("link", { name: "Calls", exact: true }).click()
    await page.getByRole("row", { name: /Priya.*Missed/u }).waitFor()
    await page.getByRole("link", { name: "Open callback task of Priya Raman" }).waitFor()
    await page.keyboard.press("t")
    await page.getByRole("heading", { name: /^Call back .*missed call/u }).waitFor()
  },
  "snoozes a conversation until tomorrow with keys": async (page) => {
    await open(page, /James/u)
    await page.keyboard.press("b")
    await page.getByRole("dialog").locator("input:focus").waitFor()
    await page.keyboard.press("Enter")
    await page
      .getByRole("article")
      .getByText(/^Snoozed/u)
      .waitFor()
  },
  "merges two contacts who are one person, and could undo it": async (page) => {
    await page.getByRole("link", { name: "Contacts", exact: true }).click()
    await page.getByRole("link", { name: /duplicates/iu }).click()
    await page
      .getByRole("button", { name: /^Merge/u })
      .first()
      .click()
    await page.getByRole("dialog").getByRole("button", { name: "Merge", exact: true }).click()
    await page.getByText(/^Contacts merged into/u).waitFor()
  },
  "finds out why the newsletter got no answer": async (page) => {
    await open(page, /Slate & Shingle/u)
    await page.getByRole("button", { name: "Send", exact: true }).waitFor()
    await page.keyboard.press("w")
    await page.getByText("Mail from a mailing list is never answered.").first().waitFor()
    await page.getByText("Newsletters are filed").first().waitFor()
  },
  "changes a rule after a back-test": async (page) => {
    await page.getByRole("link", { name: "Rules", exact: true }).click()
    await page.getByRole("button", { name: "Edit Hot leads go to Nina" }).click()
    const editor = page.getByRole("group", { name: "Rule Hot leads go to Nina" })
    await editor.getByLabel("Value").first().selectOption("warm")
    await page.getByRole("tab", { name: "Back-test" }).click()
    await page.getByRole("button", { name: "Start the back-test" }).click()
    await page.getByRole("status").filter({ hasText: "decided again" }).waitFor()
    await page.getByLabel("Why do you change the rules?").fill("Warm leads go to Nina too")
    await page.getByRole("button", { name: "Save as a new version" }).click()
    await page.getByText("Saved as version 3.").waitFor()
  }
}

describe.skipIf(reason !== "")(`a morning with the demo in a browser${reason}`, () => {
  it("can be worked through by someone who has read nothing", async () => {
    await withDemo(async (page) => {
      for (const [name, step] of Object.entries(steps)) {
        const problem = await step(page).then(
          () => null,
          (error: unknown) => String(error)
        )
        expect([name, problem]).toEqual([name, null])
      }
    })
  })
})
