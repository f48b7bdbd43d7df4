/**
 * The calls with contacts. Messages about calls belong in `conversation`. Tests: `packages/console/test`.
 */
import type { CallRecord } from "@leadloom/client"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useMemo } from "react"
import { useOfferedCommands } from "../app/Commands.ts"
import { type Connection, useConnection } from "../app/Connection.ts"
import { useContactNames } from "../app/ContactNames.ts"
import { handleEvents } from "../app/Live.ts"
import { readAgain, refreshRows } from "../app/RowCache.ts"
import { rowsOptions, ShownRows, useRows } from "../app/Rows.tsx"
import { Choice } from "../component/Choice.tsx"
import { noticeSuccess } from "../component/Notices.tsx"
import { useNow } from "../component/Now.ts"
import { Empty, Page, Row } from "../component/Page.tsx"
import { type Column, Table } from "../component/Table.tsx"
import { clockDuration, shortTime } from "../design/Time.ts"
import { callsKey } from "../contact/call/CallData.ts"
import { callText } from "../text/Call.ts"
import { text } from "../text/Shared.ts"
import { CallActions } from "./CallActions.tsx"
import { callBackTaskOf, type CallBackTasks, isMissed, useCallBack, useCallBackTasks } from "./CallBack.ts"
import styles from "./CallsPage.module.css"
import { type CallSearch, readCallSearch } from "./CallSearch.ts"

const callsPerPage = 50

const callsOptions = ({ client, tenantId }: Connection, search: CallSearch) =>
  rowsOptions<CallRecord>([...callsKey(tenantId), search], async (cursor, signal) => {
    const page = await client.calls.list(tenantId, { ...search, cursor, limit: callsPerPage, signal })
    return { rows: page.calls, next: page.next_cursor }
  })

// A finished call is a message of the conversation, and the API has no event of calls. The list starts with its newest
// page again.
handleEvents((queries, { tenantId }, { data, event_type }) => {
  if (event_type !== "conversation.updated" || !("conversation" in data)) return
  if (Object(data.conversation).last_channel !== "voice") return
  const key = callsKey(tenantId)
  void readAgain("calls", () => refreshRows(queries, key))
})

const statuses = ["completed", "no_answer", "busy", "canceled", "failed"] as const

const Filters = ({ search }: { readonly search: CallSearch }) => {
  const navigate = useNavigate()
  const set = (changed: Readonly<Record<string, unknown>>): void =>
    void navigate({ to: "/calls", search: readCallSearch({ ...search, ...changed }) })
  return (
    <Row label={callText.filters}>
      <Choice
        label={callText.status}
        value={search.status}
        options={Object.fromEntries(statuses.map((status) => [status, callText.statuses[status]]))}
        onChoose={(status) => set({ status })}
      />
      <Choice
        label={callText.direction}
        value={search.direction}
        options={callText.directions}
        onChoose={(direction) => set({ direction })}
      />
    </Row>
  )
}

/** Only the tenant can miss a call. */
const statusOf = ({ direction, status }: CallRecord): string =>
  direction === "outbound" && status === "no_answer" ? callText.noAnswer : callText.statuses[status]

const PhoneNumber = ({ call }: { readonly call: CallRecord }) => {
  const number = call.direction === "inbound" ? call.from : call.to
  return number?.startsWith("+") === true ? <a href={`tel:${number}`}>{number}</a> : number
}

interface Known {
  readonly names: ReadonlyMap<string, string>
  readonly tasks: CallBackTasks | undefined
  readonly now: number
}

const columnsOf = ({ names, now, tasks }: Known): ReadonlyArray<Column<CallRecord>> => {
  const nameOf = (call: CallRecord): string => names.get(call.contact_id) ?? text.unknownContact
  return [
    {
      header: callText.columns.contact,
      cell: (call) => (
        <Link to="/inbox/$contactId" params={{ contactId: call.contact_id }} hash={call.message_id ?? ""}>
          {nameOf(call)}
        </Link>
      )
    },
    { header: callText.direction, cell: (call) => callText.directions[call.direction], isDetail: true },
    {
      header: callText.columns.number,
      cell: (call) => <PhoneNumber call={call} />,
      isDetail: true
    },
    {
      header: callText.columns.status,
      cell: (call) => <span className={isMissed(call) ? styles.missed : ""}>{statusOf(call)}</span>
    },
    {
      header: callText.columns.time,
      cell: (call) => <time dateTime={call.started_at}>{shortTime(call.started_at, now)}</time>
    },
    {
      header: callText.columns.duration,
      isNumeric: true,
      cell: (call) => (call.duration_seconds === null ? null : clockDuration(call.duration_seconds)),
      isDetail: true
    },
    { header: callText.columns.actions, cell: (call) => <CallActions call={call} name={nameOf(call)} tasks={tasks} /> }
  ]
}

const noRows: ReadonlyArray<CallRecord> = []

/** Offers the key that creates a task for the newest missed call, or opens the one that exists. */
const useCallBackKey = (calls: ReadonlyArray<CallRecord>, { names, tasks }: Omit<Known, "now">): void => {
  const [callBack] = useCallBack()
  const navigate = useNavigate()
  const commands = useMemo(() => {
    const pick = (): void => {
      const missed = calls.find(isMissed)
      const task = missed === undefined ? undefined : callBackTaskOf(tasks, missed)
      if (missed === undefined) noticeSuccess(callText.noMissed)
      else if (task !== undefined) void navigate({ to: "/tasks/$taskId", params: { taskId: task.id } })
      else if (tasks !== undefined)
        callBack({ call: missed, name: names.get(missed.contact_id) ?? text.unknownContact })
    }
    return [{ label: callText.callBackNewest, hint: "t", pick }]
  }, [calls, names, tasks, callBack, navigate])
  useOfferedCommands(commands)
}

/** The calls, newest first, with the tasks to call back. */
export const CallsPage = () => {
  const search = useSearch({ from: "/signed-in/calls" })
  const navigate = useNavigate()
  const list = useRows(callsOptions(useConnection(), search))
  const { rows: calls = noRows } = list
  const names = useContactNames(useMemo(() => calls.map((call) => call.contact_id), [calls]))
  const tasks = useCallBackTasks()
  const columns = columnsOf({ names, tasks, now: useNow() })
  useCallBackKey(calls, { names, tasks })
  const none =
    Object.keys(search).length === 0 ? (
      <Empty>{callText.empty}</Empty>
    ) : (
      <Empty>
        <p>{callText.filtered}</p>
        <button type="button" onClick={() => void navigate({ to: "/calls", search: {} })}>
          {text.clear}
        </button>
      </Empty>
    )
  return (
    <Page title={callText.title} tools={<Filters search={search} />}>
      <ShownRows list={list} empty={none}>
        {(rows) => (
          <Table
            label={callText.title}
            columns={columns}
            rows={rows}
            keyOf={(call) => call.call_session_id}
            hasMore={list.hasMore}
            onMore={list.onMore}
          />
        )}
      </ShownRows>
    </Page>
  )
}
