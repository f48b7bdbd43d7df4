/**
 * Decisions of the pipeline: the list of runs, and one run as a story. Changing rules belongs in `rule`. Tests:
 * `packages/console/test/Decisions.test.ts`.
 */
import type { PipelineRun } from "@leadloom/client"
import { queryOptions } from "@tanstack/react-query"
import type { Connection } from "../app/Connection.ts"
import { rowsOptions } from "../app/Rows.tsx"
import type { RunFilter } from "./RunFilter.ts"

const pageSize = 50

/** The request of the list of runs, page by page. */
export const runsOptions = ({ client, tenantId }: Connection, filter: RunFilter) => ({
  ...rowsOptions([tenantId, "runs", filter], async (cursor, signal) => {
    const page = await client.pipeline.listRuns(tenantId, { ...filter, limit: pageSize, cursor, signal })
    return { rows: page.runs, next: page.next_cursor }
  }),
  // No event reports a run, so every visit of the page reads the newest runs again.
  gcTime: 0
})

/** The request of one run. `id` is the id of its signal or of its message. */
export const runOptions = ({ client, tenantId }: Connection, id: string) =>
  queryOptions({
    queryKey: [tenantId, "run", id] as const,
    queryFn: ({ signal }) => client.pipeline.getRun(tenantId, id, { signal })
  })

/** What the assistant did with the reply. */
export type RunOutcome = "sent" | "drafted" | "not_sent"

/** Returns what the assistant did with the reply of a run. */
export const outcomeOf = ({ reply }: Pick<PipelineRun, "reply">): RunOutcome => {
  if (reply === null) return "not_sent"
  return reply.requires_approval ? "drafted" : "sent"
}

/** A step of a run with its reason. */
export type Step = PipelineRun["steps"][number]

/** Returns the step that decided about the reply: the guardrails if they held or blocked it. */
export const decisiveStep = ({ steps }: Pick<PipelineRun, "steps">): Step | undefined => {
  const guard = steps.find(({ step }) => step === "guard")
  const hasFindings = guard !== undefined && guard.outcome !== "skipped" && !guard.codes.includes("guardrails_allow")
  return hasFindings ? guard : steps.find(({ step }) => step === "reply")
}
