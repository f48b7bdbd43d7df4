import { Section } from "../component/Page.tsx"
import { actionNames, capitalized, guardrailNames, nameOf, sentence } from "../text/Conditions.ts"
import { decisionText } from "../text/Decisions.ts"
import { type RuleNames, reasonWords } from "../text/rule/ReasonWords.ts"
import type { RunProps } from "./Inputs.tsx"
import { ReasonText } from "./ReasonText.tsx"
import { decisiveStep, outcomeOf } from "./Runs.ts"
import styles from "./Story.module.css"

const ruleNamesOf = ({ rules }: RunProps["run"]): RuleNames =>
  new Map(rules?.map(({ name, rule_id: id }) => [id, name]) ?? [])

const wordsOf = (run: RunProps["run"], reason: string): string => {
  const words = reasonWords(reason, ruleNamesOf(run))
  return words === "" ? "" : sentence(words)
}

/** The guardrails that checked the written reply. */
export const Guardrails = ({ run }: RunProps) => {
  const { written } = run
  const evaluations = written?.guardrails ?? []
  return (
    <Section title={decisionText.sections.guardrails}>
      {evaluations.length === 0 ? <p>{decisionText.noGuardrails}</p> : null}
      <ul className={styles.list}>
        {evaluations.map(({ code, guardrail_id: id, kind, outcome, reason }) => (
          <li key={id}>
            <strong>{nameOf(guardrailNames, kind)}</strong> {sentence(decisionText.guardrailOutcomes[outcome])}
            <ReasonText reason={reason} codes={[code]} names={ruleNamesOf(run)} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** The steps of the run with their reasons. */
export const Decision = ({ run }: RunProps) => (
  <Section title={decisionText.sections.decision}>
    <ol className={styles.list}>
      {run.steps.map(({ codes, outcome, reason, step }) => (
        <li key={step}>
          <strong>{decisionText.steps[step]}</strong>: {sentence(decisionText.stepOutcomes[outcome])}
          <ReasonText reason={reason} codes={codes} names={ruleNamesOf(run)} />
        </li>
      ))}
    </ol>
  </Section>
)

const Actions = ({ run }: RunProps) => (
  <>
    <h3>{decisionText.actions}</h3>
    {run.actions.length === 0 ? <p>{decisionText.noActions}</p> : null}
    <ul className={styles.list}>
      {/* A rule can request the same action twice, so the position identifies an action. */}
      {[...run.actions.entries()].map(([position, { outcome, reason, rule_id: ruleId, type }]) => (
        <li key={position}>
          <strong>{capitalized(nameOf(actionNames, type))}</strong>: {sentence(decisionText.actionOutcomes[outcome])}{" "}
          {wordsOf(run, reason)}{" "}
          <span className={styles.muted}>{decisionText.byRule(ruleNamesOf(run).get(ruleId) ?? ruleId)}</span>
        </li>
      ))}
    </ul>
  </>
)

/** The result with its reason in one line, above the story that leads to it. */
export const Answer = ({ run }: RunProps) => {
  const step = decisiveStep(run)
  return (
    <p className={styles.answer}>
      {decisionText.results[outcomeOf(run)]} {step === undefined ? null : wordsOf(run, step.reason)}
    </p>
  )
}

/** What happened: the reply and the actions. */
export const Result = ({ run }: RunProps) => {
  const step = decisiveStep(run)
  return (
    <Section title={decisionText.sections.result}>
      <p className={styles.result}>{decisionText.results[outcomeOf(run)]}</p>
      {step === undefined ? null : (
        <ReasonText reason={step.reason} codes={step.codes} names={ruleNamesOf(run)} isDetailed={false} />
      )}
      {run.written === null ? null : (
        <>
          <h3>{decisionText.written}</h3>
          <blockquote className={styles.excerpt}>{run.written.text}</blockquote>
        </>
      )}
      <Actions run={run} />
    </Section>
  )
}
