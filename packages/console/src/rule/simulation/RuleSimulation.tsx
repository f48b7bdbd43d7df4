import type { Rule, RuleSimulation as Page, SimulateRule } from "@leadloom/client"
import { type FormEvent, useState } from "react"
import { useConnection } from "../../app/Connection.ts"
import { simulationTimeoutMillis, useSimulationPages } from "../../app/SimulationPages.ts"
import { SimulationProgress } from "../../app/SimulationProgress.tsx"
import { Fields } from "../../component/Field.tsx"
import { Empty, Section } from "../../component/Page.tsx"
import { Rejection } from "../../form/Rejection.tsx"
import { Select } from "../../form/Select.tsx"
import { ruleSimulationText as shown } from "../../text/rule/Simulation.ts"
import { simulationText } from "../../text/sequence/Simulation.ts"
import { triggerTypeOf } from "../TriggerForm.ts"
import { RuleSimulationResult } from "./RuleSimulationResult.tsx"

type Days = `${keyof typeof simulationText.periods}`

/** The numbers of causes to choose from. The API permits at most the last one. */
const sizes = [200, 500, 1_000] as const
const sizeNames = Object.fromEntries(sizes.map((size) => [size, shown.maxCauses(size)]))

interface FormProps {
  readonly rules: ReadonlyArray<Rule>
  readonly rule: Rule
  readonly isPending: boolean
  readonly onRule: (id: string) => void
  readonly onStart: (days: number, request: SimulateRule) => void
}

/** The form with the rule and the period of a simulation. */
const SimulationForm = ({ isPending, onRule, onStart, rule, rules }: FormProps) => {
  const [days, setDays] = useState<Days>("30")
  const [max, setMax] = useState(String(sizes[0]))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onStart(Number(days), { rule, max: Number(max) })
  }
  return (
    <form onSubmit={submit}>
      <Fields>
        <Select
          label={shown.rule}
          value={rule.id}
          options={Object.fromEntries(rules.map(({ id, name }) => [id, name]))}
          onChoose={onRule}
        />
        <Select label={simulationText.period} value={days} options={simulationText.periods} onChoose={setDays} />
        <Select label={shown.max} value={max} options={sizeNames} onChoose={setMax} />
      </Fields>
      <button type="submit" disabled={isPending}>
        {simulationText.start}
      </button>
    </form>
  )
}

interface RuleSimulationProps {
  /** The edited rules, which the person may not have saved. */
  readonly rules: ReadonlyArray<Rule>
  readonly saved: ReadonlyArray<Rule>
}

interface ChosenProps extends Pick<FormProps, "onRule" | "rule" | "rules"> {
  readonly isChanged: boolean
}

const Chosen = ({ isChanged, ...chosen }: ChosenProps) => {
  const { client, tenantId } = useConnection()
  const { error, isPending, isStopped, readMore, result, start, stop } = useSimulationPages<SimulateRule, Page>(
    (request, signal) => client.simulations.rule(tenantId, request, { signal, timeoutMs: simulationTimeoutMillis })
  )
  const isCurrent = result !== null && result.request.rule === chosen.rule
  return (
    <>
      {isChanged ? <p>{shown.unsaved}</p> : null}
      <SimulationForm {...chosen} isPending={isPending} onStart={start} />
      {result !== null && !isCurrent ? <p role="status">{shown.outdated}</p> : null}
      {isCurrent ? <RuleSimulationResult result={result} isPending={isPending} onMore={readMore} /> : null}
      <SimulationProgress isPending={isPending} isStopped={isStopped} onStop={stop} />
      {error === null ? null : <Rejection error={error} />}
    </>
  )
}

/** Simulates a saved or edited rule with a trigger. Rules for messages have a back-test. */
export const RuleSimulation = ({ rules, saved }: RuleSimulationProps) => {
  const [id, setId] = useState<string | null>(null)
  const offered = rules.filter((rule) => triggerTypeOf(rule) !== "message_received")
  const rule = offered.find((one) => one.id === id) ?? offered[0]
  const former = saved.find((one) => one.id === rule?.id)
  return (
    <Section title={shown.title}>
      <p>{shown.help}</p>
      {rule === undefined ? (
        <Empty>{shown.none}</Empty>
      ) : (
        <>
          {offered.length === rules.length ? null : <p>{shown.messages}</p>}
          <Chosen
            rules={offered}
            rule={rule}
            isChanged={JSON.stringify(former) !== JSON.stringify(rule)}
            onRule={setId}
          />
        </>
      )}
    </Section>
  )
}
