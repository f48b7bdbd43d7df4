import type { Presence } from "@leadloom/client"
import { queryOptions, skipToken, useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { type Connection, useConnection } from "../app/Connection.ts"
import { handlePresence } from "../app/Live.ts"
import { useNow } from "../component/Now.ts"

/** The period between two reports. The server forgets a report after 30 seconds. In milliseconds. */
const renewalMillis = 15_000
/** A person without a key press for this time no longer types. In milliseconds. */
const typingMillis = 8_000

/** The people who have the conversation open. Only reports fill it, so it has no request. */
const presenceOptions = (tenantId: string, contactId: string) =>
  queryOptions<ReadonlyArray<Presence>>({ queryKey: [tenantId, "presence", contactId], queryFn: skipToken })

type Report = Omit<Presence, "state"> & { readonly contact_id: string; readonly state: Presence["state"] | "left" }

handlePresence((queries, { tenantId }, { data }) => {
  const { contact_id: contactId, state, ...report } = data as unknown as Report
  queries.setQueryData(presenceOptions(tenantId, contactId).queryKey, (present = []) => {
    const others = present.filter(({ user_id }) => user_id !== report.user_id)
    return state === "left" ? others : [...others, { ...report, state }]
  })
})

/** Reports what the person does in a conversation. */
interface Reporter {
  readonly typing: () => void
  readonly stop: () => void
}

const createReporter = (
  { client, tenantId }: Connection,
  contactId: string,
  onPresent: (present: ReadonlyArray<Presence>) => void
): Reporter => {
  let state: Presence["state"] = "viewing"
  let pause: ReturnType<typeof setTimeout> | undefined
  const send = (reported: Presence["state"] | "left"): void => {
    // Without a report, colleagues see nothing for a moment. The next one tries again.
    client.inbox
      .reportPresence(tenantId, contactId, { state: reported })
      .then(({ presence }) => onPresent(presence))
      .catch(() => undefined)
  }
  const enter = (next: Presence["state"]): void => {
    if (state === next) return
    state = next
    send(state)
  }
  const renewal = setInterval(() => send(state), renewalMillis)
  send(state)
  return {
    typing: () => {
      enter("typing")
      clearTimeout(pause)
      pause = setTimeout(() => enter("viewing"), typingMillis)
    },
    stop: () => {
      clearInterval(renewal)
      clearTimeout(pause)
      send("left")
    }
  }
}

/** Reports the person as present while the conversation is shown. Returns the function that reports typing. */
export const useReportPresence = (contactId: string): (() => void) => {
  const connection = useConnection()
  const queries = useQueryClient()
  const current = useRef<Reporter>(null)
  useEffect(() => {
    if (connection.userId === null) return
    const { queryKey } = presenceOptions(connection.tenantId, contactId)
    const reporter = createReporter(connection, contactId, (present) => queries.setQueryData(queryKey, present))
    current.current = reporter
    return () => reporter.stop()
  }, [queries, connection, contactId])
  return () => current.current?.typing()
}

/** Returns the other people who have the conversation open. */
export const useOthers = (contactId: string): ReadonlyArray<Presence> => {
  const { tenantId, userId } = useConnection()
  const now = useNow()
  const present = useQuery(presenceOptions(tenantId, contactId)).data ?? []
  return present.filter(({ expires_at, user_id }) => user_id !== userId && Date.parse(expires_at) > now)
}
