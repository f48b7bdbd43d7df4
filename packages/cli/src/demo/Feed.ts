import { setTimeout as pause } from "node:timers/promises"
import {
  type Contact,
  type ImportResult,
  type Leadloom,
  LeadloomError,
  type Message,
  type PipelineRun
} from "@leadloom/client"
import type { EventArrival, MailArrival, SampleArrival } from "./Arrivals.ts"
import type { DemoKeys } from "./DemoKeys.ts"
import { demoTenant } from "./Setup.ts"

/** The outcome of one sample message. */
export interface Outcome {
  readonly arrival: SampleArrival
  /** The server's result for an email; null for other channels. */
  readonly result: ImportResult | null
  /** The pipeline run; null for a message that the pipeline skipped or has not finished. */
  readonly run: PipelineRun | null
  readonly contact: Contact | null
  /** The stored email without quoted history and signature; null for other channels. */
  readonly message: Message | null
  /** Whether the event is a duplicate. */
  readonly isCopy: boolean
}

/** The maximum wait for the run of one message. After this time, the outcome is printed without the run. */
const timeoutMillis = 10_000
const pollEveryMs = 40

/** Repeats a request until it returns a value. Returns null at the timeout. */
const poll = async <A>(request: () => Promise<A | null>): Promise<A | null> => {
  const deadline = performance.now() + timeoutMillis
  for (;;) {
    const answer = await request()
    if (answer !== null || performance.now() > deadline) return answer
    await pause(pollEveryMs)
  }
}

const absent = (error: unknown): null => {
  if (error instanceof LeadloomError && error.code === "NOT_FOUND") return null
  throw error
}

const messageOf = async (client: Leadloom, { contact_id, message_id }: ImportResult): Promise<Message | null> => {
  if (contact_id === null) return null
  const { messages } = await client.conversations.get(demoTenant, contact_id)
  return messages.find((message) => message.id === message_id) ?? null
}

const feedMail = async (client: Leadloom, arrival: MailArrival): Promise<Outcome> => {
  const mails = [{ name: arrival.file, raw: arrival.raw.toString("base64") }]
  const [result] = (await client.import.email(demoTenant, { historical: false, mails })).results
  if (result === undefined) throw new Error(`The server returned no result for ${arrival.file}.`)
  const isCopy = result.outcome === "duplicate_of"
  const { contact_id: contactId, signal_id: signalId } = result
  const hasRun = signalId !== null && !isCopy
  return {
    arrival,
    result,
    run: hasRun ? await poll(() => client.pipeline.getRun(demoTenant, signalId).catch(absent)) : null,
    contact: contactId === null ? null : await client.contacts.get(demoTenant, contactId),
    message: await messageOf(client, result),
    isCopy
  }
}

const feedEvent = async (
  client: Leadloom,
  keys: DemoKeys,
  arrival: EventArrival,
  seen: Set<string>
): Promise<Outcome> => {
  const credential = keys.sourceKeys[arrival.source]
  const { idempotencyKey, source, event } = arrival
  const sent = await client.events.send(demoTenant, source, event, { idempotencyKey, credential })
  const eventId = "event_id" in sent ? sent.event_id : null
  const isCopy = eventId !== null && seen.has(eventId)
  if (eventId !== null) seen.add(eventId)
  const run = eventId === null ? null : await poll(() => client.pipeline.getRun(demoTenant, eventId).catch(absent))
  return {
    arrival,
    result: null,
    run,
    contact: run === null ? null : await client.contacts.get(demoTenant, run.contact_id),
    message: null,
    isCopy
  }
}

/** Sends the sample messages in sequence and yields the outcome of each. */
export async function* feed(
  client: Leadloom,
  keys: DemoKeys,
  arrivals: ReadonlyArray<SampleArrival>
): AsyncGenerator<Outcome> {
  const seen = new Set<string>()
  for (const arrival of arrivals) {
    yield arrival.kind === "mail" ? await feedMail(client, arrival) : await feedEvent(client, keys, arrival, seen)
  }
}
