/**
 * The web console with many conversations, in a browser: the first load, scrolling, opening and moving, typing, and the
 * time from the `250` of a mail over SMTP to its row on the screen. Milliseconds. The server, the browser and this process
 * share the machine.
 */
import { loadavg } from "node:os"
import { setTimeout as sleep } from "node:timers/promises"
import { repository } from "@leadloom/testkit/Sources"
import { type Bench, numberAt, progress } from "@leadloom/testkit/bench/Bench"
import { short } from "@leadloom/testkit/bench/Median"
import type { Browser, Page } from "playwright-core"
import { buildConsole } from "../../../.scripts/build.ts"
import { openSender } from "../../server/bench/mail/SmtpSender.ts"
import { startBrowser } from "../test/Browser.ts"
import { type FilledServer, mailOf, office, startFilled } from "./FilledServer.ts"
import * as Measurements from "./Measurements.ts"

/** The time between two keys of a person. */
const pauseMillis = 150

const viewport = { width: 1280, height: 800 }

/** Signs in once and returns a function that opens windows without a cache in the same session. */
const signIn = async (browser: Browser, server: FilledServer) => {
  const first = await browser.newPage({ viewport })
  await first.goto(await server.link())
  await first.getByRole("navigation", { name: "Main" }).waitFor()
  const session = await first.evaluate(() => ({ ...sessionStorage }))
  await first.close()
  return async (): Promise<Page> => {
    const context = await browser.newContext({ viewport })
    await context.addInitScript((stored) => {
      for (const [key, value] of Object.entries(stored)) sessionStorage.setItem(key, value)
    }, session)
    const page = await context.newPage()
    await Measurements.record(page)
    return page
  }
}

const measureLoads = async (open: () => Promise<Page>, url: string, times: number) => {
  const loads = []
  for (let time = 0; time < times; time++) {
    const page = await open()
    loads.push(await Measurements.load(page, url))
    await page.context().close()
  }
  return loads
}

const pressAll = async (page: Page, key: string, times: number, changesHeading = false) => {
  const pressed = []
  for (let time = 0; time < times; time++) {
    pressed.push(await Measurements.press(page, key, changesHeading))
    await sleep(pauseMillis)
  }
  return pressed
}

/** Presses the keys of frequent actions while all rows are read. */
const measureKeys = async (page: Page, times: number) => {
  await page.locator("section li a[href*='/inbox/con_']").first().click()
  await page.locator("article h1").waitFor()
  const next = await pressAll(page, "j", times, true)
  const previous = await pressAll(page, "k", times, true)
  const select = await pressAll(page, "x", times * 2)
  const close = await pressAll(page, "e", Math.ceil(times / 2), true)
  await page.keyboard.press("r")
  await page.locator("textarea:focus").waitFor()
  const type = await pressAll(page, "a", times)
  const painted = {
    "j, next": next,
    "k, previous": previous,
    "x, select": select,
    "e, close": close,
    "a, typed": type
  }
  const row = (interaction: string, millis: ReadonlyArray<number>) => ({ interaction, ...Measurements.spread(millis) })
  return [
    ...Object.entries(painted).map(([name, all]) =>
      row(
        `${name}: until the next frame`,
        all.map(({ painted }) => painted)
      )
    ),
    row(
      "j and k: until the conversation is shown",
      [...next, ...previous].map(({ changed }) => changed)
    ),
    row(
      "e: until the next conversation is shown",
      close.map(({ changed }) => changed)
    )
  ]
}

/** Sends mails over SMTP, half of them from known contacts, and returns the milliseconds from `250` to the screen. */
const measureMails = async (page: Page, { smtpPort }: FilledServer, mails: number) => {
  const sender = await openSender(smtpPort)
  const known: Array<number> = []
  const unknown: Array<number> = []
  for (let mail = 0; mail < mails; mail++) {
    const [from, millis] = mail % 2 === 0 ? [`contact${mail}`, known] : [`stranger${mail}`, unknown]
    const raw = mailOf(from, `live-${mail} Please call me about the roof.`, Date.now())
    const { code, text } = await sender.send(`${from}@customer.example`, office, raw)
    const accepted = Date.now()
    if (code !== 250) throw new Error(`mail ${mail}: ${text}`)
    millis.push((await Measurements.appearedAt(page, `live-${mail}`)) - accepted)
  }
  sender.close()
  return [
    { sender: "known contact", ...Measurements.spread(known) },
    { sender: "new contact", ...Measurements.spread(unknown) }
  ]
}

const measure = async (browser: Browser, server: FilledServer, conversations: number, times: number) => {
  const open = await signIn(browser, server)
  const loads = await measureLoads(open, server.url, Math.max(2, Math.ceil(times / 4)))
  const page = await open()
  await Measurements.load(page, server.url)
  const readSeconds = await Measurements.readAll(page, conversations)
  progress(`${conversations} rows are read`)
  const frames = await Measurements.scroll(page, times * 10)
  const mails = await measureMails(page, server, times * 2)
  const keys = await measureKeys(page, times)
  const rows = await page.locator("section li").count()
  return { loads, readSeconds, frames, keys, mails, rowsInDocument: rows }
}

const run = async (conversations: number, times: number) => {
  const built = await buildConsole(repository)
  if (!built.ok) throw new Error("the console could not be built")
  const started = await startBrowser()
  if ("problem" in started) throw new Error(started.problem)
  const server = await startFilled(conversations)
  try {
    progress(`${conversations} conversations are stored`)
    const found = await measure(started.browser, server, conversations, times)
    const bytes = Math.max(...found.loads.map((one) => one.bytes))
    return {
      figures: {
        conversations,
        "load average": loadavg().map(short),
        "first load, kB with gzip": short(bytes / 1_000),
        "first load, until the first row": Measurements.spread(found.loads.map(({ firstRowMillis }) => firstRowMillis)),
        "seconds until all rows are read": short(found.readSeconds),
        "scroll, 500 pixels a frame": Measurements.spread(found.frames),
        "rows in the document": found.rowsInDocument,
        interactions: found.keys,
        "from 250 to the screen": found.mails
      },
      checks: {
        "the first load has at most 200 kB": bytes > 0 && bytes <= 200_000,
        "only the visible rows are in the document": found.rowsInDocument > 0 && found.rowsInDocument < 60
      }
    }
  } finally {
    await server.stop()
    await started.close()
  }
}

const hasBrowser = process.env["LEADLOOM_TEST_BROWSER"] !== undefined || process.platform === "linux"

export const bench: Bench = {
  name: "console",
  purpose: "The web console with many conversations in a browser: load, scrolling, keys, and mail to the screen.",
  usage: "[conversations] [times]",
  sizes: { smallest: [60, 2], small: [1_000, 10], full: [10_000, 40] },
  missing: () => (hasBrowser ? null : "a browser, which LEADLOOM_TEST_BROWSER names"),
  run: (args) => run(numberAt(args, 0), numberAt(args, 1))
}
