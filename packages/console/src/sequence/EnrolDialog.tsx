import type { Sequence } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useConnection } from "../app/Connection.ts"
import { Loaded } from "../app/Loaded.tsx"
import { Field } from "../component/Field.tsx"
import { FormDialog } from "../form/FormDialog.tsx"
import { sequenceText } from "../text/sequence/Sequence.ts"
import { Preview } from "./Preview.tsx"
import { type Enrollable, everySequenceOptions, useEnrol } from "./SequenceData.ts"

const { enrol: shown } = sequenceText

interface ChoiceProps {
  readonly sequences: ReadonlyArray<Sequence>
  readonly chosen: Sequence | undefined
  readonly onChoose: (sequence: Sequence | undefined) => void
}

const SequenceChoice = ({ chosen, onChoose, sequences }: ChoiceProps) =>
  sequences.length === 0 ? (
    <p>{shown.none}</p>
  ) : (
    <Field label={shown.sequence}>
      {(control) => (
        <select
          {...control}
          required
          value={chosen?.id ?? ""}
          onChange={(event) => onChoose(sequences.find(({ id }) => id === event.target.value))}
        >
          <option value="">{shown.choose}</option>
          {sequences.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )

interface EnrolDialogProps {
  readonly contact: Enrollable
  /** The only sequence that is offered. Absent: the person chooses one. */
  readonly sequence?: Sequence
  readonly onClose: () => void
}

const AnySequence = (props: Omit<ChoiceProps, "sequences">) => {
  const every = useQuery(everySequenceOptions(useConnection()))
  return <Loaded query={every}>{(sequences) => <SequenceChoice {...props} sequences={sequences} />}</Loaded>
}

/** Enrols a contact after a look at the times and texts. */
export const EnrolDialog = ({ contact, onClose, sequence: only }: EnrolDialogProps) => {
  const [chosen, setChosen] = useState(only)
  const { onDone, send } = useEnrol(contact)
  return (
    <FormDialog
      title={shown.title(contact.name)}
      action={shown.send}
      isReady={chosen !== undefined}
      send={() => send(chosen?.id ?? "")}
      onDone={onDone}
      onClose={onClose}
    >
      {only === undefined ? <AnySequence chosen={chosen} onChoose={setChosen} /> : null}
      {chosen === undefined ? null : <Preview key={chosen.id} sequence={chosen} contactId={contact.contactId} />}
    </FormDialog>
  )
}
