import { sentence } from "../text/Conditions.ts"
import { decisionText } from "../text/Decisions.ts"
import { reasonTexts } from "../text/Reasons.ts"
import styles from "./Story.module.css"

interface ReasonTextProps {
  /** The reason with its parameters, as the server states it. */
  readonly reason: string
  /** The code of the reason, followed by the codes of its causes. */
  readonly codes: ReadonlyArray<string>
}

/** The advice of reasons that need no action. */
const nothing = "Nothing."

const texts: ReadonlyMap<string, { readonly meaning: string; readonly advice: string }> = new Map(
  Object.entries(reasonTexts)
)

/** A reason as sentences: with its parameters, and with the meaning, the advice and the code of each of its causes. */
export const ReasonText = ({ codes, reason }: ReasonTextProps) => (
  <>
    <p>{sentence(reason)}</p>
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
  </>
)
