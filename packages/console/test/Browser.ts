import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Browser, chromium, type Page } from "playwright-core"

/** Selects an installed browser instead of the one from the npm registry. */
const installed = process.env["LEADLOOM_TEST_BROWSER"]

/**
 * Writes a font configuration for the unpacked fonts. That of the package names `/tmp/fonts`, and without a font the
 * browser crashes at the first text field.
 */
const configureFonts = (folder: string): string => {
  const file = join(folder, "fonts.conf")
  const [fonts, cache] = [join(folder, "fonts"), join(folder, "font-cache")]
  writeFileSync(file, `<?xml version="1.0"?><fontconfig><dir>${fonts}</dir><cachedir>${cache}</cachedir></fontconfig>`)
  return file
}

/**
 * Unpacks the browser of `@sparticuz/chromium` and returns its path with the environment that it needs. The package
 * writes to `process.env`, which this function restores. `AWS_LAMBDA_JS_RUNTIME` makes it unpack libraries that a bare
 * system lacks.
 */
const unpack = async (folder: string) => {
  const before = { ...process.env }
  try {
    Object.assign(process.env, { AWS_LAMBDA_JS_RUNTIME: "nodejs22.x", TMPDIR: folder })
    const { default: sparticuz } = await import("@sparticuz/chromium")
    const executablePath = await sparticuz.executablePath()
    return { executablePath, env: { ...process.env, FONTCONFIG_FILE: configureFonts(folder) } }
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
    Object.assign(process.env, before)
  }
}

/** A started browser, or the reason why there is none. */
export type Started =
  | { readonly browser: Browser; readonly close: () => Promise<void>; readonly remove: () => void }
  | { readonly problem: string }

/** Starts a browser. Its default arguments would disable web security, so it gets none of them. */
export const startBrowser = async (): Promise<Started> => {
  const folder = mkdtempSync(join(tmpdir(), "leadloom-browser-"))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    const { env, executablePath } =
      installed === undefined ? await unpack(folder) : { executablePath: installed, env: { ...process.env } }
    const defined = Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value ? [[name, value]] : [])))
    const browser = await chromium.launch({
      executablePath,
      // The host of the hostile mails is this machine, so that the test could count its requests.
      args: ["--no-sandbox", "--host-resolver-rules=MAP evil.test 127.0.0.1"],
      env: { ...defined, TMPDIR: folder }
    })
    return { browser, close: async () => browser.close().finally(remove), remove }
  } catch (error) {
    remove()
    return { problem: String(error).split("\n", 1)[0] ?? "" }
  }
}

let shared: Promise<Started> | undefined

/**
 * Returns the browser of this worker process, which all test files of the worker share. Unpacking and starting it takes
 * 2.5 s of CPU time. A window of a file is in a context of its own, so it shares no cookies, storage or cache. The
 * browser ends with the worker; after a crash the next file starts another one.
 */
export const sharedBrowser = (): Promise<Started> => {
  shared ??= startBrowser().then((started) => {
    if ("problem" in started) return started
    const { browser, remove } = started
    browser.once("disconnected", () => {
      shared = undefined
    })
    process.once("exit", remove)
    return started
  })
  return shared
}

/** What went wrong in a page. */
export interface Faults {
  /** The policy violations and script errors. */
  readonly list: () => ReadonlyArray<string>
  /** The requests that the server refused or did not answer. Tests cause some of them. */
  readonly requests: () => ReadonlyArray<string>
}

/** Records the faults of a page from its first document on. */
export const recordFaults = async (page: Page): Promise<Faults> => {
  const faults: Array<string> = []
  const requests: Array<string> = []
  await page.exposeFunction("reportViolation", (text: string) => void faults.push(text))
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ blockedURI, effectiveDirective }) =>
      Reflect.get(globalThis, "reportViolation")(`policy: ${effectiveDirective} ${blockedURI}`)
    )
  })
  page.on("pageerror", (error) => faults.push(`script: ${error.message}`))
  page.on("response", (response) => {
    if (response.status() >= 400) requests.push(`${response.status()} ${response.request().method()} ${response.url()}`)
  })
  page.on("requestfailed", (request) =>
    requests.push(`${request.failure()?.errorText} ${request.method()} ${request.url()}`)
  )
  return { list: () => faults, requests: () => requests }
}

/** An address that no test opens. Its answer keeps the process of the console, because it has the same opener policy. */
const empty = "/empty-page-of-the-tests"

/**
 * Removes what a test has left in a page, so that the next test finds an empty one: routes, listeners for requests,
 * other pages, permissions, cookies and storage. The scripts of the console end with their document.
 */
export const emptyPage = async (page: Page, url: string): Promise<void> => {
  const context = page.context()
  page.removeAllListeners("request")
  await page.unrouteAll({ behavior: "ignoreErrors" })
  for (const other of context.pages()) if (other !== page) await other.close()
  await context.setOffline(false)
  await context.clearPermissions()
  const headers = { "content-type": "text/html", "cross-origin-opener-policy": "same-origin" }
  await page.route(`${url}${empty}`, (route) => route.fulfill({ headers, body: "<!doctype html><title>Empty</title>" }))
  await page.goto(`${url}${empty}`)
  await page.evaluate(() => {
    sessionStorage.clear()
    localStorage.clear()
  })
  await page.unrouteAll()
  await context.clearCookies()
}
