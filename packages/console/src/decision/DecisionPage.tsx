import { isLeadloomError, type PipelineRunDetail } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import { useConnection } from "../app/Connection.ts"
import { problemText } from "../app/Problem.ts"
import { Page, Section } from "../component/Page.tsx"
import { Loading, Problem } from "../component/Problem.tsx"
import { decisionText } from "../text/Decisions.ts"
import { text } from "../text/Shared.ts"
import { Facts, Input, Model, Recognition } from "./Inputs.tsx"
import { Answer, Decision, Guardrails, Result } from "./Outcome.tsx"
import { Replay } from "./Replay.tsx"
import { RuleStories } from "./RuleStories.tsx"
import { runOptions } from "./Runs.ts"
import styles from "./Story.module.css"

const Story = ({ run }: { readonly run: PipelineRunDetail }) => (
  <Page
    title={decisionText.heading(run.contact_name ?? text.unknownContact)}
    actions={
      <>
        <Link to="/decisions">{decisionText.back}</Link>
        <Link to="/inbox/$contactId" params={{ contactId: run.contact_id }}>
          {decisionText.conversation}
        </Link>
      </>
    }
  >
    <Answer run={run} />
    {run.inputs === null ? <p>{decisionText.missing}</p> : null}
    <Input run={run} />
    <Recognition run={run} />
    {run.rules === null ? null : (
      <Section title={decisionText.sections.rules}>
        <RuleStories rules={run.rules} />
      </Section>
    )}
    <Guardrails run={run} />
    <Result run={run} />
    {run.inputs === null ? null : <Replay id={run.signal_id} />}
    <details className={styles.details}>
      <summary className={styles.summary}>{decisionText.allDetails}</summary>
      <Facts run={run} />
      <Decision run={run} />
      <Model run={run} />
    </details>
  </Page>
)

const messageOf = (error: Error): string =>
  isLeadloomError(error, "NOT_FOUND") ? decisionText.noRun : problemText(error)

/** One run as a story, from the message to the result. */
export const DecisionPage = () => {
  const { runId } = useParams({ from: "/signed-in/decisions/$runId" })
  const run = useQuery(runOptions(useConnection(), runId))
  if (run.data !== undefined) return <Story run={run.data} />
  return run.isError ? <Problem message={messageOf(run.error)} onRetry={() => void run.refetch()} /> : <Loading />
}
