import { chunksOf } from "./Chunks.ts"
import { clientError, LeadloomError } from "./LeadloomError.ts"
import type { ByteStream } from "./Fetch.ts"
import type { Request, StreamOptions } from "./Request.ts"
import type { EventStream, ServerEvent, StreamedEvent } from "./Result.ts"
import { isTransient, jittered, wait } from "./Retry.ts"
import { serverEvents } from "./ServerEvents.ts"

/** The time without a byte after which a connection counts as broken. The server sends a heartbeat every 15 s. */
const maxSilenceMs = 45_000
const firstWaitMs = 1_000
const maxWaitMs = 30_000

const parsed = <Event>(received: ServerEvent): StreamedEvent<Event> => {
  try {
    return { ...received, event: JSON.parse(received.data) }
  } catch (cause) {
    throw clientError("UNEXPECTED_RESPONSE", "The event is not JSON.", cause)
  }
}

/** Returns the wait before a reconnect: it doubles with every failure in a row. The server may require a longer wait. */
const reconnectWait = (failures: number, retryAfter: number | null): number =>
  Math.max(jittered(Math.min(maxWaitMs, firstWaitMs * 2 ** failures)), (retryAfter ?? 0) * 1000)

/**
 * Yields the events of a stream. When the connection ends or breaks, opens a new one after the last id. Ends when the
 * signal aborts, or after the stored events if the query says `follow=false`.
 * @throws LeadloomError when the first connection fails, or when the server rejects the stream permanently
 */
export async function* eventStream<Event>(
  open: (request: Request) => Promise<ByteStream>,
  request: Request,
  { onOpen, onPosition, signal }: StreamOptions
): EventStream<Event> {
  let position = request.query?.["after"]
  let failures = 0
  let opened = false
  const isStopped = (): boolean => signal?.aborted === true
  const keep = (id: string): void => {
    position = id
    failures = 0
    onPosition?.(id)
  }
  while (!isStopped()) {
    let retryAfter: number | null = null
    try {
      const body = await open({ ...request, query: { ...request.query, after: position }, events: true })
      opened = true
      onOpen?.()
      for await (const received of serverEvents(chunksOf(body, maxSilenceMs), keep)) yield parsed<Event>(received)
      if (request.query?.["follow"] === false) return
    } catch (error) {
      if (isStopped()) return
      if (!opened || !(error instanceof LeadloomError) || !isTransient(error)) throw error
      failures++
      retryAfter = error.retryAfter
    }
    // An abort during the wait ends the stream.
    await wait(reconnectWait(failures, retryAfter), signal).catch(() => undefined)
  }
}
