import { existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { CustomEvent, TenantConfig } from "@leadloom/client"
import { shiftDates, weeksUntil } from "./ShiftDates.ts"

/** A sample email. */
export interface MailArrival {
  readonly kind: "mail"
  readonly file: string
  readonly raw: Buffer
}

/** A sample web form submission or SMS. */
export interface EventArrival {
  readonly kind: "event"
  readonly file: string
  readonly source: string
  readonly idempotencyKey: string
  readonly event: CustomEvent
}

export type SampleArrival = MailArrival | EventArrival

/** Finds the folder of the sample messages. Searches the folder of this file, and then its parent folders. */
const demoFolder = (): string => {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, "demo", "arrivals"))) {
    const parent = dirname(folder)
    if (parent === folder) throw new Error("This installation lacks the sample messages. Install Leadloom again.")
    folder = parent
  }
  return join(folder, "demo")
}

/** The mails of the week before, so that reports have more than one day. No other mail belongs to their threads. */
const earlier = new Set(["05-solar-panels.eml", "06-out-of-office.eml", "08-supplier-newsletter.eml"])

const readArrival = async (folder: string, file: string, weeks: number | null): Promise<SampleArrival> => {
  const raw = await readFile(join(folder, file))
  if (file.endsWith(".eml")) {
    const moved = weeks === null ? raw : shiftDates(raw, earlier.has(file) ? weeks - 1 : weeks)
    return { kind: "mail", file, raw: moved }
  }
  const { source, idempotency_key, event } = JSON.parse(raw.toString("utf8"))
  return { kind: "event", file, source, idempotencyKey: idempotency_key, event }
}

/**
 * Reads the sample messages in order of arrival.
 *
 * @param now - Moves the mails into the two weeks before this time (epoch milliseconds). Without it, their dates stay.
 */
export const readArrivals = async (now?: number): Promise<ReadonlyArray<SampleArrival>> => {
  const weeks = now === undefined ? null : weeksUntil(now)
  const folder = join(demoFolder(), "arrivals")
  const files = await readdir(folder)
  return Promise.all(files.toSorted().map((file) => readArrival(folder, file, weeks)))
}

/** Reads the configuration of the demo tenant. */
export const readDemoConfig = async (): Promise<TenantConfig> =>
  JSON.parse(await readFile(join(demoFolder(), "config.json"), "utf8"))
