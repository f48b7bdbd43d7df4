import { type FormEvent, useState } from "react"
import { Row } from "../component/Page.tsx"
import { Rejection } from "../form/Rejection.tsx"
import { editorText } from "../text/sequence/Editor.ts"
import type { Draft } from "./Draft.ts"
import { fieldsOf, hasNewContent } from "./Fields.ts"
import styles from "./Sequence.module.css"

/** Saves the edited sequence. A new version may move running enrolments. */
export const SaveBar = ({ draft }: { readonly draft: Draft }) => {
  const [migrates, setMigrates] = useState(false)
  const isVersion = hasNewContent(draft.base, draft.fields)
  const save = (event: FormEvent): void => {
    event.preventDefault()
    draft.save(isVersion && migrates)
  }
  return (
    <form className={styles.bar} onSubmit={save} aria-label={editorText.unsaved}>
      <p role="status">{editorText.unsaved}</p>
      {isVersion ? (
        <label>
          <input type="checkbox" checked={migrates} onChange={(event) => setMigrates(event.target.checked)} />{" "}
          {editorText.migrate}
        </label>
      ) : null}
      <Row>
        <button type="submit" disabled={draft.isSaving}>
          {draft.isSaving ? editorText.saving : editorText.save}
        </button>
        <button type="button" onClick={() => draft.change(fieldsOf(draft.base))}>
          {editorText.discard}
        </button>
      </Row>
      {draft.error === null ? null : <Rejection error={draft.error} />}
    </form>
  )
}
