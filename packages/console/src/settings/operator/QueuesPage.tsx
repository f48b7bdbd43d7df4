import type { JobKindState, QueueState } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { useConnection } from "../../app/Connection.ts"
import { Loaded } from "../../app/Loaded.tsx"
import { useNow } from "../../component/Now.ts"
import { Page, Section } from "../../component/Page.tsx"
import { type Column, Table } from "../../component/Table.tsx"
import { durationSince, longTime } from "../../design/Time.ts"
import { operatorText } from "../../text/Operator.ts"

const { queues: shown } = operatorText

const queueColumns = (now: number): ReadonlyArray<Column<QueueState>> => [
  { header: shown.queue, cell: ({ queue }) => shown.names[queue] },
  { header: shown.due, cell: ({ due }) => due, isNumeric: true },
  {
    header: shown.oldest,
    cell: ({ oldest_due_at: since }) => (since === null ? "" : durationSince(since, now)),
    isNumeric: true
  },
  { header: shown.failed, cell: ({ failed, queue }) => (queue === "jobs" ? "" : failed), isNumeric: true }
]

const jobColumns: ReadonlyArray<Column<JobKindState>> = [
  { header: shown.kind, cell: ({ kind }) => kind },
  { header: shown.waiting, cell: ({ waiting }) => waiting, isNumeric: true },
  { header: shown.retried, cell: ({ failed }) => failed, isNumeric: true },
  { header: shown.created, cell: ({ oldest_created_at: time }) => longTime(time), isDetail: true }
]

/** The queues of all tenants. */
export const QueuesPage = () => {
  const { client } = useConnection()
  const now = useNow()
  const report = useQuery({
    queryKey: ["server", "queues"],
    queryFn: ({ signal }) => client.deployment.queues({ signal }),
    gcTime: 0
  })
  return (
    <Page
      title={shown.title}
      actions={
        <button type="button" onClick={() => void report.refetch()}>
          {shown.refresh}
        </button>
      }
    >
      <Loaded query={report}>
        {({ jobs, queues }) => (
          <>
            <Table label={shown.title} columns={queueColumns(now)} rows={queues} keyOf={({ queue }) => queue} />
            <Section title={shown.jobs}>
              {jobs.length === 0 ? (
                <p>{shown.noJobs}</p>
              ) : (
                <Table label={shown.jobs} columns={jobColumns} rows={jobs} keyOf={({ kind }) => kind} />
              )}
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  )
}
