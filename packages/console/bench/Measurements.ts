/** The measurements in the browser: what a person waits for, from the input to the painted result. */
import type { Page } from "playwright-core"
import { quantile, short } from "@leadloom/testkit/bench/Median"

/** A distribution of milliseconds. */
export const spread = (millis: ReadonlyArray<number>) => ({
  times: millis.length,
  p50: short(quantile(millis, 0.5)),
  p99: short(quantile(millis, 0.99)),
  longest: short(Math.max(0, ...millis))
})

const rowLink = "section li a[href*='/inbox/con_']"
const scroller = "section div:has(> ul)"

/** Records in each document when the first row is painted, and when texts of mails appear in the list. */
export const record = async (page: Page): Promise<void> => {
  await page.addInitScript((link) => {
    const seen = new Map<string, number>()
    let firstRow: number | null = null
    const look = (): void => {
      if (firstRow === null && document.querySelector(link) !== null) {
        firstRow = -1
        requestAnimationFrame(() => setTimeout(() => (firstRow = performance.now())))
      }
      for (const row of document.querySelectorAll(link)) {
        const [text] = /live-\d+/u.exec(row.textContent ?? "") ?? []
        if (text === undefined || seen.has(text)) continue
        seen.set(text, 0)
        requestAnimationFrame(() => setTimeout(() => seen.set(text, Date.now())))
      }
    }
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true })
    Object.assign(globalThis, { seenMails: seen, firstRowAt: () => firstRow })
  }, rowLink)
}

/** The load of the inbox in a window without a cache. Sizes are those on the wire, with gzip. */
export const load = async (page: Page, url: string) => {
  await page.goto(`${url}/inbox`)
  await page.locator(rowLink).first().waitFor()
  await page.waitForFunction(() => Number(Reflect.get(globalThis, "firstRowAt")()) > 0)
  return page.evaluate(() => {
    const entries = performance
      .getEntriesByType("resource")
      .filter((entry): entry is PerformanceResourceTiming => entry instanceof PerformanceResourceTiming)
    const files = entries.filter(({ initiatorType, name }) => initiatorType !== "fetch" && !name.includes("/api/"))
    const [document] = performance.getEntriesByType("navigation")
    const ownBytes = document instanceof PerformanceResourceTiming ? document.encodedBodySize : 0
    return {
      firstRowMillis: Number(Reflect.get(globalThis, "firstRowAt")()),
      bytes: files.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, ownBytes)
    }
  })
}

/** Scrolls until all rows are read. Returns the number of rows and the seconds. */
export const readAll = async (page: Page, rows: number): Promise<number> => {
  const begun = performance.now()
  await page.evaluate(
    async ({ rows, selector }) => {
      const box = document.querySelector(selector)
      if (box === null) throw new Error("the list has no scroller")
      const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))
      for (let height = 0; box.scrollHeight < rows * 84; await frame()) {
        if (box.scrollHeight === height) continue
        height = box.scrollHeight
        box.scrollTop = height
      }
    },
    { rows, selector: scroller }
  )
  return (performance.now() - begun) / 1_000
}

/** Scrolls through the list, 500 pixels a frame, and returns the milliseconds between frames. */
export const scroll = (page: Page, frames: number): Promise<ReadonlyArray<number>> =>
  page.evaluate(
    async ({ frames, selector }) => {
      const box = document.querySelector(selector)
      if (box === null) throw new Error("the list has no scroller")
      box.scrollTop = 0
      const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve))
      const times: Array<number> = []
      for (let last = await frame(), count = 0; count < frames; count++) {
        box.scrollTop += 500
        const now = await frame()
        times.push(now - last)
        last = now
      }
      box.scrollTop = 0
      await frame()
      return times
    },
    { frames, selector: scroller }
  )

/**
 * Presses a key in the page and returns the milliseconds until the next painted frame, and until a text is the heading
 * of the page. `heading` null waits for no heading.
 */
export const press = async (page: Page, key: string, changesHeading: boolean) => {
  await page.evaluate(() => {
    const heading = (): string => document.querySelector("article h1")?.textContent ?? ""
    const before = heading()
    const times = { painted: 0, changed: 0 }
    Object.assign(globalThis, { pressed: times })
    addEventListener(
      "keydown",
      () => {
        const begun = performance.now()
        const painted = (): void =>
          void requestAnimationFrame(() => setTimeout(() => (times.painted ||= performance.now() - begun)))
        painted()
        const watch = (): void => {
          if (heading() === "" || heading() === before) return void requestAnimationFrame(watch)
          setTimeout(() => (times.changed = performance.now() - begun))
        }
        watch()
      },
      { capture: true, once: true }
    )
  })
  await page.keyboard.press(key)
  await page.waitForFunction((isChange) => {
    const { changed, painted } = Reflect.get(globalThis, "pressed")
    return painted > 0 && (changed > 0 || !isChange)
  }, changesHeading)
  return page.evaluate((): { readonly painted: number; readonly changed: number } => Reflect.get(globalThis, "pressed"))
}

/** Returns the times at which mails appeared in the list, in epoch milliseconds. */
export const appearedAt = async (page: Page, text: string): Promise<number> => {
  await page.waitForFunction((wanted) => Number(Reflect.get(globalThis, "seenMails").get(wanted) ?? 0) > 0, text)
  return page.evaluate((wanted) => Number(Reflect.get(globalThis, "seenMails").get(wanted)), text)
}
