import { Diff } from "../component/diff/Diff.tsx"
import { ruleText } from "../text/Rules.ts"
import { type RuleSet, textOfRules } from "./Config.ts"
import type { Draft } from "./Draft.ts"
import styles from "./Rule.module.css"

/** States that another person has saved a version, and lets the person choose. The edit stays. */
export const Conflict = ({ draft, theirs }: { readonly draft: Draft; readonly theirs: RuleSet }) => (
  <div className={styles.bar} role="alert">
    <p>{ruleText.conflict(theirs.version)}</p>
    <Diff title={ruleText.conflictDiff} before={textOfRules(draft.base.rules)} after={textOfRules(theirs.rules)} />
    <div className={styles.buttons}>
      <button type="button" onClick={() => draft.rebase(theirs)}>
        {ruleText.keepMine}
      </button>
      <button type="button" onClick={() => draft.restart(theirs)}>
        {ruleText.takeTheirs}
      </button>
    </div>
  </div>
)
