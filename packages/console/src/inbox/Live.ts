import type { Conversation, ConversationUpdatedEvent, EventEnvelope } from "@leadloom/client"
import { type QueryClient, useQueryClient } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { type Connection, useConnection } from "../app/Connection.ts"
import { applyRow, cachedRow, refreshConversation } from "./Cache.ts"

/** The state of the event stream. Lists are read after `connecting`, so that no event is lost between both. */
export type LiveState = "connecting" | "live" | "interrupted"

const firstWaitMillis = 1_000
const maxWaitMillis = 30_000

/**
 * Returns the unread messages after an event. The row of the event contains the shared unread state, and a user has an
 * own one, which counts the messages of the contact.
 */
const unreadAfter = ({ actor, changes }: UpdateData, row: Conversation, known: Conversation | null): number => {
  if (known === null || row.state === "closed" || changes?.includes("unread") === true) return row.unread
  return changes === undefined && actor === "contact" ? known.unread + 1 : known.unread
}

type UpdateData = Exclude<ConversationUpdatedEvent["data"], { readonly redacted: true }>

const applyUpdate = (queries: QueryClient, connection: Connection, data: UpdateData): void => {
  const { conversation: row } = data
  if (row === undefined) return
  const known = cachedRow(queries, connection, row.contact_id)
  applyRow(queries, connection, { ...row, unread: unreadAfter(data, row, known) })
}

/** Applies one event to the cache. Only an open conversation is read again. */
const applyEvent = (queries: QueryClient, connection: Connection, { data, event_type }: EventEnvelope): void => {
  if ("redacted" in data) return
  if (event_type === "conversation.updated") applyUpdate(queries, connection, data as UpdateData)
  const contactId = "contact_id" in data ? data.contact_id : null
  // A failed read leaves the older messages on the screen. The next event reads again.
  if (typeof contactId === "string") refreshConversation(queries, connection, contactId).catch(() => undefined)
}

const pause = (millis: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, millis)
    signal.addEventListener("abort", () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Follows the events of the tenant until the signal aborts. After a failure, continues after the last event. */
const follow = async (
  queries: QueryClient,
  connection: Connection,
  signal: AbortSignal,
  report: (state: LiveState) => void
): Promise<void> => {
  let after: number | undefined
  let failures = 0
  const onPosition = (id: string): void => {
    after = Number(id)
    failures = 0
    report("live")
  }
  while (!signal.aborted) {
    try {
      const events = connection.client.eventFeed.stream(connection.tenantId, { after, signal, onPosition })
      for await (const { event } of events) applyEvent(queries, connection, event)
    } catch {
      report("interrupted")
    }
    failures++
    // Jitter, so that the tabs of all people do not reconnect to a restarted server at the same time.
    const wait = Math.min(maxWaitMillis, firstWaitMillis * 2 ** failures) * (0.5 + Math.random() / 2)
    await pause(wait, signal)
  }
}

/** Follows the events of the tenant while a component is shown. */
export const useLive = (): LiveState => {
  const queries = useQueryClient()
  const connection = useConnection()
  const [state, setState] = useState<LiveState>("connecting")
  useEffect(() => {
    const stopped = new AbortController()
    void follow(queries, connection, stopped.signal, (next) => {
      if (!stopped.signal.aborted) setState(next)
    })
    return () => stopped.abort()
  }, [queries, connection])
  return state
}
