import type { EventEnvelope } from "@leadloom/client"
import { type QueryClient, useQueryClient } from "@tanstack/react-query"
import { useEffect, useSyncExternalStore } from "react"
import { type Connection, useConnection } from "./Connection.ts"

/** The state of the event stream. Lists are read after `connecting`, so that no event is lost between both. */
export type LiveState = "connecting" | "live" | "interrupted"

/** Applies one event to the cache. */
export type EventHandler = (queries: QueryClient, connection: Connection, event: EventEnvelope) => void

const firstWaitMillis = 1_000
const maxWaitMillis = 30_000

/** The type of a report of presence. The server does not store it, so the event types of the client do not contain it. */
const presenceReport = "conversation.presence"

const handlers = new Set<EventHandler>()
const presenceHandlers = new Set<EventHandler>()
const listeners = new Set<() => void>()
let state: LiveState = "connecting"

const report = (next: LiveState): void => {
  state = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Applies all later events with a handler. A page calls it once, when its module loads, so that its cached lists stay
 * current while another page is shown.
 */
export const handleEvents = (handler: EventHandler): void => void handlers.add(handler)

/** Applies all later reports of presence with a handler. */
export const handlePresence = (handler: EventHandler): void => void presenceHandlers.add(handler)

/** Returns the state of the event stream. */
export const useLiveState = (): LiveState => useSyncExternalStore(subscribe, () => state)

const pause = (millis: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, millis)
    signal.addEventListener("abort", () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Reads what could not be read while the server was not reachable, so that a page recovers without the person. */
const readFailedAgain = (queries: QueryClient): void =>
  void queries.refetchQueries({ predicate: (query) => query.state.status === "error" && query.isActive() })

/** Follows the events of the tenant until the signal aborts. After a failure, continues after the last event. */
const follow = async (queries: QueryClient, connection: Connection, signal: AbortSignal): Promise<void> => {
  let after: number | undefined
  let failures = 0
  const onPosition = (id: string): void => {
    after = Number(id)
    failures = 0
    if (state === "interrupted") readFailedAgain(queries)
    report("live")
  }
  let lost = new AbortController()
  // A stream without a network can stay silent for minutes before it fails.
  addEventListener("offline", () => lost.abort(), { signal })
  while (!signal.aborted) {
    lost = new AbortController()
    try {
      const events = connection.client.eventFeed.stream(connection.tenantId, {
        after,
        presence: true,
        signal: AbortSignal.any([signal, lost.signal]),
        onPosition
      })
      for await (const { event } of events) {
        const called = String(event.event_type) === presenceReport ? presenceHandlers : handlers
        for (const handle of called) handle(queries, connection, event)
      }
    } catch {
      if (!signal.aborted) report("interrupted")
    }
    failures++
    // Jitter, so that the tabs of all people do not reconnect to a restarted server at the same time.
    const wait = Math.min(maxWaitMillis, firstWaitMillis * 2 ** failures) * (0.5 + Math.random() / 2)
    await pause(wait, signal)
  }
}

/** Follows the events of the tenant while the shell is shown. */
export const useFollowEvents = (): void => {
  const queries = useQueryClient()
  const connection = useConnection()
  useEffect(() => {
    const stopped = new AbortController()
    report("connecting")
    void follow(queries, connection, stopped.signal)
    return () => stopped.abort()
  }, [queries, connection])
}
