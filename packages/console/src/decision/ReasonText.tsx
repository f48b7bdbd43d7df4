import { sentence } from "../text/Conditions.ts"
import { decisionText } from "../text/Decisions.ts"
import { type RuleNames, reasonWords } from "../text/rule/ReasonWords.ts"
import { reasonTexts } from "../text/Reasons.ts"
import styles from "./Story.module.css"

interface ReasonTextProps {
  /** The reason with its parameters, as the server states it. */
  readonly reason: string
  /** The code of the reason, followed by the codes of its causes. */
  readonly codes: ReadonlyArray<string>
  readonly names: RuleNames
  /** Whether the meaning and the code of the reason follow. */
  readonly isDetailed?: boolean
}

/** The advice of reasons that need no action. */
const nothing = "Nothing."

const texts: ReadonlyMap<string, { readonly meaning: string; readonly advice: string }> = new Map(
  Object.entries(reasonTexts)
)

/** The meaning, the advice and the code of each cause of a reason. */
const Causes = ({ codes }: Pick<ReasonTextProps, "codes">) => (
  <ul className={styles.reasons}>
    {[...new Set(codes)].map((code) => {
      const { advice = nothing, meaning = null } = texts.get(code) ?? {}
      return (
        <li key={code}>
          {meaning} {advice === nothing ? null : `${decisionText.advice(advice)} `}
          <code>{code}</code>
        </li>
      )
    })}
  </ul>
)

/** A reason as sentences: with its parameters, and optionally with the meaning, the advice and the code of each of its causes. */
export const ReasonText = ({ codes, isDetailed = true, names, reason }: ReasonTextProps) => (
  <>
    <p>{sentence(reasonWords(reason, names))}</p>
    {isDetailed ? <Causes codes={codes} /> : null}
  </>
)
