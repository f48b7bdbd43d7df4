import type {
  Sequence,
  SequenceCounts,
  SequenceGroup,
  SequenceResults,
  SequenceStatistics,
  StepResult
} from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { useConnection } from "../../app/Connection.ts"
import { Loaded } from "../../app/Loaded.tsx"
import { Chart } from "../../component/chart/Chart.tsx"
import { Facts } from "../../component/Facts.tsx"
import { Section } from "../../component/Page.tsx"
import { type Column, Table } from "../../component/Table.tsx"
import { longTime } from "../../design/Time.ts"
import { resultText } from "../../text/sequence/Results.ts"
import { resultsOptions, statisticsOptions } from "../SequenceData.ts"

const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 })

/** Returns a part of a whole as a percentage; empty for an empty whole. */
const shareOf = (part: number, whole: number): string => (whole === 0 ? "" : percent.format(part / whole))

const counted = (part: number, whole: number): string | number =>
  whole === 0 ? part : resultText.of(part, shareOf(part, whole))

const textOf = ({ variant }: StepResult): string => {
  if (variant === null) return resultText.own
  return variant === "control" ? resultText.ownOf : variant
}

const stepColumns: ReadonlyArray<Column<StepResult>> = [
  { header: resultText.columns.step, cell: ({ step }) => step },
  { header: resultText.columns.text, cell: textOf },
  { header: resultText.columns.sent, cell: ({ sent }) => sent, isNumeric: true },
  { header: resultText.columns.answered, cell: ({ answered }) => answered, isNumeric: true },
  { header: resultText.columns.share, cell: ({ answered, sent }) => shareOf(answered, sent), isNumeric: true }
]

const openedColumn: Column<StepResult> = {
  header: resultText.columns.opened,
  cell: ({ opened, sent }) => counted(opened, sent),
  isNumeric: true
}

/** Returns the columns of a table of results. Without tracked links, no email counts as opened. */
const stepColumnsOf = (results: ReadonlyArray<StepResult>): ReadonlyArray<Column<StepResult>> =>
  results.some(({ opened }) => opened > 0) ? [...stepColumns, openedColumn] : stepColumns

const labelOf = ({ step, variant }: StepResult): string => (variant === null ? step : `${step}, ${variant}`)

const StepResults = ({ found: { enrolments, results } }: { readonly found: SequenceResults }) =>
  results.length === 0 ? (
    <p>{resultText.empty}</p>
  ) : (
    <>
      <p>{resultText.help(enrolments)}</p>
      <Chart
        title={resultText.steps}
        kind="bar"
        categories={results.map(labelOf)}
        series={[
          { name: resultText.columns.sent, values: results.map(({ sent }) => sent) },
          { name: resultText.columns.answered, values: results.map(({ answered }) => answered) }
        ]}
        format={String}
        isCount
      />
      <Table label={resultText.steps} columns={stepColumnsOf(results)} rows={results} keyOf={labelOf} />
    </>
  )

interface Group extends SequenceGroup {
  readonly name: string
}

const groupColumns: ReadonlyArray<Column<Group>> = [
  { header: resultText.group, cell: ({ name }) => name },
  { header: resultText.contacts, cell: ({ contacts }) => contacts, isNumeric: true },
  { header: resultText.answered, cell: ({ answered, contacts }) => counted(answered, contacts), isNumeric: true },
  { header: resultText.won, cell: ({ contacts, won }) => counted(won, contacts), isNumeric: true }
]

const Effect = ({ found: { enrolled, held_out: heldOut, since } }: { readonly found: SequenceStatistics }) =>
  since === null ? (
    <p>{resultText.noContacts}</p>
  ) : (
    <>
      <p>
        {heldOut.contacts === 0 ? resultText.noHoldout : resultText.groupsHelp} {resultText.since(longTime(since))}
      </p>
      <Table
        label={resultText.groups}
        columns={groupColumns}
        rows={[
          { ...enrolled, name: resultText.enrolled },
          { ...heldOut, name: resultText.heldOut }
        ]}
        keyOf={({ name }) => name}
      />
    </>
  )

type Limit = Sequence["limits"]["bounce_percent"]

const incidents = (number: number, messages: number, limit: Limit): string | number =>
  limit === null || messages === 0
    ? counted(number, messages)
    : resultText.ofLimit(number, shareOf(number, messages), String(limit))

interface WeekProps {
  readonly counts: SequenceCounts
  readonly limits: Sequence["limits"]
}

const Week = ({ counts: { bounced, complained, emails, opted_out: optedOut, texts }, limits }: WeekProps) => (
  <>
    <p>{resultText.weekHelp}</p>
    <Facts
      facts={[
        [resultText.emails, emails],
        [resultText.texts, texts],
        [resultText.bounced, incidents(bounced, emails, limits.bounce_percent)],
        [resultText.complained, incidents(complained, emails, limits.complaint_percent)],
        [resultText.optedOut, incidents(optedOut, emails + texts, limits.opt_out_percent)]
      ]}
    />
  </>
)

/** The answers to a sequence by step and text, its effect, and the numbers that its limits compare. */
export const Results = ({ sequence }: { readonly sequence: Sequence }) => {
  const connection = useConnection()
  const results = useQuery(resultsOptions(connection, sequence.id))
  const statistics = useQuery(statisticsOptions(connection, sequence.id))
  return (
    <>
      <Section title={resultText.steps}>
        <Loaded query={results}>{(found) => <StepResults found={found} />}</Loaded>
      </Section>
      <Section title={resultText.groups}>
        <Loaded query={statistics}>{(found) => <Effect found={found} />}</Loaded>
      </Section>
      {statistics.data === undefined ? null : (
        <Section title={resultText.week}>
          <Week counts={statistics.data.last_7_days} limits={sequence.limits} />
        </Section>
      )}
    </>
  )
}
