import { type FormEvent, useState } from "react"
import { Field } from "../component/Field.tsx"
import { ruleText } from "../text/Rules.ts"
import type { Draft } from "./Draft.ts"
import { Rejection } from "../form/Rejection.tsx"
import styles from "./Rule.module.css"

/** The maximum length of a comment, as in the API. */
const maxCommentLength = 500

/** Saves the edited rules as a new version, with a comment. */
export const SaveBar = ({ draft }: { readonly draft: Draft }) => {
  const [comment, setComment] = useState("")
  const save = (event: FormEvent): void => {
    event.preventDefault()
    draft.save(comment.trim())
  }
  return (
    <form className={styles.bar} onSubmit={save} aria-label={ruleText.unsaved}>
      <p role="status">{ruleText.unsaved}</p>
      <Field label={ruleText.comment} hint={ruleText.commentHint}>
        {(control) => (
          <input
            {...control}
            required
            maxLength={maxCommentLength}
            value={comment}
            onChange={(event) => setComment(event.target.value)}
          />
        )}
      </Field>
      <div className={styles.buttons}>
        <button type="submit" disabled={draft.isSaving || comment.trim() === ""}>
          {draft.isSaving ? ruleText.saving : ruleText.save}
        </button>
        <button type="button" onClick={() => draft.change(draft.base.rules)}>
          {ruleText.discard}
        </button>
      </div>
      {draft.error === null ? null : <Rejection error={draft.error} />}
    </form>
  )
}
