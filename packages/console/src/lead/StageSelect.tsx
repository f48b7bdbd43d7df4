import type { Lead, PipelineStage } from "@leadloom/client"
import { useState } from "react"
import { useConnection } from "../app/Connection.ts"
import { noticeFailure } from "../component/Notices.tsx"
import { FormDialog, NamedField } from "../form/FormDialog.tsx"
import { textIn } from "../form/FormValues.ts"
import { leadText } from "../text/Lead.ts"
import { nextStates } from "../text/LeadStates.ts"
import { text } from "../text/Shared.ts"
import { useLeadMove, useLeadTransition, useShowLead } from "./LeadData.ts"

const maxLossReasonLength = 200

interface LossDialogProps {
  /** Sends the loss with its reason. */
  readonly send: (reason: string | null) => Promise<Lead>
  readonly onClose: () => void
}

/** Asks why a lead is lost. The tenant decides whether a reason is necessary. */
const LossDialog = ({ onClose, send }: LossDialogProps) => (
  <FormDialog
    title={leadText.lossTitle}
    action={leadText.setLost}
    send={(data) => send(textIn(data, "loss_reason"))}
    onDone={useShowLead()}
    onClose={onClose}
  >
    <NamedField name="loss_reason" label={leadText.lossReason}>
      {(control) => <input {...control} maxLength={maxLossReasonLength} />}
    </NamedField>
  </FormDialog>
)

/** Returns whether a lead may move to a stage. */
export const mayMove = ({ state }: Lead, stage: Pick<PipelineStage, "state">): boolean =>
  state === stage.state || nextStates[state].some((next) => next === stage.state)

/** Says why a lead may not move to a stage, and where it may. */
export const refuseMove = ({ state }: Lead, { name }: Pick<PipelineStage, "name">): void => {
  const states = text.leadStates
  noticeFailure(leadText.notMoved(states[state], name, nextStates[state].map((next) => states[next]).join(", ")))
}

/** Returns the function that moves a lead to a stage, and the dialog that asks why a lead is lost. */
export const useStageMove = () => {
  const [lost, setLost] = useState<{ readonly lead: Lead; readonly stageId: string } | null>(null)
  const { client, tenantId } = useConnection()
  const [move] = useLeadMove()
  const moveTo = (lead: Lead, { stage_id: stageId, state }: Pick<PipelineStage, "stage_id" | "state">): void => {
    if (stageId === lead.stage_id) return
    if (state === "lost" && lead.state !== "lost") setLost({ lead, stageId })
    else move({ lead, stageId, state })
  }
  const dialog =
    lost === null ? null : (
      <LossDialog
        send={(reason) => client.leads.move(tenantId, lost.lead.id, { stage_id: lost.stageId, loss_reason: reason })}
        onClose={() => setLost(null)}
      />
    )
  return { moveTo, dialog }
}

interface StageSelectProps {
  readonly lead: Lead
  readonly stages: ReadonlyArray<PipelineStage>
}

/** Moves a lead to another stage of its pipeline. */
export const StageSelect = ({ lead, stages }: StageSelectProps) => {
  const { dialog, moveTo } = useStageMove()
  const choose = (stageId: string): void => {
    const stage = stages.find(({ stage_id }) => stage_id === stageId)
    if (stage !== undefined) moveTo(lead, stage)
  }
  return (
    <>
      <select
        aria-label={leadText.move(lead.subject ?? leadText.untitled)}
        value={lead.stage_id ?? ""}
        onChange={(event) => choose(event.target.value)}
      >
        {lead.stage_id === null ? <option value="">{text.none}</option> : null}
        {stages.map((stage) => (
          <option key={stage.stage_id} value={stage.stage_id} disabled={!mayMove(lead, stage)}>
            {mayMove(lead, stage) ? stage.name : leadText.notFrom(stage.name, text.leadStates[lead.state])}
          </option>
        ))}
      </select>
      {dialog}
    </>
  )
}

/** Changes the state of a lead. The server chooses the stage. */
export const StateSelect = ({ lead }: { readonly lead: Lead }) => {
  const [isLost, setLost] = useState(false)
  const { client, tenantId } = useConnection()
  const [change] = useLeadTransition()
  const choose = (value: string): void => {
    const state = nextStates[lead.state].find((next) => next === value)
    if (state === "lost") setLost(true)
    else if (state !== undefined) change({ lead, state })
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
        <LossDialog
          send={(reason) => client.leads.transition(tenantId, lead.id, { state: "lost", loss_reason: reason })}
          onClose={() => setLost(false)}
        />
      ) : null}
    </>
  )
}
