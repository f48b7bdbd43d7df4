import type { ContactDetail } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useConnection } from "../app/Connection.ts"
import { nameOf } from "../app/ContactNames.ts"
import { Loaded } from "../app/Loaded.tsx"
import blocks from "../design/Blocks.module.css"
import { longTime } from "../design/Time.ts"
import { FormDialog } from "../form/FormDialog.tsx"
import { contactText } from "../text/Contact.ts"
import { text } from "../text/Shared.ts"
import { contactOptions } from "./ContactData.ts"
import { useMerge } from "./MergeData.tsx"

const texts = contactText.merges

/** Returns the records of a contact that move to the other one. */
const movedOf = ({ counts, identities }: ContactDetail): ReadonlyArray<string> => [
  ...identities.map(({ value }) => value),
  texts.moved.messages(counts.messages),
  texts.moved.leads(counts.leads),
  texts.moved.tasks(counts.open_tasks)
]

interface PreviewProps {
  readonly kept: ContactDetail
  readonly merged: ContactDetail
  readonly onSwap: () => void
}

const Preview = ({ kept, merged, onSwap }: PreviewProps) => {
  const [name, other] = [nameOf(kept.contact), nameOf(merged.contact)]
  return (
    <>
      <p>
        <strong>{texts.remains(name)}</strong>{" "}
        <span className={blocks.muted}>{texts.since(longTime(kept.contact.created_at))}</span>
      </p>
      <p>{texts.moves(other, name)}</p>
      <ul>
        {movedOf(merged).map((moved) => (
          <li key={moved}>{moved}</li>
        ))}
      </ul>
      <p>{texts.fields(name, other)}</p>
      <p>
        <button type="button" onClick={onSwap}>
          {texts.swap(other)}
        </button>
      </p>
    </>
  )
}

interface MergeDialogProps {
  /** The contact that remains if the person does not choose the other one. */
  readonly primaryId: string
  readonly duplicateId: string
  readonly onClose: () => void
}

/** Shows which contact remains and which records move, and merges the two contacts. */
export const MergeDialog = ({ duplicateId, onClose, primaryId }: MergeDialogProps) => {
  const connection = useConnection()
  const [isSwapped, setSwapped] = useState(false)
  const { onDone, send } = useMerge()
  const [keptId, mergedId] = isSwapped ? [duplicateId, primaryId] : [primaryId, duplicateId]
  const kept = useQuery(contactOptions(connection, keptId))
  const merged = useQuery(contactOptions(connection, mergedId))
  const name = kept.data === undefined ? text.unknownContact : nameOf(kept.data.contact)
  return (
    <FormDialog
      title={texts.dialog}
      action={texts.confirm}
      isReady={kept.data !== undefined && merged.data !== undefined}
      send={() => send({ primaryId: keptId, duplicateId: mergedId, name })}
      onDone={onDone}
      onClose={onClose}
    >
      <Loaded query={kept}>
        {(one) => (
          <Loaded query={merged}>
            {(other) => <Preview kept={one} merged={other} onSwap={() => setSwapped(!isSwapped)} />}
          </Loaded>
        )}
      </Loaded>
    </FormDialog>
  )
}
