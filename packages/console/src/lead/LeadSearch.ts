import type { LeadsListOptions } from "@leadloom/client"
import { textParameters } from "../design/Address.ts"

/** The filters and the order of the leads. The address of the page contains them. */
export interface LeadSearch extends Pick<
  LeadsListOptions,
  "pipelineId" | "stageId" | "assigneeId" | "tier" | "state" | "sort"
> {
  readonly view?: "board" | undefined
}

const names = ["pipelineId", "stageId", "assigneeId", "tier", "state", "sort"] as const

/** Reads the filters from an address. The server rejects invalid values. */
export const readLeadSearch = (search: Readonly<Record<string, unknown>>): LeadSearch => ({
  ...textParameters(search, names),
  ...(search["view"] === "board" ? { view: "board" } : {})
})
