import type { Sequence, SequenceStep } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { useConnection } from "../app/Connection.ts"
import { useMay } from "../app/Permissions.ts"
import { Facts } from "../component/Facts.tsx"
import { Section } from "../component/Page.tsx"
import blocks from "../design/Blocks.module.css"
import { longTime } from "../design/Time.ts"
import { delayText, kindText, sequenceText, stopTexts, windowText } from "../text/sequence/Sequence.ts"

const Content = ({ step }: { readonly step: SequenceStep }) => {
  if (step.kind === "task") return <p className={blocks.body}>{step.title}</p>
  if (step.kind === "wait") return null
  return (
    <>
      {step.channel === "email" ? <p className={blocks.body}>{step.subject ?? sequenceText.noSubject}</p> : null}
      <p className={blocks.body}>{step.body}</p>
    </>
  )
}

const Step = ({ isFirst, step }: { readonly step: SequenceStep; readonly isFirst: boolean }) => {
  const hours = windowText(step)
  return (
    <li className={blocks.card}>
      <div>
        <strong>{step.name}</strong>: {kindText(step)}. {delayText(step, isFirst)}.
      </div>
      {hours === null ? null : <div className={blocks.muted}>{hours}.</div>}
      <Content step={step} />
    </li>
  )
}

/** Returns the daily limit of messages of all sequences; null for people who may not read the configuration. */
const useDailyLimit = (): number | null => {
  const { client, tenantId } = useConnection()
  const mayRead = useMay("config.get")
  const limit = useQuery({
    queryKey: [tenantId, "sequence-limit"] as const,
    queryFn: async ({ signal }) => (await client.config.get(tenantId, { signal })).config.max_sequence_messages_per_day,
    enabled: mayRead,
    gcTime: 0
  })
  return limit.data ?? null
}

/** The steps of a sequence, what stops it early, and its limits. */
export const StepList = ({ sequence }: { readonly sequence: Sequence }) => {
  const daily = useDailyLimit()
  return (
    <>
      <Section title={sequenceText.steps}>
        <ol className={blocks.list}>
          {sequence.steps.map((step, index) => (
            <Step key={step.name} step={step} isFirst={index === 0} />
          ))}
        </ol>
      </Section>
      <Section title={sequenceText.stops}>
        <ul>
          {[sequenceText.always, ...stopTexts(sequence)].map((stop) => (
            <li key={stop}>{stop}</li>
          ))}
        </ul>
      </Section>
      <Section title={sequenceText.facts}>
        <Facts
          facts={[
            [sequenceText.versionFact, sequence.version],
            [sequenceText.created, longTime(sequence.created_at)],
            [sequenceText.changed, longTime(sequence.updated_at)],
            ...(daily === null ? [] : [[sequenceText.daily, `${daily}. ${sequenceText.dailyHelp}.`] as const])
          ]}
        />
        <p className={blocks.muted}>{sequenceText.versionHelp}</p>
      </Section>
    </>
  )
}
