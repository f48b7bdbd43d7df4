import type { Sequence, SequenceSimulation, SimulatedContact, SimulateSequence } from "@leadloom/client"
import { queryOptions, useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { type Connection, useConnection } from "../../app/Connection.ts"

const dayMillis = 86_400_000
/** A simulation of the largest period takes minutes. */
const timeoutMillis = 600_000

/** Who enters a simulated sequence. */
export type Entry = { readonly segment_id: string } | { readonly rule_id: string } | Record<never, never>

/** What the person wants to simulate. */
export interface Wanted {
  readonly days: number
  readonly max: number
  readonly entry: Entry
  /** The unsaved steps and conditions; empty: those of the sequence. */
  readonly proposed: Pick<SimulateSequence, "steps" | "stop_on">
}

/** The read pages of a simulation. The numbers are the same on each page. */
export interface Simulated {
  readonly request: SimulateSequence
  readonly page: SequenceSimulation
  readonly contacts: ReadonlyArray<SimulatedContact>
}

/** A run of the first page, or of the page after the read ones. */
interface Run {
  readonly request: SimulateSequence
  readonly before: Simulated | null
  readonly abort: AbortController
}

/** Returns the simulation of a sequence, and the functions that start it, read its next page and stop it. */
export const useSimulation = ({ id }: Sequence) => {
  const { client, tenantId } = useConnection()
  const [result, setResult] = useState<Simulated | null>(null)
  const { error, isPending, mutate, variables } = useMutation({
    mutationFn: async ({ abort, before, request }: Run): Promise<Simulated> => {
      const page = await client.simulations.sequence(tenantId, id, request, {
        signal: abort.signal,
        timeoutMs: timeoutMillis
      })
      return { request, page, contacts: [...(before?.contacts ?? []), ...page.contacts] }
    },
    onSuccess: setResult
  })
  return {
    result,
    isPending,
    isStopped: !isPending && error !== null && variables.abort.signal.aborted,
    error: error === null || variables?.abort.signal.aborted === true ? null : error,
    start: ({ days, entry, max, proposed }: Wanted): void => {
      setResult(null)
      const since = new Date(Date.now() - days * dayMillis).toISOString()
      mutate({ request: { ...proposed, ...entry, max, since }, before: null, abort: new AbortController() })
    },
    // Each page repeats the simulation, so it reads the same period.
    readMore: (): void => {
      if (result === null || result.page.next_cursor === null) return
      const { next_cursor: cursor, since, until } = result.page
      mutate({ request: { ...result.request, since, until, cursor }, before: result, abort: new AbortController() })
    },
    stop: (): void => variables?.abort.abort()
  }
}

/** The request of the segments whose contacts can enter. */
export const segmentsOptions = ({ client, tenantId }: Connection) =>
  queryOptions({
    queryKey: [tenantId, "segments", "of-simulations"] as const,
    queryFn: async ({ signal }) => (await client.segments.list(tenantId, { signal })).segments,
    gcTime: 0
  })

/** The request of the rules for messages that start a sequence. */
export const startingRulesOptions = ({ client, tenantId }: Connection, sequenceId: string) =>
  queryOptions({
    queryKey: [tenantId, "sequences", "rules", sequenceId] as const,
    queryFn: async ({ signal }) => {
      const { config } = await client.config.get(tenantId, { signal })
      return config.rules.filter(
        ({ actions, trigger }) =>
          (trigger === undefined || trigger.type === "message_received") &&
          actions.some((action) => action.type === "start_sequence" && action.sequence === sequenceId)
      )
    },
    gcTime: 0
  })
