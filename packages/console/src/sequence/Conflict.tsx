import type { Sequence } from "@leadloom/client"
import { Diff } from "../component/diff/Diff.tsx"
import { Row } from "../component/Page.tsx"
import { editorText } from "../text/sequence/Editor.ts"
import type { Draft } from "./Draft.ts"
import { textOfFields } from "./Fields.ts"
import styles from "./Sequence.module.css"

/** States that another person has saved a version, and lets the person choose. The edit stays. */
export const Conflict = ({ draft, theirs }: { readonly draft: Draft; readonly theirs: Sequence }) => (
  <div className={styles.bar} role="alert">
    <p>{editorText.conflict(theirs.version)}</p>
    <Diff title={editorText.conflictDiff} before={textOfFields(draft.base)} after={textOfFields(theirs)} />
    <Row>
      <button type="button" onClick={() => draft.rebase(theirs)}>
        {editorText.keepMine}
      </button>
      <button type="button" onClick={() => draft.restart(theirs)}>
        {editorText.takeTheirs}
      </button>
    </Row>
  </div>
)
