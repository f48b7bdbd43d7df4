import type { Locator, Page, Route } from "playwright-core"
import { expect, it } from "vitest"
import { recordFaults } from "./Browser.ts"
import { describeConsole } from "./Harness.ts"

/**
 * The pages with the text of their empty state. Null: a tenant without data has rows too, or the page shows one record,
 * which is not found then.
 */
type State = readonly [path: string, empty: RegExp | null]

const pages: ReadonlyArray<State> = [
  ["/inbox", /No open conversations/u],
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
  ["/settings/link-tracking", null],
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

/** The parts of the page of a sequence that send requests of their own. */
const partsOf = (sequenceId: string): ReadonlyArray<State> => [
  [`/sequences/${sequenceId}?tab=results`, /No message was sent yet.*Nobody was enrolled yet/su],
  [`/sequences/${sequenceId}?tab=enrolments`, /No enrolments/u]
]

/** The requests without which no page can be shown: the rights of the person, and the event stream. */
const isOfShell = (url: string): boolean => /\/(?:credential|events)(?:[/?]|$)/u.test(url)

const refuse =
  (status: number, code: string, message: string) =>
  (route: Route): Promise<void> =>
    route.fulfill({ status, json: { error: { code, message } } })

type Answer = (route: Route) => unknown

/** What the API answers to the requests of a page one after the other, and what the page says then. */
const failures: ReadonlyArray<readonly [answer: Answer, text: RegExp]> = [
  [refuse(403, "FORBIDDEN", "Not permitted."), /You may not see this/u],
  [refuse(500, "INTERNAL", "The server failed."), /The server failed/u],
  [(route) => route.abort("internetdisconnected"), /cannot be reached/u]
]

/** The tabs that visit pages concurrently, because most of the time is waiting. */
const tabs = 4
/** Only a page without the expected text reaches this limit. */
const waiting = { timeout: 120_000 }

const isVisible = (locator: Locator): Promise<boolean> =>
  locator
    .first()
    .waitFor(waiting)
    .then(
      () => true,
      () => false
    )

/** Answers the requests of a page with the current answer, except one. While the answer is null, they wait. */
const answerRequests = async (page: Page, except: string | null) => {
  let answer: Answer | null = null
  let held: Array<Route> = []
  await page.route(/\/(?:api\/v1\/|health)/u, (route) => {
    const url = route.request().url()
    if (isOfShell(url) || (except !== null && url.endsWith(except))) return route.continue()
    if (answer === null) return void held.push(route)
    return void answer(route)
  })
  return (next: Answer | null): void => {
    answer = next
    const waiting = held
    held = []
    // A request of a page that is no longer shown has no route.
    if (next !== null) for (const route of waiting) void Promise.resolve(next(route)).catch(() => undefined)
  }
}

await describeConsole(
  "the states of every page",
  async ({ client }) => {
    await client.tenants.create({ tenant_id: "bare", name: "Bare" })
  },
  ({ newPage, world }) => {
    const signIn = async (page: Page, tenant = "bare"): Promise<void> => {
      await page.goto(`${world().url}/sign-in`)
      await page.getByLabel("Tenant").fill(tenant)
      await page.getByLabel("API key").fill(world().adminKey)
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.getByRole("navigation", { name: "Main" }).waitFor()
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

    /** Opens a page whose requests wait, and returns the states that it does not show, with its text. */
    const missingStates = async (page: Page, [path, empty]: State, set: (answer: Answer | null) => void) => {
      const missing: Array<string> = []
      const require = async (state: string, ...locators: ReadonlyArray<Locator>): Promise<void> => {
        const shown = await Promise.all(locators.map(isVisible))
        if (!shown.includes(false)) return
        missing.push(`${path}, ${state}: ${(await page.locator("#content").innerText()).replaceAll(/\s+/gu, " ")}`)
      }
      const retry = page.getByRole("alert").getByRole("button", { name: "Try again" })
      // A page with several parts has a button for each.
      const tryAgain = (): Promise<void> =>
        retry.evaluateAll((buttons) => buttons.forEach((button) => Reflect.get(button, "click").call(button)))
      set(null)
      await page.goto(`${world().url}${path}`)
      await require("slow", page.getByRole("status").filter({ hasText: "Loading" }))
      for (const [answer, text] of failures) {
        set(answer)
        await tryAgain()
        await require(String(text), page.getByRole("alert").filter({ hasText: text }), retry)
      }
      set((route) => route.continue())
      await tryAgain()
      await page
        .getByText("cannot be reached")
        .first()
        .waitFor({ state: "detached", ...waiting })
      await require("recovery", page.locator("#content").filter({ hasText: empty ?? /\S/u }))
      return missing
    }

    it("say that they load, explain a refusal, a failure and an outage, and recover", async () => {
      const context = (await newPage()).context()
      const { client, tenantId } = world()
      const steps = [{ name: "greet", kind: "wait", delay: { amount: 1, unit: "days" } }] as const
      const { id } = await client.sequences.create(tenantId, { name: "Greeting", steps })
      const visit = async (left: Array<State>, tenant?: string, except = ""): Promise<ReadonlyArray<string>> => {
        const page = await context.newPage()
        const faults = await recordFaults(page)
        const missing: Array<string> = []
        await signIn(page, tenant)
        const set = await answerRequests(page, except === "" ? null : except)
        for (let next = left.pop(); next !== undefined; next = left.pop())
          missing.push(...(await missingStates(page, next, set)))
        return [...missing, ...faults.list()]
      }
      const left = [...pages]
      const visits = [
        ...Array.from({ length: tabs }, () => visit(left)),
        visit([...partsOf(id)], tenantId, `/sequences/${id}`)
      ]
      expect((await Promise.all(visits)).flat()).toEqual([])
    })

    it("recover without the person when the server can be reached again", async () => {
      const page = await newPage()
      await signIn(page)
      await page.context().setOffline(true)
      await page.getByRole("link", { name: "Tasks" }).click()
      await page.getByRole("alert").filter({ hasText: "cannot be reached" }).waitFor(waiting)
      await page
        .getByRole("status")
        .filter({ hasText: /connect/iu })
        .waitFor(waiting)
      await page.context().setOffline(false)
      await page.getByText("No open tasks").waitFor(waiting)
    })
  }
)
