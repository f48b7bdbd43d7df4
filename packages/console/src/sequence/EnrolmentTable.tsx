import type { Enrolment } from "@leadloom/client"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { handleEvents } from "../app/Live.ts"
import { type RowList, ShownRows } from "../app/Rows.tsx"
import { useUserNames } from "../app/Users.ts"
import { Empty } from "../component/Page.tsx"
import { type Column, Table } from "../component/Table.tsx"
import blocks from "../design/Blocks.module.css"
import { longTime } from "../design/Time.ts"
import { outcomeText, sequenceText, stateText } from "../text/sequence/Sequence.ts"
import { EnrolmentActions } from "./EnrolmentActions.tsx"
import styles from "./Sequence.module.css"
import { applySequenceEvent } from "./SequenceData.ts"

handleEvents(applySequenceEvent)

const { enrolments: shown } = sequenceText

/** The outcomes of the steps so far, oldest first. */
const History = ({ enrolment: { history } }: { readonly enrolment: Enrolment }) =>
  history.length === 0 ? null : (
    <details className={styles.history}>
      <summary>{shown.history(history.length)}</summary>
      <ol>
        {history.map(({ at, outcome, reason, step, task_id: taskId, until }) => (
          <li key={`${step} ${at}`}>
            {step}: {outcomeText({ outcome })}, <time dateTime={at}>{longTime(at)}</time>
            {until === null ? null : ` ${shown.until(longTime(until))}`}
            {reason === null ? null : <span className={blocks.muted}> {reason}</span>}
            {taskId === null ? null : (
              <>
                {" "}
                <Link to="/tasks/$taskId" params={{ taskId }}>
                  {shown.task}
                </Link>
              </>
            )}
          </li>
        ))}
      </ol>
    </details>
  )

const NextStep = ({ enrolment: { next_at: at, step } }: { readonly enrolment: Enrolment }) =>
  step === null ? null : (
    <>
      {step}
      {at === null ? null : (
        <>
          , <time dateTime={at}>{longTime(at)}</time>
        </>
      )}
    </>
  )

/** The column that says what a list of enrolments is about. */
interface Subject {
  readonly header: string
  readonly link: (enrolment: Enrolment) => ReactNode
  readonly nameOf: (enrolment: Enrolment) => string
}

const columnsOf = (subject: Subject, users: ReadonlyMap<string, string>): ReadonlyArray<Column<Enrolment>> => [
  {
    header: subject.header,
    cell: (enrolment) => (
      <>
        {subject.link(enrolment)}
        <History enrolment={enrolment} />
      </>
    )
  },
  { header: shown.columns.state, cell: stateText },
  { header: shown.columns.next, cell: (enrolment) => <NextStep enrolment={enrolment} /> },
  { header: shown.columns.version, cell: ({ version }) => version, isNumeric: true, isDetail: true },
  {
    header: shown.columns.since,
    isDetail: true,
    cell: ({ created_at: at, enrolled_by: by, enrolled_by_user_id: userId }) => (
      <>
        <time dateTime={at}>{longTime(at)}</time> {users.get(userId ?? "") ?? by}
      </>
    )
  },
  {
    header: shown.columns.actions,
    cell: (enrolment) => <EnrolmentActions enrolment={enrolment} name={subject.nameOf(enrolment)} />
  }
]

interface EnrolmentTableProps {
  readonly list: RowList<Enrolment>
  readonly empty: string
  readonly subject: Subject
}

/** The enrolments of a sequence or of a contact, oldest first. */
export const EnrolmentTable = ({ empty, list, subject }: EnrolmentTableProps) => {
  const users = useUserNames()
  return (
    <ShownRows list={list} empty={<Empty>{empty}</Empty>}>
      {(rows) => (
        <Table
          label={shown.title}
          columns={columnsOf(subject, users)}
          rows={rows}
          keyOf={({ id }) => id}
          hasMore={list.hasMore}
          onMore={list.onMore}
        />
      )}
    </ShownRows>
  )
}
