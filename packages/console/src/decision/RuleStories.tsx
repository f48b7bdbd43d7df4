import type { RuleStory } from "@leadloom/client"
import { comparisonText, sentence, valueText } from "../text/Conditions.ts"
import { decisionText } from "../text/Decisions.ts"
import { conditionWords, type RuleNames, reasonWords } from "../text/rule/ReasonWords.ts"
import styles from "./Story.module.css"

type Missed = RuleStory["missed_by"][number]

const missedText = (missed: Missed): string =>
  missed.negated
    ? decisionText.nearlyNot(comparisonText(missed))
    : decisionText.nearlyOne(comparisonText(missed), valueText(missed.actual))

const NearMiss = ({ story: { missed_by: missed, name } }: { readonly story: RuleStory }) => (
  <li>
    <strong>{name}</strong> {missed.length > 1 ? decisionText.nearlyAny : null}
    <ul className={styles.reasons}>
      {missed.map((one) => (
        <li key={`${one.fact} ${one.op} ${valueText(one.value)}`}>{missedText(one)}</li>
      ))}
    </ul>
  </li>
)

/** The reason in words. The reason of the server is shown folded if the console has no words for it. */
const Because = ({ names, story: { outcome, reason } }: StoryProps) => {
  const words = conditionWords(reason, outcome === "matched") ?? reasonWords(reason, names)
  if (words !== reason) return <span className={styles.muted}>{sentence(words)}</span>
  return (
    <details>
      <summary className={styles.summary}>{decisionText.details}</summary>
      <code>{reason}</code>
    </details>
  )
}

interface StoryProps {
  readonly story: RuleStory
  readonly names: RuleNames
}

const Story = ({ names, story }: StoryProps) => (
  <li>
    <strong>{story.name}</strong> {sentence(decisionText.ruleOutcomes[story.outcome])}{" "}
    <Because story={story} names={names} />
  </li>
)

interface RuleStoriesProps {
  readonly rules: ReadonlyArray<RuleStory>
}

/** Rules with their results: those that matched, those that nearly matched, and the others. */
export const RuleStories = ({ rules }: RuleStoriesProps) => {
  const names = new Map(rules.map((rule) => [rule.rule_id, rule.name]))
  const matched = rules.filter(({ outcome }) => outcome === "matched")
  const nearly = rules.filter(({ missed_by: missed }) => missed.length > 0)
  const others = rules.filter((rule) => !matched.includes(rule) && !nearly.includes(rule))
  return (
    <>
      <h3>{decisionText.matched}</h3>
      {matched.length === 0 ? <p>{decisionText.noMatch}</p> : null}
      <ul className={styles.list}>
        {matched.map((story) => (
          <Story key={story.rule_id} story={story} names={names} />
        ))}
      </ul>
      {nearly.length === 0 ? null : (
        <>
          <h3>{decisionText.nearly}</h3>
          <ul className={styles.list}>
            {nearly.map((story) => (
              <NearMiss key={story.rule_id} story={story} />
            ))}
          </ul>
        </>
      )}
      {others.length === 0 ? null : (
        <details>
          <summary className={styles.summary}>{decisionText.others(others.length)}</summary>
          <ul className={styles.list}>
            {others.map((story) => (
              <Story key={story.rule_id} story={story} names={names} />
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
