import type { Sequence, SequenceStep } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { useConnection } from "../../app/Connection.ts"
import { useMay } from "../../app/Permissions.ts"
import { Facts } from "../../component/Facts.tsx"
import { Section } from "../../component/Page.tsx"
import blocks from "../../design/Blocks.module.css"
import { longTime } from "../../design/Time.ts"
import {
  delayText,
  holdoutText,
  kindText,
  limitTexts,
  sequenceText,
  shareText,
  stopTexts,
  untilText,
  windowText
} from "../../text/sequence/Sequence.ts"

type SendStep = Extract<SequenceStep, { readonly kind: "send" }>

const Texts = ({ step }: { readonly step: SendStep }) => {
  const { channel, fallback = [], variants = [] } = step
  const total = variants.reduce((sum, { weight = 1 }) => sum + weight, step.weight ?? 1)
  return (
    <>
      {channel === "email" ? <p className={blocks.body}>{step.subject ?? sequenceText.noSubject}</p> : null}
      {variants.length === 0 ? null : <div className={blocks.muted}>{shareText("control", step.weight, total)}</div>}
      <p className={blocks.body}>{step.body}</p>
      {variants.map(({ body, name, subject, weight }) => (
        <div key={name} className={blocks.group}>
          <div className={blocks.muted}>{shareText(name, weight, total)}</div>
          {subject === undefined || subject === null ? null : <p className={blocks.body}>{subject}</p>}
          <p className={blocks.body}>{body}</p>
        </div>
      ))}
      {fallback.map(({ body, channel: other, subject }) => (
        <div key={other} className={blocks.group}>
          <div className={blocks.muted}>{sequenceText.instead(sequenceText.channels[other])}</div>
          {subject === undefined || subject === null ? null : <p className={blocks.body}>{subject}</p>}
          {body === undefined ? null : <p className={blocks.body}>{body}</p>}
        </div>
      ))}
    </>
  )
}

const Content = ({ step }: { readonly step: SequenceStep }) => {
  if (step.kind === "task") return <p className={blocks.body}>{step.title}</p>
  if (step.kind === "send") return <Texts step={step} />
  return step.until === undefined ? null : <div className={blocks.muted}>{untilText(step.until)}.</div>
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
            [sequenceText.holdout, holdoutText(sequence)],
            [
              sequenceText.limits.title,
              <ul key="limits">
                {limitTexts(sequence).map((limit) => (
                  <li key={limit}>{limit}</li>
                ))}
              </ul>
            ],
            ...(daily === null ? [] : [[sequenceText.daily, `${daily}. ${sequenceText.dailyHelp}.`] as const])
          ]}
        />
        <p className={blocks.muted}>{sequenceText.versionHelp}</p>
      </Section>
    </>
  )
}
