import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { repository } from "@leadloom/testkit/Sources"
import type { BrowserContext, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { buildConsole } from "../../../.scripts/build.ts"
import { type Faults, recordFaults, startBrowser } from "./Browser.ts"
import { hostileMails } from "./HostileMails.ts"
import { startWorld, type World } from "./World.ts"

const started = await startBrowser()
const browser = "browser" in started ? started.browser : null
const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js")

let world: World
let context: BrowserContext
const faults: Array<Faults> = []

const newPage = async (options: { readonly width?: number; readonly dark?: boolean } = {}): Promise<Page> => {
  if (browser === null) throw new Error("There is no browser.")
  context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: 800 },
    colorScheme: options.dark === true ? "dark" : "light"
  })
  const page = await context.newPage()
  faults.push(await recordFaults(page))
  return page
}

/** Signs in with a one-time link. */
const signIn = async (page: Page): Promise<void> => {
  await page.goto(await world.link())
  await page.getByRole("link", { name: /Priya/u }).waitFor()
}

/** Returns the rules of WCAG 2.2 A and AA that the page breaks. */
const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
  // Through the debugger, because the policy of the page permits no other script.
  await page.evaluate(readFileSync(axe, "utf8"))
  return page.evaluate(async () => {
    const found = await Reflect.get(globalThis, "axe").run({
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
    })
    return found.violations.map(({ id, nodes }: { id: string; nodes: ReadonlyArray<{ html: string }> }) => {
      return `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" ")}`
    })
  })
}

beforeAll(async () => {
  if (browser === null) return
  expect(await buildConsole(repository)).toMatchObject({ ok: true })
  world = await startWorld()
  await world.receiveMail("Maria", "<p>How much is a <b>new roof</b>?</p>")
  await world.receiveText("Priya", "+12025550143", "Is the inspection still free?")
})
afterEach(() => context.close())
afterAll(async () => {
  if ("browser" in started) await started.close()
  await world?.close()
})

