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

/** What became of one arrival. */
export interface Outcome {
  readonly arrival: SampleArrival
  /** For mail: what the server said. */
  readonly result: ImportResult | null
  /** For what went through the pipeline. */
  readonly run: PipelineRun | null
  readonly contact: Contact | null
  /** For mail: the message as it is stored, quoted history and signature apart. */
  readonly message: Message | null
  /** An event that was known already. */
  readonly isCopy: boolean
}

/** How long the pipeline may take for one arrival before the story goes on without it. */
const timeoutMillis = 10_000
const pollEveryMs = 40

/** Asks until there is an answer; null when the time runs out first. */
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
  if (result === undefined) throw new Error(`The server says nothing about ${arrival.file}.`)
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

/** Sends the sample traffic, one after the other as life would, and reports what became of each. */
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
