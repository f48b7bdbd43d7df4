import { useState } from "react"
import { Field } from "../component/Field.tsx"
import { Section } from "../component/Page.tsx"
import { Tabs } from "../component/Tabs.tsx"
import { editorText } from "../text/sequence/Editor.ts"
import { readFields, type SequenceFields, textOfFields } from "./Fields.ts"
import styles from "./Sequence.module.css"
import { SequenceForm } from "./SequenceForm.tsx"

interface EditorProps {
  readonly fields: SequenceFields
  readonly onChange: (fields: SequenceFields) => void
}

const views = (["form", "json"] as const).map((view) => [view, editorText.views[view]] as const)

/** A sequence as JSON. An invalid text stays in the field and changes nothing. */
const SequenceJson = ({ fields, onChange }: EditorProps) => {
  const [json, setJson] = useState(() => textOfFields(fields))
  const read = readFields(json, fields)
  return (
    <>
      <Field label={editorText.json} error={typeof read === "string" ? editorText.invalidJson(read) : null}>
        {(control) => (
          <textarea
            {...control}
            className={styles.json}
            spellCheck={false}
            value={json}
            onChange={(event) => setJson(event.target.value)}
          />
        )}
      </Field>
      <button
        type="button"
        disabled={typeof read === "string"}
        onClick={() => typeof read === "string" || onChange(read)}
      >
        {editorText.applyJson}
      </button>
    </>
  )
}

/** The editor of a sequence: as a form, or as JSON. */
export const SequenceEditor = ({ fields, onChange }: EditorProps) => {
  const [view, setView] = useState<(typeof views)[number][0]>("form")
  return (
    <Section title={editorText.edit}>
      <Tabs label={editorText.views.label} tabs={views} selected={view} onSelect={setView}>
        {view === "form" ? (
          <SequenceForm fields={fields} onChange={onChange} />
        ) : (
          <SequenceJson fields={fields} onChange={onChange} />
        )}
      </Tabs>
    </Section>
  )
}
