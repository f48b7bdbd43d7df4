import type { Enrolment } from "@leadloom/client"
import { useState } from "react"
import { useConnection } from "../app/Connection.ts"
import { Row } from "../component/Page.tsx"
import { Confirm } from "../dialog/Confirm.tsx"
import { sequenceText } from "../text/sequence/Sequence.ts"
import { type EnrolmentChange, useEnrolmentChange } from "./SequenceData.ts"

const { enrolments: shown } = sequenceText

/** Returns the changes that the state of an enrolment permits. */
const changesOf = ({ state }: Enrolment): ReadonlyArray<EnrolmentChange> => {
  if (state === "active") return ["pause", "skip", "stop"]
  return state === "paused" ? ["resume", "skip", "stop"] : []
}

interface ActionsProps {
  readonly enrolment: Enrolment
  /** The name by which screen readers tell the buttons of rows apart. */
  readonly name: string
}

/** Pauses, resumes, skips and stops. A skipped step and a stop cannot be taken back, so the person confirms them. */
export const EnrolmentActions = ({ enrolment, name }: ActionsProps) => {
  const { permitted } = useConnection()
  const [asked, setAsked] = useState<"skip" | "stop" | null>(null)
  const [change, isPending] = useEnrolmentChange(enrolment.id)
  const offered = changesOf(enrolment).filter((one) => permitted.has(`enrolments.${one}`))
  const pick = (one: EnrolmentChange): void => (one === "skip" || one === "stop" ? setAsked(one) : change(one))
  return (
    <Row>
      {offered.map((one) => (
        <button
          key={one}
          type="button"
          disabled={isPending}
          aria-label={shown.on(shown[one], name)}
          onClick={() => pick(one)}
        >
          {shown[one]}
        </button>
      ))}
      {asked === null ? null : (
        <Confirm
          title={shown.on(shown[asked], name)}
          message={asked === "stop" ? shown.stopMessage : shown.skipMessage(enrolment.step ?? "")}
          action={shown[asked]}
          onConfirm={() => change(asked)}
          onClose={() => setAsked(null)}
        />
      )}
    </Row>
  )
}
