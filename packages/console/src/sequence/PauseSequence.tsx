import type { Sequence } from "@leadloom/client"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useAction } from "../app/Action.ts"
import { useConnection } from "../app/Connection.ts"
import { useMay } from "../app/Permissions.ts"
import { noticeSuccess } from "../component/Notices.tsx"
import { Section } from "../component/Page.tsx"
import { longTime } from "../design/Time.ts"
import { Confirm } from "../dialog/Confirm.tsx"
import { nameOf, sequenceText } from "../text/sequence/Sequence.ts"
import { sequenceOptions } from "./SequenceData.ts"

const { pause: shown } = sequenceText

type Control = "pause" | "resume"

/** Returns the function that pauses or resumes a sequence. */
const useControl = ({ id }: Sequence) => {
  const queries = useQueryClient()
  const connection = useConnection()
  const { client, tenantId } = connection
  return useAction((control: Control) => client.sequences[control](tenantId, id), {
    onSuccess: (sequence, control) => {
      queries.setQueryData(sequenceOptions(connection, id).queryKey, sequence)
      noticeSuccess(control === "pause" ? shown.paused : shown.resumed)
    }
  })
}

interface PauseProps {
  readonly sequence: Sequence
}

/** Pauses a sequence after a confirmation. Hidden while it is paused, and from people who may not pause it. */
export const PauseButton = ({ sequence }: PauseProps) => {
  const [isAsking, setAsking] = useState(false)
  const [control, isPending] = useControl(sequence)
  if (!useMay("sequences.pause") || sequence.paused_at !== null) return null
  return (
    <>
      <button type="button" disabled={isPending} onClick={() => setAsking(true)}>
        {shown.pause}
      </button>
      {isAsking ? (
        <Confirm
          title={shown.pause}
          message={shown.message}
          action={shown.pause}
          onConfirm={() => control("pause")}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}

/** Says why a sequence is paused, and resumes it. */
export const PauseState = ({ sequence }: PauseProps) => {
  const [control, isPending] = useControl(sequence)
  const mayResume = useMay("sequences.resume")
  const { pause_detail: detail, pause_reason: reason, paused_at: at } = sequence
  if (at === null) return null
  return (
    <Section title={shown.title}>
      <p role="status">
        {shown.since(longTime(at))} {reason === null ? null : shown.why(nameOf(shown.reasons, reason), detail ?? "")}
      </p>
      {reason === null || reason === "by_person" ? null : <p>{shown.advice}</p>}
      {mayResume ? (
        <p>
          <button type="button" disabled={isPending} onClick={() => control("resume")}>
            {shown.resume}
          </button>
        </p>
      ) : null}
    </Section>
  )
}
