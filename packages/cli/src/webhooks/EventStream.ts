/**
 * `leadloom webhooks listen`: follows the event stream and forwards events to a local receiver. Subscriptions do not belong
 * here; the server delivers to them. Tests: `packages/cli/test/command/Webhooks.test.ts`.
 */
import { type Leadloom, LeadloomError, type ServerEvent } from "@leadloom/client"

const pauseMillis = 1_000

/** Returns whether the server rejected the request itself, so that a retry cannot succeed. */
const isRefused = (error: unknown): boolean =>
  error instanceof LeadloomError && error.status >= 400 && error.status < 500 && error.status !== 429

/**
 * Yields the events of a tenant as they happen. When a stream ends or breaks, opens a new stream after the last event.
 * Calls `onOpen` whenever a stream opens. Ends when the signal aborts.
 * @throws LeadloomError when the server rejects the stream permanently
 */
export async function* followEvents(
  client: Leadloom,
  { tenant, types }: { readonly tenant: string; readonly types: string | undefined },
  signal: AbortSignal,
  onOpen: () => void
): AsyncGenerator<ServerEvent> {
  let after: number | undefined
  while (!signal.aborted) {
    let opened = false
    /**
     * The server sends the current position first. The position is stored, so that a reconnect before the first event
     * loses no event.
     */
    const onPosition = (id: string): void => {
      after = Number(id)
      if (!opened) onOpen()
      opened = true
    }
    try {
      yield* client.eventFeed.stream(tenant, { after, types, signal, onPosition })
    } catch (error) {
      if (isRefused(error)) throw error
      if (signal.aborted) return
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMillis))
  }
}
