import type { DryRunRequest, DryRunResult, PipelineRun, Rule } from "@leadloom/client"
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query"
import { type FormEvent, useEffect, useState } from "react"
import { type Connection, useConnection } from "../app/Connection.ts"
import { problemText } from "../app/Problem.ts"
import { Field } from "../component/Field.tsx"
import { Section } from "../component/Page.tsx"
import { RuleStories } from "../decision/RuleStories.tsx"
import { longTime } from "../design/Time.ts"
import { actionNames, nameOf } from "../text/Conditions.ts"
import { ruleText } from "../text/Rules.ts"
import { text } from "../text/Shared.ts"
import { Rejection } from "../form/Rejection.tsx"
import blocks from "../design/Blocks.module.css"

/** The recent messages to choose from. */
const maxRecent = 20
/** The rules are tried when the person has not changed them for this time in milliseconds. */
const quietMillis = 400

/** A message to try. Its classification is kept, so that a further trial asks no model. */
type Trial = DryRunRequest

/** Returns a value after it has not changed for a time. */
const useQuiet = <Value,>(value: Value): Value => {
  const [quiet, setQuiet] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(value), quietMillis)
    return () => clearTimeout(timer)
  }, [value])
  return quiet
}

/** The known part of a response is reused as a request. */
const known = (
  classification: DryRunResult["classification"]
): { readonly classification?: NonNullable<Trial["classification"]> } =>
  classification === null ? {} : { classification: classification as NonNullable<Trial["classification"]> }

/** Reads the message of a run. */
const trialOfRun = async ({ client, tenantId }: Connection, id: PipelineRun["signal_id"]): Promise<Trial | null> => {
  const { classification, inputs, message } = await client.pipeline.getRun(tenantId, id)
  if (message === null) return null
  const { email = null, name = null, phone = null } = inputs?.contact ?? {}
  // An address would make a contact known that was new at the time of the message.
  const contact = inputs?.contact_is_new === true ? { name } : { name, email, phone }
  return {
    message: message.body,
    channel: message.channel as NonNullable<Trial["channel"]>,
    source: message.source,
    contact,
    ...known(classification)
  }
}

/** Asks the classifier once about a text of the person. */
const trialOfText = async ({ client, tenantId }: Connection, typed: Trial): Promise<Trial> => {
  const { classification } = await client.pipeline.dryRun(tenantId, typed)
  return { ...typed, ...known(classification) }
}

const Outcome = ({ result }: { readonly result: DryRunResult }) => (
  <>
    <p>
      {result.actions_triggered.length === 0
        ? ruleText.noActions
        : ruleText.triedActions(result.actions_triggered.map((type) => nameOf(actionNames, type)).join(", "))}
    </p>
    {result.reply === null ? null : (
      <p className={blocks.body}>
        {ruleText.triedReply} {result.reply.text}
      </p>
    )}
    <RuleStories rules={result.rules} />
  </>
)

/** The result of the edited rules for a message. It follows every change of the rules. */
const Result = ({ rules, trial }: { readonly rules: ReadonlyArray<Rule>; readonly trial: Trial }) => {
  const { client, tenantId } = useConnection()
  const tried = useQuiet(rules)
  const result = useQuery({
    queryKey: [tenantId, "rules", "trial", trial, tried] as const,
    queryFn: ({ signal }) => client.pipeline.dryRun(tenantId, { ...trial, rules: tried }, { signal }),
    placeholderData: keepPreviousData,
    gcTime: 0
  })
  if (result.error !== null) return <Rejection error={result.error} />
  return result.data === undefined ? <p>{ruleText.trying}</p> : <Outcome result={result.data} />
}

const RecentMessages = ({ onChoose }: { readonly onChoose: (id: PipelineRun["signal_id"]) => void }) => {
  const { client, tenantId } = useConnection()
  const runs = useQuery({
    queryKey: [tenantId, "rules", "recent"] as const,
    queryFn: async ({ signal }) => (await client.pipeline.listRuns(tenantId, { limit: maxRecent, signal })).runs,
    gcTime: 0
  })
  const choose = (id: string): void => {
    const run = runs.data?.find((one) => one.signal_id === id)
    if (run !== undefined) onChoose(run.signal_id)
  }
  return (
    <Field label={ruleText.chooseMessage}>
      {(control) => (
        <select {...control} defaultValue="" onChange={(event) => choose(event.target.value)}>
          <option value="">{ruleText.noMessage}</option>
          {runs.data?.map((run) => (
            <option key={run.run_id} value={run.signal_id}>
              {longTime(run.created_at)} · {run.contact_name ?? text.unknownContact} · {run.excerpt}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

const PastedText = ({ isBusy, onTry }: { readonly isBusy: boolean; readonly onTry: (trial: Trial) => void }) => {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    onTry({
      message: String(form.get("message")),
      channel: String(form.get("channel")) as NonNullable<Trial["channel"]>
    })
  }
  return (
    <form onSubmit={submit}>
      <Field label={ruleText.pasted}>{(control) => <textarea {...control} name="message" required rows={3} />}</Field>
      <Field label={ruleText.channel}>
        {(control) => (
          <select {...control} name="channel">
            {Object.entries(text.channels).map(([channel, name]) => (
              <option key={channel} value={channel}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <button type="submit" disabled={isBusy}>
        {ruleText.tryText}
      </button>
    </form>
  )
}

/** Tries the edited rules with a recent message or with a text of the person. */
export const TryRules = ({ rules }: { readonly rules: ReadonlyArray<Rule> }) => {
  const connection = useConnection()
  const start = useMutation({
    mutationFn: (from: PipelineRun["signal_id"] | Trial) =>
      typeof from === "object" ? trialOfText(connection, from) : trialOfRun(connection, from)
  })
  const trial = start.data ?? null
  return (
    <Section title={ruleText.tryOut}>
      <p>{ruleText.tryHelp}</p>
      <RecentMessages onChoose={start.mutate} />
      <PastedText isBusy={start.isPending} onTry={start.mutate} />
      {start.error === null ? null : <p role="alert">{problemText(start.error)}</p>}
      <div aria-live="polite">{trial === null ? null : <Result rules={rules} trial={trial} />}</div>
    </Section>
  )
}
