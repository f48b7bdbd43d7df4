import type { Sequence } from "@leadloom/client"
import { SimulationProgress } from "../../app/SimulationProgress.tsx"
import { Section } from "../../component/Page.tsx"
import { Rejection } from "../../form/Rejection.tsx"
import { simulationText } from "../../text/sequence/Simulation.ts"
import { hasNewContent, type SequenceFields } from "../Fields.ts"
import { useSimulation } from "./Simulate.ts"
import { SimulationForm } from "./SimulationForm.tsx"
import { SimulationResult } from "./SimulationResult.tsx"

interface SimulationProps {
  readonly sequence: Sequence
  /** The edited fields, which the person may not have saved. */
  readonly fields: SequenceFields
}

/** Simulates a sequence with the contacts and messages of the past. */
export const Simulation = ({ fields, sequence }: SimulationProps) => {
  const { error, isPending, isStopped, readMore, result, start, stop } = useSimulation(sequence)
  const isChanged = hasNewContent(sequence, fields)
  return (
    <Section title={simulationText.title}>
      <p>{simulationText.help}</p>
      {isChanged ? <p>{simulationText.unsaved}</p> : null}
      <SimulationForm
        sequenceId={sequence.id}
        proposed={isChanged ? { steps: fields.steps, stop_on: fields.stop_on } : {}}
        isPending={isPending}
        onStart={start}
      />
      {result === null ? null : <SimulationResult result={result} isPending={isPending} onMore={readMore} />}
      <SimulationProgress isPending={isPending} isStopped={isStopped} onStop={stop} />
      {error === null ? null : <Rejection error={error} />}
    </Section>
  )
}
