import { useMutation } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { type FormEvent, useState } from "react"
import { useConnection } from "../app/Connection.ts"
import { useMay } from "../app/Permissions.ts"
import { noticeSuccess } from "../component/Notices.tsx"
import { Page } from "../component/Page.tsx"
import { Problem } from "../component/Problem.tsx"
import { Rejection } from "../form/Rejection.tsx"
import { Unsaved } from "../form/Unsaved.tsx"
import { editorText } from "../text/sequence/Editor.ts"
import { text } from "../text/Shared.ts"
import { newStep, type SequenceFields, startingLimits } from "./Fields.ts"
import styles from "./Sequence.module.css"
import { SequenceEditor } from "./SequenceEditor.tsx"

const Editor = () => {
  const { client, tenantId } = useConnection()
  const navigate = useNavigate()
  const [start] = useState<SequenceFields>(() => ({
    name: editorText.newName,
    steps: [newStep([])],
    stop_on: [],
    ...startingLimits
  }))
  const [fields, setFields] = useState(start)
  const { error, isPending, mutate, reset } = useMutation({
    mutationFn: () => client.sequences.create(tenantId, fields),
    onSuccess: ({ id }) => {
      noticeSuccess(editorText.created)
      void navigate({
        to: "/sequences/$sequenceId",
        params: { sequenceId: id },
        replace: true,
        ignoreBlocker: true
      })
    }
  })
  const change = (next: SequenceFields): void => {
    reset()
    setFields(next)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    mutate()
  }
  return (
    <>
      <Unsaved isChanged={fields !== start} />
      <form className={styles.bar} onSubmit={submit} aria-label={editorText.new}>
        <p>
          <button type="submit" disabled={isPending}>
            {isPending ? editorText.saving : editorText.save}
          </button>
        </p>
        {error === null ? null : <Rejection error={error} />}
      </form>
      <SequenceEditor fields={fields} onChange={change} />
    </>
  )
}

/** The page that creates a sequence. */
export const NewSequencePage = () => (
  <Page title={editorText.new}>
    {useMay("sequences.create") ? (
      <Editor />
    ) : (
      <Problem message={text.problem.forbidden} onRetry={() => location.reload()} />
    )}
  </Page>
)
