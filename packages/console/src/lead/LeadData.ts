/**
 * Leads: the list, the board of each pipeline and the page of one lead. Contacts have their own folder. Tests:
 * `packages/console/test`.
 */
import type { Lead, UpdateLead } from "@leadloom/client"
import { type QueryClient, queryOptions, useQueryClient } from "@tanstack/react-query"
import { useAction } from "../app/Action.ts"
import { type Connection, useConnection } from "../app/Connection.ts"
import type { EventHandler } from "../app/Live.ts"
import { compareText, type Placement, putRow, readAgain } from "../app/RowCache.ts"
import { rowsOptions } from "../app/Rows.tsx"
import type { LeadSearch } from "./LeadSearch.ts"

const leadsPerPage = 50

const listsKey = (tenantId: string) => [tenantId, "leads"] as const

const boardsKey = (tenantId: string) => [tenantId, "board"] as const

/** The request of a list of leads, page by page. */
export const leadListOptions = ({ client, tenantId }: Connection, { view: _, ...filter }: LeadSearch) =>
  rowsOptions<Lead>([...listsKey(tenantId), filter], async (cursor, signal) => {
    const page = await client.leads.list(tenantId, { ...filter, cursor, limit: leadsPerPage, signal })
    return { rows: page.leads, next: page.next_cursor }
  })

/** The request of one lead. */
export const leadOptions = ({ client, tenantId }: Connection, leadId: string) =>
  queryOptions({
    queryKey: [tenantId, "lead", leadId] as const,
    queryFn: ({ signal }) => client.leads.get(tenantId, leadId, { signal })
  })

/** The request of the pipelines with their stages. */
export const pipelinesOptions = ({ client, tenantId }: Connection) =>
  queryOptions({
    queryKey: [tenantId, "pipelines"] as const,
    queryFn: ({ signal }) => client.pipelines.list(tenantId, { signal })
  })

/** The request of the counts and sums of each stage. */
export const boardOptions = ({ client, tenantId }: Connection, pipelineId: string) =>
  queryOptions({
    queryKey: [...boardsKey(tenantId), pipelineId] as const,
    queryFn: ({ signal }) => client.pipelines.board(tenantId, pipelineId, { signal })
  })

const fits = (wanted: string | undefined, value: string | null): boolean =>
  wanted === undefined || wanted === (value ?? "none")

const orders = {
  created_at: (lead: Lead) => lead.created_at,
  last_message_at: (lead: Lead) => lead.last_message_at
} as const

const placement: Placement<Lead, LeadSearch> = {
  belongs: (filter, lead) =>
    fits(filter.pipelineId, lead.pipeline_id) &&
    fits(filter.stageId, lead.stage_id) &&
    fits(filter.assigneeId, lead.assignee_id) &&
    fits(filter.tier, lead.tier) &&
    fits(filter.state, lead.state),
  compare: ({ sort = "-created_at" }) => {
    const read = orders[sort.replace("-", "") as keyof typeof orders]
    const sign = sort.startsWith("-") ? -1 : 1
    if (read === undefined) return null
    return (one, other) => sign * (compareText(read(one), read(other)) || compareText(one.id, other.id))
  }
}

/** Puts the current record of a lead into every list and into its page. Returns the function that restores them. */
const applyLead = (queries: QueryClient, connection: Connection, lead: Lead): (() => void) => {
  const { queryKey } = leadOptions(connection, lead.id)
  const former = queries.getQueryData(queryKey)
  const restore = putRow(queries, listsKey(connection.tenantId), lead, placement)
  queries.setQueryData(queryKey, lead)
  return () => {
    restore()
    queries.setQueryData(queryKey, former)
  }
}

const refreshBoards = (queries: QueryClient, { tenantId }: Connection): Promise<void> =>
  queries.invalidateQueries({ queryKey: boardsKey(tenantId) })

/** Applies events of leads to the lists. Each changed lead is read once, whatever the number of its events. */
export const applyLeadEvent: EventHandler = (queries, connection, { data, event_type }) => {
  if (!event_type.startsWith("lead.") || !("lead_id" in data) || typeof data.lead_id !== "string") return
  const leadId = data.lead_id
  const { client, tenantId } = connection
  void readAgain(leadId, async () => {
    applyLead(queries, connection, await client.leads.get(tenantId, leadId))
    await refreshBoards(queries, connection)
  })
}

/** Returns the function that shows the current record of a lead after a change. */
export const useShowLead = () => {
  const queries = useQueryClient()
  const connection = useConnection()
  return (current: Lead): Promise<void> => {
    applyLead(queries, connection, current)
    return refreshBoards(queries, connection)
  }
}

/** Returns the function that sends a change of a lead. The lists show the expected record immediately. */
const useLeadAction = <Input extends { readonly lead: Lead }>(
  send: (connection: Connection, input: Input) => Promise<Lead>,
  expected: (input: Input) => Partial<Lead>,
  onDone?: () => void
) => {
  const queries = useQueryClient()
  const connection = useConnection()
  const show = useShowLead()
  return useAction((input: Input) => send(connection, input), {
    expect: (input) => applyLead(queries, connection, { ...input.lead, ...expected(input) }),
    onSuccess: (current) => {
      onDone?.()
      return show(current)
    }
  })
}

/** Returns the function that changes fields of a lead. */
export const useLeadChange = (onDone?: () => void) =>
  useLeadAction(
    ({ client, tenantId }, { change, lead }: { readonly lead: Lead; readonly change: UpdateLead }) =>
      client.leads.update(tenantId, lead.id, change),
    () => ({}),
    onDone
  )

/** The new state of a lead, and the stage to which it moves. */
interface Move {
  readonly lead: Lead
  readonly stageId: string
  readonly state: Lead["state"]
}

/** Returns the function that moves a lead to a stage. */
export const useLeadMove = () =>
  useLeadAction(
    ({ client, tenantId }, { lead, stageId }: Move) => client.leads.move(tenantId, lead.id, { stage_id: stageId }),
    ({ state, stageId }) => ({ state, stage_id: stageId })
  )

/** Returns the function that changes the state of a lead. */
export const useLeadTransition = () =>
  useLeadAction(
    ({ client, tenantId }, { lead, state }: Omit<Move, "stageId">) =>
      client.leads.transition(tenantId, lead.id, { state }),
    ({ state }) => ({ state })
  )
