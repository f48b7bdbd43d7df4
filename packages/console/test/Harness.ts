import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { repository } from "@leadloom/testkit/Sources"
import type { BrowserContext, Locator, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { buildConsole } from "../../../.scripts/build.ts"
import { emptyPage, type Faults, recordFaults, sharedBrowser, type Started } from "./Browser.ts"
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
  /** Opens a window with a new profile, for tests of sessions, tabs and clocks. */
  readonly newPage: (options?: Window) => Promise<Page>
  /** Returns the window that the tests of the file share, without what the test before has left in it. */
  readonly emptyPage: (options?: Window) => Promise<Page>
  /** Signs in with a one-time link in the shared window. */
  readonly signedIn: (options?: Window) => Promise<Page>
  /** Signs in with a pasted key in the shared window. */
  readonly signedInWith: (key: string, options?: Window) => Promise<Page>
  /** The windows that the tests have opened. */
  readonly windows: () => ReadonlyArray<Faults>
}

const screenOf = ({ dark = false, width = 1280 }: Window) =>
  ({ viewport: { width, height: 800 }, colorScheme: dark ? "dark" : "light" }) as const

/** Closes the windows of a test, which may end while a request is on its way through one of its routes. */
const closeWindows = async (context: BrowserContext | undefined): Promise<void> => {
  for (const page of context?.pages() ?? []) await page.unrouteAll({ behavior: "ignoreErrors" })
  await context?.close()
}

/** The newest failed requests that the description of a window names. */
const describedRequests = 20

/** Returns what a person sees in the window of a failed test, and which requests failed. */
const describeWindow = async (page: Page, faults: Faults | undefined): Promise<string> => {
  const shown = await page.locator("body").innerText({ timeout: 5_000 }).catch(String)
  return [
    page.url(),
    ...(faults?.list() ?? []),
    ...(faults?.requests() ?? []).slice(-describedRequests),
    shown.slice(0, 2_000)
  ].join("\n")
}

/** The windows of the tests of one file: one that they share, and new ones. At most one is open. */
const openWindows = (started: Started, url: () => string) => {
  let context: BrowserContext | undefined
  let shared: Page | undefined
  let isEmpty = false
  const faults: Array<Faults> = []
  const close = async (): Promise<void> => {
    const open = context
    context = undefined
    shared = undefined
    await closeWindows(open)
  }
  const newPage = async (options: Window = {}): Promise<Page> => {
    if ("problem" in started) throw new Error(started.problem)
    await close()
    const { colorScheme, viewport } = screenOf(options)
    context = await started.browser.newContext({ viewport, colorScheme })
    // A busy machine shows a page late.
    context.setDefaultTimeout(maxWaitMillis)
    const page = await context.newPage()
    faults.push(await recordFaults(page))
    return page
  }
  // Until the inbox is shown, a new window takes 0.9 s of CPU time, and an emptied one 0.4 s: no process starts.
  const sharedPage = async (options: Window = {}): Promise<Page> => {
    if (shared === undefined) shared = await newPage(options)
    else if (!isEmpty) await emptyPage(shared, url())
    isEmpty = false
    const { colorScheme, viewport } = screenOf(options)
    await shared.setViewportSize(viewport)
    await shared.emulateMedia({ colorScheme })
    return shared
  }
  const describeOpen = async (): Promise<ReadonlyArray<string>> =>
    Promise.all((context?.pages() ?? []).map((page) => describeWindow(page, faults.at(-1))))
  const endTest = async (hasFailed: boolean): Promise<void> => {
    // A window in an unknown state would also fail the next tests.
    if (shared === undefined || hasFailed) return close()
    await emptyPage(shared, url()).catch(async (cause) => {
      await close()
      throw cause
    })
    isEmpty = true
  }
  return { faults, newPage, sharedPage, describeOpen, endTest, close }
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
    const current = (): World => world ?? expect.unreachable("The server has not started.")
    const { close, describeOpen, endTest, faults, newPage, sharedPage } = openWindows(started, () => current().url)
    beforeAll(async () => {
      expect(await buildConsole(repository)).toMatchObject({ ok: true })
      world = await startWorld(env, program)
      await fill(world)
    })
    afterEach(async ({ task }) => {
      const hasFailed = task.result?.state === "fail"
      const described = hasFailed ? await describeOpen() : []
      await endTest(hasFailed)
      // The report of the test then also contains what the window has shown.
      if (hasFailed) throw new Error(`The window of the failed test:\n${described.join("\n\n")}`)
    })
    afterAll(async () => {
      await close()
      await world?.close()
    })
    define({
      world: current,
      newPage,
      emptyPage: sharedPage,
      windows: () => faults,
      signedInWith: async (key, options) => signInWith(await sharedPage(options), current(), key),
      signedIn: async (options) => {
        const page = await sharedPage(options)
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

interface Refused {
  /** The path of the request. */
  readonly path: RegExp
  /** The name of the field that the server names. */
  readonly field: string
  /** The text of the button that sends the form. */
  readonly button: string
}

/** Sends a form that the server refuses. Its values stay, with the reason at the field and at the end. Then sends it again. */
export const sendTwice = async (form: Locator, { button, field, path }: Refused): Promise<void> => {
  const page = form.page()
  const control = form.locator(`[name=${field}]`)
  const send = form.getByRole("button", { name: button, exact: true })
  const value = await control.inputValue()
  const details = [{ path: field, message: "Not this one." }]
  await page.route(path, (route, request) =>
    request.method() === "GET"
      ? route.fallback()
      : route.fulfill({ status: 400, json: { error: { code: "BAD_REQUEST", message: "It is invalid.", details } } })
  )
  await send.click()
  await form
    .getByRole("alert")
    .filter({ hasText: `Not saved: ${field}: Not this one.` })
    .waitFor()
  expect(await control.inputValue()).toBe(value)
  expect(await control.getAttribute("aria-invalid")).toBe("true")
  await form.getByText("Not this one.", { exact: true }).waitFor()
  await page.unroute(path)
  await send.click()
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
