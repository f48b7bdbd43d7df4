import type { Sequence, SequenceSimulation, SimulateSequence } from "@leadloom/client"
import { queryOptions } from "@tanstack/react-query"
import { type Connection, useConnection } from "../../app/Connection.ts"
import { simulationTimeoutMillis, useSimulationPages } from "../../app/SimulationPages.ts"

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

/** Returns the simulation of a sequence, and the functions that start it, read its next page and stop it. */
export const useSimulation = ({ id }: Sequence) => {
  const { client, tenantId } = useConnection()
  const { start, ...simulation } = useSimulationPages<SimulateSequence, SequenceSimulation>((request, signal) =>
    client.simulations.sequence(tenantId, id, request, { signal, timeoutMs: simulationTimeoutMillis })
  )
  return {
    ...simulation,
    start: ({ days, entry, max, proposed }: Wanted): void => start(days, { ...proposed, ...entry, max })
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
