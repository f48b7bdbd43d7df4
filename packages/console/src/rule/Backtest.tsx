import type { BacktestExample, BacktestMove, BacktestReport, Rule } from "@leadloom/client"
import { useMutation } from "@tanstack/react-query"
import { useMemo } from "react"
import { useConnection } from "../app/Connection.ts"
import { useContactNames } from "../app/ContactNames.ts"
import { Section } from "../component/Page.tsx"
import { type Column, Table } from "../component/Table.tsx"
import { nameOf } from "../text/Conditions.ts"
import { ruleText } from "../text/Rules.ts"
import { text } from "../text/Shared.ts"
import { Rejection } from "../form/Rejection.tsx"
import { Example } from "./Example.tsx"
import blocks from "../design/Blocks.module.css"
import styles from "./Rule.module.css"

const periodMillis = 90 * 86_400_000
/** A back-test of the largest period takes minutes. */
const timeoutMillis = 600_000

/** A row of the table of changes. */
interface Change {
  readonly name: string
  readonly before: string
  readonly after: string
  readonly count: number
  readonly examples: ReadonlyArray<BacktestExample>
}

const movesOf = (kind: keyof typeof ruleText.moves, moves: ReadonlyArray<BacktestMove>): ReadonlyArray<Change> =>
  moves.map(({ after, before, count, examples }) => ({
    name: ruleText.moves[kind],
    before: nameOf(ruleText.replies, before ?? ruleText.none),
    after: nameOf(ruleText.replies, after ?? ruleText.none),
    count,
    examples
  }))

interface Tally {
  readonly before: number
  readonly after: number
  readonly gained: number
  readonly lost: number
  readonly examples: ReadonlyArray<BacktestExample>
}

const changeOf = (name: string, { after, before, examples, gained, lost }: Tally, altered = 0): Change => ({
  name,
  before: String(before),
  after: String(after),
  count: gained + lost + altered,
  examples
})

/** Returns all differences of a back-test as rows of one table. */
const changesOf = ({ actions, intents, replies, rewritten, rules, tiers }: BacktestReport): ReadonlyArray<Change> => [
  ...rules.map((tally) => changeOf(ruleText.ruleMatches(tally.name), tally)),
  ...actions.map((tally) => changeOf(ruleText.actionRequested(tally.type), tally, tally.altered)),
  ...movesOf("replies", replies),
  ...movesOf("tiers", tiers),
  ...movesOf("intents", intents),
  ...(rewritten.count === 0 ? [] : [{ name: ruleText.rewritten, before: "", after: "", ...rewritten }])
]

type Names = ReadonlyMap<string, string>

interface ExamplesProps {
  readonly examples: ReadonlyArray<BacktestExample>
  readonly names: Names
}

const Examples = ({ examples, names }: ExamplesProps) => (
  <ul className={blocks.list}>
    {examples.map((example) => (
      <li key={example.signal_id}>
        <Example example={example} name={names.get(example.contact_id) ?? text.unknownContact} />
      </li>
    ))}
  </ul>
)

const columnsOf = (names: Names): ReadonlyArray<Column<Change>> => [
  { header: ruleText.change, cell: ({ name }) => name },
  { header: ruleText.before, cell: ({ before }) => before, isNumeric: true },
  { header: ruleText.after, cell: ({ after }) => after, isNumeric: true },
  { header: ruleText.messages, cell: ({ count }) => count, isNumeric: true },
  {
    header: ruleText.examples,
    cell: ({ examples }) => <Examples examples={examples} names={names} />,
    isDetail: true
  }
]

const Report = ({ report }: { readonly report: BacktestReport }) => {
  const skipped = report.skipped.unasked + report.skipped.without_inputs
  const changes = useMemo(() => changesOf(report).filter(({ count }) => count > 0), [report])
  const contactIds = useMemo(
    () => changes.flatMap(({ examples }) => examples.map((example) => example.contact_id)),
    [changes]
  )
  const names = useContactNames(contactIds)
  return (
    <>
      <p role="status">{ruleText.examined(report.examined, report.changed)}</p>
      {report.more ? <p>{ruleText.more}</p> : null}
      {skipped === 0 ? null : <p>{ruleText.skipped(skipped)}</p>}
      {changes.length === 0 ? (
        <p>{ruleText.unchanged}</p>
      ) : (
        <Table
          label={ruleText.changes}
          columns={columnsOf(names)}
          rows={changes}
          keyOf={({ after, before, name }) => [name, before, after].join(" ")}
        />
      )}
    </>
  )
}

interface BacktestProps {
  readonly rules: ReadonlyArray<Rule>
  /** The version of the saved rules. */
  readonly version: number
}

interface Test extends BacktestProps {
  readonly stop: AbortController
}

/** Compares the edited rules with the saved ones over the messages of the last 90 days. */
export const Backtest = ({ rules, version }: BacktestProps) => {
  const { client, tenantId } = useConnection()
  const test = useMutation({
    mutationFn: ({ rules: tested, stop: { signal } }: Test) => {
      const since = new Date(Date.now() - periodMillis).toISOString()
      return client.backtest.run(tenantId, { rules: tested, since }, { signal, timeoutMs: timeoutMillis })
    }
  })
  // A saved edit differs from no saved rules, so its result no longer says what a save would change.
  const isCurrent = test.variables?.rules === rules && test.variables.version === version
  return (
    <Section title={ruleText.tabs.test}>
      <p>{ruleText.backtestHelp}</p>
      {test.isPending ? (
        <div className={styles.buttons}>
          <progress aria-label={ruleText.testing} />
          {ruleText.testing}
          <button type="button" onClick={() => test.variables.stop.abort()}>
            {ruleText.stop}
          </button>
        </div>
      ) : (
        <p>
          <button type="button" onClick={() => test.mutate({ rules, version, stop: new AbortController() })}>
            {ruleText.backtest}
          </button>
        </p>
      )}
      {test.error === null || test.variables?.stop.signal.aborted === true ? null : <Rejection error={test.error} />}
      {test.data === undefined || test.isPending ? null : isCurrent ? (
        <Report report={test.data} />
      ) : (
        <p role="status">{ruleText.outdated}</p>
      )}
    </Section>
  )
}
