/**
 * Calls to contacts: the dialog that places, follows and transfers one. The list of calls belongs in `call`. Tests:
 * `packages/console/test/Calls.test.ts`.
 */
import { type CallRecord, type ContactDetail, isLeadloomError, type PlaceCall } from "@leadloom/client"
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { useRef } from "react"
import { type Connection, useConnection } from "../../app/Connection.ts"
import { readAgain, refreshRows } from "../../app/RowCache.ts"

/** A contact that can be called. */
export interface Callable {
  readonly contactId: string
  readonly name: string
}

/** The length of a number, as in the API. */
export const maxNumberLength = 64
/** The time between two requests for the state of a call. The API has no event of calls. */
const pollMillis = 2_000
/** The calls of the contact among which the followed one is. */
const newestCalls = 10

const endedStatuses: ReadonlySet<CallRecord["status"]> = new Set([
  "completed",
  "busy",
  "no_answer",
  "canceled",
  "failed"
])

/** Returns whether a call has ended. */
export const hasEnded = ({ status }: CallRecord): boolean => endedStatuses.has(status)

/** The lists of calls. */
export const callsKey = (tenantId: string) => [tenantId, "calls"] as const

/** The request of the current state of a call, which is repeated until the call has ended. */
export const callOptions = ({ client, tenantId }: Connection, call: CallRecord) =>
  queryOptions({
    queryKey: [tenantId, "call", call.call_session_id] as const,
    queryFn: async ({ signal }) => {
      const { calls } = await client.calls.list(tenantId, { contactId: call.contact_id, limit: newestCalls, signal })
      return calls.find(({ call_session_id: id }) => id === call.call_session_id) ?? call
    },
    initialData: call,
    refetchInterval: ({ state }) => (state.data === undefined || hasEnded(state.data) ? false : pollMillis),
    gcTime: 0
  })

/** Returns the numbers of a contact, each once. The first one is the number that the server calls by itself. */
export const numbersOf = ({ contact, identities }: ContactDetail): ReadonlyArray<string> => [
  ...new Set([
    ...(contact.phone === null ? [] : [contact.phone]),
    ...identities.filter(({ kind }) => kind === "phone").map(({ value }) => value)
  ])
]

const placeOf = ({ tenantId, userId }: Connection): string => `leadloom.agent-phone.${tenantId}.${userId ?? ""}`

/** Returns the phone from which the person last called in this browser. */
export const readAgentPhone = (connection: Connection): string => localStorage.getItem(placeOf(connection)) ?? ""

const storeAgentPhone = (connection: Connection, phone: string | undefined): void =>
  phone === undefined ? localStorage.removeItem(placeOf(connection)) : localStorage.setItem(placeOf(connection), phone)

/** Returns whether the response of the server is missing, so that the call may have been placed. */
export const isOutcomeLost = (error: Error | null): boolean => isLeadloomError(error, "NETWORK_ERROR", "TIMEOUT")

/**
 * Returns the function that places a call. The same request again has the same key, so that the server does not dial
 * twice if its response was lost. Only a call that the provider has rejected needs a new key.
 */
export const usePlaceCall = () => {
  const queries = useQueryClient()
  const connection = useConnection()
  const { client, tenantId } = connection
  const latest = useRef<{ readonly key: string; readonly body: string } | null>(null)
  return useMutation({
    mutationFn: async (order: PlaceCall) => {
      const body = JSON.stringify(order)
      const key = latest.current?.body === body ? latest.current.key : crypto.randomUUID()
      latest.current = { key, body }
      return client.calls.outbound(tenantId, order, { idempotencyKey: key })
    },
    onSuccess: (_, order) => {
      storeAgentPhone(connection, order.agent_phone)
      void readAgain("calls", () => refreshRows(queries, callsKey(tenantId)))
    },
    onError: (error) => {
      if (isLeadloomError(error, "PROVIDER_ERROR")) latest.current = null
    }
  })
}
