import type { Rule } from "@leadloom/client"
import { useState } from "react"
import { Field } from "../component/Field.tsx"
import { Tabs } from "../component/Tabs.tsx"
import { ruleText, triggerText } from "../text/Rules.ts"
import { actionTypes } from "../text/RuleVocabulary.ts"
import { ActionList } from "../form/ActionList.tsx"
import { ConditionGroup } from "./ConditionGroup.tsx"
import { asGroup } from "./Edit.ts"
import styles from "./Rule.module.css"
import { RuleJson } from "./RuleJson.tsx"

interface RuleEditorProps {
  readonly rule: Rule
  readonly onChange: (rule: Rule) => void
}

const views = (["sentences", "json"] as const).map((view) => [view, ruleText.views[view]] as const)

const Sentences = ({ onChange, rule }: RuleEditorProps) => (
  <>
    <Field label={ruleText.name}>
      {(control) => (
        <input
          {...control}
          value={rule.name}
          maxLength={200}
          onChange={(event) => onChange({ ...rule, name: event.target.value })}
        />
      )}
    </Field>
    <h3>{ruleText.conditions}</h3>
    {triggerText(rule) === "" ? null : <p>{ruleText.triggered(triggerText(rule))}</p>}
    <ConditionGroup group={asGroup(rule.when)} onChange={(when) => onChange({ ...rule, when })} />
    <h3>{ruleText.consequences}</h3>
    <ActionList
      actions={rule.actions}
      types={actionTypes}
      elsewhere={ruleText.inJson}
      onChange={(actions) => onChange({ ...rule, actions })}
    />
  </>
)

/** The editor of one rule: as sentences, or as JSON. */
export const RuleEditor = ({ onChange, rule }: RuleEditorProps) => {
  const [view, setView] = useState<(typeof views)[number][0]>("sentences")
  return (
    <div className={styles.editor} role="group" aria-label={ruleText.editor(rule.name)}>
      <Tabs label={ruleText.editor(rule.name)} tabs={views} selected={view} onSelect={setView}>
        {view === "sentences" ? (
          <Sentences rule={rule} onChange={onChange} />
        ) : (
          <RuleJson rule={rule} onChange={onChange} />
        )}
      </Tabs>
    </div>
  )
}
