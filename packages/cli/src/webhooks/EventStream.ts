/**
 * `leadloom webhooks listen`: follows the event stream and forwards events to a local receiver. Subscriptions do not belong
 * here; the server delivers to them. Tests: `packages/cli/test/command/Webhooks.test.ts`.
 */
import { eventFields } from "@leadloom/client"

/** An event of the stream. */
export interface StreamedEvent {
  /** The sequence number. */
  readonly id: string
  readonly type: string
  /** The envelope, byte for byte as the server signs and sends it. */
  readonly data: string
}

/** The address and credential of the stream. */
export interface StreamPlace {
  readonly url: string
  readonly credential: string
  readonly tenant: string
  readonly types: string | undefined
}

/** The server rejects the stream permanently. A retry cannot succeed. */
export class StreamRefused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Yields the blocks of server-sent events in a body as they arrive. */
async function* blocks(body: ReadableStream<Uint8Array>): AsyncGenerator<ReadonlyMap<string, string>> {
  const decoder = new TextDecoder()
  const read = eventFields()
  for await (const bytes of body) yield* read(decoder.decode(bytes, { stream: true }))
}

const open = async ({ credential, tenant, types, url }: StreamPlace, last: string | null, signal: AbortSignal) => {
  const query = types === undefined ? "" : `?types=${encodeURIComponent(types)}`
  const response = await fetch(
    new URL(`api/v1/tenants/${encodeURIComponent(tenant)}/events/stream${query}`, url.endsWith("/") ? url : `${url}/`),
    {
      headers: {
        accept: "text/event-stream",
        authorization: `Bearer ${credential}`,
        ...(last === null ? {} : { "last-event-id": last })
      },
      signal
    }
  )
  if (response.ok && response.body !== null) return response.body
  const refused = response.status >= 400 && response.status < 500 && response.status !== 429
  if (refused)
    throw new StreamRefused(response.status, `The server answered ${response.status}: ${await response.text()}`)
  throw new Error(`The server answered ${response.status}.`)
}

const pauseMillis = 1_000

/**
 * Yields a tenant's events as they happen. Reopens a stream that ends or breaks at the same position, and calls
 * `onOpen` each time. Ends when the signal aborts.
 */
export async function* followEvents(
  place: StreamPlace,
  signal: AbortSignal,
  onOpen: () => void
): AsyncGenerator<StreamedEvent> {
  let last: string | null = null
  while (!signal.aborted) {
    try {
      const body = await open(place, last, signal)
      onOpen()
      for await (const fields of blocks(body)) {
        last = fields.get("id") ?? last
        const data = fields.get("data")
        if (data !== undefined) yield { id: last ?? "", type: fields.get("event") ?? "", data }
      }
    } catch (error) {
      if (error instanceof StreamRefused) throw error
      if (signal.aborted) return
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMillis))
  }
}
