import type { PipelineRunDetail } from "@leadloom/client"
import { Factors } from "../component/Factors.tsx"
import { Section } from "../component/Page.tsx"
import { type Column, Table } from "../component/Table.tsx"
import { longTime } from "../design/Time.ts"
import { capitalized, factName, nameOf, sentence, valueText } from "../text/Conditions.ts"
import { decisionText } from "../text/Decisions.ts"
import { reasonWords } from "../text/rule/ReasonWords.ts"
import { text } from "../text/Shared.ts"
import styles from "./Story.module.css"

/** The run that a section of the story is about. */
export interface RunProps {
  readonly run: PipelineRunDetail
}

/** The maximum length of the shown part of a message, in characters. */
const maxExcerptLength = 1_500

const excerptOf = (body: string): string =>
  body.length <= maxExcerptLength ? body : `${body.slice(0, maxExcerptLength).toWellFormed()}…`

const percent = new Intl.NumberFormat("en", { style: "percent" })

/** The message that the run processed. */
export const Input = ({ run: { message } }: RunProps) => (
  <Section title={decisionText.sections.input}>
    {message === null ? (
      <p>{decisionText.noMessage}</p>
    ) : (
      <>
        <p>
          {nameOf(text.channels, message.channel)} · {longTime(message.timestamp)}
        </p>
        {message.subject === null ? null : <p className={styles.value}>{message.subject}</p>}
        <blockquote className={styles.excerpt}>{excerptOf(message.body)}</blockquote>
      </>
    )}
  </Section>
)

const Classified = ({ run: { classification } }: RunProps) =>
  classification === null ? null : (
    <p>
      {decisionText.classified(
        classification.intent,
        classification.urgency,
        classification.sentiment,
        percent.format(classification.confidence)
      )}
    </p>
  )

const Scored = ({ run: { score } }: RunProps) =>
  score === null ? null : (
    <>
      <p>{decisionText.scored(score.score, nameOf(text.tiers, score.tier).toLowerCase())}</p>
      <details>
        <summary className={styles.summary}>{decisionText.factors}</summary>
        <Factors label={decisionText.factors} factors={score.factors} />
      </details>
    </>
  )

/** The contact and the lead of the message, and why they were chosen. */
export const Recognition = ({ run }: RunProps) => {
  const { inputs, lead_id: leadId } = run
  const contact = run.contact_name ?? text.unknownContact
  return (
    <Section title={decisionText.sections.recognition}>
      {inputs === null ? null : (
        <>
          <p>{inputs.contact_is_new ? decisionText.contactNew(contact) : decisionText.contactKnown(contact)}</p>
          <p>
            {leadId === null || inputs.lead === null
              ? decisionText.noLead
              : inputs.lead_is_new
                ? decisionText.leadNew
                : decisionText.leadKnown(inputs.lead.state)}
          </p>
        </>
      )}
      <Classified run={run} />
      <Scored run={run} />
    </Section>
  )
}

type Fact = readonly [name: string, value: unknown]

const factColumns: ReadonlyArray<Column<Fact>> = [
  {
    header: decisionText.fact,
    cell: ([fact]) => (
      <>
        {capitalized(factName(fact))} <code>{fact}</code>
      </>
    )
  },
  { header: decisionText.value, cell: ([, value]) => valueText(value) }
]

/** The facts that the rules compared. Missing ones are omitted. */
export const Facts = ({ run: { facts } }: RunProps) => {
  const { metadata, ...named } = facts ?? {}
  const known = Object.entries(named).filter(([, value]) => value !== null && value !== undefined)
  const own = Object.entries(typeof metadata === "object" && metadata !== null ? metadata : {})
  const rows = [...known, ...own.map(([key, value]) => [`metadata.${key}`, value] as const)]
  if (facts === null) return null
  return (
    <Section title={decisionText.sections.facts}>
      <Table label={decisionText.sections.facts} rows={rows} keyOf={([fact]) => fact} columns={factColumns} />
    </Section>
  )
}

/** The requests to a language model. */
export const Model = ({ run: { model } }: RunProps) => {
  const asked = (["classification", "reply"] as const).flatMap((question) => {
    const use = model[question]
    return use === null || use.calls === 0 ? [] : [{ question, use }]
  })
  return (
    <Section title={decisionText.sections.model}>
      {asked.length === 0 ? <p>{decisionText.noModel}</p> : null}
      <ul className={styles.list}>
        {asked.map(({ question, use }) => (
          <li key={question}>
            {decisionText.models[question]}:{" "}
            {decisionText.modelUse(use.model ?? question, use.calls, use.input_tokens, use.output_tokens)}{" "}
            {use.reason === null ? null : sentence(reasonWords(use.reason))}
          </li>
        ))}
      </ul>
    </Section>
  )
}
