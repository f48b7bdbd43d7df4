import type { Contact, Rule, TriggerRun } from "@leadloom/client"
import { useMutation, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useConnection } from "../app/Connection.ts"
import { nameOf as nameOfContact } from "../app/ContactNames.ts"
import { useMay } from "../app/Permissions.ts"
import { problemText } from "../app/Problem.ts"
import blocks from "../design/Blocks.module.css"
import { ContactChoice } from "../form/ContactChoice.tsx"
import { actionNames, nameOf } from "../text/Conditions.ts"
import { triggerFormText } from "../text/rule/Triggers.ts"

const { run: shown } = triggerFormText

/** The time between two reads of a run that has not taken place, in milliseconds. */
const pauseMillis = 500
/** The runs to search for the started one. Another person may start the rule for the same contact. */
const readRuns = 10

/** Returns the current state of a run. The run takes place after the response to its start. */
const useCurrentRun = (started: TriggerRun): TriggerRun => {
  const { client, tenantId } = useConnection()
  const current = useQuery({
    queryKey: [tenantId, "trigger-run", started.id] as const,
    queryFn: async ({ signal }) => {
      const filter = { ruleId: started.rule_id, contactId: started.contact_id, limit: readRuns }
      const { trigger_runs: runs } = await client.pipeline.listTriggerRuns(tenantId, { ...filter, signal })
      return runs.find(({ id }) => id === started.id) ?? started
    },
    refetchInterval: ({ state: { data = started } }) => (data.state === "waiting" ? pauseMillis : false),
    gcTime: 0
  })
  return current.data ?? started
}

const Outcome = ({ name, started }: { readonly name: string; readonly started: TriggerRun }) => {
  const { actions, reason, state } = useCurrentRun(started)
  return (
    <div role="status">
      <p>
        {shown.for(name)} {nameOf(shown.states, state)}.{" "}
        {reason === null ? null : <span className={blocks.muted}>{reason}</span>}
      </p>
      <ul>
        {[...actions.entries()].map(([position, { outcome, reason: detail, type }]) => (
          <li key={position}>
            {nameOf(actionNames, type)}: {nameOf(shown.outcomes, outcome)}, {detail}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Starts a saved rule with the trigger `manual` for a contact, and shows what it did. */
export const StartRule = ({ rule }: { readonly rule: Rule }) => {
  const { client, tenantId } = useConnection()
  const [isChoosing, setChoosing] = useState(false)
  const start = useMutation({
    mutationFn: ({ id }: Contact) => client.pipeline.startRule(tenantId, rule.id, { contact_id: id })
  })
  if (!useMay("pipeline.startRule")) return null
  return (
    <>
      <div>
        <button
          type="button"
          aria-label={shown.start(rule.name)}
          disabled={start.isPending}
          onClick={() => setChoosing(true)}
        >
          {shown.button}
        </button>
      </div>
      {start.error === null ? null : <p role="alert">{problemText(start.error)}</p>}
      {start.data === undefined ? null : (
        <Outcome key={start.data.id} started={start.data} name={nameOfContact(start.variables)} />
      )}
      {isChoosing ? <ContactChoice onChoose={start.mutate} onClose={() => setChoosing(false)} /> : null}
    </>
  )
}
