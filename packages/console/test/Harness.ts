import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { repository } from "@leadloom/testkit/Sources"
import type { BrowserContext, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { buildConsole } from "../../../.scripts/build.ts"
import { type Faults, recordFaults, sharedBrowser } from "./Browser.ts"
import { startWorld, type World } from "./World.ts"

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js")

/** The longest wait for an element or a value. Only a missing one exceeds it. */
const maxWaitMillis = 120_000

/** The window of a test. The default is a light window of 1280 × 800 pixels. */
export interface Window {
  readonly width?: number
  readonly dark?: boolean
}

/** The windows in which every page follows WCAG 2.2 AA. */
export const windows: ReadonlyArray<readonly [string, Window]> = [
  ["1280 px, light", {}],
  ["1280 px, dark", { dark: true }],
  ["360 px, light", { width: 360 }]
]

/** What the tests of one file share: a server, and a window per test in the browser of the worker. */
export interface Console {
  readonly world: () => World
  readonly newPage: (options?: Window) => Promise<Page>
  /** Opens a window and signs in with a one-time link. */
  readonly signedIn: (options?: Window) => Promise<Page>
  /** Opens a window and signs in with a pasted key. */
  readonly signedInWith: (key: string, options?: Window) => Promise<Page>
  /** The windows that the tests have opened. */
  readonly windows: () => ReadonlyArray<Faults>
}

/** Closes the windows of a test, which may end while a request is on its way through one of its routes. */
const closeWindows = async (context: BrowserContext | undefined): Promise<void> => {
  for (const page of context?.pages() ?? []) await page.unrouteAll({ behavior: "ignoreErrors" })
  await context?.close()
}

/**
 * Defines tests of the console in a browser. They are skipped, with the reason in the title, if there is no browser. The
 * last test checks that no window had a policy violation or a script error.
 *
 * @param fill - Gives the server the data of the tests.
 * @param env - Further settings of the server.
 */
export const describeConsole = async (
  title: string,
  fill: (world: World) => Promise<void>,
  define: (console: Console) => void,
  env: Readonly<Record<string, string>> = {},
  program: string | null = null
): Promise<void> => {
  const started = await sharedBrowser()
  const reason = "problem" in started ? `, which is missing: ${started.problem}` : ""
  describe.skipIf(reason !== "")(`${title} in a browser${reason}`, () => {
    let world: World | undefined
    let context: BrowserContext | undefined
    const faults: Array<Faults> = []
    const current = (): World => world ?? expect.unreachable("The server has not started.")
    const newPage = async ({ dark = false, width = 1280 }: Window = {}): Promise<Page> => {
      if ("problem" in started) throw new Error(started.problem)
      await closeWindows(context)
      context = await started.browser.newContext({
        viewport: { width, height: 800 },
        colorScheme: dark ? "dark" : "light"
      })
      // A busy machine shows a page late.
      context.setDefaultTimeout(maxWaitMillis)
      const page = await context.newPage()
      faults.push(await recordFaults(page))
      return page
    }
    beforeAll(async () => {
      expect(await buildConsole(repository)).toMatchObject({ ok: true })
      world = await startWorld(env, program)
      await fill(world)
    })
    afterEach(() => closeWindows(context))
    afterAll(async () => {
      await world?.close()
    })
    define({
      world: current,
      newPage,
      windows: () => faults,
      signedInWith: async (key, options) => signInWith(await newPage(options), current(), key),
      signedIn: async (options) => {
        const page = await newPage(options)
        await page.goto(await current().link())
        await page.getByRole("navigation", { name: "Main" }).waitFor()
        return page
      }
    })
    it("has no policy violation and no script error in all of these windows", () => {
      expect(faults.length).toBeGreaterThan(0)
      expect(faults.flatMap((recorded) => recorded.list())).toEqual([])
    })
  })
}

/** Signs in with a pasted key. */
const signInWith = async (page: Page, { tenantId, url }: World, key: string): Promise<Page> => {
  await page.goto(`${url}/sign-in`)
  await page.getByLabel("Tenant").fill(tenantId)
  await page.getByLabel("API key").fill(key)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("navigation", { name: "Main" }).waitFor()
  return page
}

/** Opens the palette of commands, and waits until its field has the focus and takes keys. */
export const openPalette = async (page: Page): Promise<void> => {
  await page.keyboard.press("Control+k")
  await page.getByRole("dialog", { name: "Commands" }).locator("input:focus").waitFor()
}

/** Returns the rules of WCAG 2.2 A and AA that the page breaks. */
export const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
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

/** Waits for a value that a busy machine may show late. */
export const eventually = <Value>(read: () => Value | Promise<Value>) => expect.poll(read, { timeout: maxWaitMillis })

/** Returns whether the page is wider than its window. */
export const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
