/**
 * Decisions of the pipeline: the list of runs, and one run as a story. Changing rules belongs in `rule`. Tests:
 * `packages/console/test/Decisions.test.ts`.
 */
import type { PipelineRun } from "@leadloom/client"
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query"
import type { Connection } from "../app/Connection.ts"

/** The filters of the list. The address of the page contains them. */
export interface RunFilter {
  readonly contactId?: string
  readonly leadId?: string
}

const pageSize = 50

/** Reads the filters from an address. */
export const readRunFilter = ({ contactId, leadId }: Readonly<Record<string, unknown>>): RunFilter => ({
  ...(typeof contactId === "string" && contactId !== "" ? { contactId } : {}),
  ...(typeof leadId === "string" && leadId !== "" ? { leadId } : {})
})

/** The request of the list of runs, page by page. */
export const runsOptions = ({ client, tenantId }: Connection, filter: RunFilter) =>
  infiniteQueryOptions({
    queryKey: [tenantId, "runs", filter] as const,
    queryFn: ({ pageParam, signal }) =>
      client.pipeline.listRuns(tenantId, { ...filter, limit: pageSize, cursor: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    // No event reports a run, so every visit of the page reads the newest runs again.
    gcTime: 0
  })

/** The request of one run. `id` is the id of its signal or of its message. */
export const runOptions = ({ client, tenantId }: Connection, id: string) =>
  queryOptions({
    queryKey: [tenantId, "run", id] as const,
    queryFn: ({ signal }) => client.pipeline.getRun(tenantId, id, { signal })
  })

/** What the machine did with the reply. */
export type RunOutcome = "sent" | "drafted" | "not_sent"

/** Returns what the machine did with the reply of a run. */
export const outcomeOf = ({ reply }: Pick<PipelineRun, "reply">): RunOutcome => {
  if (reply === null) return "not_sent"
  return reply.requires_approval ? "drafted" : "sent"
}

/** A step of a run with its reason. */
export type Step = PipelineRun["steps"][number]

/** Returns the step that decided about the reply: the guardrails if there was a reply to check. */
export const decisiveStep = ({ steps }: Pick<PipelineRun, "steps">): Step | undefined => {
  const guard = steps.find(({ step }) => step === "guard")
  return guard === undefined || guard.outcome === "skipped" ? steps.find(({ step }) => step === "reply") : guard
}
