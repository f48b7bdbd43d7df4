import { Section } from "../component/Page.tsx"
import { actionNames, capitalized, guardrailNames, nameOf, sentence } from "../text/Conditions.ts"
import { decisionText } from "../text/Decisions.ts"
import type { RunProps } from "./Inputs.tsx"
import { ReasonText } from "./ReasonText.tsx"
import { decisiveStep, outcomeOf } from "./Runs.ts"
import styles from "./Story.module.css"

/** The guardrails that checked the written reply. */
export const Guardrails = ({ run: { written } }: RunProps) => {
  const evaluations = written?.guardrails ?? []
  return (
    <Section title={decisionText.sections.guardrails}>
      {evaluations.length === 0 ? <p>{decisionText.noGuardrails}</p> : null}
      <ul className={styles.list}>
        {evaluations.map(({ code, guardrail_id: id, kind, outcome, reason }) => (
          <li key={id}>
            <strong>{nameOf(guardrailNames, kind)}</strong> ({id}) {sentence(decisionText.guardrailOutcomes[outcome])}
            <ReasonText reason={reason} codes={[code]} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** The steps of the run with their reasons. */
export const Decision = ({ run: { steps } }: RunProps) => (
  <Section title={decisionText.sections.decision}>
    <ol className={styles.list}>
      {steps.map(({ codes, outcome, reason, step }) => (
        <li key={step}>
          <strong>{decisionText.steps[step]}</strong>: {sentence(decisionText.stepOutcomes[outcome])}
          <ReasonText reason={reason} codes={codes} />
        </li>
      ))}
    </ol>
  </Section>
)

const Actions = ({ run: { actions } }: RunProps) => (
  <>
    <h3>{decisionText.actions}</h3>
    {actions.length === 0 ? <p>{decisionText.noActions}</p> : null}
    <ul className={styles.list}>
      {/* A rule can request the same action twice, so the position identifies an action. */}
      {[...actions.entries()].map(([position, { outcome, reason, rule_id: ruleId, type }]) => (
        <li key={position}>
          <strong>{capitalized(nameOf(actionNames, type))}</strong>: {sentence(decisionText.actionOutcomes[outcome])}{" "}
          {sentence(reason)} <code>{ruleId}</code>
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
      {decisionText.results[outcomeOf(run)]} {step === undefined ? null : sentence(step.reason)}
    </p>
  )
}

/** What happened: the reply and the actions. */
export const Result = ({ run }: RunProps) => {
  const step = decisiveStep(run)
  return (
    <Section title={decisionText.sections.result}>
      <p className={styles.result}>{decisionText.results[outcomeOf(run)]}</p>
      {step === undefined ? null : <ReasonText reason={step.reason} codes={step.codes} />}
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
