/**
 * Sequences and the enrolments of contacts in them. The pages of contacts and leads show enrolments with these parts.
 * Actions of rules that start sequences belong in `rule`. Tests: `packages/console/test/sequence`.
 */
import type { Enrolment, EnrolmentsListOptions, Sequence } from "@leadloom/client"
import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query"
import { useAction } from "../app/Action.ts"
import { type Connection, useConnection } from "../app/Connection.ts"
import type { EventHandler } from "../app/Live.ts"
import { compareText, type Placement, putRow, readAgain } from "../app/RowCache.ts"
import { rowsOptions } from "../app/Rows.tsx"
import { noticeSuccess } from "../component/Notices.tsx"
import { sequenceText } from "../text/sequence/Sequence.ts"

const sequencesPerPage = 50
const enrolmentsPerPage = 50

/**
 * The requests about sequences themselves. Events report pauses, but no other change of a sequence, so that every visit
 * reads them.
 */
export const sequencesKey = (tenantId: string) => [tenantId, "sequences"] as const

/** The request of the list of sequences, page by page. */
export const sequenceListOptions = ({ client, tenantId }: Connection) => ({
  ...rowsOptions<Sequence>([...sequencesKey(tenantId), "list"], async (cursor, signal) => {
    const page = await client.sequences.list(tenantId, { cursor, limit: sequencesPerPage, signal })
    return { rows: page.sequences, next: page.next_cursor }
  }),
  gcTime: 0
})

/** The request of one sequence. */
export const sequenceOptions = ({ client, tenantId }: Connection, sequenceId: string) =>
  queryOptions({
    queryKey: [...sequencesKey(tenantId), "one", sequenceId] as const,
    queryFn: ({ signal }) => client.sequences.get(tenantId, sequenceId, { signal }),
    gcTime: 0
  })

/** The request of the answers by step and text. They are counted when they are read, so that every visit reads them. */
export const resultsOptions = ({ client, tenantId }: Connection, sequenceId: string) =>
  queryOptions({
    queryKey: [...sequencesKey(tenantId), "results", sequenceId] as const,
    queryFn: ({ signal }) => client.sequences.results(tenantId, sequenceId, { signal }),
    gcTime: 0
  })

/** The request of the groups of a sequence and of the messages of seven days. */
export const statisticsOptions = ({ client, tenantId }: Connection, sequenceId: string) =>
  queryOptions({
    queryKey: [...sequencesKey(tenantId), "statistics", sequenceId] as const,
    queryFn: ({ signal }) => client.sequences.statistics(tenantId, sequenceId, { signal }),
    gcTime: 0
  })

/** The request of all sequences. A tenant has at most 200. */
export const everySequenceOptions = ({ client, tenantId }: Connection) =>
  queryOptions({
    queryKey: [...sequencesKey(tenantId), "every"] as const,
    queryFn: async ({ signal }): Promise<ReadonlyArray<Sequence>> => {
      const all: Array<Sequence> = []
      for await (const sequence of client.sequences.list(tenantId, { limit: 100, signal })) all.push(sequence)
      return all
    },
    gcTime: 0
  })

/** The request of the steps for one contact. Its times count from now, so it is never kept. */
export const previewOptions = ({ client, tenantId }: Connection, { id, version }: Sequence, contactId: string) =>
  queryOptions({
    queryKey: [...sequencesKey(tenantId), "preview", id, version, contactId] as const,
    queryFn: ({ signal }) => client.sequences.preview(tenantId, id, { contact_id: contactId }, { signal }),
    gcTime: 0
  })

const noNames: ReadonlyMap<string, string> = new Map()

/** Returns the names of all sequences by id. Undefined until they are read. */
export const useSequenceNames = (): ReadonlyMap<string, string> | undefined => {
  const every = useQuery(everySequenceOptions(useConnection()))
  if (every.error !== null) return noNames
  return every.data === undefined ? undefined : new Map(every.data.map(({ id, name }) => [id, name]))
}

/** The filters of a list of enrolments. */
export type EnrolmentFilter = Pick<EnrolmentsListOptions, "sequenceId" | "contactId" | "state">

const enrolmentsKey = (tenantId: string) => [tenantId, "enrolments"] as const

/** The request of a list of enrolments, page by page. */
export const enrolmentListOptions = ({ client, tenantId }: Connection, filter: EnrolmentFilter) =>
  rowsOptions<Enrolment>([...enrolmentsKey(tenantId), filter], async (cursor, signal) => {
    const page = await client.enrolments.list(tenantId, { ...filter, cursor, limit: enrolmentsPerPage, signal })
    return { rows: page.enrolments, next: page.next_cursor }
  })

const fits = (wanted: string | undefined, value: string): boolean => wanted === undefined || wanted === value

/** Ids ascend with the time of the enrolment, as in the order of the server. */
const placement: Placement<Enrolment, EnrolmentFilter> = {
  belongs: (filter, enrolment) =>
    fits(filter.sequenceId, enrolment.sequence_id) &&
    fits(filter.contactId, enrolment.contact_id) &&
    fits(filter.state, enrolment.state),
  compare: () => (one, other) => compareText(one.id, other.id)
}

/** Puts the current record of an enrolment into every list. */
export const applyEnrolment = (queries: QueryClient, { tenantId }: Connection, enrolment: Enrolment): (() => void) =>
  putRow(queries, enrolmentsKey(tenantId), enrolment, placement)

/** Applies events of sequences to the lists of enrolments, and reads a sequence again that was paused or resumed. */
export const applySequenceEvent: EventHandler = (queries, connection, { data, event_type }) => {
  if ((event_type === "sequence.paused" || event_type === "sequence.resumed") && "sequence_id" in data)
    void queries.invalidateQueries({ queryKey: [...sequencesKey(connection.tenantId), "one", data.sequence_id] })
  if (!event_type.startsWith("sequence.") || !("enrolment_id" in data)) return
  const enrolmentId = data.enrolment_id
  void readAgain(enrolmentId, async () => {
    applyEnrolment(queries, connection, await connection.client.enrolments.get(connection.tenantId, enrolmentId))
  })
}

/** A contact, and the lead that the conditions of the sequence are about. */
export interface Enrollable {
  readonly contactId: string
  readonly name: string
  /** Absent: the lead with the contact's newest message. */
  readonly leadId?: string
}

/** Returns the function that enrols a contact in a sequence, and the one that shows the enrolment. */
export const useEnrol = ({ contactId, leadId, name }: Enrollable) => {
  const queries = useQueryClient()
  const connection = useConnection()
  const body = { contact_id: contactId, ...(leadId === undefined ? {} : { lead_id: leadId }) }
  return {
    send: (sequenceId: string) => connection.client.sequences.enrol(connection.tenantId, sequenceId, body),
    onDone: (enrolment: Enrolment): void => {
      applyEnrolment(queries, connection, enrolment)
      noticeSuccess(sequenceText.enrol.done(name))
    }
  }
}

/** The changes that a person can make to an enrolment. */
export type EnrolmentChange = keyof typeof sequenceText.enrolments.done

/** Returns the function that changes an enrolment. */
export const useEnrolmentChange = (enrolmentId: string) => {
  const queries = useQueryClient()
  const connection = useConnection()
  const { client, tenantId } = connection
  return useAction((change: EnrolmentChange) => client.enrolments[change](tenantId, enrolmentId), {
    onSuccess: (enrolment, change) => {
      applyEnrolment(queries, connection, enrolment)
      noticeSuccess(sequenceText.enrolments.done[change])
    }
  })
}