describe.skipIf(browser === null)(
  `the console in a browser${"problem" in started ? `, which is missing: ${started.problem}` : ""}`,
  () => {
    it("signs in with a link once, and takes the ticket out of the address", async () => {
      const page = await newPage()
      const link = await world.link()
      await page.goto(link)
      await page.getByRole("link", { name: /Maria/u }).waitFor()
      expect(page.url()).toBe(`${world.url}/inbox`)
      await context.close()
      const again = await newPage()
      await again.goto(link)
      await again.getByRole("alert").filter({ hasText: "already used" }).waitFor()
    })

    it("signs in with a pasted key, keeps it for the tab only, and signs out", async () => {
      const page = await newPage()
      await page.goto(`${world.url}/`)
      await page.getByLabel("Tenant").fill(world.tenantId)
      await page.getByLabel("API key").fill(`${world.apiKey}x`)
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.getByRole("alert").filter({ hasText: "does not accept" }).waitFor()
      await page.getByLabel("API key").fill(world.apiKey)
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.getByRole("link", { name: /Priya/u }).waitFor()
      const other = await context.newPage()
      await other.goto(`${world.url}/inbox`)
      await other.getByRole("heading", { name: "Sign in to Leadloom" }).waitFor()
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.getByRole("heading", { name: "Sign in to Leadloom" }).waitFor()
      expect(await page.evaluate(() => sessionStorage.length + localStorage.length + document.cookie.length)).toBe(0)
    })

    it("opens a conversation, keeps a draft on the server, and sends it as an email", async () => {
      const page = await newPage()
      await signIn(page)
      await page.getByRole("link", { name: /Maria/u }).click()
      const reply = page.getByRole("textbox", { name: "Reply" })
      await reply.waitFor()
      await page.keyboard.press("r")
      await page.keyboard.type("From 9,000, after a free inspection.")
      await page.getByText("Draft saved").waitFor()
      await page.reload()
      await expect.poll(() => reply.inputValue()).toBe("From 9,000, after a free inspection.")
      await reply.press("Control+Enter")
      await page.getByRole("listitem").filter({ hasText: "Agent" }).filter({ hasText: "From 9,000" }).waitFor()
      await expect.poll(() => reply.inputValue()).toBe("")
      await expect.poll(() => world.sent().length).toBe(1)
    })

    it("keeps the text of a message that the server refuses, and says why", async () => {
      const page = await newPage()
      await signIn(page)
      await page.getByRole("link", { name: /Priya/u }).click()
      const reply = page.getByRole("textbox", { name: "Reply" })
      await reply.fill("Yes, it is free.")
      await page.getByRole("button", { name: "Send", exact: true }).click()
      // The server has no provider of texts.
      await page.getByText(/^Not sent: /u).waitFor()
      expect(await reply.inputValue()).toBe("Yes, it is free.")
    })

    it("shows a new message within the list without a reload", async () => {
      const page = await newPage()
      await signIn(page)
      await world.receiveText("Lena", "+12025550177", "Can you come on Friday?")
      await page.getByRole("link", { name: /Lena.*Can you come on Friday/u }).waitFor()
    })

    it("works with the keyboard: next unread, assign, snooze, close, palette", async () => {
      await world.receiveText("Omar", "+12025550188", "Please call me back.")
      const page = await newPage()
      await signIn(page)
      await page.getByRole("link", { name: /Omar/u }).waitFor()
      await page.keyboard.press("n")
      await page.getByRole("heading", { level: 1 }).waitFor()
      const contactId = new URL(page.url()).pathname.split("/").at(-1) ?? ""
      const row = () => world.client.inbox.row(world.tenantId, contactId)
      await page.keyboard.press("i")
      await page.getByRole("button", { name: "Unassign" }).waitFor()
      await expect.poll(async () => (await row()).assignee_id).toMatch(/^usr_/u)
      await page.keyboard.press("b")
      await page.getByRole("dialog", { name: "Snooze until" }).waitFor()
      await page.keyboard.press("Enter")
      await expect.poll(async () => (await row()).state).toBe("snoozed")
      await page.keyboard.press("e")
      await expect.poll(async () => (await row()).state).toBe("closed")
      await page.keyboard.press("Control+k")
      await page.getByRole("dialog", { name: "Commands" }).waitFor()
      await page.keyboard.type("sign out")
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { name: "Sign in to Leadloom" }).waitFor()
    })

    it("restores a change that the server refuses, and says why", async () => {
      const page = await newPage()
      await signIn(page)
      await page.getByRole("link", { name: /Maria/u }).click()
      await page.getByRole("button", { name: "Assign to me" }).waitFor()
      const refusal = { error: { code: "FORBIDDEN", message: "No." } }
      await page.route(/\/conversations\/con_\w+$/u, (route) =>
        route.request().method() === "PATCH" ? route.fulfill({ status: 403, json: refusal }) : route.continue()
      )
      await page.getByRole("button", { name: "Assign to me" }).click()
      await page.getByText("Not saved: You may not see this.").waitFor()
      await page.getByRole("button", { name: "Assign to me" }).waitFor()
    })

    it("explains an empty list, a failed list and an unknown conversation", async () => {
      const page = await newPage()
      await signIn(page)
      await page.getByLabel("Tier").selectOption("hot")
      await page.getByText("No conversation matches these filters.").waitFor()
      await page.getByRole("button", { name: "Clear filters" }).click()
      await page.getByRole("link", { name: /Maria/u }).waitFor()
      await page.goto(`${world.url}/inbox/con_00000000000000000000000000`)
      await page.getByRole("alert").filter({ hasText: "does not exist" }).waitFor()
      await page.route(/\/conversations\?/u, (route) => route.abort())
      await page.goto(`${world.url}/inbox?state=open`)
      await page.getByRole("alert").filter({ hasText: "cannot be reached" }).waitFor()
      await page.unroute(/\/conversations\?/u)
      await page.getByRole("button", { name: "Try again" }).click()
      await page.getByRole("link", { name: /Maria/u }).waitFor()
    })

    it.each([
      ["1280 px, light", {}],
      ["1280 px, dark", { dark: true }],
      ["360 px, light", { width: 360 }]
    ])("breaks no rule of WCAG 2.2 AA at %s, and never scrolls sideways", async (_, options) => {
      const page = await newPage(options)
      await signIn(page)
      expect(await violations(page)).toEqual([])
      await page.getByRole("link", { name: /Maria/u }).click()
      await page.getByRole("button", { name: "Send", exact: true }).waitFor()
      expect(await violations(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    })

    it("has no policy violation and no script error in all of these visits", () => {
      expect(faults.length).toBeGreaterThan(8)
      expect(faults.flatMap((recorded) => recorded.list())).toEqual([])
    })
  }
)

describe.skipIf(browser === null)("a hostile mail in the console", () => {
  it.each(Object.keys(hostileMails))(
    "%s runs nothing and fetches nothing, without the server's sanitiser",
    async (name) => {
      const fetched: Array<string> = []
      const trap = createServer((request, response) => {
        fetched.push(request.url ?? "")
        response.end()
      })
      await new Promise<void>((resolve) => trap.listen(0, "127.0.0.1", resolve))
      const html = hostileMails[name]?.(`http://evil.test:${(trap.address() as AddressInfo).port}`) ?? ""
      const page = await newPage()
      await signIn(page)
      await page.route(/\/conversations\/con_\w+\?limit/u, async (route) => {
        const response = await route.fetch()
        const body = await response.json()
        for (const message of body.messages) message.html_body = `<p>the start of the mail</p>${html}`
        await route.fulfill({ response, json: body })
      })
      await page.getByRole("link", { name: /Maria/u }).click()
      const frame = page.frameLocator("iframe").first()
      await frame.getByText("the start of the mail").waitFor({ state: "attached" })
      for (const link of await frame.locator("a[href^=javascript],button").all()) {
        await link.dispatchEvent("click")
      }
      expect(await page.evaluate(() => Reflect.get(globalThis, "pwned"))).toBeUndefined()
      expect(fetched).toEqual([])
      expect(new URL(page.url()).origin).toBe(world.url)
      await new Promise((resolve) => trap.close(resolve))
    }
  )
})
