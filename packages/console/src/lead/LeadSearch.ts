import type { LeadsListOptions } from "@leadloom/client"

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
  ...Object.fromEntries(
    names.flatMap((name) => (typeof search[name] === "string" && search[name] !== "" ? [[name, search[name]]] : []))
  ),
  ...(search["view"] === "board" ? { view: "board" } : {})
})
