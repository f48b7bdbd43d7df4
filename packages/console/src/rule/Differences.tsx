import type { Rule } from "@leadloom/client"
import { Diff } from "../component/diff/Diff.tsx"
import blocks from "../design/Blocks.module.css"
import { historyText, type RuleDifference, ruleDifferences } from "../text/rule/History.ts"
import { textOfRules } from "./Config.ts"
import { sentenceOf } from "./Sentence.ts"

/** Both sentences of a changed rule can be equal, because a sentence omits long texts. Then the JSON shows the change. */
const Sentences = ({ difference: { after, before } }: { readonly difference: RuleDifference }) => {
  const [one, other] = [before, after].map((rule) => (rule === null ? null : sentenceOf(rule)))
  if (one === other) return <p>{other}</p>
  return (
    <>
      {one === null ? null : (
        <p className={blocks.muted}>
          {historyText.before} {one}
        </p>
      )}
      {other === null ? null : (
        <p>
          {historyText.after} {other}
        </p>
      )}
    </>
  )
}

interface DifferencesProps {
  readonly before: ReadonlyArray<Rule>
  readonly after: ReadonlyArray<Rule>
  /** What the person reads if no rule differs. */
  readonly same: string
  /** The title of the comparison of the JSON. */
  readonly jsonTitle: string
}

/** The rules that differ between two versions as sentences, and folded as JSON. */
export const Differences = ({ after, before, jsonTitle, same }: DifferencesProps) => {
  const [old, now] = [textOfRules(before), textOfRules(after)]
  if (old === now) return <p>{same}</p>
  return (
    <>
      <ul className={blocks.list}>
        {ruleDifferences(before, after).map((difference) => (
          <li key={difference.id} className={blocks.card}>
            <strong>{difference.title}</strong>
            <Sentences difference={difference} />
          </li>
        ))}
      </ul>
      <details>
        <summary className={blocks.summary}>{historyText.asJson}</summary>
        <Diff title={jsonTitle} before={old} after={now} />
      </details>
    </>
  )
}
