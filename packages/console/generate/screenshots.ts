/**
 * Writes the screenshots of `docs/console.md` from a started server with demo data:
 *
 *   node --conditions=leadloom:source packages/console/generate/screenshots.ts <sign-in link> <admin key>
 *
 * `npm start` prints the link on the line that begins with `Console`. The admin key is that of `LEADLOOM_ADMIN_KEY`. Not part of `npm run generate`, because the times
 * on the pages differ in each run.
 */
import { mkdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { repository } from "@leadloom/testkit/Sources"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { startBrowser } from "../test/Browser.ts"

const folder = join(repository, "docs", "images", "console")
/** The maximum size of one image in bytes. Larger ones would make each clone of the repository slow. */
const maxImageBytes = 70_000

interface Window {
  readonly name: string
  readonly viewport: { readonly width: number; readonly height: number }
  readonly colorScheme: "light" | "dark"
  /** Below one, an image has fewer pixels than its window. */
  readonly deviceScaleFactor: number
}

const wide = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 0.5 }
const windows: ReadonlyArray<Window> = [
  { name: "light", colorScheme: "light", ...wide },
  { name: "dark", colorScheme: "dark", ...wide },
  { name: "phone", colorScheme: "light", viewport: { width: 360, height: 740 }, deviceScaleFactor: 0.6 }
]

/** The pages by the name of their image. */
const paths: Readonly<Record<string, string>> = {
  inbox: "/inbox",
  leads: "/leads",
  board: "/leads?view=board",
  tasks: "/tasks",
  contacts: "/contacts",
  duplicates: "/contacts/duplicates",
  calls: "/calls",
  search: "/search?q=roof",
  decisions: "/decisions",
  rules: "/rules",
  reports: "/reports",
  users: "/settings/users",
  guardrails: "/settings/guardrails",
  form: "/settings/form",
  billing: "/settings/billing",
  sequences: "/sequences",
  "email-account": "/settings/email-account",
  "link-tracking": "/settings/link-tracking",
  webhooks: "/settings/webhooks",
  "canned-replies": "/settings/canned-replies",
  presets: "/settings/presets",
  audit: "/settings/audit",
  teams: "/settings/teams",
  "api-keys": "/settings/api-keys",
  sessions: "/settings/sessions",
  "blocked-numbers": "/settings/blocked-numbers",
  "opt-outs": "/settings/opt-outs",
  macros: "/settings/macros",
  "custom-fields": "/settings/custom-fields",
  pipelines: "/settings/pipelines"
}

/** The pages of the operator. */
const operatorPaths: Readonly<Record<string, string>> = {
  tenants: "/settings/tenants",
  server: "/settings/server",
  queues: "/settings/queues",
  providers: "/settings/providers",
  "phone-numbers": "/settings/phone-numbers",
  sources: "/settings/sources",
  "deployment-audit": "/settings/deployment-audit"
}

/** Pages of one thing: the page that lists the things, and what leads from it to one. */
const details: Readonly<Record<string, readonly [list: string, link: string]>> = {
  conversation: ["/inbox", "li a[href*='/inbox/']"],
  lead: ["/leads", "main td a[href*='/leads/']"],
  task: ["/tasks", "main td a[href*='/tasks/']"],
  contact: ["/contacts", "main td a[href*='/contacts/']"],
  decision: ["/decisions", "main td a[href*='/decisions/']"]
}

/** Opens a page and waits until its requests have ended. The event stream never ends, so `networkidle` cannot. */
const open = async (page: Page, url: string): Promise<void> => {
  await page.goto(url)
  // A phone shows the list of the inbox instead of its main part.
  await page.locator("main:visible, section:visible").first().waitFor()
  await page.getByText("Loading…").first().waitFor({ state: "detached" })
}

const save = async (page: Page, name: string): Promise<void> => {
  const path = join(folder, `${name}.png`)
  await page.screenshot({ path, animations: "disabled" })
  const { size } = statSync(path)
  if (size > maxImageBytes) throw new Error(`${path} has ${size} bytes, and may have ${maxImageBytes}.`)
}

/** Copies the session of the signed-in tab, because a link works once. */
const openWindow = async (
  browser: Browser,
  window: Window,
  session: Record<string, string>
): Promise<BrowserContext> => {
  const { colorScheme, deviceScaleFactor, viewport } = window
  const context = await browser.newContext({ colorScheme, deviceScaleFactor, viewport })
  await context.addInitScript((stored) => {
    for (const [key, value] of Object.entries(stored)) sessionStorage.setItem(key, value)
  }, session)
  return context
}

const shootPaths = async (
  page: Page,
  origin: string,
  shown: Readonly<Record<string, string>>,
  suffix: string
): Promise<void> => {
  for (const [name, path] of Object.entries(shown)) {
    await open(page, `${origin}${path}`)
    await page.waitForLoadState("load")
    await save(page, `${name}-${suffix}`)
  }
}

const shootAll = async (context: BrowserContext, origin: string, suffix: string): Promise<void> => {
  const page = await context.newPage()
  await shootPaths(page, origin, paths, suffix)
  for (const [name, [list, link]] of Object.entries(details)) {
    await open(page, `${origin}${list}`)
    await page.locator(link).first().click()
    await page.getByRole("heading").first().waitFor()
    await page.getByText("Loading…").first().waitFor({ state: "detached" })
    await save(page, `${name}-${suffix}`)
  }
}

const sessionOf = (page: Page): Promise<Record<string, string>> => page.evaluate(() => ({ ...sessionStorage }))

/** Signs the operator in with the admin key. */
const operatorSession = async (page: Page, origin: string, adminKey: string): Promise<Record<string, string>> => {
  await page.goto(`${origin}/sign-in`)
  await page.getByLabel("API key").fill(adminKey)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("navigation", { name: "Main" }).waitFor()
  return sessionOf(page)
}

const main = async (link: string, adminKey: string): Promise<void> => {
  const started = await startBrowser()
  if ("problem" in started) throw new Error(started.problem)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  try {
    const first = await started.browser.newPage()
    await first.goto(link)
    await first.getByRole("navigation", { name: "Main" }).waitFor()
    const session = await sessionOf(first)
    await first.close()
    const { origin } = new URL(link)
    const second = await started.browser.newPage()
    const operator = await operatorSession(second, origin, adminKey)
    await second.close()
    for (const window of windows) {
      const context = await openWindow(started.browser, window, session)
      await shootAll(context, origin, window.name)
      await context.close()
      const operatorContext = await openWindow(started.browser, window, operator)
      await shootPaths(await operatorContext.newPage(), origin, operatorPaths, window.name)
      await operatorContext.close()
    }
  } finally {
    await started.close()
  }
}

const [link, adminKey] = process.argv.slice(2)
if (link === undefined || adminKey === undefined) throw new Error("The sign-in link or the admin key is missing.")
await main(link, adminKey)
