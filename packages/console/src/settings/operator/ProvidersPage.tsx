import type { ProviderState } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { useConnection } from "../../app/Connection.ts"
import { Loaded } from "../../app/Loaded.tsx"
import { Page } from "../../component/Page.tsx"
import { type Column, Table } from "../../component/Table.tsx"
import blocks from "../../design/Blocks.module.css"
import { longTime } from "../../design/Time.ts"
import { operatorText } from "../../text/Operator.ts"

const { providers: shown } = operatorText

const timeOf = (time: string | null): string => (time === null ? "" : longTime(time))

const State = ({ provider: { paused_until: until, state } }: { readonly provider: ProviderState }) => (
  <span className={state === "failing" || state === "paused" ? blocks.error : undefined}>
    {shown.states[state]} {until === null ? "" : shown.until(longTime(until))}
  </span>
)

const columns: ReadonlyArray<Column<ProviderState>> = [
  { header: shown.service, cell: ({ service }) => shown.names[service] },
  { header: shown.state, cell: (provider) => <State provider={provider} /> },
  { header: shown.failures, cell: ({ consecutive_failures: failures }) => failures, isNumeric: true },
  { header: shown.answered, cell: ({ last_answer_at: time }) => timeOf(time), isDetail: true },
  {
    header: shown.failed,
    cell: ({ last_failure: reason, last_failure_at: time }) => `${timeOf(time)} ${reason ?? ""}`.trim(),
    isDetail: true
  }
]

/** Whether the external providers answer this server. */
export const ProvidersPage = () => {
  const { client } = useConnection()
  const report = useQuery({
    queryKey: ["server", "providers"],
    queryFn: ({ signal }) => client.deployment.providers({ signal }),
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
      <p className={blocks.muted}>{shown.note}</p>
      <Loaded query={report}>
        {({ providers }) => (
          <Table label={shown.title} columns={columns} rows={providers} keyOf={({ service }) => service} />
        )}
      </Loaded>
    </Page>
  )
}
