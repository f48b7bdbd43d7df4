import type {
  RuleSimulation,
  RuleSimulationTotals,
  SimulatedAction,
  SimulatedCause,
  SimulateRule
} from "@leadloom/client"
import { Link } from "@tanstack/react-router"
import { useMemo } from "react"
import { useContactNames } from "../../app/ContactNames.ts"
import type { Simulated } from "../../app/SimulationPages.ts"
import { type Column, Table } from "../../component/Table.tsx"
import blocks from "../../design/Blocks.module.css"
import { longTime } from "../../design/Time.ts"
import { actionNames, nameOf } from "../../text/Conditions.ts"
import { conditionWords } from "../../text/rule/ReasonWords.ts"
import { ruleSimulationText as shown } from "../../text/rule/Simulation.ts"
import { triggerFormText } from "../../text/rule/Triggers.ts"
import { outcomeText } from "../../text/sequence/Sequence.ts"
import { text } from "../../text/Shared.ts"

const { columns } = shown

interface Total {
  readonly name: string
  readonly simulated: number
  readonly actual: number
}

const totalNames = Object.entries(shown.totalNames) as ReadonlyArray<
  readonly [Exclude<keyof RuleSimulationTotals, "actions">, string]
>

/** Returns the numbers of a simulation as rows, with a row for each type of action. */
const totalsOf = ({ actual, simulated }: RuleSimulation): ReadonlyArray<Total> => {
  const types = [...new Set([...Object.keys(simulated.actions), ...Object.keys(actual.actions)])]
  return [
    ...totalNames.map(([key, name]) => ({ name, simulated: simulated[key], actual: actual[key] })),
    ...types.map((type) => ({
      name: shown.action(nameOf(actionNames, type)),
      simulated: simulated.actions[type] ?? 0,
      actual: actual.actions[type] ?? 0
    }))
  ]
}

const totalColumns: ReadonlyArray<Column<Total>> = [
  { header: columns.number, cell: ({ name }) => name },
  { header: columns.simulated, cell: ({ simulated }) => simulated, isNumeric: true },
  { header: columns.actual, cell: ({ actual }) => actual, isNumeric: true }
]

interface Decided {
  readonly state: string
  readonly reason: string | null
  readonly actions: ReadonlyArray<Omit<SimulatedAction, "enrolment"> & Partial<Pick<SimulatedAction, "enrolment">>>
}

/** What a run did, or why it did nothing. */
const RunText = ({ run: { actions, reason, state } }: { readonly run: Decided }) => (
  <>
    <div>{nameOf(triggerFormText.run.states, state)}</div>
    {reason === null ? null : <div className={blocks.muted}>{conditionWords(reason, state === "ran") ?? reason}</div>}
    {actions.length === 0 ? null : (
      <ul className={blocks.list}>
        {[...actions.entries()].map(([position, { enrolment = null, outcome, reason: detail, type }]) => (
          <li key={position}>
            {nameOf(actionNames, type)}: {nameOf(shown.outcomes, outcome)}, {detail}
            {enrolment?.history.map((entry) => (
              <div key={`${entry.step} ${entry.at}`} className={blocks.muted}>
                {entry.step}: {outcomeText(entry)}, <time dateTime={entry.at}>{longTime(entry.at)}</time>
              </div>
            ))}
          </li>
        ))}
      </ul>
    )}
  </>
)

const columnsOf = (names: ReadonlyMap<string, string>): ReadonlyArray<Column<SimulatedCause>> => [
  {
    header: columns.cause,
    cell: ({ cause_at: at, contact_id: contactId, run_at: due }) => (
      <>
        <Link to="/contacts/$contactId" params={{ contactId }}>
          {names.get(contactId) ?? text.unknownContact}
        </Link>
        <div className={blocks.muted}>
          <time dateTime={at}>{longTime(at)}</time>
          {due === at ? null : `, ${shown.due(longTime(due))}`}
        </div>
      </>
    )
  },
  {
    header: columns.simulated,
    cell: ({ simulated }) => (simulated === null ? shown.notDecided : <RunText run={simulated} />)
  },
  { header: columns.actual, cell: ({ actual }) => (actual === null ? shown.noRun : <RunText run={actual} />) },
  { header: columns.differs, cell: ({ differs }) => (differs ? <strong>{shown.differs}</strong> : shown.same) }
]

/** What limits the simulation, and what it cannot know. */
const Notes = ({ page: { more, notes, simulated_until: reached, until } }: { readonly page: RuleSimulation }) => (
  <>
    {more ? <p>{shown.more}</p> : null}
    {reached === until ? null : <p>{shown.early(longTime(reached))}</p>}
    {notes.map((note) => (
      <p key={note} className={blocks.muted}>
        {note}
      </p>
    ))}
  </>
)

interface ResultProps {
  readonly result: Simulated<SimulateRule, RuleSimulation>
  readonly isPending: boolean
  readonly onMore: () => void
}

/** What a rule would have done, next to what really happened. */
export const RuleSimulationResult = ({ isPending, onMore, result: { page, pages } }: ResultProps) => {
  const causes = useMemo(
    () => pages.flatMap((read) => read.causes).map((cause, position) => ({ ...cause, position })),
    [pages]
  )
  const names = useContactNames(useMemo(() => causes.map(({ contact_id: id }) => id), [causes]))
  if (causes.length === 0)
    return (
      <>
        <p role="status">{shown.empty}</p>
        <Notes page={page} />
      </>
    )
  return (
    <>
      <p role="status">
        {shown.result(page.simulated.causes, page.differing)} {shown.shown(causes.length)}
      </p>
      <Notes page={page} />
      <Table label={shown.totals} columns={totalColumns} rows={totalsOf(page)} keyOf={({ name }) => name} />
      <Table label={shown.causes} columns={columnsOf(names)} rows={causes} keyOf={({ position }) => String(position)} />
      {page.next_cursor === null ? null : (
        <p>
          <button type="button" disabled={isPending} onClick={onMore}>
            {shown.showMore}
          </button>
        </p>
      )}
    </>
  )
}
