import { setTimeout as pause } from "node:timers/promises"
import type { Leadloom, TenantConfig } from "@leadloom/client"
import type { Receiver } from "../src/day/Receiver.ts"
import type { DemoKeys } from "../src/demo/DemoKeys.ts"
import { demoTenant } from "../src/demo/Setup.ts"
import type { Recorder } from "./ExampleRecorder.ts"

/** The demo that the examples come from. Each section of the scenario adds the objects that later sections need. */
export interface Demo {
  readonly adminKey: string
  readonly call: Recorder["call"]
  readonly client: Leadloom
  readonly receiver: Receiver
  readonly keys: DemoKeys
  /** The API key of the tenant. */
  readonly key: string
  readonly settings: TenantConfig
  /** The id of the connected email account. */
  readonly grant: string
  /** The path parameters of the subscription, and of two contacts. */
  readonly webhook: Readonly<Record<string, string>>
  readonly contact: Readonly<Record<string, string>> & { readonly contact_id: string }
  readonly other: Readonly<Record<string, string>> & { readonly contact_id: string }
  /** The conversations after the sample messages. */
  readonly pages: ReadonlyArray<Record<string, unknown>>
}

export const tenant = { tenant_id: demoTenant }

/** Returns a text of a response. Throws for another value. */
export const text = (value: unknown): string => {
  if (typeof value !== "string") throw new Error(`Expected a text instead of ${JSON.stringify(value)}`)
  return value
}

/** Returns the rows of a list in a response. */
export const rows = (value: unknown): ReadonlyArray<Record<string, unknown>> => (Array.isArray(value) ? value : [])

/** Repeats a call until its result fits. */
export const until = async <A>(read: () => Promise<A>, fits: (value: A) => boolean): Promise<A> => {
  for (let tries = 0; tries < 150; tries++) {
    const value = await read()
    if (fits(value)) return value
    await pause(100)
  }
  throw new Error("The demo did not reach the expected state.")
}
