import type { PreviewedStep, Sequence } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { useConnection } from "../app/Connection.ts"
import { Loaded } from "../app/Loaded.tsx"
import blocks from "../design/Blocks.module.css"
import { longTime } from "../design/Time.ts"
import { kindText, sequenceText } from "../text/sequence/Sequence.ts"
import { previewOptions } from "./SequenceData.ts"

const { preview: shown } = sequenceText

const Planned = ({ planned: { at, body, missing, reason, step, subject } }: { readonly planned: PreviewedStep }) => (
  <li className={blocks.card}>
    <div>
      <strong>{at === null ? shown.never : <time dateTime={at}>{longTime(at)}</time>}</strong> {step.name}:{" "}
      {kindText(step)}.
    </div>
    {reason === null ? null : <div className={blocks.muted}>{shown.reason(reason)}.</div>}
    {missing.length === 0 ? null : <div className={blocks.error}>{shown.missing(missing.join(", "))}</div>}
    {subject === null ? null : <p className={blocks.body}>{subject}</p>}
    {body === null ? null : <p className={blocks.body}>{body}</p>}
    {step.kind === "task" ? <p className={blocks.body}>{step.title}</p> : null}
  </li>
)

interface PreviewProps {
  readonly sequence: Sequence
  readonly contactId: string
}

/** The times and texts of a sequence for one contact. */
export const Preview = ({ contactId, sequence }: PreviewProps) => {
  const preview = useQuery(previewOptions(useConnection(), sequence, contactId))
  return (
    <Loaded query={preview}>
      {({ steps }) => (
        <ol className={blocks.list} aria-label={shown.title}>
          {steps.map((planned) => (
            <Planned key={planned.step.name} planned={planned} />
          ))}
        </ol>
      )}
    </Loaded>
  )
}
