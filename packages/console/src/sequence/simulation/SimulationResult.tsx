import type {
  EnrolmentEntry,
  SequenceSimulation,
  SimulatedContact,
  SimulateSequence,
  SimulationTotals
} from "@leadloom/client"
import { Link } from "@tanstack/react-router"
import { useMemo } from "react"
import type { Simulated } from "../../app/SimulationPages.ts"
import { useContactNames } from "../../app/ContactNames.ts"
import { type Column, Table } from "../../component/Table.tsx"
import blocks from "../../design/Blocks.module.css"
import { longTime } from "../../design/Time.ts"
import { nameOf, outcomeText, sequenceText, stateText } from "../../text/sequence/Sequence.ts"
import { simulationText } from "../../text/sequence/Simulation.ts"
import { text } from "../../text/Shared.ts"

const { enrolments: shown } = sequenceText

interface Total {
  readonly name: string
  readonly simulated: number
  readonly actual: number
}

const totalNames = Object.entries(simulationText.totalNames) as ReadonlyArray<
  readonly [Exclude<keyof SimulationTotals, "stops">, string]
>

/** Returns the numbers of a simulation as rows, with a row for each reason of a stop. */
const totalsOf = ({ actual, simulated }: SequenceSimulation): ReadonlyArray<Total> => {
  const reasons = [...new Set([...Object.keys(simulated.stops), ...Object.keys(actual.stops)])]
  return [
    ...totalNames.map(([key, name]) => ({ name, simulated: simulated[key], actual: actual[key] })),
    ...reasons.map((reason) => ({
      name: simulationText.stoppedBecause(nameOf(shown.stops, reason)),
      simulated: simulated.stops[reason] ?? 0,
      actual: actual.stops[reason] ?? 0
    }))
  ]
}

const totalColumns: ReadonlyArray<Column<Total>> = [
  { header: simulationText.number, cell: ({ name }) => name },
  { header: simulationText.columns.simulated, cell: ({ simulated }) => simulated, isNumeric: true },
  { header: simulationText.columns.actual, cell: ({ actual }) => actual, isNumeric: true }
]

type Course = Parameters<typeof stateText>[0] & {
  readonly history: ReadonlyArray<EnrolmentEntry>
  readonly step: string | null
  readonly next_at: string | null
}

/** What a contact received and when, and in which state it was at the end. */
const CourseText = ({ course }: { readonly course: Course }) => (
  <>
    <div>{stateText(course)}</div>
    {course.history.length === 0 ? null : (
      <ul className={blocks.list}>
        {course.history.map(({ at, outcome, reason, step }) => (
          <li key={`${step} ${at}`}>
            {step}: {outcomeText({ outcome })}, <time dateTime={at}>{longTime(at)}</time>
            {reason === null ? null : <span className={blocks.muted}> {reason}</span>}
          </li>
        ))}
      </ul>
    )}
    {course.step === null || course.next_at === null ? null : (
      <div className={blocks.muted}>{simulationText.next(course.step, longTime(course.next_at))}</div>
    )}
  </>
)

const columnsOf = (names: ReadonlyMap<string, string>): ReadonlyArray<Column<SimulatedContact>> => [
  {
    header: simulationText.columns.contact,
    cell: ({ at, contact_id: contactId }) => (
      <>
        <Link to="/contacts/$contactId" params={{ contactId }}>
          {names.get(contactId) ?? text.unknownContact}
        </Link>
        <div className={blocks.muted}>
          <time dateTime={at}>{longTime(at)}</time>
        </div>
      </>
    )
  },
  {
    header: simulationText.columns.simulated,
    cell: ({ reason, simulated }) =>
      simulated === null ? (
        <>
          {simulationText.notSimulated}
          {reason === null ? null : <div className={blocks.muted}>{reason}</div>}
        </>
      ) : (
        <CourseText course={{ ...simulated, pause_reason: null }} />
      )
  },
  {
    header: simulationText.columns.actual,
    cell: ({ actual }) => (actual === null ? simulationText.notEntered : <CourseText course={actual} />)
  },
  {
    header: simulationText.columns.differs,
    cell: ({ differs }) => (differs ? <strong>{simulationText.differs}</strong> : simulationText.same)
  }
]

type Result = Simulated<SimulateSequence, SequenceSimulation>

/** The limits of a simulation that apply to this one. */
const Notes = ({ result: { page, request } }: { readonly result: Result }) => (
  <>
    {page.more ? <p>{simulationText.more(request.max ?? 0)}</p> : null}
    {page.simulated_until === page.until ? null : <p>{simulationText.early(longTime(page.simulated_until))}</p>}
    {page.undecided === 0 ? null : <p>{simulationText.undecided(page.undecided)}</p>}
    <p className={blocks.muted}>{simulationText.assumptions}</p>
  </>
)

interface SimulationResultProps {
  readonly result: Result
  readonly isPending: boolean
  readonly onMore: () => void
}

/** What a sequence would have done, next to what really happened. */
export const SimulationResult = ({ isPending, onMore, result }: SimulationResultProps) => {
  const { page, pages } = result
  const contacts = useMemo(() => pages.flatMap((read) => read.contacts), [pages])
  const names = useContactNames(useMemo(() => contacts.map(({ contact_id: id }) => id), [contacts]))
  if (contacts.length === 0) return <p role="status">{simulationText.empty}</p>
  return (
    <>
      <p role="status">
        {simulationText.result(page.simulated.enrolled, page.differing)} {simulationText.shown(contacts.length)}
      </p>
      <Notes result={result} />
      <Table label={simulationText.totals} columns={totalColumns} rows={totalsOf(page)} keyOf={({ name }) => name} />
      <Table
        label={simulationText.contacts}
        columns={columnsOf(names)}
        rows={contacts}
        keyOf={({ at, contact_id: id }) => `${id} ${at}`}
      />
      {page.next_cursor === null ? null : (
        <p>
          <button type="button" disabled={isPending} onClick={onMore}>
            {simulationText.showMore}
          </button>
        </p>
      )}
    </>
  )
}
