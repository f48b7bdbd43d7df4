import type { Locator, Page, Route } from "playwright-core"
import { expect, it } from "vitest"
import { recordFaults } from "./Browser.ts"
import { describeConsole } from "./Harness.ts"

/**
 * The pages with the text of their empty state. Null: a tenant without data has rows too, or the page shows one record,
 * which is not found then.
 */
const pages: ReadonlyArray<readonly [path: string, empty: RegExp | null]> = [
  ["/inbox", /No conversations/u],
  ["/inbox/con_1", null],
  ["/leads", /No leads/u],
  ["/leads/lead_1", null],
  ["/tasks", /No open tasks/u],
  ["/tasks/task_1", null],
  ["/contacts", /No contacts/u],
  ["/contacts/duplicates", /No probable duplicates/u],
  ["/contacts/con_1", null],
  ["/calls", /No calls/u],
  ["/search?q=roof", /Nothing matches “roof”/u],
  ["/decisions", /No message has been processed/u],
  ["/decisions/run_1", null],
  ["/rules", /There are no rules/u],
  ["/sequences", /No sequences/u],
  ["/sequences/seq_1", null],
  ["/reports", /Nothing was counted/u],
  ["/settings/users", /No users/u],
  ["/settings/teams", /No teams/u],
  ["/settings/api-keys", /No API keys/u],
  ["/settings/sessions", /No sessions/u],
  ["/settings/webhooks", /No webhooks/u],
  ["/settings/webhooks/wh_1", null],
  ["/settings/guardrails", /No guardrails/u],
  ["/settings/blocked-numbers", /No blocked numbers/u],
  ["/settings/opt-outs", /No opt-outs/u],
  ["/settings/presets", null],
  ["/settings/canned-replies", /No canned replies/u],
  ["/settings/macros", /No macros/u],
  ["/settings/macros/mac_1", null],
  ["/settings/custom-fields", /No custom fields/u],
  ["/settings/pipelines", null],
  ["/settings/email-account", /No email account/u],
  ["/settings/form", null],
  ["/settings/billing", null],
  ["/settings/audit", null],
  ["/settings/tenants", null],
  ["/settings/phone-numbers", /No phone numbers/u],
  ["/settings/server", null],
  ["/settings/queues", /No jobs are waiting/u],
  ["/settings/providers", null],
  ["/settings/sources", /No sources/u],
  ["/settings/deployment-audit", null]
]

/** The requests without which no page can be shown: the rights of the person, and the event stream. */
const isOfShell = (url: string): boolean => /\/(?:credential|events)(?:[/?]|$)/u.test(url)

const refuse =
  (status: number, code: string, message: string) =>
  (route: Route): Promise<void> =>
    route.fulfill({ status, json: { error: { code, message } } })

/** What the API answers to the requests of a page, and what the page shows then. */
const failures = [
  ["a refusal", refuse(403, "FORBIDDEN", "Not permitted."), /You may not see this/u],
  ["a failure", refuse(500, "INTERNAL", "The server failed."), /The server failed/u]
] as const

/** The tabs that visit pages concurrently, because most of the time is waiting. */
const tabs = 3
/** Only a page without the expected text reaches this limit. */
const waiting = { timeout: 30_000 }

const isVisible = (locator: Locator): Promise<boolean> =>
  locator
    .first()
    .waitFor(waiting)
    .then(
      () => true,
      () => false
    )

await describeConsole(
  "the states of every page",
  async ({ client }) => {
    await client.tenants.create({ tenant_id: "bare", name: "Bare" })
  },
  ({ newPage, world }) => {
    const signIn = async (page: Page): Promise<void> => {
      await page.goto(`${world().url}/sign-in`)
      await page.getByLabel("Tenant").fill("bare")
      await page.getByLabel("API key").fill(world().adminKey)
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.getByRole("navigation", { name: "Main" }).waitFor()
    }

    /** Visits pages, and returns those that fail a check, with their text. */
    const failing = async (
      paths: ReadonlyArray<string>,
      answer: ((route: Route) => unknown) | null,
      check: (page: Page, path: string) => Promise<boolean>
    ): Promise<ReadonlyArray<string>> => {
      const context = (await newPage()).context()
      const left = [...paths]
      const visit = async (): Promise<ReadonlyArray<string>> => {
        const page = await context.newPage()
        const faults = await recordFaults(page)
        const wrong: Array<string> = []
        await signIn(page)
        if (answer !== null)
          await page.route(/\/(?:api\/v1\/|health)/u, (route) =>
            isOfShell(route.request().url()) ? route.continue() : void answer(route)
          )
        for (let path = left.pop(); path !== undefined; path = left.pop()) {
          await page.goto(`${world().url}${path}`)
          if (await check(page, path)) continue
          wrong.push(`${path}: ${(await page.locator("#content").innerText()).replaceAll(/\s+/gu, " ")}`)
        }
        return [...wrong, ...faults.list()]
      }
      return (await Promise.all(Array.from({ length: tabs }, visit))).flat()
    }

    it("are all in the table above", async () => {
      const page = await newPage()
      await signIn(page)
      await page.goto(`${world().url}/settings`)
      await page.getByRole("navigation", { name: "Settings" }).waitFor()
      const links = await page.locator("nav a").evaluateAll((found) => found.map((link) => link.getAttribute("href")))
      const paths = new Set(pages.map(([path]) => path.split("?", 1)[0]))
      expect(links.length).toBeGreaterThan(30)
      // The address of the settings leads to their first page.
      expect(links.filter((link) => link !== "/settings" && !paths.has(link ?? undefined))).toEqual([])
    })

    it.each(failures)("explain %s, and offer to read again", async (_, answer, text) => {
      const wrong = await failing(
        pages.map(([path]) => path),
        answer,
        async (page) =>
          (await isVisible(page.getByRole("alert").filter({ hasText: text }))) &&
          (await isVisible(page.getByRole("button", { name: "Try again" })))
      )
      expect(wrong).toEqual([])
    })

    it("say that they are loading while the API does not answer", async () => {
      const wrong = await failing(
        pages.map(([path]) => path),
        () => undefined,
        (page) => isVisible(page.getByRole("status").filter({ hasText: "Loading" }))
      )
      expect(wrong).toEqual([])
    })

    it("say what is missing in a tenant without data", async () => {
      const texts = new Map(pages)
      const wrong = await failing(
        pages.flatMap(([path, text]) => (text === null ? [] : [path])),
        null,
        (page, path) => isVisible(page.locator("#content").getByText(texts.get(path) ?? /^$/u))
      )
      expect(wrong).toEqual([])
    })
  }
)
