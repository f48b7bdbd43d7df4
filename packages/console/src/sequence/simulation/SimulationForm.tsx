import type { SimulateSequence } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { useConnection } from "../../app/Connection.ts"
import { Loaded } from "../../app/Loaded.tsx"
import { Field, Fields } from "../../component/Field.tsx"
import { simulationText } from "../../text/sequence/Simulation.ts"
import { Select } from "../../form/Select.tsx"
import { type Entry, segmentsOptions, startingRulesOptions, type Wanted } from "./Simulate.ts"

type EntryKind = keyof typeof simulationText.entries
type Days = `${keyof typeof simulationText.periods}`

/** The numbers of contacts to choose from. The API permits at most the last one. */
const sizes = [200, 500, 1_000] as const
const sizeNames = Object.fromEntries(sizes.map((size) => [size, simulationText.maxContacts(size)]))

interface Named {
  readonly id: string
  readonly name: string
}

interface NamedProps {
  readonly label: string
  readonly none: string
  readonly found: ReadonlyArray<Named>
  readonly value: string
  readonly onChoose: (id: string) => void
}

const NamedChoice = ({ found, label, none, onChoose, value }: NamedProps) =>
  found.length === 0 ? (
    <p>{none}</p>
  ) : (
    <Field label={label}>
      {(control) => (
        <select {...control} required value={value} onChange={(event) => onChoose(event.target.value)}>
          <option value="">{simulationText.choose}</option>
          {found.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )

type ChoiceProps = Pick<NamedProps, "onChoose" | "value">

const SegmentChoice = (props: ChoiceProps) => {
  const segments = useQuery(segmentsOptions(useConnection()))
  return (
    <Loaded query={segments}>
      {(found) => (
        <NamedChoice {...props} found={found} label={simulationText.segment} none={simulationText.noSegments} />
      )}
    </Loaded>
  )
}

const RuleChoice = ({ sequenceId, ...props }: ChoiceProps & { readonly sequenceId: string }) => {
  const rules = useQuery(startingRulesOptions(useConnection(), sequenceId))
  return (
    <Loaded query={rules}>
      {(found) => <NamedChoice {...props} found={found} label={simulationText.rule} none={simulationText.noRules} />}
    </Loaded>
  )
}

const entryOf = (kind: EntryKind, id: string): Entry | null => {
  if (kind === "real") return {}
  if (id === "") return null
  return kind === "segment" ? { segment_id: id } : { rule_id: id }
}

interface SimulationFormProps {
  readonly sequenceId: string
  readonly proposed: Pick<SimulateSequence, "steps" | "stop_on">
  readonly isPending: boolean
  readonly onStart: (wanted: Wanted) => void
}

/** The form with the period of a simulation, and with those who enter. */
export const SimulationForm = ({ isPending, onStart, proposed, sequenceId }: SimulationFormProps) => {
  const [days, setDays] = useState<Days>("30")
  const [kind, setKind] = useState<EntryKind>("real")
  const [id, setId] = useState("")
  const [max, setMax] = useState(String(sizes[0]))
  const entry = entryOf(kind, id)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (entry !== null) onStart({ days: Number(days), max: Number(max), entry, proposed })
  }
  const chooseKind = (next: EntryKind): void => {
    setKind(next)
    setId("")
  }
  return (
    <form onSubmit={submit}>
      <Fields>
        <Select label={simulationText.period} value={days} options={simulationText.periods} onChoose={setDays} />
        <Select label={simulationText.entry} value={kind} options={simulationText.entries} onChoose={chooseKind} />
        {kind === "segment" ? <SegmentChoice value={id} onChoose={setId} /> : null}
        {kind === "rule" ? <RuleChoice sequenceId={sequenceId} value={id} onChoose={setId} /> : null}
        <Select label={simulationText.max} value={max} options={sizeNames} onChoose={setMax} />
      </Fields>
      <button type="submit" disabled={isPending || entry === null}>
        {simulationText.start}
      </button>
    </form>
  )
}
