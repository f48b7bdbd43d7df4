import type { Lead, PipelineStage } from "@leadloom/client"
import { type FormEvent, useState } from "react"
import { Dialog, DialogActions } from "../dialog/Dialog.tsx"
import { Field } from "../component/Field.tsx"
import { leadText } from "../text/Lead.ts"
import { nextStates } from "../text/LeadStates.ts"
import { text } from "../text/Shared.ts"
import { useLeadMove, useLeadTransition } from "./LeadData.ts"

const maxLossReasonLength = 200

const maySelect = (from: Lead["state"], to: Lead["state"]): boolean =>
  from === to || nextStates[from].some((next) => next === to)

interface LossDialogProps {
  readonly onReason: (reason: string | null) => void
  readonly onClose: () => void
}

/** Asks why a lead is lost. The tenant decides whether a reason is necessary. */
const LossDialog = ({ onClose, onReason }: LossDialogProps) => {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const reason = String(new FormData(event.currentTarget).get("reason")).trim()
    onClose()
    onReason(reason === "" ? null : reason)
  }
  return (
    <Dialog title={leadText.lossTitle} onClose={onClose}>
      <form onSubmit={submit}>
        <Field label={leadText.lossReason}>
          {(control) => <input {...control} name="reason" maxLength={maxLossReasonLength} />}
        </Field>
        <DialogActions>
          <button type="button" onClick={onClose}>
            {text.confirm.cancel}
          </button>
          <button type="submit">{leadText.setLost}</button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

interface StageSelectProps {
  readonly lead: Lead
  readonly stages: ReadonlyArray<PipelineStage>
}

/** Moves a lead to another stage of its pipeline. */
export const StageSelect = ({ lead, stages }: StageSelectProps) => {
  const [lost, setLost] = useState<string | null>(null)
  const [move] = useLeadMove(lead)
  const choose = (stageId: string): void => {
    const stage = stages.find(({ stage_id }) => stage_id === stageId)
    if (stage === undefined || stageId === lead.stage_id) return
    if (stage.state === "lost" && lead.state !== "lost") setLost(stageId)
    else move({ stageId, state: stage.state, lossReason: null })
  }
  return (
    <>
      <select
        aria-label={leadText.move(lead.subject ?? leadText.untitled)}
        value={lead.stage_id ?? ""}
        onChange={(event) => choose(event.target.value)}
      >
        {lead.stage_id === null ? <option value="">{text.none}</option> : null}
        {stages.map(({ name, stage_id, state }) => (
          <option key={stage_id} value={stage_id} disabled={!maySelect(lead.state, state)}>
            {name}
          </option>
        ))}
      </select>
      {lost === null ? null : (
        <LossDialog
          onReason={(lossReason) => move({ stageId: lost, state: "lost", lossReason })}
          onClose={() => setLost(null)}
        />
      )}
    </>
  )
}

/** Changes the state of a lead. The server chooses the stage. */
export const StateSelect = ({ lead }: { readonly lead: Lead }) => {
  const [isLost, setLost] = useState(false)
  const [change] = useLeadTransition(lead)
  const choose = (value: string): void => {
    const state = nextStates[lead.state].find((next) => next === value)
    if (state === "lost") setLost(true)
    else if (state !== undefined) change({ state, lossReason: null })
  }
  return (
    <>
      <select aria-label={leadText.transition} value={lead.state} onChange={(event) => choose(event.target.value)}>
        {[lead.state, ...nextStates[lead.state]].map((state) => (
          <option key={state} value={state}>
            {text.leadStates[state]}
          </option>
        ))}
      </select>
      {isLost ? (
        <LossDialog onReason={(lossReason) => change({ state: "lost", lossReason })} onClose={() => setLost(false)} />
      ) : null}
    </>
  )
}
